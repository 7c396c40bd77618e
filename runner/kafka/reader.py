"""Follows one topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as Partition

from runner.kafka.cluster import Cluster
from runner.kafka.reading import message_of
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
    """Reads a topic from where it is put, committed records only, in no group: nothing of it stays on the broker.

    `at` holds the offset each partition is read from next.
    """

    def __init__(self, cluster: Cluster, topic: Topic) -> None:
        self.cluster = cluster
        self.topic = topic
        self.at: dict[int, int] = {}
        self.consumer = cluster.consumer(**READER)

    def go(self, places: Mapping[int, int]) -> None:
        """Read on from these offsets, by partition."""
        self.at = dict(places)
        self.consumer.assign([Partition(self.topic.name, number, offset) for number, offset in places.items()])

    def ends(self) -> dict[int, int]:
        """The offset behind the last committed record of each partition."""
        return dict(enumerate(self.cluster.end_offsets([self.topic])[self.topic.name]))

    def starts(self) -> dict[int, int]:
        """The first offset each partition still holds."""
        return dict(enumerate(self.cluster.start_offsets([self.topic])[self.topic.name]))

    def read(self, count: int, seconds: float) -> list[Message]:
        """Up to `count` records, as many as come in `seconds`."""
        return [message_of(found) for found in self.consumer.consume(count, timeout=seconds) if self._pass(found)]

    def close(self) -> None:
        self.consumer.close()

    def _pass(self, found: Any) -> bool:
        """Whether this is a record; an end of a partition moves on over the marks of transactions."""
        error = found.error()
        if error is not None and error.code() != KafkaError._PARTITION_EOF:
            with self.cluster.answers():
                raise KafkaException(error)
        self.at[found.partition()] = found.offset() + (error is None)
        return error is None
