"""Finds records of a topic: from an offset, a time, the beginning or the newest, with a key or a text in them.

A search reads a bounded number of records, for a bounded time, and says where another continues.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple

from runner.kafka import KafkaCluster, Message, TopicReader

MAX_SCANNED, SECONDS = 50_000, 6.0
AT_ONCE, READ_SECONDS = 1_000, 0.05
FIRST_DEPTH, MAX_DEPTH = 200, 20_000
"""Offsets of a partition to read backwards, first and at most at once."""
Begin = Literal["newest", "oldest", "offset", "time", "next"]
RecordFilter = Callable[[Message], bool]
Places = dict[int, int]


class Page(NamedTuple):
    """The found records, in the order of the search. `next` is where it continues, by partition, None at the end.

    `scanned` counts the records that were read.
    """

    records: list[Message]
    next: Places | None
    scan_count: int


def search_back(
    cluster: KafkaCluster, topic: str, count: int, fits: RecordFilter, partition: int | None, until: Places | None
) -> Page:
    """The newest matching records, newest first. With `until`, only those before these offsets."""
    with _Search(cluster, topic, partition) as search:
        bounds = {number: min(end, (until or {}).get(number, end)) for number, end in search.ends.items()}
        low, messages, depth = dict(bounds), list[Message](), FIRST_DEPTH
        while len(messages) < count and search.goes_on() and any(low[number] > search.starts[number] for number in low):
            back = max(1, min(depth, (MAX_SCANNED - search.scan_count) // len(low)))
            high, low = low, {number: max(search.starts[number], at - back) for number, at in low.items()}
            read = search.read(low, high)
            if read is None:
                low = high
                break
            messages += filter(fits, read)
            depth = min(MAX_DEPTH, depth * 4)
        newest = sorted(messages, key=rank_age, reverse=True)
        records, left = newest[:count], newest[count:]
        after = low | {number: offset + 1 for number, offset in _find_edges(left, max).items()}
        has_ended = all(after[number] <= search.starts[number] for number in after)
        return Page(records, None if has_ended else after, search.scan_count)


def search_on(
    cluster: KafkaCluster, topic: str, count: int, fits: RecordFilter, partition: int | None, begin: Places
) -> Page:
    """The first matching records from these offsets on: in order within one partition, else by time."""
    with _Search(cluster, topic, partition) as search:
        at = {number: min(end, max(start, begin.get(number, end))) for number, start, end in search.bounds()}
        messages: list[Message] = []
        for read in search.read_on(at):
            messages += filter(fits, read)
            if len(messages) >= count:
                break
        oldest = sorted(messages, key=rank_age if partition is None else lambda message: message.offset)
        records, left = oldest[:count], oldest[count:]
        after = search.reader.at | _find_edges(left, min)
        has_ended = all(after[number] >= end for number, _, end in search.bounds())
        return Page(records, None if has_ended else after, search.scan_count)


def find_places(cluster: KafkaCluster, topic: str, begin: Begin, offset: int, time_ms: int) -> Places:
    """The first offsets of a search. Raises TopicMissing."""
    facts = cluster.topic(topic)
    match begin:
        case "offset":
            return dict.fromkeys(range(facts.partitions), offset)
        case "time":
            return dict(enumerate(cluster.offsets_at(facts, time_ms)))
    return dict.fromkeys(range(facts.partitions), 0)


class _Search:
    """Reads a topic, or one partition of it, within the bounds of one search."""

    def __init__(self, cluster: KafkaCluster, topic: str, partition: int | None) -> None:
        self.reader = TopicReader(cluster, cluster.topic(topic))
        only = range(self.reader.topic.partitions) if partition is None else [partition]
        self.starts = {number: at for number, at in self.reader.starts().items() if number in only}
        self.ends = {number: at for number, at in self.reader.ends().items() if number in only}
        self.scan_count = 0
        self.deadline = time.monotonic() + SECONDS

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.reader.close()

    def bounds(self) -> Iterable[tuple[int, int, int]]:
        return [(number, self.starts[number], end) for number, end in self.ends.items()]

    def goes_on(self) -> bool:
        return self.scan_count < MAX_SCANNED and time.monotonic() < self.deadline

    def read(self, low: Mapping[int, int], high: Mapping[int, int]) -> list[Message] | None:
        """The records between these offsets. None if they cannot be read in time."""
        places = {number: at for number, at in low.items() if at < high[number]}
        messages: list[Message] = []
        for read in self._read_to(places, high):
            messages += (each for each in read if each.offset < high[each.partition])
        return messages if all(self.reader.at[number] >= high[number] for number in places) else None

    def read_on(self, at: Mapping[int, int]) -> Iterable[list[Message]]:
        yield from self._read_to(at, self.ends)

    def _read_to(self, at: Mapping[int, int], ends: Mapping[int, int]) -> Iterable[list[Message]]:
        self.reader.go(at)
        while any(self.reader.at[number] < ends[number] for number in at) and self.goes_on():
            read = self.reader.read(AT_ONCE, READ_SECONDS)
            self.scan_count += len(read)
            yield read


def _find_edges(messages: Iterable[Message], choose: Callable[[int, int], int]) -> Places:
    """The lowest or highest offset of some records, by partition."""
    edges: Places = {}
    for message in messages:
        edges[message.partition] = choose(message.offset, edges.get(message.partition, message.offset))
    return edges


def rank_age(message: Message) -> tuple[int, int, int]:
    """Return a key that sorts records from the oldest to the newest, also of several partitions."""
    return message.timestamp, message.partition, message.offset
