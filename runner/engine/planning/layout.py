"""The execution of a topology: its sub-topologies, the shuffles between them, its stores, and the ways of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from designer.refusals import Refusal
from designer.streams.flows import NodeFlows
from designer.topology.graph import Edge, Graph
from designer.values.schemas import RegistrySchemas, Side, WindowSpec, WrittenSchema
from runner.engine.codes import EngineCode
from runner.engine.planning.layers import find_original, is_clone, name_clone
from runner.engine.planning.tables import Contents, StoreView, TablePlan

SourceKind = Literal["stream", "table", "global"]
StoreKind = Literal["key_value", "versioned", "window", "session", "own"]


class TopologyLoops(Refusal):
    """Records would have to return to a sub-topology that already saw them. A single chain of stages cannot do that.

    Layers prevent it, unless users' code would have to be cloned (`runner.engine.planning.layers`).
    """

    code = EngineCode.TOPOLOGY_LOOPS
    status = 422


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of a topic. A global table belongs to no sub-topology. `readers` are the nodes that look it up."""

    node: str
    topic: str
    sub_topology: int | None
    kind: SourceKind
    readers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Rows on their way to the task of their new key: a shuffle for Kafka Streams' repartition topic `name`."""

    from_node: str
    to_node: str
    to_port: str
    from_sub_topology: int
    sub_topology: int
    name: str
    keeps_null_keys: bool


@dataclass(frozen=True, slots=True)
class Sink:
    """Rows that leave for a topic."""

    node: str
    topic: str


@dataclass(frozen=True, slots=True)
class DeadLetterSink:
    """Failed records, for the dead-letter topic."""


Target = Source | Shuffle | Sink | DeadLetterSink


def find_topic(target: Target) -> str:
    """The topic that rows come from, in Kafka Streams also that of a shuffle. Empty if there is none."""
    match target:
        case Source(topic=topic):
            return topic
        case Shuffle(name=name):
            return name
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class Store:
    """A state store. Its place in `Layout.stores` is its number in state keys.

    `retention_ms` counts from the latest window start for a window store, and from the last update of a row for a
    key-value store. A versioned store keeps old values for that long. A node may keep stores of its `own`
    besides that of its table, distinguished by `part`. Only the node itself reads those. `sub_topology`
    is None for a global table.
    """

    name: str
    node: str
    kind: StoreKind
    sub_topology: int | None
    retention_ms: int | None
    key: Side
    value: Side
    window: WindowSpec | None
    part: str | None = None
    form: str = ""
    """The operator's notes on how it keeps values, besides their type."""
    view: StoreView | None = None
    """Set for stores of users' code."""
    contents: Contents | None = None
    """Set for a node's own stores."""


def find_original_name(store: Store) -> str:
    """The name of the original's store for a clone's store, or the store's own name."""
    return store.name.removesuffix(name_clone(store.node))


@dataclass(frozen=True, slots=True)
class SubTopology:
    """The nodes between changes of key. `depth` 0 is the stateless stage before the first shuffle, -1 a loop."""

    number: int
    depth: int
    nodes: tuple[str, ...]
    sources: tuple[str, ...]
    is_stateful: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """The sub-topologies of one depth, which run together. `targets` are the rows it reads."""

    depth: int
    sub_topologies: tuple[int, ...]
    is_stateful: bool
    targets: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Layout:
    """A laid-out topology. It is pure and deterministic: the same graph and schemas give the same numbers."""

    graph: Graph
    nodes: Mapping[str, NodeFlows]
    tables: Mapping[str, TablePlan]
    looked_up: frozenset[tuple[str, str]]
    targets: tuple[Target, ...]
    stores: tuple[Store, ...]
    sub_topologies: tuple[SubTopology, ...]
    children: Mapping[str, tuple[Edge, ...]] = field(repr=False)
    """Edges that carry records out of a node, in Kafka Streams' order of making their ends."""
    creation_order: Mapping[str, int] = field(repr=False)
    """The place of each node in that order."""
    registry_schemas: RegistrySchemas = field(default_factory=dict, repr=False)
    """The schemas that records of sources may be written with, as far as they are known from a schema registry."""
    written: tuple[WrittenSchema, ...] = field(default=(), repr=False)
    """The schemas of a registry with which sinks write."""

    @cached_property
    def source_of(self) -> Mapping[str, int]:
        """Node id -> the target that is its topic, or the last of several."""
        return {t.node: number for number, t in enumerate(self.targets) if isinstance(t, Source)}

    @cached_property
    def sources_by_topic(self) -> Mapping[str, tuple[int, ...]]:
        """Topic -> the targets of its rows."""
        sources: dict[str, tuple[int, ...]] = {}
        for number, target in enumerate(self.targets):
            if isinstance(target, Source):
                sources[target.topic] = (*sources.get(target.topic, ()), number)
        return sources

    @cached_property
    def sinks_of(self) -> Mapping[str, Mapping[str, int]]:
        """Node id -> topic -> target."""
        sinks: dict[str, dict[str, int]] = {}
        for number, target in enumerate(self.targets):
            if isinstance(target, Sink):
                sinks.setdefault(target.node, {})[target.topic] = number
        return sinks

    @cached_property
    def shuffle_of(self) -> Mapping[tuple[str, str], int]:
        """Node id and input port -> the target of the shuffle before it."""
        return {(t.to_node, t.to_port): number for number, t in enumerate(self.targets) if isinstance(t, Shuffle)}

    @cached_property
    def copies(self) -> Mapping[int, tuple[int, ...]]:
        """Target of a shuffle -> the targets of clones that get the same rows."""
        clone_targets: dict[int, tuple[int, ...]] = {}
        for (node, port), number in self.shuffle_of.items():
            if is_clone(node):
                original = self.shuffle_of[find_original(node), port]
                clone_targets[original] = (*clone_targets.get(original, ()), number)
        return clone_targets

    def layers_of(self, sub_topology: int) -> frozenset[int]:
        """The sub-topologies that are one in Kafka Streams and were split into layers. Mostly itself alone."""
        return next(layers for layers in self._layers if sub_topology in layers)

    @cached_property
    def _layers(self) -> list[frozenset[int]]:
        of = {node: each.number for each in self.sub_topologies for node in each.nodes}
        groups = [frozenset((each.number,)) for each in self.sub_topologies]
        for clone in filter(is_clone, of):
            joined_groups = [layers for layers in groups if layers & {of[clone], of[find_original(clone)]}]
            groups = [layers for layers in groups if layers not in joined_groups] + [frozenset().union(*joined_groups)]
        return groups

    @cached_property
    def store_of(self) -> Mapping[str, int]:
        """Node id -> the store of its table."""
        return {store.node: number for number, store in enumerate(self.stores) if store.part is None}

    @cached_property
    def own_store_of(self) -> Mapping[tuple[str, str], int]:
        """Node id and part -> the store."""
        return {(store.node, store.part): number for number, store in enumerate(self.stores) if store.part is not None}

    @cached_property
    def dead_letter(self) -> int:
        return next(number for number, target in enumerate(self.targets) if isinstance(target, DeadLetterSink))

    def node_entered(self, number: int) -> str:
        """The node that rows of a target reach."""
        target = self.targets[number]
        assert isinstance(target, Source | Shuffle)
        return target.to_node if isinstance(target, Shuffle) else target.node

    def shuffles_into(self, sub_topology: int) -> Iterator[Shuffle]:
        """The shuffles whose rows a sub-topology reads."""
        return (
            target for target in self.targets if isinstance(target, Shuffle) and target.sub_topology == sub_topology
        )

    def targets_of(self, sub_topologies: Iterable[int]) -> tuple[int, ...]:
        """The targets whose rows those sub-topologies read, global tables included."""
        wanted_readers = set(sub_topologies)
        return tuple(
            number for number, target in enumerate(self.targets) if wanted_readers & set(_find_readers(target))
        )

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The stages in the order of rows. Raises `TopologyLoops` if there is no such order."""
        if any(each.depth < 0 for each in self.sub_topologies):
            raise _find_loops(self)
        by_depth: dict[int, list[SubTopology]] = {}
        for each in self.sub_topologies:
            by_depth.setdefault(each.depth, []).append(each)
        return tuple(self._make_stage(depth, by_depth[depth]) for depth in sorted(by_depth))

    def _make_stage(self, depth: int, members: list[SubTopology]) -> Stage:
        numbers = tuple(each.number for each in members)
        return Stage(depth, numbers, depth > 0, self.targets_of(numbers))


def _find_readers(target: Target) -> tuple[int, ...]:
    match target:
        case Source(sub_topology=None):
            return target.readers
        case Source(sub_topology=int(number)) | Shuffle(sub_topology=number):
            return (number,)
        case _:
            return ()


def _find_loops(layout: Layout) -> TopologyLoops:
    looping = {each.number for each in layout.sub_topologies if each.depth < 0}
    shuffles = (target for target in layout.targets if isinstance(target, Shuffle))
    shuffle = next(shuffle for shuffle in shuffles if {shuffle.from_sub_topology, shuffle.sub_topology} <= looping)
    members = (node for number in sorted(looping) for node in layout.sub_topologies[number].nodes)
    code = next((node for node in members if layout.nodes[node].operator.runs_code), None)
    come_back = (
        f"Records whose key changed before `{shuffle.to_node}` would come back to tasks that they already went through"
    )
    if code is None:
        hint = "Add a second node that reads the table for the later join, or write to a topic in between."
        return TopologyLoops(f"{come_back}.", hint)
    return TopologyLoops(
        f"{come_back}. These cannot be two stages, because then the code of `{code}` would run twice for each record.",
        f"Write what `{code}` forwards to a topic, and read that topic instead.",
        node=code,
    )
