"""Follows one topic."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as Partition

from runner.kafka.cluster import KafkaCluster
from runner.kafka.reading import make_message
from runner.kafka.refusals import KafkaUnreachable, NotAllowed
from runner.kafka.values import Message, Topic

READER = {
    "group.id": "streamwright-reader",
    "enable.partition.eof": True,
    "auto.offset.reset": "earliest",
    "fetch.wait.max.ms": 200,
    # a reader looks at a few records at a time, and there may be many readers
    "fetch.message.max.bytes": 262_144,
    "queued.min.messages": 1_000,
    "queued.max.messages.kbytes": 4_096,
    "fetch.queue.backoff.ms": 20,
}


class TopicReader:
    """Reads a topic's committed records from given offsets. It uses no group, so it leaves nothing on the broker.

    `at` holds the next offset to read, by partition.
    """

    def __init__(self, cluster: KafkaCluster, topic: Topic) -> None:
        self.cluster = cluster
        self.topic = topic
        self.at: dict[int, int] = {}
        self.consumer = cluster.consumer(**READER)

    def go(self, places: Mapping[int, int]) -> None:
        """Read on from these offsets, by partition."""
        self.at = dict(places)
        self.consumer.assign([Partition(self.topic.name, number, offset) for number, offset in places.items()])

    def ends(self) -> dict[int, int]:
        """The offset after the last committed record of each partition."""
        return dict(enumerate(self.cluster.end_offsets([self.topic])[self.topic.name]))

    def starts(self) -> dict[int, int]:
        """The first offset that each partition still holds."""
        return dict(enumerate(self.cluster.start_offsets([self.topic])[self.topic.name]))

    def read(self, count: int, seconds: float) -> list[Message]:
        """Up to `count` records, as many as arrive in `seconds`."""
        return [
            make_message(message) for message in self.consumer.consume(count, timeout=seconds) if self._pass(message)
        ]

    def close(self) -> None:
        self.consumer.close()

    def _pass(self, event: Any) -> bool:
        """True if this is a record. The end of a partition moves on over the markers of transactions."""
        error = event.error()
        if error is not None and error.code() == KafkaError.TOPIC_AUTHORIZATION_FAILED:
            raise NotAllowed(f"it may not read `{self.topic.name}`")
        if error is not None and error.code() != KafkaError._PARTITION_EOF:
            with self.cluster.answers():
                raise KafkaException(error)
        self.at[event.partition()] = event.offset() + (error is None)
        return error is None


Place = tuple[int, int]
"""Partition and offset of a record."""
MAX_GAP = 2_000
"""Most offsets to read over. Over a longer gap it is faster to begin again."""


def read_records_at(
    cluster: KafkaCluster, topic: Topic, places: Iterable[Place], seconds: float = 30.0
) -> dict[Place, Message]:
    """The records that still exist at these places. Retention or compaction may have removed others.

    Raises KafkaUnreachable if that takes longer than `seconds`.
    """
    asked_places = set(places)
    reader = TopicReader(cluster, topic)
    try:
        starts, ends = reader.starts(), reader.ends()
        there = sorted((at, offset) for at, offset in asked_places if starts.get(at, offset + 1) <= offset < ends[at])
        deadline = time.monotonic() + seconds
        read = (
            message
            for partition, first, last in _find_runs(there)
            for message in _run(reader, partition, first, last, deadline)
        )
        return {place: message for message in read if (place := (message.partition, message.offset)) in asked_places}
    finally:
        reader.close()


def _run(reader: TopicReader, partition: int, first: int, last: int, deadline: float) -> Iterator[Message]:
    """The records of a partition from one offset to another."""
    reader.go({partition: first})
    while reader.at[partition] <= last:
        if time.monotonic() > deadline:
            raise KafkaUnreachable(
                f"The records of `{reader.topic.name}` could not be read in time.", "Choose fewer, or try again."
            )
        yield from reader.read(500, 0.05)


def _find_runs(places: Iterable[Place]) -> Iterator[tuple[int, int, int]]:
    """Groups sorted places: the partition, first and last offset of records that are best read together."""
    current: tuple[int, int, int] | None = None
    for partition, offset in places:
        if current is not None and partition == current[0] and offset - current[2] <= MAX_GAP:
            current = (partition, current[1], offset)
            continue
        if current is not None:
            yield current
        current = (partition, offset, offset)
    if current is not None:
        yield current
