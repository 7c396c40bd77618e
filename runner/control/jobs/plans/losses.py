"""Finds lost offsets that a job would read next, and where it can continue instead.

Kafka Streams continues there by itself (`auto.offset.reset`). Here a user decides, because results lack the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from runner.control.jobs.plans.offsets import EARLIEST, LATEST, Offsets
from runner.kafka import KafkaCluster, Topic
from runner.plan import TopicFacts


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a partition: records were deleted, or the topic was deleted and created again.

    `read_to` is the next offset to read, None if unknown. `first` is the first existing one. By the start of its
    source, the job continues at `goes_on`: there, or further on. `skipped_count` counts the offsets in between. It is
    None for a recreated topic, because the rest of the old one is unknown.
    """

    topic: str
    partition: int
    why: Literal["deleted", "recreated"]
    read_to: int | None
    first: int
    goes_on: int

    @property
    def skipped_count(self) -> int | None:
        if self.why == "recreated" or self.read_to is None:
            return None
        return self.goes_on - self.read_to

    def to_json(self) -> dict[str, Any]:
        return {
            "topic": self.topic,
            "partition": self.partition,
            "why": self.why,
            "read_to": self.read_to,
            "first": self.first,
            "goes_on": self.goes_on,
            "skipped": self.skipped_count,
        }


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


# Skipping lost offsets starts a new epoch with the old state: marker, planned offsets and fencing then work as for
# any epoch, and nothing in a checkpoint is rewritten.
def without_losses(offsets: Offsets, losses: Iterable[Loss]) -> dict[str, list[int]]:
    """The next offsets of each topic, with `goes_on` instead of lost offsets."""
    next_offsets = {name: list(each) for name, each in offsets.items()}
    for loss in losses:
        if loss.why == "deleted":
            next_offsets[loss.topic][loss.partition] = loss.goes_on
    return next_offsets


def _find_losses_of_topic(
    topic: Topic, offsets: Sequence[int] | None, read_to: Sequence[int], places: Sequence[tuple[int, int, int]]
) -> Iterable[Loss]:
    """`offsets` is None if the topic is the same. A place has its source's start, first offset and end."""
    for partition, (start, first, end) in enumerate(places):
        goes_on = {EARLIEST: first, LATEST: end}.get(start, max(start, first))
        if offsets is not None:
            at = offsets[partition] if partition < len(offsets) else None
            yield Loss(topic.name, partition, "recreated", at, first, goes_on)
        elif partition < len(read_to) and 0 <= read_to[partition] < first:
            yield Loss(topic.name, partition, "deleted", read_to[partition], first, goes_on)
