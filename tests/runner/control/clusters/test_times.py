"""Whether the times of a source's newest records are likely."""

from __future__ import annotations

import json
from typing import Any

import pytest

from designer.issues import Issue
from designer.streams.event_time import ReadsTimes
from designer.topology.catalogue import get_catalogue
from runner.control.clusters.times import find_unlikely_times
from runner.engine.tasks.event_time import format_time
from runner.kafka.values import Message

NOW = 1_774_656_000_000
DAY = 86_400_000
FIELD = {"timestamp_from": "field", "timestamp_field": "at"}


def record(timestamp: int, **value: Any) -> Message:
    return Message(0, 0, timestamp, b"k", json.dumps(value).encode(), (("written", str(NOW // 1_000).encode()),))


def told(config: dict[str, Any], *records: Message) -> list[Issue]:
    source = get_catalogue()["stream"].model_validate({"topic": "orders"} | config)
    assert isinstance(source, ReadsTimes)
    return list(find_unlikely_times("source", source, "orders", records, NOW))


@pytest.mark.parametrize(
    ("config", "records"),
    [
        ({}, [record(NOW), record(NOW + DAY)]),
        ({}, []),
        ({"timestamp_from": "wall_clock"}, [record(0)]),
        (FIELD | {"timestamp_unit": "s"}, [record(0, at=NOW // 1_000)]),
        (FIELD | {"timestamp_unit": "iso"}, [record(0, at="2026-03-01T00:00:00Z")]),
        (FIELD | {"timestamp_field": "timestamp", "timestamp_unit": "s"}, [record(NOW // 1_000)]),
        (FIELD, [record(0), Message(0, 0, 0, b"k", b"no json"), Message(0, 0, 0, None, None)]),
        (FIELD | {"timestamp_field": "at +"}, [record(0, at=5)]),
    ],
)
def test_likely_times_and_those_that_cannot_be_read_are_no_issue(config: dict[str, Any], records: list[Message]):
    assert told(config, *records) == []


def test_seconds_taken_for_milliseconds_are_recognised_with_an_example_and_the_unit_to_choose():
    (of_field,) = told(FIELD, record(NOW, at=NOW // 1_000), record(NOW, at=NOW))
    (of_record,) = told({}, record(NOW // 1_000))

    assert of_field.message.startswith("1 of 2 times in the newest records of `orders` are unlikely.")
    assert "For example, 1970-01-21T12:57:36Z (1774656000) is before 2000." in of_field.message
    assert "choose `s` as `timestamp_unit`" in of_field.hint
    assert (of_field.node, of_field.field) == ("source", "timestamp_field")
    assert "choose `field` as `timestamp_from`, `timestamp` as the field" in of_record.hint
    assert of_record.field == "timestamp_from"


def test_microseconds_taken_for_milliseconds_are_recognised():
    (issue,) = told(FIELD | {"timestamp_field": "value.order.at"}, record(0, order={"at": NOW * 1_000}))

    assert "write `value.order.at / 1000` as `timestamp_field`" in issue.hint


def test_the_time_is_computed_as_the_source_does():
    (issue,) = told(FIELD | {"timestamp_field": "headers[0].value"}, record(NOW))

    assert format_time(NOW // 1_000) in issue.message


def test_a_time_years_ahead_is_said_to_make_later_records_late():
    (issue,) = told({}, record(NOW), record(NOW + 400 * DAY))

    assert "is more than a day ahead" in issue.message
    assert "set `max_ahead_ms`" in issue.hint
