"""Checks the edges: ports exist, types fit, every input is fed once, no cycles, and every path has an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from designer.checks.graph_view import GraphView
from designer.checks.text import join_names, join_things, with_article
from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.catalogue import Operator
from designer.topology.graph import Edge, Graph, Node
from designer.topology.ports import (
    CogroupedKStream,
    GlobalKTable,
    Input,
    KGroupedStream,
    KGroupedTable,
    KStream,
    KTable,
    OutputCase,
    PortType,
    SessionWindowedCogroupedKStream,
    SessionWindowedKStream,
    TimeWindowedCogroupedKStream,
    TimeWindowedKStream,
)

BETWEEN = {
    (KTable, KStream): "Put to_stream between them.",
    (KTable, KGroupedTable): "Put group_by between them.",
    (KTable, KGroupedStream): "Put to_stream and group_by_key between them.",
    (KStream, KGroupedStream): "Put group_by_key or group_by between them.",
    (KStream, KTable): "Make it a table with to_table, or with group_by_key and count, reduce or aggregate.",
    (KGroupedStream, KStream): "Put count, reduce or aggregate and then to_stream between them.",
    (KGroupedStream, KTable): "Put count, reduce or aggregate between them.",
}
"""The operator to put between an output and an input with different types. The first match is used."""

GROUPED = "grouped records, such as those of group_by_key"
ONLY = {
    GlobalKTable: "A GlobalKTable can only be the table of a join. To use the topic otherwise, read it with table.",
    KGroupedTable: "A KGroupedTable can only be aggregated. Draw an edge into count, reduce or aggregate.",
    CogroupedKStream: "A CogroupedKStream can only be aggregated. Draw an edge into aggregate, or into windowed_by "
    "first.",
    TimeWindowedKStream: "A windowed stream can only be aggregated. Draw an edge into count, reduce or aggregate.",
    SessionWindowedKStream: "A windowed stream can only be aggregated. Draw an edge into count, reduce or aggregate.",
    TimeWindowedCogroupedKStream: "A windowed cogrouped stream can only be aggregated. Draw an edge into aggregate.",
    SessionWindowedCogroupedKStream: "A windowed cogrouped stream can only be aggregated. Draw an edge into aggregate.",
}
"""Possible targets of a type that only few nodes accept."""
MAX_TABLES = 200
"""Most tables that are computed one from another. Python's limit is 1,000 calls inside each other, and to look up a row
takes three or more for each table."""


def ports_exist(view: GraphView) -> Iterator[Issue]:
    for edge in view.graph.edges:
        source, target = view.classes.get(edge.source), view.classes.get(edge.target)
        outputs, inputs = view.outputs(edge.source), view.inputs(edge.target)
        if source and edge.source_port not in outputs:
            yield _make_unknown_port(source, "output", edge.source_port, list(outputs), edge.source)
        if target and edge.target_port not in inputs:
            yield _make_unknown_port(target, "input", edge.target_port, list(inputs), edge.target)


def _make_unknown_port(operator: type[Operator], kind: str, port: str, ports: list[str], node_id: str) -> Issue:
    has = join_names(ports, "and") if ports else None
    return Issue(
        IssueCode.PORT_UNKNOWN,
        {"kind": kind, "port": port, "operator": operator.operator_name(), "ports": has},
        node=node_id,
    )


def edges_fit(view: GraphView) -> Iterator[Issue]:
    for edge in view.graph.edges:
        port_type = view.type_over(edge)
        port = view.inputs(edge.target).get(edge.target_port)
        if port_type is not None and port is not None and port_type not in port.takes:
            issue = explain_refusal(port_type, view.classes[edge.target].operator_name(), edge.target_port, port)
            yield replace(issue, node=edge.target)


def inputs_agree(view: GraphView) -> Iterator[Issue]:
    """Ports that take several types may not take every combination: Kafka Streams cannot join a KTable with a
    KStream.
    """
    for node in view.graph.nodes:
        port_types = {edge.target_port: view.type_over(edge) for edge in view.feeding[node.id]}
        arriving = {name: port_types.get(name) for name in view.inputs(node.id)}
        fits = all(arriving[name] in port.takes for name, port in view.inputs(node.id).items())
        for name, port in view.outputs(node.id).items():
            if fits and port.cases and name not in view.types.get(node.id, name):
                types = [each for each in arriving.values() if each is not None]
                yield replace(
                    describe_wrong_pair(view.classes[node.id].operator_name(), types, port.cases), node=node.id
                )


def explain_refusal(port_type: PortType, operator: str, name: str, port: Input) -> Issue:
    """Why an output of type `port_type` cannot go into that port, and what to draw instead."""
    between = (hint for (source, target), hint in BETWEEN.items() if source is port_type and target in port.takes)
    return Issue(
        IssueCode.PORT_TYPE,
        {
            "given": port_type,
            "operator": operator,
            "port": name,
            "takes": _describe_types(port.takes),
            "between": ONLY.get(port_type) or next(between, None),
        },
    )


def _describe_types(types: Collection[PortType]) -> str:
    """`a KStream or a KTable`, or what all types are that only an aggregation takes."""
    if not {KStream, KTable, GlobalKTable} & set(types):
        return GROUPED
    return join_things(map(with_article, types))


def describe_wrong_pair(operator: str, arriving: Iterable[PortType], cases: Sequence[OutputCase]) -> Issue:
    """Why an operator does not accept some types together, in the order of its ports."""
    types = " with ".join(map(with_article, arriving))
    return Issue(
        IssueCode.PORT_PAIR, {"operator": operator, "types": types, "pairs": ", or ".join(map(_describe_case, cases))}
    )


def list_pairs(operator: type[Operator]) -> Iterator[tuple[tuple[PortType, ...], Issue]]:
    """The message for each refused combination of types at the ports of an operator."""
    cases = next(
        (port.cases for port in operator.get_declared_outputs().values() if any(c.when for c in port.cases)), ()
    )
    ports = [(*port.takes, None) for port in operator.get_declared_inputs().values()]
    arriving = {tuple(each for each in types if each) for types in product(*ports)} if cases else set()
    for types in sorted(filter(None, arriving)):
        yield types, describe_wrong_pair(operator.operator_name(), types, cases)


def _describe_case(case: OutputCase) -> str:
    return " and ".join(
        f"{with_article(PortType(kind)) if kind in set(PortType) else kind} as {name}"
        for name, kind in case.when.items()
    )


def inputs_connected(view: GraphView) -> Iterator[Issue]:
    for node in view.graph.nodes:
        edge_counts = Counter(edge.target_port for edge in view.feeding[node.id])
        for port, input_port in view.inputs(node.id).items():
            if not edge_counts[port]:
                takes = _describe_types(input_port.takes)
                yield Issue(IssueCode.PORT_UNCONNECTED, {"port": port, "takes": takes}, node=node.id)
            elif edge_counts[port] > 1 and not input_port.is_many:
                yield Issue(IssueCode.PORT_FED_TWICE, {"edges": edge_counts[port], "port": port}, node=node.id)


def no_cycles(view: GraphView) -> Iterator[Issue]:
    """Names the nodes on a cycle, but not nodes after one."""
    graph = view.graph
    leads_in = {node.id for node in graph.sort_nodes()}
    backwards = Graph(graph.nodes, tuple(Edge(e.target, "", e.source, "") for e in graph.edges))
    leads_out = {node.id for node in backwards.sort_nodes()}
    for node in graph.nodes:
        if node.id not in leads_in and node.id not in leads_out:
            yield Issue(IssueCode.GRAPH_CYCLE, {"node": node.id}, node=node.id)


def chains_bounded(view: GraphView) -> Iterator[Issue]:
    """Names the first table of each chain that is too long. Python calls the nodes of a chain inside each other."""
    lengths: dict[str, int] = {}
    for node in view.graph.sort_nodes():
        if KTable in view.types.get(node.id, {}).values():
            before = (lengths.get(edge.source, 0) for edge in view.feeding.get(node.id, ()))
            lengths[node.id] = count = max(before, default=0) + 1
            if count == MAX_TABLES + 1:
                yield Issue(
                    IssueCode.GRAPH_CHAIN_LONG, {"node": node.id, "count": count, "most": MAX_TABLES}, node=node.id
                )


def sink_present(view: GraphView) -> Iterator[Issue]:
    nodes = view.graph.nodes
    if not any(node.id in view.classes and _has_effect(node, view.classes[node.id]) for node in nodes):
        yield Issue(IssueCode.GRAPH_NO_SINK)


def results_used(view: GraphView) -> Iterator[Issue]:
    """Only a node with an effect needs no reader."""
    read = {edge.source for edge in view.graph.edges}
    for node in view.graph.nodes:
        operator = view.classes.get(node.id)
        if operator and node.id not in read and not _has_effect(node, operator):
            keeps_rows = KTable in view.types.get(node.id, {}).values()
            store = "store" if keeps_rows and "store" in operator.model_fields else None
            yield Issue(IssueCode.NODE_UNUSED, {"node": node.id, "store": store}, node=node.id)


def _has_effect(node: Node, operator: type[Operator]) -> bool:
    """Whether it does something besides what nodes behind it do: a sink, a store to query, or users' code."""
    return not operator.get_declared_outputs() or operator.runs_code or bool(node.config.get("store"))
