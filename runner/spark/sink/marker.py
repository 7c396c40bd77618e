"""The marker says which batch was written last. The transaction that wrote the batch commits it.

It is the committed offset of a group that no one joins, on partition 0 of the marker topic: offset N + 1 after batch N,
with the query and a fingerprint of the batch beside it. It says what was written. If Spark's checkpoint knows of more,
a start takes that back (`Checkpoint.take_back`). Spark may be one batch ahead, for it works while a batch is written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import orjson
from confluent_kafka import Consumer, TopicPartition

from designer.refusal_codes import RefusalCode
from runner.plan import Plan
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed
from runner.spark.sink.patience import call_patiently

ANSWER_SECONDS = 30.0
NO_MARKER = (
    "The last run did not end cleanly, and Kafka deletes its marker after the broker's offsets.retention.minutes. "
    "Deploy the job fresh, with a start from which its sources are read."
)


class Decision(Enum):
    """The decision on a batch: write its results, or only let Spark finish it because they are already written."""

    WRITE = "write"
    DRAIN = "drain"


@dataclass(frozen=True, slots=True)
class Marker:
    """The last written batch: its query and generation, its fingerprint, and its time (ms since 1970).

    Batch -1: a run may write, and has written none yet (`is_written` is false). That is not the same as no marker,
    which Kafka has deleted or nobody has written. Markers of runs before 2026-11-25 do not say the time.
    `is_closed`: another epoch has taken over from here, so this one writes nothing any more.
    """

    batch: int
    query_id: str
    generation: int
    fingerprint: str
    time: int | None = None
    is_closed: bool = False

    @property
    def is_written(self) -> bool:
        """True if it names a batch. False: the epoch has written nothing."""
        return self.batch >= 0

    @classmethod
    def read(cls, offset: int, metadata: str) -> Marker:
        """Read the marker from the group's committed offset."""
        data = orjson.loads(metadata)
        is_closed = data.get("closed", False)
        return cls(offset - 1, data["query"], data["generation"], data["batch"], data.get("time"), is_closed)

    def offset(self, topic: str) -> TopicPartition:
        """Return the marker as an offset to commit. The text stays below the 4,096 bytes that brokers keep."""
        data = {"query": self.query_id, "generation": self.generation, "batch": self.fingerprint, "time": self.time}
        data |= {"closed": True} if self.is_closed else {}
        return TopicPartition(topic, 0, self.batch + 1, orjson.dumps(data).decode())


UNWRITTEN = Marker(-1, "", 0, "")


class Markers:
    """Reads the marker of a plan's epoch, or of a group. Only after `init_transactions`, which fences other writers."""

    def __init__(self, plan: Plan, group: str | None = None) -> None:
        self.topic = plan.marker_topic
        self.settings = {**plan.kafka, "log_level": "3", "group.id": group or plan.marker_group}

    def read(self) -> Marker | None:
        """Read the marker once no open transaction holds a newer one (KIP-447). None if there is none.

        Raises RunFailed, and KafkaException if the broker does not answer.
        """
        # librdkafka asks for stable offsets, because its `isolation.level` is read_committed by default, and asks again
        # while a transaction with a newer offset is undecided
        consumer = Consumer(self.settings)
        try:
            place = [TopicPartition(self.topic, 0)]
            (partition,) = call_patiently(lambda: consumer.committed(place, timeout=ANSWER_SECONDS))
        finally:
            consumer.close()
        if partition.error is not None:
            message = f"The marker in {self.topic} cannot be read: {partition.error.str()}."
            raise RunFailed(RunCode.MARKER_UNREADABLE, message, "See the broker's log.", retriable=True)
        if partition.offset < 0:
            return None
        return Marker.read(partition.offset, partition.metadata or "")


def decide(marker: Marker | None, batch: int, query_id: str, fingerprint: str) -> Decision:
    """Decide what to do with a batch, by the marker. Raises RunFailed if writing and not writing are both wrong."""
    if marker is None or not marker.is_written:
        if batch > 0:
            raise make_refusal(
                RunCode.MARKER_MISSING, f"Batch {batch} is next, but Kafka has no batch before it.", NO_MARKER
            )
        return Decision.WRITE
    if marker.query_id != query_id:
        raise make_refusal(RunCode.MARKER_OTHER_QUERY, "Another checkpoint wrote the last results.")
    if marker.batch == batch and marker.fingerprint != fingerprint:
        raise make_refusal(
            RunCode.MARKER_MISMATCH, f"Kafka holds batch {batch} with other offsets than the checkpoint."
        )
    if marker.batch < batch - 1:
        raise make_refusal(
            RunCode.MARKER_BEHIND, f"Batch {batch} is next, but Kafka holds results only to batch {marker.batch}."
        )
    return Decision.WRITE if marker.batch < batch else Decision.DRAIN


def close_former(plan: Plan) -> list[tuple[str, TopicPartition]]:
    """Return the markers that end the epochs before, as offsets to commit: each with its group.

    Raises RunFailed if one of them has written something since the plan was made: this epoch would read it again.
    """
    ends = []
    for group, batch in ((each.group, each.batch) for each in plan.follows):
        marker = Markers(plan, group).read() or UNWRITTEN
        if marker.batch != batch:
            raise make_refusal(
                RunCode.MARKER_CLOSED,
                f"This version should continue after batch {batch} of the one before, but that has written batch "
                f"{marker.batch}.",
                "Deploy the version again.",
            )
        ends.append((group, replace(marker, is_closed=True).offset(plan.marker_topic)))
    return ends


def refuse_other(marker: Marker | None, plan_batch: int | None, commit_batch: int | None) -> None:
    """Raises RunFailed if marker and checkpoint are from different lives: continuing would lose or repeat results.

    A closed marker belongs to a life that is over.
    A checkpoint that does not know Kafka's last batch is an old copy. One batch may have been on its way.
    A checkpoint further ahead than that knows of results that Kafka has lost.
    """
    if marker is not None and marker.is_closed:
        raise make_refusal(
            RunCode.MARKER_CLOSED,
            f"Another version has taken over from this one after batch {marker.batch}.",
            "Deploy the version again, or go back to it.",
        )
    marker_batch = -1 if marker is None else marker.batch
    planned_batch, committed_batch = (-1 if batch is None else batch for batch in (plan_batch, commit_batch))
    if marker_batch > planned_batch:
        raise make_refusal(
            RunCode.CHECKPOINT_OLDER,
            f"Kafka holds results up to batch {marker_batch}; the checkpoint ends earlier.",
        )
    if committed_batch > marker_batch + 1:
        results = "none" if marker_batch < 0 else f"results only to batch {marker_batch}"
        raise make_refusal(
            RunCode.MARKER_BEHIND, f"The checkpoint ends at batch {committed_batch}, but Kafka holds {results}."
        )


def decide_slot(marker: Marker | None, batch: int, query_id: str, fingerprint: str) -> Decision:
    """Decide the same for one slot, which may have written nothing for any number of batches."""
    if marker is None or marker.batch < batch:
        return Decision.WRITE
    if marker.query_id != query_id:
        raise make_refusal(RunCode.MARKER_OTHER_QUERY, "Another checkpoint wrote the last results.")
    if marker.batch == batch and marker.fingerprint != fingerprint:
        raise make_refusal(
            RunCode.MARKER_MISMATCH,
            f"Kafka holds a part of batch {batch} that was written with other offsets or settings.",
            "Deploy the version and settings that began the batch. Once they have run, deploy this version again.",
        )
    return Decision.DRAIN


def make_refusal(
    code: RefusalCode,
    message: str,
    hint: str = "Restore the checkpoint that belongs to the results, or deploy the job fresh.",
) -> RunFailed:
    """Return the failure of a run that cannot continue, because writing and not writing may both be wrong."""
    return RunFailed(code, f"{message} Continuing would lose or repeat results.", hint)
