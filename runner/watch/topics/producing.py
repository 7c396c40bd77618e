"""Writes typed records, and returns their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from confluent_kafka import KafkaError, KafkaException, Producer

from designer.projects import audit
from designer.refusals import Refusal
from runner.control.clusters.internal_topics import refuse_internal
from runner.kafka import KafkaCluster
from runner.watch.codes import WatchCode

ANSWER_SECONDS = 30.0
QUIET = {"log_level": "2", "message.timeout.ms": "20000"}


class NewRecord(NamedTuple):
    """A record to write. Without a partition its key decides. Without a time (ms since 1970) it is now."""

    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    partition: int | None = None
    timestamp: int | None = None


class LandedRecord(NamedTuple):
    """The place of a record."""

    partition: int
    offset: int
    timestamp: int


class NotProduced(Refusal):
    """Kafka did not accept a record."""

    code = WatchCode.RECORD_NOT_PRODUCED
    status = 422


def produce(cluster: KafkaCluster, topic: str, records: Sequence[NewRecord]) -> list[LandedRecord]:
    """Write records in order. All are stored when this returns.

    Raises TopicMissing, OurTopic, KafkaUnreachable, and NotProduced with the number of written records.
    """
    refuse_internal(topic)
    partitions = cluster.topic(topic).partitions
    for record in records:
        if record.partition is not None and record.partition >= partitions:
            raise NotProduced(
                f"`{topic}` has no partition {record.partition}.", f"Its partitions are 0 to {partitions - 1}."
            )
    places: dict[int, LandedRecord] = {}
    errors: list[KafkaError] = []
    producer = Producer({**cluster.settings, "partitioner": "murmur2_random", "enable.idempotence": True} | QUIET)
    with cluster.answers():
        for number, record in enumerate(records):
            _send(producer, topic, record, partial(_note_delivery, places, errors, number))
        producer.flush(ANSWER_SECONDS)
        if not errors and len(places) < len(records):
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT))
    if places:
        audit.note(f"topic {topic} of {cluster.name}", audit.SUM_FIELD, 0, len(places))
    if errors:
        raise NotProduced(
            f"Kafka did not accept every record: {errors[0].str().rstrip('.')}. {len(places):,} of "
            f"{len(records):,} are "
            f"written.",
            "Correct the rest and send it.",
        )
    return [places[number] for number in range(len(records))]


def _send(producer: Producer, topic: str, record: NewRecord, hear: Callable[[KafkaError | None, Any], None]) -> None:
    partition = -1 if record.partition is None else record.partition
    timestamp = 0 if record.timestamp is None else record.timestamp
    try:
        producer.produce(topic, record.value, record.key, partition, hear, None, timestamp, list(record.headers))
    except KafkaException as error:  # larger than the maximum
        hear(error.args[0], None)
    producer.poll(0)


def _note_delivery(
    records: dict[int, LandedRecord], errors: list[KafkaError], number: int, error: KafkaError | None, message: Any
) -> None:
    if error is not None:
        errors.append(error)
    else:
        records[number] = LandedRecord(message.partition(), message.offset(), message.timestamp()[1])
