"""Puts results and their marker into one transaction. All writers share it."""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod

from confluent_kafka import KafkaError, KafkaException

from runner.kafka import KafkaCluster
from runner.kafka.codes import KafkaCode
from runner.kafka.refusals import BUSY, SILENCE
from runner.spark.codes import RunCode
from runner.spark.failpoints import fail_at
from runner.spark.failures import RunFailed
from runner.spark.program import Program
from runner.spark.sink.marker import Decision, Marker, Markers
from runner.spark.sink.producer import RecordProducer, is_fenced, is_refusal
from runner.spark.sink.results import Results
from runner.spark.sink.undeliverable import Undeliverable

ATTEMPTS = 5
OUTAGES = SILENCE | BUSY | {KafkaError._MSG_TIMED_OUT}
"""Errors of brokers that do not answer, or take no records for now."""
MAX_REFUSALS = 100
"""Most records of one batch that may become dead letters because the broker refused them."""


class Writing(ABC):
    """A way to Kafka: some results and their marker in one transaction, tried until they are written."""

    def __init__(self, program: Program, group: str | None = None, transactional_id: str | None = None) -> None:
        self.program = program
        self.plan = program.plan
        self.cluster = KafkaCluster.of(self.plan.kafka)
        self.markers = Markers(self.plan, group)
        self.transactional_id = transactional_id
        self.marker: Marker | None = None
        self.producer: RecordProducer | None = None
        self.undeliverable = Undeliverable(program, {})
        self.noting = False

    @abstractmethod
    def verdict(self, batch: int) -> Decision:
        """Decide what to do with a batch. Raises RunFailed if both writing and not writing would be wrong."""

    def write(self, batch: int, results: Results) -> dict[str, int]:
        """Write a batch for good. Return its number of dead letters and the times of its steps, or {} if Kafka has it.

        After any error, the next try begins with a new producer and the marker. An error of the commit itself leaves
        open whether Kafka has carried it out: only the marker says so, and then `verdict` has nothing more to write.
        """
        left = ATTEMPTS
        self.undeliverable.begin()
        while self.verdict(batch) is Decision.WRITE:
            try:
                return self._write(batch, results)
            except KafkaException as error:
                # finding refused records is progress, and MAX_REFUSALS bounds it
                left -= 0 if self._doubt(error) else 1
                if not left:
                    raise make_not_written(batch, error) from error
        return {}

    def close(self) -> None:
        """Drop the producer. The next batch begins with a new one and reads the marker again."""
        if self.producer is not None:
            self.producer.close()
            self.producer = None

    def _make_ready(self) -> None:
        if self.producer is None:
            self.undeliverable.limits = limits = self._choose_limits()
            try:
                own = self.transactional_id
                self.producer = RecordProducer(self.plan, limits, transactional_id=own, notes_deliveries=self.noting)
                self.marker = self.markers.read()
            except KafkaException as error:
                self.close()
                raise make_unreachable(error) from error

    def _doubt(self, error: KafkaException) -> bool:
        """Drop the producer after an error, and note which records the broker has refused.

        They become dead letters in the next try. Returns whether there were any. Raises RunFailed if the transaction
        was open for too long: another try with the same records would be, too.
        """
        producer, refusals = self.producer, self.producer.refusals if self.producer else []
        self.close()
        if producer is not None and producer.is_overdue and not refusals:
            raise make_overdue_failure(producer.timeout_ms) from error
        # of a transaction that a refusal has failed already, librdkafka only says that its state is wrong
        may_be_refusal = is_refusal(error) or error.args[0].code() == KafkaError._STATE
        self.noting = may_be_refusal and not refusals
        self.undeliverable.note(refusals)
        if len(self.undeliverable.refusals) > MAX_REFUSALS:
            raise _make_refusal_of_size(*refusals[0])
        return bool(refusals)

    def _write(self, batch: int, results: Results) -> dict[str, int]:
        assert self.producer is not None
        started_at = time.monotonic()
        dead_letters = self._send(batch, results, self.producer)
        self.marker = self._commit(batch, self.producer)
        self.undeliverable.refusals.clear()
        committed_at, delivered_at = time.monotonic(), self.producer.delivered_at
        if self.noting:  # no record was refused after all, and such a producer is slow
            self.noting = False
            self.close()
        return {
            "produce_ms": _count_ms(delivered_at - started_at),
            "commit_ms": _count_ms(committed_at - delivered_at),
            "dead_letters": dead_letters,
        }

    def _send(self, batch: int, results: Results, producer: RecordProducer) -> int:
        """Begin to send the results. Return how many of the records are dead letters."""
        outgoing = self.undeliverable.sort_out(results)
        fail_at("before-produce", batch)
        producer.begin()
        for topic, records in outgoing:
            producer.send(topic, records)
        if self.noting:  # an error of the transaction must not come before the refusals that caused it
            producer.flush()
        else:
            producer.flush_beside()
        return sum(records.num_rows for topic, records in outgoing if topic == self.plan.dead_letter_topic)

    @abstractmethod
    def _commit(self, batch: int, producer: RecordProducer) -> Marker:
        """Commit the records with the marker that says so. Some may still be on their way (`flush_beside`)."""

    def _choose_limits(self) -> dict[str, int]:
        """Return the size of the largest record (bytes) for each existing topic that the run writes to."""
        layout = self.program.layout
        names = {topic for topics in layout.sinks_of.values() for topic in topics}
        names.add(self.program.topic_of(layout.dead_letter))
        configs = self.cluster.configs_of(sorted(names))
        return {name: int(config["max.message.bytes"]) for name, config in configs.items()}


def make_not_written(batch: int, error: KafkaException) -> RunFailed:
    gone = find_topics_gone(error.args[0].str())
    if gone:
        names = ", ".join(f"`{name}`" for name in gone)
        return RunFailed(
            RunCode.KAFKA_WRITE_FAILED,
            f"Batch {batch} could not be written: Kafka no longer has {names}.",
            "Create the topic again, or deploy a version that does not use it.",
            retriable=True,
        )
    return RunFailed(
        KafkaCode.KAFKA_UNREACHABLE if error.args[0].code() in OUTAGES else RunCode.KAFKA_WRITE_FAILED,
        f"Batch {batch} could not be written: {error.args[0].str()}.",
        "Check that the brokers run and allow the cluster's user to write.",
        retriable=True,
    )


def find_topics_gone(words: str) -> list[str]:
    """The topics of which librdkafka says that Kafka does not know them, as in the answer to a commit of offsets.

    >>> find_topics_gone("planes((null))[0](Broker: Unknown topic or partition), flights((null))[1](Broker: Moved)")
    ['planes']
    """
    return sorted(set(re.findall(r"([\w.-]+)\([^)]*\)*\[\d+\]\(Broker: Unknown topic or partition\)", words)))


def _make_refusal_of_size(topic: str, key: bytes | None, value: bytes | None, words: str) -> RunFailed:
    return RunFailed(
        RunCode.RECORDS_REFUSED,
        f"The broker refused more than {MAX_REFUSALS} records of a batch, one of them for {topic} with key {key!r}: "
        f"{words}",
        f"Check the settings of topic {topic}.",
    )


def make_fenced_failure() -> RunFailed:
    return RunFailed(
        RunCode.RUN_FENCED,
        "Something else has written with the transactional id of this run, so it had to stop.",
        "If a newer run of the job has begun, it continues. If this happens again and again, look for another "
        "installation of Streamwright with a job of the same application id on this Kafka.",
        retriable=True,
    )


def make_overdue_failure(timeout_ms: int) -> RunFailed:
    return RunFailed(
        RunCode.TRANSACTION_OVERDUE,
        f"Kafka ended the transaction of a batch, because it was open for more than {timeout_ms // 1_000} seconds. "
        "Its results are not visible.",
        "If the next run takes too long as well, the host or the brokers are too slow for batches of this size, and "
        "the run after it reads smaller ones.",
        retriable=True,
    )


def make_unreachable(error: KafkaException) -> RunFailed:
    if is_fenced(error):
        return make_fenced_failure()
    return RunFailed(
        KafkaCode.KAFKA_UNREACHABLE,
        f"Kafka does not allow the run to write: {error.args[0].str()}.",
        "Check that its brokers run. The run restarts automatically.",
        retriable=True,
    )


def _count_ms(seconds: float) -> int:
    return round(seconds * 1_000)
