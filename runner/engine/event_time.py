"""Times of records that are not those of their topic (TimestampExtractor): read when a record enters a task."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from designer.event_time import ReadsTimes, TimestampUnit
from designer.expressions import check
from designer.expressions.errors import RecordError
from designer.expressions.functions.times import try_to_timestamp_ms
from designer.logical import MS, changing, unit_of
from runner.engine.layout import Layout
from runner.engine.records import Receive, Row
from runner.engine.sources import decoders
from runner.formats import DecodeError

if TYPE_CHECKING:
    from runner.engine.program import Program

MOST_MS = 2**63 - 1
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")

TimeOf = Callable[[Any, Any, int], int]
"""Takes key, value and the record's own timestamp; gives the time (ms) or raises TimeError."""
Clock = Callable[[], int]
"""Gives the wall-clock time (ms)."""


class Reader(NamedTuple):
    """Makes milliseconds of what a field holds, None where it is none of what is `expected`."""

    read: Callable[[Any], int | None]
    expected: str


class TimeError(DecodeError):
    """A record has no time that can be used."""


def system_clock() -> int:
    return time.time_ns() // 1_000_000


def event_time(layout: Layout, node: str, expression: Callable[..., Any], clock: Clock) -> TimeOf | None:
    """How a source's records get their times; None where they keep those they have in the topic.

    `expression(node, field, parameters)` compiles an expression of the form.
    """
    source = layout.nodes[node].operator
    if not isinstance(source, ReadsTimes) or source.timestamp_from == "record":
        return None
    if source.timestamp_from == "wall_clock":
        return lambda key, value, timestamp: clock()
    compute = expression(node, "timestamp_field", ("key", "value", "timestamp"))
    return _field(compute, _declared(layout, node, source) or READERS[source.timestamp_unit])


def _declared(layout: Layout, node: str, source: ReadsTimes) -> Reader | None:
    """How a field is read whose type says itself what it counts, as timestamp-micros does; None for others."""
    scope = source.scope("timestamp_field", layout.nodes[node].inputs)
    unit = unit_of(check(source.timestamp_field or "", scope).type)
    if unit is None:
        return None
    change = changing(unit, MS) or _itself
    return Reader(lambda found: change(found) if type(found) is int else None, unit.word)


def _itself(number: int) -> int:
    return number


def with_time(time_of: TimeOf, receive: Receive) -> Receive:
    """Takes records with the time they have in the topic and hands them on with theirs."""
    return lambda key, value, timestamp: receive(key, value, time_of(key, value, timestamp))


def time_of_rows(layout: Layout, target: int, program: Program, clock: Clock) -> Callable[[Row], int] | None:
    """The times by which a task takes the rows of a target among others (RecordQueue), where they are not their own.

    A row whose time cannot be read keeps its own: it fails when its turn comes.
    """
    node = layout.entered(target)
    time_of = event_time(layout, node, program.expression, clock)
    if time_of is None:
        return None
    decode_key, decode_value = decoders(layout, node)

    def time_of_row(row: Row) -> int:
        _, key, value, timestamp, _, _, _ = row
        program.context.row = row
        try:
            key, value = None if key is None else decode_key(key), None if value is None else decode_value(value)
            return time_of(key, value, timestamp)
        except DecodeError:
            return timestamp

    return time_of_row


def _field(compute: Callable[[Any, Any, int], Any], reader: Reader) -> TimeOf:
    read, expected = reader

    def time_of(key: Any, value: Any, timestamp: int) -> int:
        try:
            found = compute(key, value, timestamp)
        except RecordError as error:
            raise TimeError(error.message) from error
        ms = read(found)
        if ms is None or not 0 <= ms <= MOST_MS:
            shown = "null" if found is None else repr(found)[:40]
            raise TimeError(f"The time of the record is {shown}; expected {expected}, from 1970 on.")
        return ms

    return time_of


def _from_ms(found: Any) -> int | None:
    if type(found) is int:
        return found
    return _number(found, 1)


def _from_seconds(found: Any) -> int | None:
    if type(found) is int:
        return found * 1_000
    return _number(found, 1_000)


def _number(found: Any, factor: int) -> int | None:
    """Digits in a text count as a number, also behind a point."""
    if type(found) is str and len(found) < 20 and NUMBER.fullmatch(found):
        return int(found) * factor if found.isdigit() else _number(float(found), factor)
    if type(found) is float and abs(found) < 2.0**53:
        return round(found * factor)
    return None


def _from_iso(found: Any) -> int | None:
    return try_to_timestamp_ms(found) if type(found) is str else None


READERS: Mapping[TimestampUnit, Reader] = {
    "ms": Reader(_from_ms, "milliseconds"),
    "s": Reader(_from_seconds, "seconds"),
    "iso": Reader(_from_iso, "a text such as '2026-01-31T08:00:00Z'"),
}
