"""Lines of an executor's log for the log of its run: with their host, and without Spark's chatter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SPARKS = re.compile(r"(\d\d)/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) ([A-Z]+) ([^\s:]+): ?(.*)")
"""Lines as Spark's executors write them, with a date that begins with the year."""
OURS = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{3} [A-Z]+ +[^\s:]+:) ?(.*)")
CHATTER = re.compile(
    r"\s*$|=+$|Spark Executor Command: |Using Spark's default log4j|WARNING: Using incubator|OpenJDK |Picked up "
    r"|(Starting )?Streaming TransformWithState"
    r"|HashMap\((\d+\.sst |\)$)"  # files of a snapshot of state that other snapshots share
    r"|../../.. ..:..:.. (INFO|DEBUG|TRACE) "
    r"|../../.. ..:..:.. WARN (NativeCodeLoader|Utils|TransformWithStateInPySparkStateServer): "
)
"""Lines that say nothing about the job. Spark's warnings and errors stay."""


def with_host(lines: Iterable[str], host: str) -> Iterator[str]:
    """The lines of an executor that the log of a run gets.

    >>> list(with_host(["26/11/27 07:32:34 WARN StateStore: Loaded", "26/11/27 07:32:35 INFO SignalUtils: x"], "one"))
    ['2026-11-27 07:32:34.000 WARN StateStore: [one] Loaded']
    """
    for line in lines:
        if CHATTER.match(line):
            continue
        if match := SPARKS.match(line):
            year, month, day, time, level, logger, text = match.groups()
            yield f"20{year}-{month}-{day} {time}.000 {level} {logger}: [{host}] {text}"
        elif match := OURS.match(line):
            yield f"{match[1]} [{host}] {match[2]}"
        else:
            yield f"[{host}] {line}"
