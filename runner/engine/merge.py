"""The order in which a task takes the rows of a batch: Kafka Streams' own (PartitionGroup)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heapreplace
from operator import itemgetter

from runner.engine.records import Row

Partition = tuple[int, int]

_partition = itemgetter(0, 5)
_seq = itemgetter(6)


def merge(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of one task in processing order, whatever order they come in.

    Rows of one target and origin (a topic-partition, or a task before a shuffle) go by seq. Across them the head with
    the lowest timestamp goes first; of equal ones that of the lowest target, then origin.
    """
    queues: dict[Partition, list[Row]] = {}
    for row in rows:
        queues.setdefault(_partition(row), []).append(row)
    for queue in queues.values():
        queue.sort(key=_seq)
    if len(queues) == 1:
        (only,) = queues.values()
        return iter(only)
    return _by_lowest_head(queues)


def _by_lowest_head(queues: dict[Partition, list[Row]]) -> Iterator[Row]:
    heads = [(queue[0][3], partition, 0) for partition, queue in queues.items()]
    heapify(heads)
    while heads:
        _, partition, index = heads[0]
        queue = queues[partition]
        yield queue[index]
        index += 1
        if index < len(queue):
            heapreplace(heads, (queue[index][3], partition, index))
        else:
            heappop(heads)
