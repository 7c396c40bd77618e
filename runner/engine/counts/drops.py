"""Dropped records by node and reason, with a few examples. Kafka Streams only counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NotRequired

from typing_extensions import TypedDict

from runner.engine.formats.display import mark, write_shown
from runner.engine.planning.layout import Layout, Source, find_topic
from runner.engine.records.record import PARTITIONS, TARGET, Row

SAMPLES = 3
"""Most records kept of each node, reason and batch."""
MAX_KEY_LENGTH = 100


class DroppedRecord(TypedDict):
    """A record that was dropped. After a shuffle its partition and offset in a topic are no longer known.

    `late_ms` says of a late one how much more grace would have kept it, where that is known.
    """

    topic: str
    partition: int | None
    offset: int | None
    timestamp: int
    key: str | None
    late_ms: NotRequired[int]


class LostRow(NamedTuple):
    """A row that goes no further. `late_ms` says how much more grace would have kept a late one."""

    row: Row
    late_ms: int | None = None


class Dropped(TypedDict):
    """Number of records dropped for one reason, and the first of them.

    A count of 0 has examples of records that were not dropped, but had no result either.
    """

    count: int
    samples: list[DroppedRecord]


Drops = dict[str, dict[str, Dropped]]
"""By node and reason."""


def describe_drops(
    layout: Layout,
    reasons: Mapping[str, int],
    rows: Mapping[str, Iterable[LostRow]],
    decode_key: Callable[[int], Callable[[bytes], Any]],
) -> dict[str, Dropped]:
    """The drops of one node. `decode_key` gives the decoder of a target's keys."""
    return {
        reason: {
            "count": count,
            "samples": [
                _describe_dropped(layout, lost_row, decode_key(lost_row.row[TARGET]))
                for lost_row in rows.get(reason, ())
            ],
        }
        for reason, count in (dict.fromkeys(rows, 0) | dict(reasons)).items()
    }


def add(totals: Drops, more: Drops) -> None:
    """Adds drops. The first samples of each reason stay."""
    for node, reasons in more.items():
        for reason, drop in reasons.items():
            into = totals.setdefault(node, {}).setdefault(reason, {"count": 0, "samples": []})
            into["count"] += drop["count"]
            into["samples"] = [*into["samples"], *drop["samples"]][:SAMPLES]


def _describe_dropped(layout: Layout, row: LostRow, decode: Callable[[bytes], Any]) -> DroppedRecord:
    target_number, key, _, timestamp, _, number, offset = row.row
    target = layout.targets[target_number]
    is_source = isinstance(target, Source)
    sample: DroppedRecord = {
        "topic": find_topic(target),
        "partition": number % PARTITIONS if is_source else None,
        "offset": offset if is_source else None,
        "timestamp": timestamp,
        "key": None if key is None else _describe_key(key, decode),
    }
    if row.late_ms is not None:
        sample["late_ms"] = row.late_ms
    return sample


def _describe_key(key: bytes, decode: Callable[[bytes], Any]) -> str:
    """A key as text. An unreadable key is shown as its bytes."""
    try:
        read = decode(key)
        text = read if isinstance(read, str) else write_shown(read)
    except ValueError:
        text = mark(key)
    return text if len(text) <= MAX_KEY_LENGTH else f"{text[:MAX_KEY_LENGTH]}…"
