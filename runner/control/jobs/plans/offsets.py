"""Start of each topic: by its source, or where the previous epoch ended."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from designer.streams.starting import find_start_ms
from designer.topology.graph import Graph
from runner.control.jobs.plans.graph_facts import GraphFacts, find_sources
from runner.control.jobs.plans.markers import NothingWritten, Written, read_ends
from runner.kafka import KafkaCluster, Topic
from runner.plan import JobSettings, Plan, TopicFacts

EARLIEST, LATEST = -2, -1
Offsets = Mapping[str, Sequence[int]]


def find_first_offsets(
    graph: Graph, facts: GraphFacts, settings: JobSettings, cluster: KafkaCluster
) -> dict[str, TopicFacts]:
    """Starts without a previous epoch: tables at the earliest record, streams as declared."""
    topics = {}
    for source in find_sources(graph).values():
        for topic in (facts.topics[name] for name in source.topic_names()):
            start = _find_first(source.choose_first_start(settings.start), topic, cluster)
            topics[topic.name] = TopicFacts(id=topic.id, partitions=topic.partitions, start=start)
    return topics


def _find_first(start: str, topic: Topic, cluster: KafkaCluster) -> list[int]:
    """The first offset of each partition. For a time, that of the first record not older, or the end."""
    time_ms = find_start_ms(start)
    if time_ms is not None:
        return cluster.offsets_at(topic, time_ms)
    return [LATEST if start == "latest" else EARLIEST] * topic.partitions


def count_lag(topics: Mapping[str, TopicFacts], cluster: KafkaCluster) -> int:
    """Approximate number of records for a new job. For a start at the end, those of the last minute count."""
    asked_topics = [Topic(name, facts.id, facts.partitions) for name, facts in topics.items()]
    earliest, ends = cluster.start_offsets(asked_topics), cluster.end_offsets(asked_topics)
    minute_ago = time.time_ns() // 1_000_000 - 60_000
    lag = 0
    for topic in asked_topics:
        starts = topics[topic.name].start
        recent = cluster.offsets_at(topic, minute_ago) if LATEST in starts else starts
        for start, first, late, end in zip(starts, earliest[topic.name], recent, ends[topic.name], strict=True):
            lag += max(0, end - max(first, late if start == LATEST else start))
    return lag


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


def without_latest(topics: Mapping[str, TopicFacts], cluster: KafkaCluster) -> dict[str, TopicFacts]:
    """The topics with offsets instead of "latest": a run that fails before its first batch loses nothing."""
    late = [Topic(name, facts.id, facts.partitions) for name, facts in topics.items() if LATEST in facts.start]
    ends = cluster.end_offsets(late)
    starts = {
        name: [end if start == LATEST else start for start, end in zip(topics[name].start, ends[name], strict=True)]
        for name in ends
    }
    return {
        name: facts.model_copy(update={"start": starts[name]}) if name in starts else facts
        for name, facts in topics.items()
    }


def start_at_ends(plan: Plan, ends: Mapping[str, list[int]]) -> dict[str, TopicFacts]:
    """The old ends. New partitions and topics, and global tables, begin at their start."""
    reloaded_topics = find_reloaded_topics(plan.read_graph())
    topics = {}
    for name, facts in plan.topics.items():
        old_ends = [] if name in reloaded_topics else ends.get(name, [])
        fresh = [EARLIEST] * (facts.partitions - len(old_ends)) if old_ends else facts.start
        topics[name] = facts.model_copy(update={"start": [*old_ends, *fresh]})
    return topics


def find_reloaded_topics(graph: Graph) -> set[str]:
    """Topics of global tables, which each epoch reads from their start."""
    sources = (source for source in find_sources(graph).values() if source.is_reloaded)
    return {name for source in sources for name in source.topic_names()}
