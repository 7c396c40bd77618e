"""The catalogue and the state of a drawing, as the API tells them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from designer.catalogue import Flow, Operator, catalogue
from designer.checks.wires import why_not
from designer.flows import NodeFlows, port_types
from designer.forms import expression_fields
from designer.graph import Graph
from designer.ports import PortType


def operators() -> list[dict[str, Any]]:
    """Every operator with its help, ports and form."""
    return [_operator(name, operator) for name, operator in catalogue().items()]


def refused_wires() -> Iterator[dict[str, str]]:
    """Each pair of port types that an edge cannot join, with the reason to show while it is dragged."""
    for name, operator in catalogue().items():
        for port, taken in operator.declared_inputs().items():
            for gives in set(PortType) - set(taken.takes):
                message, hint = why_not(gives, name, port, taken)
                yield {"gives": gives, "operator": name, "port": port, "message": message, "hint": hint}


def ports(graph: Graph, flowing: Mapping[str, NodeFlows]) -> dict[str, Any]:
    """What flows at each port of each node: the type, and what the records carry where that is known."""
    types = port_types(graph)
    carried: dict[str, Mapping[str, Flow]] = {node_id: each.outputs for node_id, each in flowing.items()}
    told = {
        node.id: {"inputs": {}, "outputs": _told(types[node.id], carried.get(node.id, {}))} for node in graph.in_order()
    }
    for edge in graph.edges:
        flow = told.get(edge.source, {}).get("outputs", {}).get(edge.source_port)
        if flow and edge.target in told:
            told[edge.target]["inputs"][edge.target_port] = flow
    return told


def _told(types: Mapping[str, PortType], carried: Mapping[str, Flow]) -> dict[str, Any]:
    return {
        port: {"type": port_type, "carries": carried[port].schema.to_json() if port in carried else None}
        for port, port_type in types.items()
    }


def _operator(name: str, operator: type[Operator]) -> dict[str, Any]:
    return {
        "name": name,
        "help": operator.help(),
        "icon": operator.icon,
        "family": operator.family,
        "rekeys": operator.rekeys,
        "inputs": [
            {"name": port, "takes": list(each.takes), "many": each.many, "each": each.each}
            for port, each in operator.declared_inputs().items()
        ],
        "outputs": [
            {
                "name": port,
                "cases": [case._asdict() for case in each.cases],
                "like": each.like,
                "each": each.each,
            }
            for port, each in operator.declared_outputs().items()
        ],
        "form": operator.model_json_schema(),
        "expressions": list(expression_fields(operator)),
    }
