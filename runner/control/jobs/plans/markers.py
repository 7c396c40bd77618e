"""What an epoch has written and read, by its marker: in Kafka, or as a run that was asked to stop left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.kafka import KafkaCluster, Topic, TopicMissing
from runner.plan import Plan
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.sink.ending import find_left_marker, has_lost_marker
from runner.spark.sink.marker import NO_MARKER, Marker


@dataclass(frozen=True)
class Written:
    """The epoch has written the results of this batch and of all before it, and nothing later."""

    batch: int


@dataclass(frozen=True)
class NothingWritten:
    """The epoch has written no results: its marker says so, or no run of it has begun to write."""


@dataclass(frozen=True)
class MarkerLost:
    """Kafka has deleted the marker, and no run left it with the checkpoint: what is written is unknown."""


LastWritten = Written | NothingWritten | MarkerLost
"""How far the results of an epoch go. The three answers lead to three ways on, so no None stands for any of them."""


def find_last_written(old: Plan, cluster: KafkaCluster) -> LastWritten:
    """Return how far the results of an epoch go.

    Raises KafkaUnreachable, and OSError if the checkpoint's file system does not answer.
    """
    checkpoint = Checkpoint(old.checkpoint)
    marker = read_marker_in_kafka(old, cluster) or find_left_marker(checkpoint)
    if marker is None:
        return MarkerLost() if has_lost_marker(checkpoint, has_begun=old.has_begun) else NothingWritten()
    return Written(marker.batch) if marker.is_written else NothingWritten()


def read_marker_in_kafka(old: Plan, cluster: KafkaCluster, group: str | None = None) -> Marker | None:
    """The marker of an epoch, or of a group. None if Kafka has none, as without the topic of markers."""
    try:
        topic = cluster.topic(old.marker_topic)
    except TopicMissing:
        return None
    marks = cluster.read_committed(group or old.marker_group, topic)
    return next((Marker.read(mark.offset, mark.metadata) for mark in marks if mark is not None), None)


def read_ends(old: Plan, batch: int, topics: Sequence[Topic], cluster: KafkaCluster) -> dict[str, list[int]]:
    """Return the next offsets of an epoch after its last batch: by topic, those of the partitions that were read.

    1. The transaction of the batch committed them for the group with the application's name.
    2. A partition that the group does not have was never read, or someone has deleted its offset: Kafka, after
       `offsets.retention.minutes`, or an administrator. Spark's plan of the batch names each partition that was read.
    3. Without that plan, a partition that was there when the epoch began was read, and nobody knows how far.

    Raises OffsetsForgotten in the third case: its first offset would write all results again.
    """
    committed = cluster.read_committed_of(old.application_id, topics)
    checkpoint = Checkpoint(old.checkpoint)
    is_known = whole.find_fault(checkpoint.folder / "offsets" / str(batch)) is None
    planned = checkpoint.offsets(batch) if is_known else {}
    ends: dict[str, list[int]] = {}
    for name, places in committed.items():
        ends[name] = []
        for partition, place in enumerate(places):
            if place is not None:
                ends[name].append(place.offset)
            elif partition < len(planned.get(name, ())):
                ends[name].append(max(planned[name][partition], _get_silent_end(old, name, partition)))
            elif name in planned or partition >= old.topics[name].partitions:
                break
            else:
                raise OffsetsForgotten(name, partition)
    return ends


def _get_silent_end(old: Plan, topic: str, partition: int) -> int:
    """Where an epoch that rebuilds its state begins to write. Records before it have their results."""
    places = old.silent_until.get(topic, ())
    return places[partition] if partition < len(places) else 0


class OffsetsForgotten(Refusal):
    """Kafka has deleted the offset to which a partition was read, and no checkpoint has it."""

    code = ControlCode.EPOCH_UNCLEAN
    status = 409

    def __init__(self, topic: str, partition: int) -> None:
        super().__init__(
            f"Kafka has deleted the offset to which partition {partition} of topic `{topic}` was read.", NO_MARKER
        )


def is_in_part(old: Plan, written: LastWritten, cluster: KafkaCluster) -> bool:
    """Whether slots on a cluster have written a part of the batch after the last one."""
    if read_marker_in_kafka(old, cluster, old.slots_group) is None:
        return False
    last_batch = written.batch if isinstance(written, Written) else -1
    marks = (read_marker_in_kafka(old, cluster, old.slot_group(slot)) for slot in range(old.slots))
    return any(mark is not None and mark.batch > last_batch for mark in marks)
