"""What stands in the topics that an engine has written."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._listoffsets import OffsetSpec

from runner.kafka import KafkaCluster

Place = tuple[str, int]
"""A topic and the number of a partition."""
SECONDS = 60


def messages(servers: str, topics: Iterable[str]) -> Iterator[Any]:
    """All messages of some topics once no transaction is open in them, those of each partition in order."""
    settings = {"bootstrap.servers": servers, "group.id": "tests", "isolation.level": "read_committed"}
    consumer = Consumer(settings | {"enable.auto.commit": False, "enable.partition.eof": True, "fetch.wait.max.ms": 10})
    left = set(_settled(servers, list(topics)))
    consumer.assign([TopicPartition(*place, 0) for place in left])
    deadline = time.monotonic() + SECONDS
    while left:
        assert time.monotonic() < deadline, f"Not read to the end: {left}"
        for message in consumer.consume(1_000, 0.1):
            if message.error():
                left.discard((message.topic(), message.partition()))
            else:
                yield message
    consumer.close()


def _settled(servers: str, names: list[str]) -> dict[Place, int]:
    """The ends of topics, as soon as those are the ends of what is committed."""
    cluster, admin = KafkaCluster(servers), AdminClient({"bootstrap.servers": servers})
    topics = cluster.find(names).values()
    asked = {TopicPartition(topic.name, n): OffsetSpec.latest() for topic in topics for n in range(topic.partitions)}
    while True:
        written = {(at.topic, at.partition): found.result().offset for at, found in admin.list_offsets(asked).items()}
        ends = cluster.end_offsets(topics)
        if written == {(name, number): end for name, each in ends.items() for number, end in enumerate(each)}:
            return written
        time.sleep(0.05)
