"""Where a batch ends: pure, from where it starts and what Kafka has."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

# The source offers these batches itself: Spark's timers would run a batch at every trigger.
TICK_MS = 1_000
"""Time between batches without records while punctuators of the wall clock wait for them."""
FIRST = 10_000
"""Most records that the very first batch reads from streams, to show first results soon."""
Offsets = dict[str, Any]
"""End of a batch: its `time` (ms), and by group and topic the next offset of each partition. `is_cut` is true if the
batch leaves records because those it takes are large, and `reads_all` if it takes all there are. Only sources whose
tasks may be idle say the latter."""
GROUPS = ("first", "tables", "streams")
"""The topics of a query: those to load first, other tables, streams."""


def list_groups(end: Mapping[str, Any]) -> dict[str, dict[str, list[int]]]:
    """The next offset of each partition, by group and topic."""
    return {group: end[group] for group in GROUPS if group in end}


def hold(held: Mapping[str, Mapping[int, int]], ends: dict[str, list[int]]) -> dict[str, list[int]]:
    """Ends of topics, before the records that wait for their schemas."""
    return ends | {
        topic: [min(end, places.get(partition, end)) for partition, end in enumerate(ends[topic])]
        for topic, places in held.items()
        if topic in ends
    }


def limit_ends(
    silent_until: Mapping[str, list[int]], start: Offsets, ends: dict[str, list[int]]
) -> dict[str, list[int]]:
    """Ends of topics. While a topic was not read to where results are written again, ends stop there."""
    if not silent_until:
        return ends
    read = {topic: places for topics in list_groups(start).values() for topic, places in topics.items()}
    pairs = (zip(read[topic], places, strict=False) for topic, places in silent_until.items())
    if all(at >= until for places in pairs for at, until in places):
        return ends
    return ends | {
        topic: [min(pair) for pair in zip_longest(ends[topic], places, fillvalue=0)]
        for topic, places in silent_until.items()
    }


def count_offsets(starts: Mapping[str, list[int]], ends: Mapping[str, list[int]]) -> int:
    """The number of offsets from starts to ends, by topic. A partition without a start is new."""
    pairs = (pair for topic, last in ends.items() for pair in zip_longest(starts[topic], last, fillvalue=0))
    return sum(max(0, end - at) for at, end in pairs)


def find_batch_end(
    starts: Mapping[str, list[int]], ends: Mapping[str, list[int]], limit: int | None
) -> dict[str, list[int]]:
    """The end of a batch of about `limit` records, by topic. It takes a share of every partition by its backlog.

    A broker that comes back may name an end that it passed long ago, so no end is before its start.
    """
    pairs = {topic: list(zip_longest(starts[topic], last, fillvalue=0)) for topic, last in ends.items()}
    left = count_offsets(starts, ends)
    share = 1.0 if limit is None or left <= limit else limit / left
    return {
        topic: [at + min(math.ceil((end - at) * share), end - at) if end > at else at for at, end in each]
        for topic, each in pairs.items()
    }


def is_below(counts: Mapping[str, int], limits: Mapping[str, int | None]) -> bool:
    """Whether a batch reads less of each group than it may, so that it takes all records (`find_batch_end`)."""
    return all(limit is None or counts.get(group, 0) < limit for group, limit in limits.items())
