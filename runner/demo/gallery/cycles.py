"""Sample data of the gallery: the example records of an application, again and again, each time later.

Every repetition is one *cycle*. It shifts the timestamps of the records, and times inside their values, by the same
whole period, so that windows open and close as they do in the example. Every ten cycles, ids such as `ORD-001` get new
numbers: an application that forgets nothing, such as a deduplication, has something new to say.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from runner.demo.gallery import read_gallery, read_gallery_examples

PAUSE_MS = 3_600_000
"""Time between the records of two cycles, in ms: longer than the windows and graces of the applications."""
YEARS_MS = 10 * 365 * 86_400_000
"""Cycle 0 lies this far, in ms, before the last one that fits: no record may be of the future."""
SAME_IDS = 10
"""Cycles with the same ids."""
ID = re.compile(r"([A-Za-z]+[-_]?)([0-9]+)")
SLACK_MS = 86_400_000
"""A number or text in a value that is at most this far, in ms, from the example's timestamps is a time."""


class SampleRecord(NamedTuple):
    """A record of a cycle: topic, key as text, value as JSON, and timestamp in ms since 1970."""

    topic: str
    key: str | None
    value: Any
    timestamp: int


def list_cycle_records(application_id: str, cycle: int, now_ms: int) -> list[SampleRecord]:
    """Return the records of one cycle, or none if they would be of the future.

    `now_ms` is when cycle 0 was written: the cycles fill the ten years before it.
    """
    examples = [SampleRecord(**each) for each in read_gallery_examples()[application_id]["records"]]
    times = [each.timestamp for each in examples]
    period = max(times) - min(times) + PAUSE_MS
    shift = (now_ms - YEARS_MS - min(times)) // period * period + cycle * period
    if max(times) + shift > now_ms:
        return []
    change = _Change((min(times) - SLACK_MS, max(times) + SLACK_MS), shift, cycle // SAME_IDS * 100)
    return [
        SampleRecord(each.topic, change.of(each.key), change.of(each.value), each.timestamp + shift)
        for each in examples
    ]


def list_topics(application_id: str) -> list[str]:
    """Return the names of all topics that an application reads or writes."""
    nodes = read_gallery()[application_id]["graph"]["nodes"]
    return sorted({node["config"]["topic"] for node in nodes if "topic" in node["config"]})


class _Change(NamedTuple):
    """What a cycle changes in keys and values: times within `span` by `shift` ms, and the numbers of ids by `step`."""

    span: tuple[int, int]
    shift: int
    step: int

    def of(self, value: Any) -> Any:
        """A changed value. Times are ms or seconds since 1970, or ISO 8601 texts."""
        match value:
            case dict():
                return {name: self.of(each) for name, each in value.items()}
            case list():
                return [self.of(each) for each in value]
            case bool() | None:
                return value
            case int() | float() if self.is_time(value):
                return value + self.shift
            case int() | float() if self.is_time(value * 1_000):
                return value + self.shift // 1_000
            case str() if found := ID.fullmatch(value):
                return f"{found[1]}{int(found[2]) + self.step:0{len(found[2])}d}"
            case str():
                return self.of_text(value)
        return value

    def of_text(self, text: str) -> str:
        try:
            time = datetime.fromisoformat(text)
        except ValueError:
            return text
        if time.tzinfo is None or not self.is_time(time.timestamp() * 1_000):
            return text
        moved = (time + timedelta(milliseconds=self.shift)).isoformat()
        return moved.replace("+00:00", "Z") if text.endswith("Z") else moved

    def is_time(self, ms: float) -> bool:
        return self.span[0] <= ms <= self.span[1]
