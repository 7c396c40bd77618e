"""Times of records that differ from those of their topic (TimestampExtractor). A task reads them on entry."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from designer.expressions.functions.times import try_to_timestamp_ms
from designer.streams.event_time import ReadsTimes, TimestampUnit
from designer.values.logical import MS, get_unit, make_change
from designer.values.schemas import Type
from runner.engine.formats import DecodeError
from runner.engine.planning.layout import Layout
from runner.engine.records.record import HEADERS, Receive, Row
from runner.engine.tasks.program import CompiledExpressions
from runner.engine.tasks.sources import make_decoders

LATEST_MS = 1 << 62
"""The latest time of a record: in the year 146 million. Ends of windows and graces behind it still have 64 bits."""
NEGATIVE = "Its time is {} ms; expected 0 or later (Kafka Streams' FailOnInvalidTimestamp)."
TOO_LATE = f"Its time is {{}} ms; expected at most {LATEST_MS}, because later windows would not fit into 64 bits."
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")

EARLIEST_LIKELY_MS = 946_684_800_000
"""2000-01-01. Earlier times are mostly unset, or seconds taken for milliseconds."""
MAX_LIKELY_AHEAD_MS = 86_400_000
"""Times further ahead of the wall clock are mostly mistakes, and make all later records late."""

TimeOf = Callable[[Any, Any, int], int]
"""Takes key, value and the record's own timestamp. Returns the time (ms) or raises TimeError."""
Clock = Callable[[], int]
"""Returns the wall-clock time (ms)."""


class TimeReader(NamedTuple):
    """Makes milliseconds from a field's value. None if it does not match `expectation`."""

    read: Callable[[Any], int | None]
    expectation: str


class TimeError(DecodeError):
    """A record has no usable time."""


def read_system_clock() -> int:
    return time.time_ns() // 1_000_000


def find_event_time(
    layout: Layout, node: str, expression: Callable[..., Any], clock: Clock, *, is_guarded: bool = True
) -> TimeOf | None:
    """The reader of times for a source's records. None if they keep those of the topic, whatever they are.

    `expression(node, field, parameters)` compiles an expression of the form. With `is_guarded`, a time that is too far
    ahead raises TimeError.
    """
    source = layout.nodes[node].operator
    if not isinstance(source, ReadsTimes):
        return None
    if source.timestamp_from == "wall_clock":
        return lambda key, value, timestamp: clock()
    time_of: TimeOf | None = None
    if source.timestamp_from == "field":
        compute = expression(node, "timestamp_field", ("key", "value", "timestamp"))
        time_of = make_time_in_field(source, compute)
    if source.max_ahead_ms is None or not is_guarded:
        return time_of
    return _limit_ahead(time_of or _give_own, source.max_ahead_ms, clock)


def make_time_in_field(source: ReadsTimes, compute: Callable[[Any, Any, int], Any]) -> TimeOf:
    """Makes times from the values of `timestamp_field`. `compute` is that expression, compiled."""
    expression = source.check_time(source.timestamp_field or "")
    reader = _read_declared_time(expression.type) or READERS[source.timestamp_unit]
    return _read_field(compute, reader, source.write_cure(expression))


def _read_declared_time(type_: Type) -> TimeReader | None:
    """Reader of a field whose type declares its unit, such as timestamp-micros. None for other fields."""
    unit = get_unit(type_)
    if unit is None:
        return None
    change = make_change(unit, MS) or _give_itself
    return TimeReader(lambda value: change(value) if type(value) is int else None, unit.word)


def _give_itself(number: int) -> int:
    return number


def with_time(time_of: TimeOf, receive: Receive, note_unlikely: Callable[[], None] | None, clock: Clock) -> Receive:
    """Takes records with the time of the topic and hands them on with their own. None: all are likely."""
    if note_unlikely is None:
        return lambda key, value, timestamp: receive(key, value, time_of(key, value, timestamp))
    until = 0

    def take(key: Any, value: Any, timestamp: int) -> None:
        nonlocal until
        time = time_of(key, value, timestamp)
        if time > until:
            until = clock() + MAX_LIKELY_AHEAD_MS
        if not EARLIEST_LIKELY_MS <= time <= until:
            note_unlikely()
        receive(key, value, time)

    return take


def find_time_of_rows(
    layout: Layout, target: int, program: CompiledExpressions, clock: Clock
) -> Callable[[Row], int] | None:
    """Times by which a task orders the rows of a target among others (RecordQueue), if they are not their own.

    A row with an unreadable time keeps its own: it fails when its turn comes.
    """
    node = layout.node_entered(target)
    time_of = find_event_time(layout, node, program.expression, clock, is_guarded=False)
    if time_of is None:
        return None
    decode_key, decode_value = make_decoders(layout, node, lambda: program.context.row[HEADERS])

    def time_of_row(row: Row) -> int:
        _, key, value, timestamp, _, _, _ = row
        program.context.row = row
        try:
            key, value = None if key is None else decode_key(key), None if value is None else decode_value(value)
            return time_of(key, value, timestamp)
        except DecodeError:
            return timestamp

    return time_of_row


def _give_own(key: Any, value: Any, timestamp: int) -> int:
    return timestamp


def _limit_ahead(time_of: TimeOf, max_ahead_ms: int, clock: Clock) -> TimeOf:
    def guard(key: Any, value: Any, timestamp: int) -> int:
        time, now = time_of(key, value, timestamp), clock()
        if time > now + max_ahead_ms:
            raise TimeError(
                f"The time of the record is {format_time(time)}, and the wall clock says {format_time(now)}; "
                f"expected at most {max_ahead_ms} ms ahead (`max_ahead_ms`)."
            )
        return time

    return guard


def format_time(ms: int) -> str:
    """`2026-03-28T23:30:00Z (1774740600000)`, or only the number after the end of Python's dates."""
    try:
        return f"{datetime.fromtimestamp(ms // 1_000, UTC):%Y-%m-%dT%H:%M:%SZ} ({ms})"
    except (OverflowError, ValueError, OSError):
        return str(ms)


def _read_field(compute: Callable[[Any, Any, int], Any], reader: TimeReader, cure: str | None) -> TimeOf:
    """`cure` is another `timestamp_field`, with which records without a value have a time."""
    read, expectation = reader

    def time_of(key: Any, value: Any, timestamp: int) -> int:
        try:
            field_value = compute(key, value, timestamp)
        except RecordError as error:
            raise TimeError(error.message) from error
        ms = read(field_value)
        if ms is not None and ms > LATEST_MS:
            raise TimeError(TOO_LATE.format(ms))
        if ms is None or ms < 0:
            shown_value = "null" if field_value is None else repr(field_value)[:40]
            if value is None and field_value is None and cure is not None:
                raise TimeError(
                    f"The record has no value, so `timestamp_field` gives no time for it. Write `{cure}` there, and "
                    "such a record takes its time from the topic."
                )
            raise TimeError(f"The time of the record is {shown_value}; expected {expectation}, from 1970 on.")
        return ms

    return time_of


def _from_ms(value: Any) -> int | None:
    if type(value) is int:
        return value
    return _read_number(value, 1)


def _from_seconds(value: Any) -> int | None:
    if type(value) is int:
        return value * 1_000
    return _read_number(value, 1_000)


def _read_number(value: Any, factor: int) -> int | None:
    """Digits in a text count as a number, also after a point. So do numbers that keep theirs, such as 5.250 in JSON."""
    if type(value) is str and len(value) < 20 and NUMBER.fullmatch(value):
        return int(value) * factor if value.isdigit() else _read_number(float(value), factor)
    if isinstance(value, float | Decimal) and -(2**53) < value < 2**53:
        return round(value * factor)
    return None


def _from_iso(value: Any) -> int | None:
    return try_to_timestamp_ms(value) if type(value) is str else None


READERS: Mapping[TimestampUnit, TimeReader] = {
    "ms": TimeReader(_from_ms, "milliseconds"),
    "s": TimeReader(_from_seconds, "seconds"),
    "iso": TimeReader(_from_iso, "a text such as '2026-01-31T08:00:00Z'"),
}
