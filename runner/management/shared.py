"""The base of commands that exist on the server and from another machine."""

from __future__ import annotations

from django.core.management.base import CommandParser

from runner.control.jobs.command import JobCommand
from runner.management.arguments import SHARED


class SharedCommand(JobCommand):
    """Takes its help and its arguments from `arguments.SHARED`, by the name of its module."""

    def __init_subclass__(cls) -> None:
        cls.help = SHARED[cls._get_name()].help

    @classmethod
    def _get_name(cls) -> str:
        return cls.__module__.rpartition(".")[2]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        SHARED[self._get_name()].add_arguments(parser)
