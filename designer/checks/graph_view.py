"""A graph with the facts that the checks need, computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from designer.streams.budget import Budget
from designer.streams.flows import (
    NodeFlows,
    PortTypes,
    find_flows,
    find_port_types,
    find_valid_operators,
    group_by_target,
)
from designer.topology.bypassing import get_operator
from designer.topology.catalogue import Operator
from designer.topology.graph import Edge, Graph, Node
from designer.topology.ports import Input, Output, PortType
from designer.values.schemas import Schema

Sought = TypeVar("Sought", bound=Operator)


@dataclass(frozen=True)
class GraphView:
    """A graph, its flows and its operators, each computed at its first use."""

    graph: Graph
    sources: Mapping[str, Schema]
    budget: Budget = field(default_factory=Budget)

    @cached_property
    def classes(self) -> Mapping[str, type[Operator]]:
        """The operator class of each node with a known operator."""
        operators = {node.id: get_operator(node) for node in self.graph.nodes}
        return {node_id: operator for node_id, operator in operators.items() if operator is not None}

    @cached_property
    def operators(self) -> Mapping[str, Operator]:
        """The operator of each node with a valid config."""
        return find_valid_operators(self.graph, self.budget)

    @cached_property
    def types(self) -> PortTypes:
        return find_port_types(self.graph)

    @cached_property
    def flows(self) -> Mapping[str, NodeFlows]:
        return find_flows(self.graph, self.sources, self.budget, self.operators)

    @cached_property
    def feeding(self) -> Mapping[str, list[Edge]]:
        return group_by_target(self.graph)

    def inputs(self, node: str) -> Mapping[str, Input]:
        """The input ports of a node. Empty for an unknown one."""
        return self.classes[node].input_ports(self.graph.node(node).config) if node in self.classes else {}

    def outputs(self, node: str) -> Mapping[str, Output]:
        return self.classes[node].output_ports(self.graph.node(node).config) if node in self.classes else {}

    def type_over(self, edge: Edge) -> PortType | None:
        """The type on an edge, if known."""
        return self.types.get(edge.source, {}).get(edge.source_port)

    def nodes_of(self, kind: type[Sought]) -> Iterator[tuple[Node, Sought]]:
        """The nodes with a valid config and an operator of that kind."""
        for node in self.graph.nodes:
            operator = self.operators.get(node.id)
            if isinstance(operator, kind):
                yield node, operator
