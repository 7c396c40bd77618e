"""What our own Postgres, Redis, Kafka and registry have in common."""

from functools import cached_property
from pathlib import Path

from .ports import choose_port
from .process import ChildProcess


class Server:
    """A server with its files in `home`, on a port of 127.0.0.1. What it has stored stays for the next start.

    `is_passing` is for tests: it ends with this process, and need not survive a crash of the machine.
    """

    name: str
    stop_seconds = 6.0
    """Longest time that it gets to stop cleanly."""

    def __init__(self, home: Path, *, is_passing: bool = False) -> None:
        self.home = home
        self.is_passing = is_passing
        self.child: ChildProcess | None = None

    @cached_property
    def port(self) -> int:
        """The port on which it listens, known before it starts."""
        return choose_port(self.home, self.name)

    def stop(self) -> None:
        """Stops it cleanly, or by force after a few seconds."""
        if self.child:
            self.child.stop(seconds=self.stop_seconds)
