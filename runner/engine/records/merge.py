"""The order in which a task takes the rows of a batch: Kafka Streams' own (PartitionGroup)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from runner.engine.records.record import ORIGIN, SEQ, TARGET, Row

_by_partition = itemgetter(TARGET, ORIGIN, SEQ)
_first = itemgetter(0)


def merge(rows: Iterable[Row]) -> list[Row]:
    """The rows of one task in processing order, in whatever order they arrive.

    Rows of one target and origin (a topic-partition, or a task before a shuffle) go by seq. Across them the head with
    the lowest timestamp goes first. Among equal ones, the lowest target, then origin. This is a stable sort by
    the highest timestamp so far of each partition: a row cannot go before earlier ones.
    """
    ordered_rows = sorted(rows, key=_by_partition)
    heights: list[tuple[int, Row]] = []
    partition, highest = (-1, -1), -1
    for row in ordered_rows:
        target, _, _, time, _, origin, _ = row
        if (target, origin) != partition:
            partition, highest = (target, origin), time
        elif time > highest:
            highest = time
        heights.append((highest, row))
    heights.sort(key=_first)
    return [row for _, row in heights]
