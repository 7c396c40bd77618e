"""Sampled lines about single records in the run's log: a busy node must not flood the log or slow the run."""

from __future__ import annotations

import logging
import sys
import time

from runner.engine.formats.display import write_shown

MAX_PER_SECOND = 5
"""Most lines a second of one node in one task."""
MAX_LENGTH = 2_000
"""Most characters of a line."""
LOGGER = "record"
"""The logger of a node is `record.<node>`."""
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class RecordLog:
    """Writes lines for one node of one task. The next line says how many were left out."""

    __slots__ = ("left_out", "logger", "room", "second")

    def __init__(self, node: str) -> None:
        self.logger = logging.getLogger(f"{LOGGER}.{node}")
        self.second = -1
        self.room = 0
        self.left_out = 0

    def has_room(self) -> bool:
        """True if a line may be written. Ask before making the line, so that a skipped line costs next to nothing."""
        second = int(time.monotonic())
        if second != self.second:
            self.second, self.room = second, MAX_PER_SECOND
        if not self.room:
            self.left_out += 1
            return False
        self.room -= 1
        return True

    def write(self, line: str, level: int = logging.INFO) -> None:
        """Write a line for which there was room. It stays one line, whatever it holds."""
        one_line = line.replace("\n", "\\n").replace("\r", "\\r")
        if len(one_line) > MAX_LENGTH:
            one_line = f"{one_line[:MAX_LENGTH]} …"
        if self.left_out:
            one_line += f" ({self.left_out:,} more were left out before)"
            self.left_out = 0
        self.logger.log(level, "%s", one_line)


class NoLog(RecordLog):
    """Writes nothing."""

    __slots__ = ()

    def has_room(self) -> bool:
        return False


def format_value(value: object) -> str:
    """A key or value as JSON. Values that JSON lacks are shown as in Python."""
    try:
        return write_shown(value)
    except TypeError:
        return repr(value)


def to_stderr() -> None:
    """Send a worker's lines to its standard error, which is the run's log."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=FORMAT)
    logging.getLogger(LOGGER).setLevel(logging.INFO)
