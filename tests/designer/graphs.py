"""A short way to draw: nodes by id, edges as text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from designer.issues import Issue
from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Edge, Graph, Node

Drawn = tuple[str, dict[str, Any]]

ORDER = {
    "kind": "struct",
    "fields": [
        {"name": "id", "type": {"kind": "integer"}},
        {"name": "amount", "type": {"kind": "double"}},
        {"name": "country", "type": {"kind": "string"}},
    ],
}
COUNTRY = {"kind": "struct", "fields": [{"name": "title", "type": {"kind": "string"}}]}


def node(operator: str, **config: Any) -> Drawn:
    return operator, config


def orders(**config: Any) -> Drawn:
    """A stream of orders: text keys, values with id, amount and country."""
    return node("stream", **{"topic": "orders", "key_format": "string", "value_type": ORDER, **config})


def countries(operator: str = "table", **config: Any) -> Drawn:
    """A table of countries: text keys, values with a title."""
    return node(operator, **{"topic": "countries", "key_format": "string", "value_type": COUNTRY, **config})


def drawn(*edges: str, **nodes: Drawn) -> Graph:
    """`drawn("orders > big > out", orders=…, big=…, out=…)`; `> join.right` names the port where there are several."""
    made = tuple(Node(name.replace("_", "-"), *described) for name, described in nodes.items())
    graph = Graph(made)
    chains = [chain.split(" > ") for chain in edges]
    return Graph(made, tuple(_edge(graph, a, b) for chain in chains for a, b in pairwise(chain)))


def _edge(graph: Graph, source: str, target: str) -> Edge:
    source = source.partition(".")[0]
    target, _, target_port = target.partition(".")
    inputs = get_catalogue()[graph.node(target).operator].input_ports()
    return Edge(source, "result", target, target_port or next(iter(inputs)))


def only(issues: list[Issue]) -> Issue:
    """The one issue there is."""
    assert len(issues) == 1, issues
    return issues[0]
