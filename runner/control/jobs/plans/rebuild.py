"""Rebuilds state from the topics without repeating the results, for stores that become the same again.

A store depends on the order of its records. Reading again keeps the order of a partition, but not that between
partitions or topics, nor the ends of batches. So only stores that depend on the former are offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from designer.streams.event_time import ReadsTimes
from designer.streams.flows import NodeFlows
from designer.streams.topics import ReadsTopic
from runner.control.jobs.plans.remains import EARLIEST
from runner.engine.planning.layout import Layout, Shuffle, Store
from runner.engine.planning.parts import find_owner
from runner.kafka import KafkaCluster, Topic
from runner.plan import Plan, TopicFacts
from runner.spark.program import Program


class NotTheSame(Exception):
    """Why the rebuilt state would differ, as a sentence."""


@dataclass(frozen=True)
class Rebuild:
    """The topics to read again: `reads` by node, `starts` and `ends` of each."""

    reads: Mapping[str, Sequence[str]]
    starts: Mapping[str, Sequence[int]]
    ends: Mapping[str, Sequence[int]]

    @property
    def offsets(self) -> int:
        """Number of offsets to read again."""
        pairs = (pair for name, ends in self.ends.items() for pair in zip(self.starts[name], ends, strict=True))
        return sum(max(0, end - max(0, start)) for start, end in pairs)

    def begin(self, topics: Mapping[str, TopicFacts], of: Iterable[str]) -> dict[str, TopicFacts]:
        """The topics of a new epoch, those named `of` with their starts."""
        starts = {name: self.starts[name] for name in of}
        return {
            name: facts.model_copy(update={"start": list(starts.get(name, facts.start))})
            for name, facts in topics.items()
        }


def find_rebuild(program: Program, cluster: KafkaCluster, ends: Mapping[str, Sequence[int]]) -> Rebuild:
    """The offsets to read up to `ends`, where the last batch ended. Raises NotTheSame."""
    reads = find_topics_behind(program)
    topics = {name for names in reads.values() for name in names}
    _refuse_gone(program, cluster, reads)
    # offset 0, not "earliest": a run fails if it is gone, and does not leave records out
    starts = {
        name: [max(0, start) for start in program.plan.topics[name].start] if name in topics else list(places)
        for name, places in ends.items()
    }
    return Rebuild(
        reads,
        {name: [start for start, _ in zip_longest(starts[name], ends[name], fillvalue=EARLIEST)] for name in ends},
        ends,
    )


def find_topics_behind(program: Program) -> dict[str, list[str]]:
    """Each node with state, and the topics of its state. Raises NotTheSame."""
    if program.plan.is_seeded:
        raise NotTheSame("It started with the state of an earlier version or application.")
    if program.ticking or program.idling or any(map(takes_time_of_arrival, program.layout.nodes.values())):
        raise NotTheSame("It depends on the time at which records arrived.")
    if any(each.group == "first" and not set(each.targets) <= set(program.global_depths) for each in program.inputs):
        raise NotTheSame("One of its tables is read before all other topics (`load_first`).")
    stores = (store for store in program.layout.stores if store.sub_topology is not None)
    return {find_owner(store.node): _find_sources(program, store) for store in stores}


def takes_time_of_arrival(node: NodeFlows) -> bool:
    """Whether the records of a source get the time at which they were read."""
    operator = node.operator
    return isinstance(operator, ReadsTimes) and operator.timestamp_from == "wall_clock"


def _find_sources(program: Program, store: Store) -> list[str]:
    """The only topic of a store. Raises NotTheSame if it depends on more than the order of one partition."""
    layout, node, owner = program.layout, store.node, f"`{find_owner(store.node)}`"
    assert store.sub_topology is not None
    if store.contents is not None:
        raise NotTheSame(f"{owner} {store.contents.why_no_rebuild}")
    is_timeless = store.kind == "key_value" and store.retention_ms is None
    sums_up = layout.nodes[node].operator.takes_any_order and is_timeless
    keeps_order = True
    while edges := list(layout.graph.edges_into(node)):
        if len(edges) > 1:
            raise NotTheSame(f"{owner} depends on the order in which records of several inputs arrived.")
        keeps_order = keeps_order and not _is_shuffle(layout, edges[0].source, node, program.plan)
        node = edges[0].source
        if program.options.cache and any(each.node == node for each in layout.stores):
            raise NotTheSame(
                f"{owner} depends on where batches ended, because `{find_owner(node)}` caches its updates."
            )
        sums_up = sums_up and not any(each.node == node for each in layout.stores)
    source = layout.nodes[node].operator
    assert isinstance(source, ReadsTopic)
    topics = source.topic_names()
    tasks = program.plan.tasks[store.sub_topology]
    keeps_order = keeps_order and len(topics) == 1 and program.plan.topics[topics[0]].partitions == tasks
    if not is_timeless:
        beside = {source for each in layout.sub_topologies if node in each.nodes for source in each.sources}
        keeps_order = keeps_order and beside == {node}
    if not (keeps_order or sums_up):
        raise NotTheSame(f"{owner} depends on the order in which records of several partitions arrived.")
    return list(topics)


def _is_shuffle(layout: Layout, source: str, target: str, plan: Plan) -> bool:
    """Whether a shuffle brings records from more than one task."""
    shuffles = (each for each in layout.targets if isinstance(each, Shuffle))
    return any(
        (shuffle.from_node, shuffle.to_node) == (source, target) and plan.tasks[shuffle.from_sub_topology] > 1
        for shuffle in shuffles
    )


def _refuse_gone(program: Program, cluster: KafkaCluster, reads: Mapping[str, Sequence[str]]) -> None:
    """Raises NotTheSame if a topic lacks records of a store.

    For a table only the last record of each key matters, so its topic may be compacted.
    """
    plan, names = program.plan, sorted({name for names in reads.values() for name in names})
    topics = [Topic(name, plan.topics[name].id, plan.topics[name].partitions) for name in names]
    configs = cluster.configs_of(names)
    for name, firsts in cluster.start_offsets(topics).items():
        starts = [0 if start == EARLIEST else start for start in plan.topics[name].start]
        for partition, (start, first) in enumerate(zip(starts, firsts, strict=True)):
            if first > start:
                raise NotTheSame(
                    f"Topic `{name}` no longer holds all records that the state came from: partition {partition} "
                    f"begins with offset {first:,}, and offset {start:,} is needed."
                )
        by = (program.layout.nodes[node].operator for node, topic_names in reads.items() if name in topic_names)
        is_compacted = "compact" in configs.get(name, {}).get("cleanup.policy", "")
        if is_compacted and not all(operator.has_topic_of_rows for operator in by):
            raise NotTheSame(f"Topic `{name}` is compacted, so it lacks records that the state came from.")
