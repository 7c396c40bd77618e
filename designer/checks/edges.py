"""Do the edges hold: ports that exist, types that fit, every input fed once, no way round, an end to everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from designer.catalogue import Operator
from designer.checks.drawing import Drawing
from designer.checks.messages import wrong_pair
from designer.checks.words import a, either, one_of
from designer.graph import Edge, Graph
from designer.issues import Issue
from designer.ports import (
    CogroupedKStream,
    GlobalKTable,
    Input,
    KGroupedStream,
    KGroupedTable,
    KStream,
    KTable,
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
    (KStream, KTable): "Make it a table by to_table, or by group_by_key and count, reduce or aggregate.",
    (KGroupedStream, KStream): "Put count, reduce or aggregate and then to_stream between them.",
    (KGroupedStream, KTable): "Put count, reduce or aggregate between them.",
}
"""What to draw between an output and an input whose types do not fit; the first that holds is said."""

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
"""Where a type can go that goes to few nodes."""


def ports_exist(drawing: Drawing) -> Iterator[Issue]:
    for edge in drawing.graph.edges:
        source, target = drawing.known.get(edge.source), drawing.known.get(edge.target)
        outputs, inputs = drawing.outputs(edge.source), drawing.inputs(edge.target)
        if source and edge.source_port not in outputs:
            yield _unknown_port(source, "output", edge.source_port, list(outputs), edge.source)
        if target and edge.target_port not in inputs:
            yield _unknown_port(target, "input", edge.target_port, list(inputs), edge.target)


def _unknown_port(operator: type[Operator], kind: str, port: str, ports: list[str], node_id: str) -> Issue:
    has = f"Its {kind}s are {one_of(ports, 'and')}." if ports else f"It has no {kind}s."
    return Issue(
        code="port.unknown",
        message=f"An edge names the {kind} `{port}`, which {operator.operator_name()} does not have.",
        hint=f"{has} Remove the edge or draw it again.",
        node=node_id,
    )


def edges_fit(drawing: Drawing) -> Iterator[Issue]:
    for edge in drawing.graph.edges:
        given = drawing.type_over(edge)
        port = drawing.inputs(edge.target).get(edge.target_port)
        if given is not None and port is not None and given not in port.takes:
            message, hint = why_not(given, drawing.known[edge.target].operator_name(), edge.target_port, port)
            yield Issue(code="port.type", message=message, hint=hint, node=edge.target)


def inputs_agree(drawing: Drawing) -> Iterator[Issue]:
    """Ports that take several types may not take every combination: Kafka Streams joins no KTable with a KStream."""
    for node in drawing.graph.nodes:
        given = {edge.target_port: drawing.type_over(edge) for edge in drawing.feeding[node.id]}
        arriving = {name: given.get(name) for name in drawing.inputs(node.id)}
        fits = all(arriving[name] in port.takes for name, port in drawing.inputs(node.id).items())
        for name, port in drawing.outputs(node.id).items():
            if fits and port.cases and name not in drawing.types.get(node.id, name):
                types = [each for each in arriving.values() if each is not None]
                message, hint = wrong_pair(drawing.known[node.id].operator_name(), types, port.cases)
                yield Issue(code="port.pair", message=message, hint=hint, node=node.id)


def why_not(given: PortType, operator: str, name: str, port: Input) -> tuple[str, str]:
    """Why an output of type `given` cannot go into that port, and what to draw instead."""
    takes = either(a(taken) for taken in port.takes)
    message = f"A {given} cannot go into {operator}: its `{name}` port takes {takes}."
    between = (hint for (source, taken), hint in BETWEEN.items() if source is given and taken in port.takes)
    return message, ONLY.get(given) or next(between, f"Draw an edge from {takes} into it.")


def inputs_connected(drawing: Drawing) -> Iterator[Issue]:
    for node in drawing.graph.nodes:
        fed = Counter(edge.target_port for edge in drawing.feeding[node.id])
        for port, taken in drawing.inputs(node.id).items():
            if not fed[port]:
                yield Issue(
                    code="port.unconnected",
                    message=f"Nothing feeds the `{port}` port.",
                    hint=f"Draw an edge from {either(a(each) for each in taken.takes)} into `{port}`.",
                    node=node.id,
                )
            elif fed[port] > 1 and not taken.many:
                yield Issue(
                    code="port.fed_twice",
                    message=f"{fed[port]} edges feed the `{port}` port, which accepts one.",
                    hint="Keep one edge, and remove the others.",
                    node=node.id,
                )


def no_cycles(drawing: Drawing) -> Iterator[Issue]:
    """Names the nodes that stand on a cycle, not those that are merely behind one."""
    graph = drawing.graph
    leads_in = {node.id for node in graph.in_order()}
    backwards = Graph(graph.nodes, tuple(Edge(e.target, "", e.source, "") for e in graph.edges))
    leads_out = {node.id for node in backwards.in_order()}
    for node in graph.nodes:
        if node.id not in leads_in and node.id not in leads_out:
            yield Issue(
                code="graph.cycle",
                message=f"The edges from `{node.id}` lead back to it, so records would circulate for ever.",
                hint="Remove an edge of the cycle, or write to a topic and read that topic as a source.",
                node=node.id,
            )


def sink_present(drawing: Drawing) -> Iterator[Issue]:
    if not any(not operator.declared_outputs() for operator in drawing.known.values()):
        yield Issue(
            code="graph.no_sink",
            message="The topology does not write to a topic.",
            hint="Add a `to` node and draw an edge into it.",
        )


def results_used(drawing: Drawing) -> Iterator[Issue]:
    """A node nobody reads has no effect, unless it keeps a store under a name of its own."""
    read = {edge.source for edge in drawing.graph.edges}
    for node in drawing.graph.nodes:
        operator = drawing.known.get(node.id)
        if operator and operator.declared_outputs() and node.id not in read and not node.config.get("store"):
            named = ", or name its store to keep its state" if "store" in operator.model_fields else ""
            yield Issue(
                code="node.unused",
                message=f"No node reads the output of `{node.id}`, so it has no effect.",
                hint=f"Draw an edge from it, or remove it{named}.",
                node=node.id,
            )
