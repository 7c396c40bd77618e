"""Lays a topology out: cuts it where Kafka Streams repartitions, and numbers the parts."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from designer.refusals import Refusal
from designer.streams.flows import NodeFlows, find_flows
from designer.streams.shuffles import find_shuffles
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.topology.bypassing import remove_bypassed
from designer.topology.catalogue import NamesStore
from designer.topology.graph import Edge, Graph
from designer.topology.ports import COGROUPS, GROUPS, PortType
from designer.values.schemas import Schema
from runner.engine.planning.layers import Wiring, connect, find_original, is_clone, name_clone, split_layers
from runner.engine.planning.layout import (
    DeadLetterSink,
    Layout,
    Shuffle,
    Sink,
    Source,
    SourceKind,
    Store,
    StoreKind,
    SubTopology,
    Target,
)
from runner.engine.planning.parts import find_owner, take_apart
from runner.engine.planning.tables import Contents, NodeTables, OwnStore, PlansTables, TablePlan
from runner.engine.records.codecs import WINDOWED_STREAMS

SOURCE_KINDS: Mapping[PortType, SourceKind] = {
    PortType.KSTREAM: "stream",
    PortType.KTABLE: "table",
    PortType.GLOBAL_KTABLE: "global",
}
HISTORY = Contents(
    "keeps earlier values of its rows, which Streamwright does not rebuild.",
    "records that come late find no earlier values of rows.",
)
TIMES_OF_ROWS = Contents(
    "deletes rows after a time, and Streamwright does not rebuild such rows.",
    "rows from before are not deleted when their time is over.",
)


def lay_out(
    graph: Graph,
    sources: Mapping[str, Schema] | None = None,
    *,
    is_layered: bool = True,
    shares_shuffles: bool = True,
) -> Layout:
    """Lay out a graph that has no issues. `sources` holds the inferred schemas of topics by node id.

    The other arguments are those of `lay_out_flows`.
    """
    return lay_out_flows(graph, find_flows(graph, sources), is_layered=is_layered, shares_shuffles=shares_shuffles)


def lay_out_flows(
    graph: Graph, flows: Mapping[str, NodeFlows], *, is_layered: bool = True, shares_shuffles: bool = True
) -> Layout:
    """Lay out a graph with its flows. Finding these types every expression, so a deploy does it once, for its checks.

    Raises a Refusal if a node cannot run.
    Without layers, sub-topologies are those of Kafka Streams, even if they loop (`runner.engine.planning.layers`).
    Without shared shuffles each aggregate of a group has its own, as in earlier plans.
    """
    graph = remove_bypassed(graph)
    valid_nodes = _find_valid_nodes(graph, flows)
    in_port_order = sorted(graph.edges, key=lambda edge: _find_port_place(graph, valid_nodes, edge))
    nodes, unordered_edges = take_apart(valid_nodes, in_port_order, is_shared=shares_shuffles)
    edges = _sort_edges(unordered_edges, nodes)
    tables, looked_up, own_stores = _plan_tables(nodes, edges)
    shuffles = find_shuffles(nodes, edges)
    relaxed_ports = frozenset(_find_port(edge) for edge in shuffles if _keeps_null_keys(edge, nodes, edges, looked_up))
    global_nodes = frozenset(node for node, at in nodes.items() if _is_global(at))
    wiring = Wiring(tuple(nodes), unordered_edges, frozenset(shuffles), global_nodes)
    if is_layered:
        wiring = split_layers(wiring, once={node for node, at in nodes.items() if at.operator.runs_code})
        nodes, tables, looked_up = _with_clones(wiring, nodes, tables, looked_up)
        edges = _sort_edges(wiring.edges, nodes)
    members = connect(wiring)
    of = {node: number for number, group in enumerate(members) for node in group}
    creation_order = _sort_nodes(nodes, edges)
    in_order = sorted(edges, key=lambda edge: (creation_order[edge.target], creation_order[edge.source]))
    shuffle_targets = [
        _shuffle(edge, of, _find_port(edge) in relaxed_ports) for edge in in_order if edge in wiring.shuffles
    ]
    stores = tuple(
        store for node, at in nodes.items() for store in _make_stores(node, at, tables, own_stores, of.get(node))
    )
    stateful = {of[edge.target] for edge in edges if edge.source not in of} | {store.sub_topology for store in stores}
    depths = _find_depths(len(members), stateful, shuffle_targets)
    return Layout(
        graph=Graph(graph.nodes, wiring.edges),
        nodes=nodes,
        tables=tables,
        looked_up=looked_up,
        targets=(*_find_sources(nodes, of, edges), *shuffle_targets, *_find_sinks(nodes), DeadLetterSink()),
        stores=stores,
        sub_topologies=tuple(
            SubTopology(number, depths[number], tuple(group), tuple(_find_reading(group, nodes)), number in stateful)
            for number, group in enumerate(members)
        ),
        children={
            node: tuple(e for e in in_order if e.source == node and _carries_records(e, wiring, looked_up))
            for node in nodes
        },
        creation_order=creation_order,
    )


def _find_port_place(graph: Graph, nodes: Mapping[str, NodeFlows], edge: Edge) -> int:
    """Place of the edge's input port at its target: for a stream joined with itself, left comes first."""
    ports = nodes[edge.target].operator.input_ports(graph.node(edge.target).config)
    return list(ports).index(edge.target_port)


def _find_valid_nodes(graph: Graph, flows: Mapping[str, NodeFlows]) -> dict[str, NodeFlows]:
    for node in graph.nodes:
        if node.id not in flows or not flows[node.id].is_valid:
            raise Refusal(
                f"Node `{node.id}` cannot run yet.", "Open the tab Problems and fix each issue.", node=node.id
            )
    return {node: flows[node] for node in _sort_by_definition(graph)}


def _sort_by_definition(graph: Graph) -> Iterator[str]:
    """The nodes in order of definition, but each after the nodes that feed it."""
    order = {node.id: number for number, node in enumerate(graph.nodes)}
    names = tuple(order)
    waiting = {node: sum(1 for _ in graph.edges_into(node)) for node in names}
    ready = [order[node] for node in names if not waiting[node]]
    while ready:
        node = names[heapq.heappop(ready)]
        yield node
        for edge in graph.edges_from(node):
            waiting[edge.target] -= 1
            if not waiting[edge.target]:
                heapq.heappush(ready, order[edge.target])


def _plan_tables(
    nodes: Mapping[str, NodeFlows], edges: Sequence[Edge]
) -> tuple[dict[str, TablePlan], frozenset[tuple[str, str]], dict[str, list[OwnStore]]]:
    tables: dict[str, TablePlan] = {}
    own_stores: dict[str, list[OwnStore]] = {}
    looked_up: set[tuple[str, str]] = set()
    for node, at in nodes.items():
        arriving = {
            edge.target_port: tables[edge.source] for edge in edges if edge.target == node and edge.source in tables
        }
        if isinstance(at.operator, PlansTables):
            at.operator.plan_tables(NodeTables(node, at.inputs, arriving, tables, looked_up, own_stores))
    return tables, frozenset(looked_up), own_stores


def _with_clones(
    wiring: Wiring,
    nodes: Mapping[str, NodeFlows],
    tables: Mapping[str, TablePlan],
    looked_up: frozenset[tuple[str, str]],
) -> tuple[dict[str, NodeFlows], dict[str, TablePlan], frozenset[tuple[str, str]]]:
    """The nodes in order with their clones, the clones' tables, and the tables that they look up."""
    clones = {node: find_original(node) for node in wiring.nodes if is_clone(node)}
    clone_tables = {clone: tables[original] for clone, original in clones.items() if original in tables}
    ports = {(clone, port) for clone, original in clones.items() for node, port in looked_up if node == original}
    return {node: nodes[find_original(node)] for node in wiring.nodes}, {**tables, **clone_tables}, looked_up | ports


def _sort_edges(edges: Iterable[Edge], nodes: Iterable[str]) -> list[Edge]:
    """Edges in the order of definition of their ends."""
    place = {node: number for number, node in enumerate(nodes)}
    return sorted(edges, key=lambda edge: (place[edge.target], place[edge.source]))


def _sort_nodes(nodes: Mapping[str, NodeFlows], edges: Iterable[Edge]) -> dict[str, int]:
    """The order in which Kafka Streams makes the nodes: as defined, but groups with their aggregates.

    A repartition that aggregates share moves back with each of them (InternalStreamsBuilder.addGraphNode). Those of a
    cogroup are made with the first.
    """
    order = {node: number for number, node in enumerate(nodes)}
    behind: dict[str, list[str]] = {}
    for edge in edges:
        behind.setdefault(edge.source, []).append(edge.target)
    for node in reversed(order):
        at = nodes[node]
        output_types = {flow.type for flow in at.outputs.values()}
        if output_types & GROUPS and behind.get(node) and not at.operator.changes_key():
            order[node] = (min if output_types & COGROUPS else max)(order[each] for each in behind[node])
    return order


def _find_port(edge: Edge) -> tuple[str, str, str]:
    """Key that a shuffle and its copies for clones share: its source, and its target port."""
    return edge.source, find_original(edge.target), edge.target_port


def _carries_records(edge: Edge, wiring: Wiring, looked_up: frozenset[tuple[str, str]]) -> bool:
    """True if its source hands records to it. A clone after a shuffle gets copies of its original's records."""
    is_copy = edge in wiring.shuffles and is_clone(edge.target)
    return not is_copy and (edge.target, edge.target_port) not in looked_up


def _is_global(at: NodeFlows) -> bool:
    return _gives(PortType.GLOBAL_KTABLE, at)


def _gives(port_type: PortType, at: NodeFlows) -> bool:
    return any(flow.type is port_type for flow in at.outputs.values())


def _keeps_null_keys(
    shuffle: Edge, nodes: Mapping[str, NodeFlows], edges: Iterable[Edge], looked_up: frozenset[tuple[str, str]]
) -> bool:
    """True if a stream's left or outer join follows anywhere (NodesWithRelaxedNullKeyJoinDownstream)."""
    if shuffle.target_port in nodes[shuffle.target].operator.takes_null_keys:
        return True
    reached_nodes = {shuffle.target}
    for edge in edges:
        if edge.source in reached_nodes and (edge.target, edge.target_port) not in looked_up:
            reached_nodes.add(edge.target)
    return any(nodes[node].operator.keeps_null_keys and _gives(PortType.KSTREAM, nodes[node]) for node in reached_nodes)


def _shuffle(edge: Edge, of: Mapping[str, int], keeps_null_keys: bool) -> Shuffle:
    name = f"{find_original(edge.target)}-repartition"
    return Shuffle(edge.source, edge.target, edge.target_port, of[edge.source], of[edge.target], name, keeps_null_keys)


def _make_stores(
    node: str,
    at: NodeFlows,
    tables: Mapping[str, TablePlan],
    own_stores: Mapping[str, Iterable[OwnStore]],
    sub_topology: int | None,
) -> Iterator[Store]:
    """The store of a node's table if it is materialised, its extra stores, and the node's own stores."""
    end = name_clone(node)
    owner = find_owner(node) + end
    if node in tables and tables[node].is_materialized:
        store = _make_store(node, at, tables[node], sub_topology)
        yield store
        if store.kind == "versioned":
            name = f"{find_original(node)}.history{end}"
            yield replace(store, name=name, kind="own", part="history", contents=HISTORY)
        elif store.kind == "key_value" and store.retention_ms is not None:
            name = f"{find_original(node)}.by-time{end}"
            yield replace(store, name=name, kind="own", part="by_time", contents=TIMES_OF_ROWS)
    for part, key, value, contents, window, view in own_stores.get(find_original(node), ()):
        name = f"{find_owner(node)}.{part}{end}"
        yield Store(name, owner, "own", sub_topology, None, key, value, window, part, view=view, contents=contents)


def _make_store(node: str, at: NodeFlows, table: TablePlan, sub_topology: int | None) -> Store:
    (flow,) = at.outputs.values()
    window = flow.schema.window
    kind: StoreKind = "key_value"
    retention = table.ttl_ms
    if window is not None and WINDOWED_STREAMS & set(at.inputs.types.values()):
        kind = "session" if window.kind == "session" else "window"
        retention = window.least_retention_ms if window.retention_ms is None else window.retention_ms
    elif table.is_versioned:
        kind, retention = "versioned", table.history_ms
    own_name = at.operator.store if isinstance(at.operator, NamesStore) else None
    name = (own_name or find_original(node)) + name_clone(node)
    # The parts of `sum` and `avg` over decimals have one type but different meanings: only the form tells them apart.
    form = at.operator.name_stored_form(at.inputs)
    return Store(name, node, kind, sub_topology, retention, flow.schema.key, flow.schema.value, window, form=form)


def _find_depths(count: int, stateful: set[int | None], targets: Sequence[Shuffle]) -> list[int]:
    """Number of stages with shuffles up to and including each sub-topology. -1 on a loop and after one."""
    feeding = {
        number: {shuffle.from_sub_topology for shuffle in targets if shuffle.sub_topology == number}
        for number in range(count)
    }
    depths = [-1] * count
    for _ in range(count):
        for number, before in feeding.items():
            if depths[number] < 0 and all(depths[each] >= 0 for each in before):
                own = int(number in stateful or bool(before))
                depths[number] = own + max((depths[each] for each in before), default=0)
    return depths


def _find_sources(nodes: Mapping[str, NodeFlows], of: Mapping[str, int], edges: Iterable[Edge]) -> Iterator[Target]:
    for node, at in nodes.items():
        if isinstance(at.operator, ReadsTopic):
            (flow,) = at.outputs.values()
            readers = sorted({of[edge.target] for edge in edges if edge.source == node} if node not in of else ())
            for topic in at.operator.topic_names():
                yield Source(node, topic, of.get(node), SOURCE_KINDS[flow.type], tuple(readers))


def _find_sinks(nodes: Mapping[str, NodeFlows]) -> Iterator[Target]:
    for node, at in nodes.items():
        if isinstance(at.operator, WritesTopic):
            yield from (Sink(node, topic) for topic in at.operator.topic_names())


def _find_reading(group: Iterable[str], nodes: Mapping[str, NodeFlows]) -> Iterator[str]:
    return (node for node in group if isinstance(cast(object, nodes[node].operator), ReadsTopic))
