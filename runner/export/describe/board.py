"""The nodes and edges drawn so far, within the limits of a graph, and the open questions of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from designer.topology.catalogue import get_catalogue
from designer.topology.graph import MAX_EDGES, MAX_NODES, Edge, Node, NodeConfig
from designer.topology.ports import PortType
from runner.export.describe.text import Undescribed
from runner.export.python.builder import StreamsBuilder


class Note(NamedTuple):
    """Something that the text leaves open about a drawn node: it may be another one, or is incomplete."""

    node: str
    message: str


class End(NamedTuple):
    """The place where a step's output leaves the graph, and its type: a stream or table, grouped or not."""

    node: str
    port: str
    gives: PortType | None


class Board:
    def __init__(self) -> None:
        self.builder = StreamsBuilder()
        self.nodes: dict[str, Node] = {}
        self.open: dict[str, list[str]] = {}
        """Node -> facts that the text does not give, although the node was drawn."""

    def add(self, name: str, operator: str, gives: PortType | None, config: NodeConfig) -> End:
        """A node with that name, or its operator's, numbered if the name is taken."""
        stem = make_slug(name) or make_slug(operator)
        names = chain([stem], (f"{stem[:58]}-{number}" for number in count(2)))
        node = Node(next(each for each in names if each not in self.nodes), operator, config)
        self.nodes[node.id] = node
        self.builder.nodes.append(node)
        if len(self.nodes) > MAX_NODES:
            raise Undescribed(f"This makes more than {MAX_NODES} nodes, the most a topology holds.", "Split it in two.")
        return End(node.id, next(iter(get_catalogue()[operator].output_ports(config)), ""), gives)

    def connect(self, end: End, node: str, port: str = "") -> None:
        """Into that input port of the node, or its first."""
        at = self.nodes[node]
        port = port or next(iter(get_catalogue()[at.operator].input_ports(at.config)))
        self.builder.edges.append(Edge(end.node, end.port, node, port))
        if len(self.builder.edges) > MAX_EDGES:
            raise Undescribed(f"This makes more than {MAX_EDGES} edges, the most a topology holds.", "Split it in two.")

    def feeds(self, node: str) -> bool:
        return any(edge.source == node for edge in self.builder.edges)

    def leave_open(self, node: str, why: str) -> None:
        self.open.setdefault(node, []).append(why)

    def notes(self) -> Iterator[Note]:
        for node, reasons in self.open.items():
            yield Note(node, f"Drawn as {self.nodes[node].operator}: {'; '.join(reasons)}.")


def make_slug(text: str) -> str:
    """Text as a name of a node or a store."""
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")[:64]
