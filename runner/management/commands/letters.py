"""`manage.py letters`: the name of `dead-letters` in 0.1.0. A later release removes it."""

from importlib import import_module

DeadLetters = import_module("runner.management.commands.dead-letters").Command


class Command(DeadLetters):  # type: ignore[misc, valid-type]
    help = "The name of dead-letters in 0.1.0. A later release removes it."
