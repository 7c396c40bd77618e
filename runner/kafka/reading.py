"""Reads records to the end of partitions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from confluent_kafka import Consumer, KafkaError
from confluent_kafka import TopicPartition as Partition

from runner.kafka.values import Message


def read_to_end(consumer: Consumer, places: list[Partition], deadline: float) -> Iterator[Message]:
    """Read everything from `places` to the end of each partition, or until the deadline."""
    consumer.assign(places)
    open_partitions = {place.partition for place in places}
    while open_partitions and time.monotonic() < deadline:
        # consume() alone waits until it has all requested messages
        first = consumer.poll(0.02)
        for message in [] if first is None else [first, *consumer.consume(500, timeout=0)]:
            error = message.error()
            if error is None:
                yield make_message(message)
            elif error.code() == KafkaError._PARTITION_EOF:
                open_partitions.discard(message.partition())


def make_message(event: Any) -> Message:
    headers = tuple((name, value) for name, value in event.headers() or ())
    return Message(event.partition(), event.offset(), event.timestamp()[1], event.key(), event.value(), headers)
