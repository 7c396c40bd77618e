"""The catalogue and the state of a graph in the form of the API."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import cast

from designer.checks.edges import explain_refusal, list_pairs
from designer.checks.graph_view import GraphView
from designer.messages import IssueCode
from designer.projects.schemas import (
    CaseOut,
    CatalogueOut,
    FlowOut,
    FormSchemaOut,
    InputOut,
    NodeOut,
    OperatorOut,
    OutputOut,
    PortsOut,
    PythonOut,
    RefusedEdge,
    RefusedPair,
    SentenceOut,
    WordsOut,
)
from designer.reasons import CURES
from designer.topology.bypassing import can_be_bypassed
from designer.topology.catalogue import NOTHING, Operator, Words, get_catalogue, sort_for_palette
from designer.topology.forms import find_expression_fields, make_form_schema
from designer.topology.ports import PortType
from designer.values.schemas import Schema

CODES_OF_PAGE = (IssueCode.EDGE_FED_TWICE, IssueCode.EDGE_DRAWN, IssueCode.EDGE_CYCLE)


@cache
def describe_catalogue() -> CatalogueOut:
    """The catalogue for every caller. `python`, which depends on the user, allows nothing."""
    return CatalogueOut(
        operators=describe_operators(),
        refused=list(list_refused_edges()),
        pairs=list(describe_pairs()),
        messages=describe_messages(),
        cures=CURES,
        python=PythonOut(is_allowed=False, why=""),
    )


@cache
def describe_operators() -> list[OperatorOut]:
    """Every operator with its help, ports and form, in the order of the palette."""
    return [_describe_operator(operator) for operator in sort_for_palette()]


def list_refused_edges() -> Iterator[RefusedEdge]:
    """Each pair of port types that an edge cannot join, with the reason to show during a drag."""
    for name, operator in get_catalogue().items():
        for port, input_port in operator.get_declared_inputs().items():
            for gives in (each for each in PortType if each not in input_port.takes):
                issue = explain_refusal(gives, name, port, input_port)
                yield RefusedEdge(gives=gives, operator=name, port=port, message=issue.message, hint=issue.hint)


def describe_pairs() -> Iterator[RefusedPair]:
    """The message for types that an operator does not accept together, by the types in the order of its ports."""
    for name, operator in get_catalogue().items():
        for arriving, issue in list_pairs(operator):
            yield RefusedPair(operator=name, arriving=list(arriving), message=issue.message, hint=issue.hint)


def describe_messages() -> dict[IssueCode, SentenceOut]:
    """Why an edge cannot be drawn, by code, with places for arguments: the page shows it before the server could."""
    return {code: SentenceOut(message=code.message[0], hint=code.hint[0]) for code in CODES_OF_PAGE}


def describe_ports(view: GraphView) -> PortsOut:
    """The type at each port of each `node`, and the number of its records' schema in `schemas`, if known."""
    schemas: dict[Schema, int] = {}
    nodes: dict[str, NodeOut] = {
        node.id: {"inputs": {}, "outputs": _describe_outputs(view, node.id, schemas)}
        for node in view.graph.sort_nodes()
    }
    for edge in view.graph.edges:
        flow = nodes[edge.source]["outputs"].get(edge.source_port) if edge.source in nodes else None
        if flow and edge.target in nodes:
            nodes[edge.target]["inputs"][edge.target_port] = flow
    return {"nodes": nodes, "schemas": [schema.to_json() for schema in schemas]}


def _describe_outputs(view: GraphView, node_id: str, schemas: dict[Schema, int]) -> dict[str, FlowOut]:
    leaving = view.flows[node_id].outputs if node_id in view.flows else {}
    schemas_by_port = {port: flow.schema for port, flow in leaving.items() if not view.budget.is_too_large(flow.schema)}
    numbers = {port: schemas.setdefault(schema, len(schemas)) for port, schema in schemas_by_port.items()}
    return {port: {"type": port_type, "carries": numbers.get(port)} for port, port_type in view.types[node_id].items()}


def _describe_words(words: str | Words) -> WordsOut:
    text, when = words if isinstance(words, Words) else (f"{{{words}}}", NOTHING)
    return WordsOut(text=text, when=dict(when))


def _describe_operator(operator: type[Operator]) -> OperatorOut:
    return OperatorOut(
        name=operator.operator_name(),
        help=operator.help(),
        icon=operator.icon,
        family=operator.family,
        kafka_names=list(operator.kafka_names),
        topic_use=operator.topic_use,
        has_topic_of_rows=operator.has_topic_of_rows,
        first_step=operator.first_step,
        beneath=operator.beneath,
        summary=[_describe_words(words) for words in operator.summary],
        looked_up_input=operator.looked_up_input,
        is_bypassable=can_be_bypassed(operator),
        follows=operator.follows,
        new_key_field=operator.new_key_field,
        inputs=[
            InputOut(name=port, takes=list(each.takes), is_many=each.is_many, each=each.each)
            for port, each in operator.get_declared_inputs().items()
        ],
        outputs=[
            OutputOut(
                name=port,
                cases=[CaseOut(gives=case.gives, when=dict(case.when)) for case in each.cases],
                like=each.like,
                each=each.each,
            )
            for port, each in operator.get_declared_outputs().items()
        ],
        form=cast(FormSchemaOut, make_form_schema(operator)),
        expressions=list(find_expression_fields(operator)),
    )
