"""Whether the newest records of a topic have plausible times, as their source would read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from designer.expressions import ExpressionError, check, compile_expression
from designer.issues import Issue
from designer.streams.event_time import ReadsTimes
from designer.streams.inference import infer
from designer.topology.catalogue import Flows
from runner.control.clusters.issue_codes import ClusterIssueCode
from runner.engine.formats import DecodeError
from runner.engine.formats.sides import make_decoder_of
from runner.engine.tasks.event_time import EARLIEST_LIKELY_MS, MAX_LIKELY_AHEAD_MS, format_time, make_time_in_field
from runner.kafka.values import Message

FIELD = "timestamp_field"


def find_unlikely_times(
    node: str, source: ReadsTimes, topic: str, messages: Sequence[Message], now: int
) -> Iterator[Issue]:
    """One issue if any time is before 2000 or more than a day ahead. It does not prevent a deploy."""
    times = list(_find_times(source, messages))
    unlikely = [time for time in times if not _is_likely(time, now)]
    if unlikely:
        first = unlikely[0]
        place = "before 2000" if first < EARLIEST_LIKELY_MS else "more than a day ahead"
        yield Issue(
            ClusterIssueCode.TIMES_UNLIKELY,
            {
                "unlikely": len(unlikely),
                "times": len(times),
                "topic": topic,
                "time": format_time(first),
                "when": place,
                "cure": _describe_fix(source, first, now),
            },
            node=node,
            field=FIELD if source.timestamp_from == "field" else "timestamp_from",
        )


def _is_likely(time: int, now: int) -> bool:
    return EARLIEST_LIKELY_MS <= time <= now + MAX_LIKELY_AHEAD_MS


def _describe_fix(source: ReadsTimes, time: int, now: int) -> str:
    reads_field = source.timestamp_from == "field"
    if _is_likely(time * 1_000, now):
        if reads_field:
            return "It looks like seconds: choose `s` as `timestamp_unit`."
        return "It looks like seconds: choose `field` as `timestamp_from`, `timestamp` as the field, and the unit `s`."
    if _is_likely(time // 1_000, now):
        field = source.timestamp_field if reads_field else "timestamp"
        return f"It looks like microseconds: write `{field} / 1000` as `timestamp_field`, with the unit `ms`."
    if time > now:
        return "One such record makes later records late: set `max_ahead_ms`, or choose another `timestamp_field`."
    return "Choose the field that holds the time of the record as `timestamp_field`."


def _find_times(source: ReadsTimes, messages: Sequence[Message]) -> Iterator[int]:
    """The times of the records that have one according to the source's form."""
    if source.timestamp_from == "record":
        yield from (message.timestamp for message in messages)
    elif source.timestamp_from == "field" and source.timestamp_field is not None:
        yield from _read_times(source, source.timestamp_field, messages)


def _read_times(source: ReadsTimes, field: str, messages: Sequence[Message]) -> Iterator[int]:
    headers: list[dict[str, str | None]] = []
    try:
        expression = check(field, source.scope(FIELD, Flows()))
    except ExpressionError:
        return
    roles = ("key", "value", "timestamp")
    time_of = make_time_in_field(
        source, compile_expression(expression, roles, node="", field=FIELD, headers=lambda: headers)
    )
    schema = source.read(infer((message.key, message.value) for message in messages))
    decode_key, decode_value = make_decoder_of(schema.key), make_decoder_of(schema.value)
    for message in messages:
        headers = [
            {"key": name, "value": None if value is None else value.decode(errors="replace")}
            for name, value in message.headers
        ]
        try:
            key = None if message.key is None else decode_key(message.key)
            value = None if message.value is None else decode_value(message.value)
            yield time_of(key, value, message.timestamp)
        except DecodeError:
            continue
