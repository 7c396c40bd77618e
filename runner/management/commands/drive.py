"""`manage.py drive`: the name of `supervise` in 0.1.0. A later release removes it."""

from runner.management.commands.supervise import Command

__all__ = ["Command"]
