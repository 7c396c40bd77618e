"""Reads records to the end of partitions."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, cast

from confluent_kafka import Consumer, KafkaError
from confluent_kafka import TopicPartition as Partition

from runner.kafka.refusals import AUTHORIZATION_ERRORS, NotAllowed
from runner.kafka.values import Message


def read_to_end(consumer: Consumer, ends: Mapping[Partition, int], deadline: float) -> Iterator[Message]:
    """Read everything from these partitions of a topic, each from its offset to its end, or until the deadline.

    An end is the offset after the last committed record, so the record before it ends a partition. If there is none,
    because the last offsets are those of a transaction, Kafka's answer that nothing follows does.

    Raises NotAllowed if the cluster's user may not read them. librdkafka itself tries again after any other error.
    """
    consumer.assign(list(ends))
    ends_by_number = {place.partition: end for place, end in ends.items()}
    while ends_by_number and time.monotonic() < deadline:
        # consume() alone waits until it has all requested messages
        first = consumer.poll(0.02)
        for message in [] if first is None else [first, *consumer.consume(500, timeout=0)]:
            error, partition, offset = message.error(), cast(int, message.partition()), cast(int, message.offset())
            if error is None:
                yield make_message(message)
                is_last = offset + 1 >= ends_by_number.get(partition, 0)
            elif error.code() in AUTHORIZATION_ERRORS:
                raise NotAllowed(f"it may not read `{next(iter(ends)).topic}`")
            else:
                is_last = error.code() == KafkaError._PARTITION_EOF
            if is_last:
                ends_by_number.pop(partition, None)


def make_message(event: Any) -> Message:
    headers = tuple((name, value) for name, value in event.headers() or ())
    return Message(event.partition(), event.offset(), event.timestamp()[1], event.key(), event.value(), headers)
