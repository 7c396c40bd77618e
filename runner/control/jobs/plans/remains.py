"""What an epoch has left: how far its results and its reading go, and which records are gone since.

Its marker says what it has written, in Kafka or as a run that was asked to stop left it beside the checkpoint. While a
run of the epoch may still write, all of this is only what can be seen (`findings`). `epochs` reads it again after it
has fenced the writers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from typing_extensions import TypedDict

from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.kafka import KafkaCluster, Topic, TopicMissing
from runner.plan import Plan, TopicFacts
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.sink.ending import find_left_marker, has_lost_marker
from runner.spark.sink.marker import NO_MARKER, Marker

EARLIEST, LATEST = -2, -1
Offsets = Mapping[str, Sequence[int]]
"""By topic, an offset of each partition."""


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


class LossOut(TypedDict):
    """Records of a partition that are gone: they were deleted, or the topic was deleted and made again.

    `read_to` is the next offset to read, `first` the first that still exists, `goes_on` where skip_lost continues;
    `skipped` counts the offsets in between. Null is unknown.
    """

    topic: str
    partition: int
    why: Literal["deleted", "recreated"]
    read_to: int | None
    first: int
    goes_on: int
    skipped: int | None


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a partition: records were deleted, or the topic was deleted and created again."""

    topic: str
    partition: int
    why: Literal["deleted", "recreated"]
    read_to: int | None
    """The next offset to read. None if unknown."""
    first: int
    """The first offset that Kafka has."""
    goes_on: int
    """Where the job would continue, by the start of its source: at `first`, or further on."""

    @property
    def skipped_count(self) -> int | None:
        """Number of lost offsets. None for a recreated topic, because the rest of the old one is unknown."""
        if self.why == "recreated" or self.read_to is None:
            return None
        return self.goes_on - self.read_to

    def to_json(self) -> LossOut:
        return {
            "topic": self.topic,
            "partition": self.partition,
            "why": self.why,
            "read_to": self.read_to,
            "first": self.first,
            "goes_on": self.goes_on,
            "skipped": self.skipped_count,
        }


@dataclass(frozen=True)
class Remains:
    """What an epoch has left for the next one."""

    written: LastWritten
    is_in_part: bool = False
    """Slots on a cluster have written a part of the batch after the last one."""
    is_rebuilding: bool = False
    """The state is still being rebuilt from its topics."""
    has_state: bool = False
    """The checkpoint has the state of the last written batch."""
    ends: Mapping[str, list[int]] = field(default_factory=dict)
    """The next offsets to read, of topics that the next epoch reads too."""
    losses: tuple[Loss, ...] = ()
    """Records that are gone: read only if the user chose to skip them."""


def read_remains(old: Plan, topics: Mapping[str, TopicFacts], cluster: KafkaCluster) -> Remains:
    """Read what an epoch has left. `topics` are those of the next one.

    Its writers must be fenced, so that nothing is added. Raises KafkaUnreachable, OffsetsForgotten and OSError.
    """
    written = find_last_written(old, cluster)
    if isinstance(written, MarkerLost):
        return Remains(written)
    return Remains(
        written,
        is_in_part=is_in_part(old, written, cluster),
        is_rebuilding=is_rebuilding(old, written),
        has_state=isinstance(written, Written) and Checkpoint(old.checkpoint).is_committed(written.batch),
        ends=find_next_offsets(old, topics, written, cluster),
    )


def find_last_written(old: Plan, cluster: KafkaCluster) -> LastWritten:
    """Return how far the results of an epoch go.

    Raises KafkaUnreachable, and OSError if the checkpoint's file system does not answer.
    """
    checkpoint = Checkpoint(old.checkpoint)
    # Kafka's counts, if there is one: a run that was killed has written further than what an earlier one left
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


def find_next_offsets(
    old: Plan, new: Mapping[str, TopicFacts], written: Written | NothingWritten, cluster: KafkaCluster
) -> dict[str, list[int]]:
    """The next offsets of the old epoch in topics that are still read and still the same.

    They include partitions that were added while it ran and were read. If nothing is written, they are its start.
    Topics that only rebuild state were read before. Its writer must be fenced, so that no commit follows. Raises
    OffsetsForgotten.
    """
    same = {name: facts for name, facts in old.topics.items() if name in new and new[name].id == facts.id}
    if isinstance(written, NothingWritten):
        return {name: old.silent_until.get(name, facts.start) for name, facts in same.items()}
    topics = [Topic(name, facts.id, new[name].partitions) for name, facts in same.items()]
    return read_ends(old, written.batch, topics, cluster)


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
            elif partition < len(planned.get(name, ())):  # the plan holds where Spark read to, so never too little
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


def is_in_part(old: Plan, written: LastWritten, cluster: KafkaCluster) -> bool:
    """Whether slots on a cluster have written a part of the batch after the last one."""
    if read_marker_in_kafka(old, cluster, old.slots_group) is None:
        return False
    last_batch = written.batch if isinstance(written, Written) else -1
    marks = (read_marker_in_kafka(old, cluster, old.slot_group(slot)) for slot in range(old.slots))
    return any(mark is not None and mark.batch > last_batch for mark in marks)


def is_rebuilding(old: Plan, written: LastWritten) -> bool:
    """Whether an epoch has not read the whole origin of its state, or its last batch does not say what it read."""
    read = find_rebuilt_offsets(old, written)
    pairs = (zip(read[name], until, strict=False) for name, until in old.silent_until.items())
    return any(at < end for places in pairs for at, end in places)


def find_rebuilt_offsets(old: Plan, written: LastWritten) -> Mapping[str, Sequence[int]]:
    """The next offsets of an epoch that rebuilds its state, or its start if its last batch does not have them."""
    checkpoint, starts = Checkpoint(old.checkpoint), find_rebuild_starts(old)
    if not starts or not isinstance(written, Written):
        return starts
    is_broken = whole.find_fault(checkpoint.folder / "offsets" / str(written.batch))
    return starts if is_broken else checkpoint.offsets(written.batch)


def find_rebuild_starts(old: Plan) -> dict[str, list[int]]:
    """Where an epoch began to read in the topics from which it rebuilds its state. Empty if it rebuilds nothing."""
    return {name: old.topics[name].start for name in old.silent_until}


def find_losses(
    old: Mapping[str, TopicFacts],
    new: Mapping[str, TopicFacts],
    read_to: Offsets,
    offsets: Offsets,
    cluster: KafkaCluster,
) -> list[Loss]:
    """The losses of topics that were read before.

    `new` has the starts of their sources. `read_to` has the next offsets of topics that are still the same, `offsets`
    the progress in the others, if known.
    """
    topics = [Topic(name, facts.id, facts.partitions) for name, facts in new.items() if name in old]
    firsts, ends = cluster.start_offsets(topics), cluster.end_offsets(topics)
    return [
        loss
        for topic in topics
        for loss in _find_losses_of_topic(
            topic,
            None if topic.id == old[topic.name].id else offsets.get(topic.name, ()),
            read_to.get(topic.name, ()),
            list(zip(new[topic.name].start, firsts[topic.name], ends[topic.name], strict=True)),
        )
    ]


def _find_losses_of_topic(
    topic: Topic, offsets: Sequence[int] | None, read_to: Sequence[int], places: Sequence[tuple[int, int, int]]
) -> Iterable[Loss]:
    """`offsets` is None if the topic is the same. A place has its source's start, first offset and end."""
    for partition, (start, first, end) in enumerate(places):
        goes_on = {EARLIEST: first, LATEST: end}.get(start, max(start, first))
        if offsets is not None:
            at = offsets[partition] if partition < len(offsets) else None
            yield Loss(topic.name, partition, "recreated", at, first, goes_on)
        # a negative place is EARLIEST or LATEST: nothing was read there, so nothing can be lost
        elif partition < len(read_to) and 0 <= read_to[partition] < first:
            yield Loss(topic.name, partition, "deleted", read_to[partition], first, goes_on)


class OffsetsForgotten(Refusal):
    """Kafka has deleted the offset to which a partition was read, and no checkpoint has it."""

    code = ControlCode.EPOCH_UNCLEAN
    status = 409

    def __init__(self, topic: str, partition: int) -> None:
        super().__init__(
            f"Kafka has deleted the offset to which partition {partition} of topic `{topic}` was read.", NO_MARKER
        )
