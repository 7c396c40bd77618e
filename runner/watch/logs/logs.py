"""Splits lines of a run's log into parts. Python's logging, Spark's log4j and plain prints write there.

See `LOGGING` in webapp/settings.py and runner/spark/log4j2.properties for their formats. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

MAX_LENGTH = 16_384
"""Maximum number of characters shown of a line."""
LINE = re.compile(
    r"(?P<at>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{3}) (?P<level>[A-Z]+) +(?P<logger>[^\s:]+): ?(?P<text>.*)", re.DOTALL
)
Level = Literal["DEBUG", "INFO", "WARNING", "ERROR", "SPARK"]
LEVELS: Mapping[str, Level] = {
    "TRACE": "DEBUG",
    "DEBUG": "DEBUG",
    "INFO": "INFO",
    "WARN": "WARNING",
    "WARNING": "WARNING",
    "ERROR": "ERROR",
    "CRITICAL": "ERROR",
    "FATAL": "ERROR",
}
SPARK: Level = "SPARK"
"""The level of all lines by Spark, Java and their libraries, of any severity: they are about them, not about the job.
The end of a run is also reported as its failure.
"""
SPARKS_LOGGER = re.compile(r"[A-Z]\w*$|py4j\b|pyspark\b")
"""Java classes in the form of log4j2.properties, and Spark's part in Python."""
SPARKS_LINE = re.compile(r"(?:Starting )?Streaming TransformWithState|WARNING: Using incubator|OpenJDK |Picked up ")
"""Lines that Spark's workers and the Java machine print without a logger."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line; `at` in ms since 1970. One that no logger wrote, as of a traceback, has the level of the one before.

    >>> [line.level for line in parse(["2026-11-21 16:31:47.508 WARN StateStore: Loaded", "\\tat Query.run"])]
    ['SPARK', 'SPARK']
    """

    number: int
    at: int | None
    level: Level | None
    logger: str
    text: str


def parse(lines: Iterable[str], first: int = 1, level: Level | None = None) -> Iterator[Line]:
    """Lines numbered from `first`; `level` is that of the line before."""
    for number, line in enumerate(lines, first):
        match = LINE.match(line)
        at = _parse_ms(match["at"]) if match is not None and match["level"] in LEVELS else None
        if match is None or at is None:
            level = SPARK if SPARKS_LINE.match(line) else level
            yield Line(number, None, level, "", _shorten(line))
        else:
            level = SPARK if SPARKS_LOGGER.match(match["logger"]) else LEVELS[match["level"]]
            yield Line(number, at, level, match["logger"], _shorten(match["text"]))


def _parse_ms(text: str) -> int | None:
    """Runs use Django's clock, which is UTC. None for an invalid time, such as a 13th month."""
    try:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000)
    except ValueError:
        return None


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH] + " …"
