"""What an epoch has written and read, by its marker: in Kafka, or as a run that was asked to stop left it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.kafka import KafkaCluster, Topic, TopicMissing
from runner.plan import Plan
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.sink.ending import find_left_marker, has_lost_marker
from runner.spark.sink.marker import Marker


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


def read_until(old: Plan, topics: Sequence[Topic], cluster: KafkaCluster) -> dict[str, list[int | None]]:
    """The next offsets of an epoch, as committed with the results. None if never committed.

    If Kafka has deleted them with the marker, those in the checkpoint of a run that was asked to stop.
    """
    checkpoint = Checkpoint(old.checkpoint)
    if read_marker_in_kafka(old, cluster) is None and (left := find_left_marker(checkpoint)) is not None:
        ends = checkpoint.offsets(left.batch)
        return {topic.name: list(ends.get(topic.name, ())) for topic in topics}
    committed_offsets = cluster.read_committed_of(old.application_id, topics)
    return {name: [one.offset if one else None for one in places] for name, places in committed_offsets.items()}


def is_in_part(old: Plan, written: LastWritten, cluster: KafkaCluster) -> bool:
    """Whether slots on a cluster have written a part of the batch after the last one."""
    if read_marker_in_kafka(old, cluster, old.slots_group) is None:
        return False
    last_batch = written.batch if isinstance(written, Written) else -1
    marks = (read_marker_in_kafka(old, cluster, old.slot_group(slot)) for slot in range(old.slots))
    return any(mark is not None and mark.batch > last_batch for mark in marks)
