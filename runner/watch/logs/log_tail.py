"""Follows the log of a run for one viewer: its last lines first, then each that is written."""

from __future__ import annotations

from dataclasses import asdict
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from typing_extensions import TypedDict

from runner.watch.logs.logs import Line, parse

MAX_LINES = 500
"""Lines in a message."""
WINDOW = 1_048_576
"""So many bytes at the end of what is new are read as lines; those before them are only counted."""


class Lines(TypedDict):
    """Lines of the log of a run, by its generation; `skipped` counts those that came in between and are not shown."""

    type: Literal["lines"]
    run: int
    lines: list[Line]
    skipped: int


class Log(NamedTuple):
    """The log a run leaves; `elsewhere` names the host it is on when that is not this one."""

    run: int
    path: Path
    elsewhere: str | None


class LogTail:
    """Follows a log, or waits for it; `log` may be replaced by that of a newer run at any time."""

    def __init__(self, log: Log | None) -> None:
        self.log = log
        self.read: Log | None = None
        self.offset = self.lines = 0
        self.level: str | None = None
        self.told = ""

    def next(self) -> list[dict[str, Any]]:
        """The lines written since the last call, or once what is waited for."""
        log = self.log
        if log is None:
            return self._wait("The job has no run yet. Its log is shown as soon as it starts.")
        try:
            with log.path.open("rb") as file:
                return self._since(log, file)
        except FileNotFoundError:
            self.read = None
            return self._wait(_missing(log))

    def rest(self) -> None:
        """Nothing is held between two calls."""

    def _since(self, log: Log, file: IO[bytes]) -> list[dict[str, Any]]:
        size = file.seek(0, SEEK_END)
        first = log != self.read or size < self.offset
        if first:
            self.read, self.offset, self.lines, self.level, self.told = log, 0, 0, None, ""
        file.seek(self.offset)
        passed = _passed_over(file, size - WINDOW)
        found = self._parsed(file, passed)
        shown, skipped = found[-MAX_LINES:], 0 if first else passed + max(0, len(found) - MAX_LINES)
        message = {"type": "lines", "run": log.run, "lines": [asdict(line) for line in shown], "skipped": skipped}
        return [message] if first or shown else []

    def _parsed(self, file: IO[bytes], passed: int) -> list[Line]:
        """The whole lines from here; one that is still being written is left for the next call."""
        start, data = file.tell(), file.read(2 * WINDOW)
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.decode(errors="replace").split("\n")[:-1]
        found = list(parse(lines, self.lines + passed + 1, self.level))
        self.offset, self.lines = start + len(whole), self.lines + passed + len(found)
        self.level = found[-1].level if found else self.level
        return found

    def _wait(self, message: str) -> list[dict[str, Any]]:
        if message == self.told:
            return []
        self.told = message
        return [{"type": "waiting", "message": message}]


def _passed_over(file: IO[bytes], until: int) -> int:
    """How many lines begin before `until`; leaves the file at the one behind them."""
    lines = 0
    if file.tell() >= until:
        return lines
    while (left := until - file.tell()) > 0:
        lines += file.read(min(left, WINDOW)).count(b"\n")
    return lines + bool(file.readline())


def _missing(log: Log) -> str:
    if log.elsewhere:
        return f"The log of run {log.run} is on host `{log.elsewhere}`, where this server cannot read it."
    return f"Run {log.run} has no log here. It has not started, or its log was deleted."
