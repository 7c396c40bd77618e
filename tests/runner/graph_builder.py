"""Draws the graphs of tests, node by node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.topology.graph import Edge, Graph, Node
from designer.values.schemas import ANY, INTEGER, STRING, Type
from runner.engine.driver import Driver

FORMATS = {STRING: "string", INTEGER: "long"}


class GraphBuilder:
    """A graph in the making; each call adds a node and the edges into it, named by its input ports.

    An edge starts at the source's output `result`, or at another as `source:output`; a tuple of them ends in one port.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []

    def add(
        self, node: str, operator: str, config: Mapping[str, Any] | None = None, **inputs: str | tuple[str, ...]
    ) -> GraphBuilder:
        self.nodes.append(Node(node, operator, config or {}))
        for port, named in inputs.items():
            for source in (named,) if isinstance(named, str) else named:
                start, _, output = source.partition(":")
                self.edges.append(Edge(start, output or "result", node, port))
        return self

    def stream(self, topic: str, /, value: Type = ANY, key: Type = STRING, **config: Any) -> GraphBuilder:
        return self.add(topic, "stream", _reading(topic, key, value) | config)

    def table(self, topic: str, value: Type = ANY, key: Type = STRING, **config: Any) -> GraphBuilder:
        return self.add(topic, "table", _reading(topic, key, value) | config)

    def global_table(self, topic: str, value: Type = ANY, key: Type = STRING, **config: Any) -> GraphBuilder:
        return self.add(topic, "global_table", _reading(topic, key, value) | config)

    def to(self, topic: str, source: str, **config: Any) -> GraphBuilder:
        return self.add(topic, "to", {"topic": topic} | config, stream=source)

    def updates_to(self, topic: str, table: str) -> GraphBuilder:
        return self.add(f"{table}-updates", "to_stream", table=table).to(topic, f"{table}-updates")

    @property
    def graph(self) -> Graph:
        return Graph(tuple(self.nodes), tuple(self.edges))

    def driver(self, **options: Any) -> Driver:
        return Driver(self.graph, **options)


def _reading(topic: str, key: Type, value: Type) -> dict[str, Any]:
    return {
        "topic": topic,
        "key_format": FORMATS.get(key, "json"),
        "key_type": key.to_json(),
        "value_format": "json",
        "value_type": value.to_json(),
    }
