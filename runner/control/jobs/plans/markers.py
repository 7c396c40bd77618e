"""Results and progress of an epoch by its marker: in Kafka, or with its checkpoint."""

from __future__ import annotations

from collections.abc import Sequence

from runner.kafka import KafkaCluster, Topic
from runner.plan import Plan
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.sink.ending import find_left_marker
from runner.spark.sink.marker import Marker


def read_last_written(old: Plan, cluster: KafkaCluster) -> int | None:
    """The last batch by the marker. If Kafka has deleted it, the last one of a run that was asked to stop."""
    marker = read_marker_in_kafka(old, cluster) or find_left_marker(Checkpoint(old.checkpoint))
    return None if marker is None or marker.batch < 0 else marker.batch


def read_marker_in_kafka(old: Plan, cluster: KafkaCluster, group: str | None = None) -> Marker | None:
    """The marker of an epoch, or of a group."""
    marks = cluster.read_committed(group or old.marker_group, cluster.topic(old.marker_topic))
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


def is_in_part(old: Plan, batch: int | None, cluster: KafkaCluster) -> bool:
    """Whether slots on a cluster have written a part of the batch after `batch`."""
    if read_marker_in_kafka(old, cluster, old.slots_group) is None:
        return False
    marks = (read_marker_in_kafka(old, cluster, old.slot_group(slot)) for slot in range(old.slots))
    return any(mark is not None and mark.batch > (-1 if batch is None else batch) for mark in marks)
