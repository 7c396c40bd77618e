"""Records that somebody makes up for a trial, a line of JSON each."""

from __future__ import annotations

from typing import Any

import orjson

from designer.refusals import Refusal
from runner.engine.trial import Given

MOST = 1_000
EXAMPLE = '{"topic": "orders", "key": "a", "value": {"amount": 3}, "timestamp": 1000}'
NAMES = ("topic", "key", "value", "timestamp")


class BadLine(Refusal):
    """A line is no record."""

    code = "trial.bad_line"
    status = 422


def read_lines(text: str) -> list[Given]:
    """The records, in order. Key and value are null where they are left out, the time (ms) is that of the line before.

    Raises BadLine with the number of the line.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) > MOST:
        raise BadLine(f"These are {len(lines):,} records; {MOST:,} can be tried at a time.", "Leave some out.")
    found: list[Given] = []
    for number, line in lines:
        found.append(_given(number, line, found[-1].timestamp if found else 0))
    return found


def _given(number: int, line: str, before: int) -> Given:
    try:
        read: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _bad(number, f"is no JSON: {error}") from error
    if not isinstance(read, dict):
        raise _bad(number, "is no object")
    for name in read:
        if name not in NAMES:
            raise _bad(number, f"has `{name[:80]}`; known are {', '.join(NAMES)}")
    topic, timestamp = read.get("topic"), read.get("timestamp", before)
    if not isinstance(topic, str):
        raise _bad(number, "names no `topic`")
    if not isinstance(timestamp, int) or isinstance(timestamp, bool) or not -(2**63) <= timestamp < 2**63:
        raise _bad(number, "has a `timestamp` that is no whole number of milliseconds since 1970")
    return Given(topic, read.get("key"), read.get("value"), timestamp)


def _bad(number: int, what: str) -> BadLine:
    return BadLine(f"Line {number} {what}.", f"Write each record on one line: {EXAMPLE}", line=number)
