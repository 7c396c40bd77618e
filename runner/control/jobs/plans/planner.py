"""From a topology and the facts of its cluster to a plan: pure, so that a preview and the real thing agree."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from designer.flows import NodeFlows
from designer.graph import Graph
from designer.schemas import Schema
from runner.engine.planning.lay_out import layout
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout, Source, Store
from runner.plan import JobSettings, Plan

MARKER_TOPIC = "streamwright-markers"
MOST_SLOTS = 4
Destiny = Literal["kept", "new", "reloaded", "starts_empty", "dropped", "damaged"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of one store when a changed version is deployed, and why."""

    node: str
    store: str
    fate: Destiny
    why: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Spread:
    """Topics that a join brings together though they differ in partitions, and over how many tasks both are spread."""

    partitions: dict[str, int]
    tasks: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def spreads(laid: Layout, partitions: Mapping[str, int], tasks: list[int]) -> list[Spread]:
    """Where Kafka Streams would refuse to join: topics that differ in partitions, without a shuffle in between."""
    found = []
    for layers in dict.fromkeys(laid.layers_of(each.number) for each in laid.sub_topologies):
        sources = (t for t in laid.targets if isinstance(t, Source) and t.sub_topology in layers)
        read = {source.topic: partitions[source.topic] for source in sources}
        nodes = (laid.nodes[node] for number in layers for node in laid.sub_topologies[number].nodes)
        if len(set(read.values())) > 1 and any(_joins(at) for at in nodes):
            found.append(Spread(read, tasks[min(layers)]))
    return found


def _joins(at: NodeFlows) -> bool:
    return len(at.inputs) > 1 and bool(at.operator.keyed_inputs(at.inputs))


def task_counts(
    laid: Layout, partitions: Mapping[str, int], wanted: int = 0, before: Mapping[str, int] | None = None
) -> list[int]:
    """Tasks of each sub-topology, by Kafka Streams' rule: as many as its widest source topic has partitions.

    Without source topics of its own it has as many as the widest sub-topology that feeds it (there: the partitions
    of the repartition topic). A store that is there already, `before` by its name, keeps its count, because a topic
    that grew must not move its keys. Where a repartition node behind a shuffle names a number, that holds. `wanted`
    (a job setting) overrules all. The layers of what is one sub-topology in Kafka Streams have the same count.
    """
    known = before or {}
    counts: dict[int, int] = {}

    def count(number: int) -> int:
        if number not in counts:
            layers = laid.layers_of(number)
            found = wanted or chosen(layers) or kept(layers) or fed(layers)
            counts.update(dict.fromkeys(layers, found))
        return counts[number]

    def chosen(layers: Collection[int]) -> int:
        behind = (laid.nodes[cut.to_node].operator for each in layers for cut in laid.cuts_into(each))
        return max((operator.wanted_tasks() or 0 for operator in behind), default=0)

    def kept(layers: Collection[int]) -> int:
        return max((known.get(store.name, 0) for store in laid.stores if store.sub_topology in layers), default=0)

    def fed(layers: Collection[int]) -> int:
        topics = [t.topic for t in laid.targets if isinstance(t, Source) and t.sub_topology in layers]
        if topics:
            return max(partitions[topic] for topic in topics)
        first = min(layers, key=lambda each: laid.sub_topologies[each].depth)
        return max((count(cut.from_sub_topology) for cut in laid.cuts_into(first)), default=1)

    return [count(each.number) for each in laid.sub_topologies]


def slot_count(settings: JobSettings, tasks: list[int]) -> int:
    """Slots share the tasks; one per core is enough, and more than tasks would idle."""
    return min(settings.slots or min(MOST_SLOTS, os.cpu_count() or 1), max(tasks, default=1))


def laid_out(graph: Graph, schemas: Mapping[str, Schema], *, shared_shuffles: bool = True) -> Layout:
    """The layout of a graph that has no issues; raises a Refusal where its stages would loop."""
    laid = layout(graph, schemas, shared_shuffles=shared_shuffles)
    _ = laid.stages
    return laid


def layout_of(plan: Plan) -> Layout:
    schemas = {node_id: Schema.from_json(schema) for node_id, schema in plan.schemas.items()}
    return laid_out(plan.read_graph(), schemas, shared_shuffles=plan.shared_shuffles)


def stored_counts(plan: Plan) -> dict[str, int]:
    """Task count of each store of a plan, by store name; global tables have none."""
    stores = layout_of(plan).stores
    return {store.name: plan.tasks[store.sub_topology] for store in stores if store.sub_topology is not None}


def fates(old: Plan, new: Plan) -> list[Fate]:
    """What becomes of every store of either plan, in order of definition, the dropped ones last.

    Those of clones share the fate of their originals.
    """
    before = {store.name: store for store in layout_of(old).stores if not is_clone(store.node)}
    after = {store.name: store for store in layout_of(new).stores if not is_clone(store.node)}
    old_counts, new_counts = stored_counts(old), stored_counts(new)
    found = [
        _fate(before.get(name), store, old_counts.get(name), new_counts.get(name)) for name, store in after.items()
    ]
    dropped = [store for name, store in before.items() if name not in after]
    return found + [Fate(store.node, store.name, "dropped", "This version no longer has it.") for store in dropped]


def _fate(before: Store | None, after: Store, old_tasks: int | None, new_tasks: int | None) -> Fate:
    if after.sub_topology is None:
        return Fate(after.node, after.name, "reloaded", "A global table is read again from its topic.")
    if before is None:
        return Fate(after.node, after.name, "new", "The previous version had no such store.")
    if old_tasks != new_tasks:
        why = f"It was divided over {old_tasks} tasks and would now have {new_tasks}."
        return Fate(after.node, after.name, "starts_empty", why)
    changed = _changed(before, after)
    if changed:
        return Fate(after.node, after.name, "starts_empty", f"{changed} changed.")
    return Fate(after.node, after.name, "kept", "Its contents fit the new version.")


def _changed(before: Store, after: Store) -> str:
    """The first difference that makes old contents unreadable; empty when there is none."""
    parts = {
        "The kind of the store": (before.kind, after.kind),
        "The format or type of its keys": (before.key, after.key),
        "The format or type of its values": (before.value, after.value),
        "Its windows": (before.window, after.window),
        "The contents of each group": (before.form, after.form),
    }
    return next((name for name, (old, new) in parts.items() if old != new), "")
