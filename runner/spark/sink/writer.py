"""Writes a batch: its results, dead letters, marker and input offsets in one transaction, once."""

from __future__ import annotations

import time

from confluent_kafka import KafkaException, TopicPartition

from runner.kafka import Cluster
from runner.spark.checkpoint import Checkpoint, Offsets
from runner.spark.failpoints import failpoint, wait_at
from runner.spark.failures import RunFailed
from runner.spark.program import Program
from runner.spark.sink.marker import Marker, Markers, Verdict, judge, refuse_other
from runner.spark.sink.producer import RecordProducer, is_fenced, is_refusal
from runner.spark.sink.results import Results, Undeliverable

ATTEMPTS = 5
SPARK_SECONDS = 10.0
"""How long Spark gets to write down a batch that it has carried out."""
LOOK_SECONDS = 0.002
MAX_REFUSED = 100
"""Records of one batch that may become dead letters because the broker refused them."""


class Writer:
    """The run's only way out to Kafka. Not for several threads."""

    def __init__(self, program: Program, checkpoint: Checkpoint) -> None:
        self.program = program
        self.plan = program.plan
        self.checkpoint = checkpoint
        self.cluster = Cluster.of(self.plan.kafka)
        self.markers = Markers(self.plan, {**self.plan.kafka, "log_level": "3"})
        self.marker: Marker | None = None
        self.producer: RecordProducer | None = None
        self.undeliverable = Undeliverable(program, {})
        self.noting = False

    def open(self) -> None:
        """Fences earlier writers, learns what was written and takes back what Spark has beyond it.

        Raises RunFailed where marker and checkpoint do not belong together.
        """
        self._ready()
        refuse_other(self.marker, self.checkpoint.last_planned(), self.checkpoint.last_committed())
        self.checkpoint.take_back(self.marker.batch if self.marker else None)

    def verdict(self, batch: int) -> Verdict:
        """Whether a batch is to be written; raises RunFailed where that cannot be said."""
        self._ready()
        return judge(self.marker, batch, self.checkpoint.query_id, self.checkpoint.fingerprint(batch))

    def write(self, batch: int, results: Results) -> dict[str, int]:
        """Writes a batch for good: how many dead letters it has and what each step took; empty if it was there.

        It is committed once Spark has committed it: what Spark has beyond Kafka can be taken back, not the reverse.
        Whatever goes wrong, the next try begins with a new producer and the marker.
        """
        left = ATTEMPTS
        self.undeliverable.begin()
        while self.verdict(batch) is Verdict.WRITE:
            try:
                return self._write(batch, results)
            except KafkaException as error:
                left -= 0 if self._doubt(error) else 1
                if not left:
                    raise _not_written(batch, error) from error
        return {}

    def close(self) -> None:
        """Throws the producer away; the next batch begins with a new one and reads the marker again."""
        if self.producer is not None:
            self.producer.close()
            self.producer = None

    def _ready(self) -> None:
        if self.producer is None:
            self.undeliverable.limits = limits = self._limits()
            try:
                self.producer = RecordProducer(self.plan, limits, noting=self.noting)
                self.marker = self.markers.read()
            except KafkaException as error:
                self.close()
                raise _unreachable(error) from error

    def _doubt(self, error: KafkaException) -> bool:
        """Lets the next try be another one: refused records become dead letters, as they are found. Whether one was."""
        refused = self.producer.refused if self.producer else []
        self.close()
        if is_fenced(error):
            raise _fenced() from error
        self.noting = is_refusal(error) and not refused
        self.undeliverable.refused |= {(topic, key, value): words for topic, key, value, words in refused}
        if len(self.undeliverable.refused) > MAX_REFUSED:
            raise _refuses_too_much(*refused[0])
        return bool(refused)

    def _write(self, batch: int, results: Results) -> dict[str, int]:
        assert self.producer is not None
        started = time.monotonic()
        dead_letters = self._send(batch, results, self.producer)
        sent = time.monotonic()
        self._commit(batch, self.producer)
        committed = time.monotonic()
        return {"produce_ms": _ms(sent - started), "commit_ms": _ms(committed - sent), "dead_letters": dead_letters}

    def _send(self, batch: int, results: Results, producer: RecordProducer) -> int:
        """How many of the records sent are dead letters."""
        outgoing = [] if self._is_silent(batch) else self.undeliverable.sorted_out(results)
        failpoint("before-produce", batch)
        producer.begin()
        for topic, records in outgoing:
            producer.send(topic, records)
        producer.flush()
        return sum(records.num_rows for topic, records in outgoing if topic == self.plan.dead_letter_topic)

    def _commit(self, batch: int, producer: RecordProducer) -> None:
        self._await_spark(batch)
        identity, time_ms = self.checkpoint.fingerprint(batch), self.checkpoint.time_of(batch)
        marker = Marker(batch, self.checkpoint.query_id, self.plan.generation, identity, time_ms)
        # at least once these are two commits, and what was read may not be ahead of what was written
        producer.send_offsets(self.plan.marker_group, [marker.offset(self.plan.marker_topic)])
        if not self._is_silent(batch):
            producer.send_offsets(self.plan.application_id, _read_to(self.checkpoint.offsets(batch)))
        failpoint("before-commit", batch)
        wait_at("ahead", batch)
        producer.commit()
        failpoint("after-commit", batch)
        self.marker = marker
        self.undeliverable.refused.clear()

    def _is_silent(self, batch: int) -> bool:
        """Whether a batch only builds state: its results, and offsets further on, are in Kafka already."""
        if not self.plan.silent_until:
            return False
        read = self.checkpoint.offsets(batch)
        pairs = (zip(read[name], until, strict=False) for name, until in self.plan.silent_until.items())
        return all(at <= end for places in pairs for at, end in places)

    def _await_spark(self, batch: int) -> None:
        deadline = time.monotonic() + SPARK_SECONDS
        while not self.checkpoint.is_committed(batch):
            if time.monotonic() > deadline:
                raise _not_in_checkpoint(batch)
            time.sleep(LOOK_SECONDS)

    def _limits(self) -> dict[str, int]:
        """The largest record of each topic that is written to and exists."""
        layout = self.program.layout
        names = {topic for topics in layout.sinks_of.values() for topic in topics}
        names.add(self.program.topic_of(layout.dead_letter))
        configs = self.cluster.configs_of(sorted(names))
        return {name: int(found["max.message.bytes"]) for name, found in configs.items()}


def _read_to(offsets: Offsets) -> list[TopicPartition]:
    return [
        TopicPartition(topic, number, offset)
        for topic, partitions in offsets.items()
        for number, offset in enumerate(partitions)
        if offset >= 0
    ]


def _not_written(batch: int, error: KafkaException) -> RunFailed:
    return RunFailed(
        "kafka.write_failed",
        f"Batch {batch} could not be written: {error.args[0].str()}.",
        "Check that the brokers run and allow the cluster's user to write. The run restarts automatically.",
        retriable=True,
    )


def _not_in_checkpoint(batch: int) -> RunFailed:
    return RunFailed(
        "checkpoint.unwritten",
        f"Spark did not record the end of batch {batch} within {SPARK_SECONDS:.0f} seconds.",
        "Check that the disk of the checkpoint is not full or slow. The run restarts automatically.",
        retriable=True,
    )


def _refuses_too_much(topic: str, key: bytes | None, value: bytes | None, words: str) -> RunFailed:
    return RunFailed(
        "records.refused",
        f"The broker refused more than {MAX_REFUSED} records of a batch, one of them for {topic} with key {key!r}: "
        f"{words}",
        f"Check the settings of topic {topic}.",
    )


def _fenced() -> RunFailed:
    return RunFailed(
        "run.fenced",
        "Another run of this job is writing, so this run had to stop.",
        "You need not do anything: the newer run continues. If there is no newer run, deploy the job again.",
    )


def _unreachable(error: KafkaException) -> RunFailed:
    if is_fenced(error):
        return _fenced()
    return RunFailed(
        "kafka.unreachable",
        f"Kafka does not allow the run to write: {error.args[0].str()}.",
        "Check that its brokers run. The run restarts automatically.",
        retriable=True,
    )


def _ms(seconds: float) -> int:
    return round(seconds * 1_000)
