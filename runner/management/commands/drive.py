"""`manage.py drive`: the name of `supervise` in 0.1.0. A later release removes it."""

from runner.management.commands.supervise import Command as Supervise


class Command(Supervise):
    help = "The name of supervise in 0.1.0. A later release removes it."
