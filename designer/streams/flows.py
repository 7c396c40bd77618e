"""Computes port types and schemas, from the sources down, node by node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from designer.expressions import ExpressionError, check, count_words
from designer.streams.budget import STEPS_PER_WORD, Budget, make_unlimited_budget
from designer.streams.topics import UNKNOWN, ReadsTopic, WritesTopic
from designer.topology.bypassing import get_operator
from designer.topology.catalogue import Flow, Flows, Operator, Scope, get_catalogue
from designer.topology.forms import find_expressions
from designer.topology.graph import Edge, Graph, Node
from designer.topology.ports import Input, PortType
from designer.values.schemas import Schema

PortTypes = Mapping[str, Mapping[str, PortType]]
"""Node id -> output port -> its type."""


class NodeFlows(NamedTuple):
    """A node with its operator, and the flow at each input and output port.

    If an expression of the node is wrong, `is_valid` is false and `outputs` is empty.
    """

    operator: Operator
    inputs: Flows
    outputs: Mapping[str, Flow]
    is_valid: bool


def find_flows(
    graph: Graph,
    sources: Mapping[str, Schema] | None = None,
    budget: Budget | None = None,
    operators: Mapping[str, Operator] | None = None,
) -> Mapping[str, NodeFlows]:
    """The flows of each node, by its id and in order of flow. Nodes after a broken one are left out.

    `sources` holds, by node id, the inferred schemas of topics whose types the config does not declare. For a topic
    without one that the graph itself writes, the schema is that of the written records. With a `budget`, too large
    types go no further, and a spent one raises TooCostly. `operators` are those with valid forms, if already known.
    """
    operators = find_valid_operators(graph, budget) if operators is None else operators
    topic_schemas = {node_id: schema for node_id, schema in (sources or {}).items() if schema != UNKNOWN}
    writers = _find_writers({node_id: each for node_id, each in operators.items() if node_id not in topic_schemas})
    feeding = group_by_target(graph)
    flows: dict[str, NodeFlows] = {}
    budget = budget or make_unlimited_budget()
    for node_id, each in operators.items():  # before the first is read: a refused graph costs nothing
        budget.charge(node_id, STEPS_PER_WORD * sum(count_words(text) for _, text, _ in find_expressions(each)))
    for node in _sort_nodes(graph, writers):
        operator = operators.get(node.id)
        inputs = {} if operator is None else operator.input_ports(node.config)
        arriving = _collect_inputs(feeding[node.id], inputs, flows, budget)
        if operator is not None and arriving is not None:
            right = _has_valid_expressions(node.id, operator, arriving, budget)
            topic_schema = topic_schemas.get(node.id) or _find_common_schema(writers.get(node.id, ()), flows)
            leaving = _collect_outputs(node, operator, arriving, topic_schema) if right else {}
            flows[node.id] = NodeFlows(operator, arriving, leaving, right)
            for flow in leaving.values():
                budget.hold(node.id, flow.schema)
        budget.charge(node.id)
    return flows


def _find_writers(operators: Mapping[str, Operator]) -> Mapping[str, Sequence[str]]:
    """Node id of a source -> the sinks that write its topic."""
    by_topic: dict[str, list[str]] = defaultdict(list)
    # A topology may read a topic that it writes, as in Kafka Streams: the records come in with a later batch, so no
    # stage changes.
    for node_id, sink in operators.items():
        for topic in sink.topic_names() if isinstance(sink, WritesTopic) else ():
            by_topic[topic].append(node_id)
    writers: dict[str, Sequence[str]] = {}
    for node_id, source in operators.items():
        if isinstance(source, ReadsTopic):
            read = source.topic_names() or filter(source.reads, by_topic)
            if writing := [sink for topic in read for sink in by_topic.get(topic, ())]:
                writers[node_id] = list(dict.fromkeys(writing))
    return writers


def _sort_nodes(graph: Graph, writers: Mapping[str, Sequence[str]]) -> Iterable[Node]:
    """The nodes, each after those that feed it, and sources after the writers of their topics except in cycles."""
    through = [Edge(sink, "", source, "") for source, sinks in writers.items() for sink in sinks]
    if not through:
        return graph.sort_nodes()
    straight = Graph(graph.nodes, (*graph.edges, *through)).sort_nodes()
    return {node.id: node for node in (*straight, *graph.sort_nodes())}.values()


def _find_common_schema(sinks: Sequence[str], node_flows: Mapping[str, NodeFlows]) -> Schema | None:
    """The schema that all those sinks write, if it is known, equal, and recognisable from bytes alone."""
    sink_flows = [node_flows[sink] for sink in sinks if sink in node_flows]
    schemas = {
        at.operator.find_schema_written(at.inputs.only.schema)
        for at in sink_flows
        if isinstance(at.operator, WritesTopic)
    }
    if len(sink_flows) < len(sinks) or len(schemas) != 1:
        return None
    (schema,) = schemas
    return schema if schema.window is None else None


def find_scope(graph: Graph, node_id: str, field: str, sources: Mapping[str, Schema] | None = None) -> Scope | None:
    """The names for an expression in a node's field, even while its form is not valid.

    None if the node's arriving records are unknown. Raises TooCostly.
    """
    node = replace(graph.node(node_id), bypassed=False)
    operator = get_catalogue().get(node.operator)
    if operator is None:
        return None
    budget = Budget()
    flows = find_flows(graph, sources, budget)
    arriving = _collect_inputs(list(graph.edges_into(node_id)), operator.input_ports(node.config), flows, budget)
    return None if arriving is None else _keep_valid_fields(operator, node).scope(field, arriving)


def _keep_valid_fields(operator: type[Operator], node: Node) -> Operator:
    """The node's operator with only its valid fields.

    Rows with an error stay as written. Other wrong or missing fields count as empty.
    """
    whole = make_operator(node)
    if whole is not None:
        return whole
    values: dict[str, Any] = {}
    for name, field in operator.model_fields.items():
        config_value = node.config.get(name)
        annotation: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
        try:
            values[name] = TypeAdapter(annotation).validate_python(config_value)
        except ValidationError:
            empty = None if field.is_required() else field.get_default(call_default_factory=True)
            values[name] = config_value if isinstance(config_value, list) else empty
    return operator.model_construct(**values)


def make_operator(node: Node) -> Operator | None:
    """The node's operator with its form. None if it is unknown or the config is not valid."""
    operator = get_operator(node)
    try:
        return operator.model_validate(node.config) if operator else None
    except ValidationError:
        return None


def find_valid_operators(graph: Graph, budget: Budget | None = None) -> dict[str, Operator]:
    """The operator of each node with a valid config. With a `budget`, a spent one raises TooCostly."""
    operators: dict[str, Operator] = {}
    for node in graph.nodes:
        if (operator := make_operator(node)) is not None:
            operators[node.id] = operator
        if budget is not None:  # to read a large schema of Protobuf takes seconds
            budget.charge(node.id)
    return operators


def group_by_target(graph: Graph) -> Mapping[str, list[Edge]]:
    feeding: dict[str, list[Edge]] = defaultdict(list)
    for edge in graph.edges:
        feeding[edge.target].append(edge)
    return feeding


def find_port_types(graph: Graph) -> PortTypes:
    """The type of each output, as far as the edges determine it: configs may still be wrong."""
    feeding = group_by_target(graph)
    types: dict[str, dict[str, PortType]] = {}
    for node in graph.sort_nodes():
        arriving = {e.target_port: types[e.source].get(e.source_port) for e in feeding[node.id]}
        operator = get_operator(node) or Operator
        known_types = {port: port_type for port, port_type in arriving.items() if port_type is not None}
        output_types = {
            name: port.type(node.config, known_types) for name, port in operator.output_ports(node.config).items()
        }
        types[node.id] = {name: port_type for name, port_type in output_types.items() if port_type is not None}
    return types


def _collect_inputs(
    edges: list[Edge], inputs: Mapping[str, Input], node_flows: Mapping[str, NodeFlows], budget: Budget
) -> Flows | None:
    """The arriving flows. None unless each input port has its required edges, with accepted types."""
    every: dict[str, list[Flow]] = {}
    for edge in edges:
        flow = node_flows[edge.source].outputs.get(edge.source_port) if edge.source in node_flows else None
        port = inputs.get(edge.target_port)
        if flow is None or port is None or flow.type not in port.takes:
            return None
        if (edge.target_port in every and not port.is_many) or budget.is_too_large(flow.schema):
            return None
        every.setdefault(edge.target_port, []).append(flow)
    return Flows(every) if len(every) == len(inputs) else None


def _collect_outputs(
    node: Node, operator: Operator, arriving: Flows, topic_schema: Schema | None
) -> Mapping[str, Flow]:
    outputs = operator.output_ports(node.config)
    types = {name: port.type(node.config, arriving.types) for name, port in outputs.items()}
    if not types:
        return {}
    read = operator.read(topic_schema) if isinstance(operator, ReadsTopic) else None
    history = operator.history(arriving)
    return {
        name: Flow(port_type, read or operator.output_schema_at(name, arriving), history)
        for name, port_type in types.items()
        if port_type is not None
    }


def _has_valid_expressions(node_id: str, operator: Operator, arriving: Flows, budget: Budget) -> bool:
    try:
        for expression in find_expressions(operator):
            budget.charge(node_id)
            check(expression.text, operator.scope(expression.path, arriving), expression.returns)
    except ExpressionError:
        return False
    return True
