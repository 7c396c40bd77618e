"""Follows the log of a run for one viewer: its last lines first, then each new one."""

from __future__ import annotations

from dataclasses import asdict
from os import SEEK_END
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from django.conf import settings
from typing_extensions import TypedDict

from runner.watch.logs.logs import Level, Line, parse
from runner.watch.queries.mailbox import NoAnswer, ask, of_host
from runner.watch.sockets.messages import TailMessage

MAX_LINES = 500
"""Maximum lines in a message."""
WINDOW = 1_048_576
"""Only this many bytes at the end of the new part are read as lines. Earlier lines are only counted."""


class Lines(TypedDict):
    """Lines of the log of a run, by its generation; `skipped` counts those that came in between and are not shown."""

    type: Literal["lines"]
    run: int
    lines: list[Line]
    skipped: int


class Log(NamedTuple):
    """The log of a run: `number` is its generation. `elsewhere` names another host that has it."""

    run: int
    number: int
    elsewhere: str | None = None

    @property
    def path(self) -> Path:
        """Its path on its host."""
        return Path(settings.HOME) / "logs" / f"run-{self.run}.log"


class LogPlace(NamedTuple):
    """The read part of a log: bytes, their lines, and the level of the last one."""

    offset: int = 0
    lines: int = 0
    level: Level | None = None


class LogTail:
    """Follows a log, or waits for it. Another thread may replace `log` by that of a newer run."""

    def __init__(self, log: Log | None) -> None:
        self.log = log
        self.read: Log | None = None
        self.place: LogPlace | None = None
        self.last_message = ""

    def read_next(self) -> list[TailMessage]:
        """The lines written since the last call, or one message about the wait."""
        log = self.log
        if log is None:
            return self._wait("The job has no run yet. Its log is shown as soon as it starts.")
        if log != self.read:
            self.read, self.place = log, None
        try:
            message, self.place = read_on(log, self.place) if log.elsewhere is None else ask_agent(log, self.place)
        except FileNotFoundError:
            self.place = None
            return self._wait(f"Run {log.number} has no log. It has not started, or its log was deleted.")
        except NoAnswer:
            return self._wait(f"Host `{log.elsewhere}` does not answer. The log of run {log.number} is there.")
        self.last_message = ""
        return [message] if message else []

    def rest(self) -> None:
        """Does nothing: this reader holds nothing between two calls."""

    def _wait(self, message: str) -> list[TailMessage]:
        if message == self.last_message:
            return []
        self.last_message = message
        return [{"type": "waiting", "message": message}]


def read_on(log: Log, place: LogPlace | None) -> tuple[TailMessage | None, LogPlace]:
    """The new part of a log of this host since a place, and the new place. From None on, its last lines.

    The message is None if there is nothing new. Raises FileNotFoundError.
    """
    with log.path.open("rb") as file:
        size = file.seek(0, SEEK_END)
        first = place is None or size < place.offset
        offset, lines, level = LogPlace() if place is None or first else place
        file.seek(offset)
        jump = _count_lines(file, size - WINDOW)
        start, data = file.tell(), file.read(2 * WINDOW)
    whole = data[: data.rfind(b"\n") + 1]  # an unfinished line is left for the next call
    entries = list(parse(whole.decode(errors="replace").split("\n")[:-1], lines + jump + 1, level))
    tail, skip_count = entries[-MAX_LINES:], 0 if first else jump + max(0, len(entries) - MAX_LINES)
    message = {"type": "lines", "run": log.number, "lines": [asdict(line) for line in tail], "skipped": skip_count}
    end = LogPlace(start + len(whole), lines + jump + len(entries), entries[-1].level if entries else level)
    return message if first or tail else None, end


def ask_agent(log: Log, place: LogPlace | None) -> tuple[TailMessage | None, LogPlace]:
    """What `read_on` gives, for a log on another host, whose agent reads it. Raises FileNotFoundError, NoAnswer."""
    answer: LogAnswer = ask(
        of_host(str(log.elsewhere)), {"run": log.run, "number": log.number, "place": place and list(place)}
    )
    if answer["place"] is None:
        raise FileNotFoundError
    return answer["message"], LogPlace(*answer["place"])


class LogQuestion(TypedDict):
    """What the agent of a host is asked: the new part of the log of a run since a `LogPlace`."""

    id: str
    run: int
    number: int
    place: list[Any] | None


class LogAnswer(TypedDict):
    """The new part, with the place to ask from next. Without a place the run has no log."""

    id: str
    message: TailMessage | None
    place: list[Any] | None


def answer(question: LogQuestion) -> LogAnswer:
    """The answer of a host's agent to such a question."""
    place = LogPlace(*question["place"]) if question["place"] else None
    try:
        message, new_place = read_on(Log(question["run"], question["number"]), place)
    except FileNotFoundError:
        return {"id": question["id"], "message": None, "place": None}
    return {"id": question["id"], "message": message, "place": list(new_place)}


def _count_lines(file: IO[bytes], until: int) -> int:
    """Number of lines that begin before `until`. Leaves the file at the line after them."""
    lines = 0
    if file.tell() >= until:
        return lines
    while (left := until - file.tell()) > 0:
        lines += file.read(min(left, WINDOW)).count(b"\n")
    return lines + bool(file.readline())
