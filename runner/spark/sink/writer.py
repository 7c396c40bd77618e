"""Writes a batch once: its results, dead letters, marker and input offsets in one transaction."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from confluent_kafka import KafkaException, TopicPartition

from runner.spark.checkpoint.checkpoint import Checkpoint, Offsets
from runner.spark.codes import RunCode
from runner.spark.failpoints import fail_at, wait_at
from runner.spark.failures import RunFailed
from runner.spark.program import Program
from runner.spark.sink.ending import find_left_marker, note_begin, note_end, refuse_lost_marker
from runner.spark.sink.marker import UNWRITTEN, Decision, Marker, close_former, decide, decide_slot, refuse_other
from runner.spark.sink.producer import RecordProducer, is_fenced
from runner.spark.sink.results import Results
from runner.spark.sink.slots import SlotBatch, take_slots
from runner.spark.sink.writing import Writing, make_fenced_failure, make_unreachable

log = logging.getLogger(__name__)

SPARK_SECONDS = 30.0
"""Longest time for Spark to record a batch that it has executed."""
LOOK_SECONDS = 0.002


class Writer(Writing):
    """The run's own way to Kafka. It is not thread-safe.

    On one host it writes all results. On a cluster the slots write them (`slots.py`). A batch is then done when the run
    has committed the marker and the offsets.
    """

    def __init__(self, program: Program, checkpoint: Checkpoint) -> None:
        super().__init__(program)
        self.checkpoint = checkpoint
        self.slots: list[Marker] = []
        self.half: int | None = None
        """The batch that slots had partly written at the last `open`. They finish it, wherever the run is."""

    def fence(self) -> None:
        """Shut out all other writers, and learn what is written."""
        self._make_ready()
        assert self.producer is not None
        self.slots = take_slots(self.plan, self.producer)

    def open(self) -> None:
        """Become the only writer, and bring the checkpoint to what is written.

        1. Fence earlier writers, then read the marker. The other way round, an older run could still commit a batch
           after its marker was read.
        2. If Kafka has no marker, put back the one that the last run left, or say that nothing is written. Refuse if
           neither is certain. If the epoch follows another one, the same transaction ends that one (`close_former`).
        3. Note in the checkpoint that this run begins, so that what an earlier run left there no longer counts.
        4. Refuse a checkpoint of another life: an old copy would repeat results, one far ahead knows of lost results.
        5. If slots have written a part of the next batch, keep its plan, and refuse other settings.
        6. Discard what Spark has beyond the marker. While a repair has batches executed again, discard what is beyond
           the last one that is done: a repair that was killed may have left plans, and Spark begins with the last one.

        A crash between two steps leaves a state from which the next run does all of them again: 1 to 5 change nothing
        but markers that say the same, and 6 is `Checkpoint.take_back`. `tests/runner/spark/sink/writers_model.py`
        explores every order, and `test_writer.py` has a test for each refusal.

        Raises RunFailed if marker and checkpoint do not belong together.
        """
        self.fence()  # 1
        marker = self.marker or self._put_back()  # 2
        note_begin(self.checkpoint, self.plan.generation)  # 3
        refuse_other(marker, self.checkpoint.find_last_planned(), self.checkpoint.find_last_committed())  # 4
        last_batch = marker.batch if marker.is_written else None
        following = marker.batch + 1
        self.half = following if any(slot.batch >= following for slot in self.slots) else None  # 5
        if self.half is not None:
            self._refuse_changed(following)
        if last_batch is not None and self.checkpoint.is_repeating(last_batch):  # 6
            self.checkpoint.take_back(self.checkpoint.find_last_committed())
        else:
            self.checkpoint.take_back(last_batch, keeps_next=self.half is not None)

    def leave(self) -> None:
        """Keep the marker with the checkpoint, for a start after Kafka has deleted it. Only if no batch follows."""
        marker = self.marker
        # slots have written a part of the next batch, so this marker alone does not say what is in Kafka
        if marker is None or (self.half is not None and self.half > marker.batch):
            return
        # who puts this marker back cannot put back the input offsets: in a rebuild they are ahead of its batches
        if marker.is_written and self._is_silent(marker.batch):
            return
        try:
            note_end(self.checkpoint, self.plan.generation, marker)
        except OSError as error:
            log.warning("The marker stays only in Kafka: %s", error)

    def _put_back(self) -> Marker:
        """Commit the marker that the last run left. If there is none, the new marker says that nothing is written.

        Raises RunFailed if Kafka has deleted the marker and no one else has it.
        """
        left = find_left_marker(self.checkpoint)
        if left is None:
            refuse_lost_marker(self.checkpoint, has_begun=self.plan.has_begun)
        try:
            return self._commit_again(left or UNWRITTEN)
        except KafkaException as error:
            self.close()
            raise make_unreachable(error) from error

    def _commit_again(self, marker: Marker) -> Marker:
        """Commit a marker, and its offsets if it names a batch."""
        assert self.producer is not None
        # only the first marker of an epoch ends the one before: by its first batch that one is closed
        ends = [] if marker.is_written else close_former(self.plan)
        self.producer.begin()
        if marker.is_written:
            self.marker = self._commit(marker.batch, self.producer)
        else:
            self.marker = replace(UNWRITTEN, generation=self.plan.generation)
            self.producer.send_offsets(self.plan.marker_group, [self.marker.offset(self.plan.marker_topic)])
            for group, end in ends:
                self.producer.send_offsets(group, [end])
            fail_at("before-takeover")
            self.producer.commit()
            fail_at("after-takeover")
        return self.marker

    def verdict(self, batch: int) -> Decision:
        self._make_ready()
        return decide(self.marker, batch, self.checkpoint.query_id, self.checkpoint.fingerprint(batch))

    def keep(self) -> None:
        """Commit the marker and the offsets of the last batch again, unchanged. Does nothing if Kafka is silent.

        Brokers delete offsets that a group without members has not committed for `offsets.retention.minutes`.
        """
        try:
            self._make_ready()
            if self.marker is not None:
                self._commit_again(self.marker)
        except KafkaException as error:
            self._doubt(error)
        except RunFailed as failure:
            if not failure.retriable:
                raise

    def slot_batch(self, batch: int) -> SlotBatch | None:
        """Return the facts that slots need to write a batch. None if the run writes it."""
        if (self.plan.executors is None and batch != self.half) or self._is_silent(batch):
            return None
        identity = self._name_batch(batch)
        return SlotBatch(batch, self.checkpoint.query_id, identity, self.checkpoint.time_of(batch))

    def _refuse_changed(self, batch: int) -> None:
        """Raise RunFailed if slots have begun to write a batch that would now have other results."""
        planned_batch = self.checkpoint.find_last_planned()
        refuse_other(max(self.slots, key=lambda slot: slot.batch), planned_batch, None)
        identity = self._name_batch(batch)
        for slot in self.slots:
            decide_slot(slot, batch, self.checkpoint.query_id, identity)

    def _name_batch(self, batch: int) -> str:
        """Return a hash of everything that decides the output of slots: if it is the same, so are their bytes."""
        return f"{self.checkpoint.fingerprint(batch)}.{self.plan.outcome()}"

    def _doubt(self, error: KafkaException) -> bool:
        has_refusals = super()._doubt(error)
        if is_fenced(error):
            raise make_fenced_failure() from error
        return has_refusals

    def _send(self, batch: int, results: Results, producer: RecordProducer) -> int:
        return super()._send(batch, Results.make_none() if self._is_silent(batch) else results, producer)

    def _commit(self, batch: int, producer: RecordProducer) -> Marker:
        """Make a batch visible. `Writing.write` has begun the transaction, and the results are on their way.

        1. Wait until Spark has recorded the end of the batch. A start can discard what Spark has beyond Kafka. It
           could not bring back state that Spark does not have.
        2. Add the marker and the input offsets to the transaction. A batch that only rebuilds state leaves the offsets
           alone: its results, and later offsets, are in Kafka already.
        3. Wait until the brokers have all results, then commit. Nothing of 2 is visible before.

        A crash before 3 leaves nothing for readers of committed records, and the next run plans the batch again. After
        3, it finds the marker and continues. `tests/proof/test_faults.py` kills a run before and after 3, and
        `test_killed_between_sparks_commit_and_its_own_it_loses_and_repeats_nothing` before 2.
        """
        self._wait_for_spark(batch)  # 1
        # the fingerprint ends up in the marker, so a checkpoint that plans this number otherwise is noticed (`decide`)
        identity, time_ms = self.checkpoint.fingerprint(batch), self.checkpoint.time_of(batch)
        marker = Marker(batch, self.checkpoint.query_id, self.plan.generation, identity, time_ms)
        # 2; at least once uses two commits, and offsets may not be ahead of results
        producer.send_offsets(self.plan.marker_group, [marker.offset(self.plan.marker_topic)])
        if not self._is_silent(batch):
            producer.send_offsets(self.plan.application_id, _read_to(self.checkpoint.offsets(batch)))
        producer.wait_for_delivery()  # 3
        fail_at("before-commit", batch)
        wait_at("ahead", batch)
        producer.commit()
        fail_at("after-commit", batch)
        return marker

    def _is_silent(self, batch: int) -> bool:
        """Return whether a batch only builds state: its results, and later offsets, are already in Kafka."""
        if not self.plan.silent_until:
            return False
        read = self.checkpoint.offsets(batch)
        pairs = (zip(read[name], until, strict=False) for name, until in self.plan.silent_until.items())
        return all(at <= end for places in pairs for at, end in places)

    def _wait_for_spark(self, batch: int) -> None:
        """Wait for Spark's record in the checkpoint. Spark writes it right after `foreachBatch`, and tells nobody."""
        deadline = time.monotonic() + SPARK_SECONDS
        while not self.checkpoint.is_committed(batch):
            if time.monotonic() > deadline:
                raise _make_not_in_checkpoint(batch)
            time.sleep(LOOK_SECONDS)


def _read_to(offsets: Offsets) -> list[TopicPartition]:
    return [
        TopicPartition(topic, number, offset)
        for topic, partitions in offsets.items()
        for number, offset in enumerate(partitions)
        if offset >= 0
    ]


def _make_not_in_checkpoint(batch: int) -> RunFailed:
    return RunFailed(
        RunCode.CHECKPOINT_UNWRITTEN,
        f"Spark did not record the end of batch {batch} within {SPARK_SECONDS:.0f} seconds.",
        "Check that the disk of the checkpoint is not full or slow.",
        retriable=True,
    )
