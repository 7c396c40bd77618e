"""Nodes that work in several sub-topologies. They are laid out as parts, with shuffles between them.

A part is called `<node>.<name>`, which no node of a user can be. The part called "" is the node itself, where its
result begins. Users see the parts as the one node they drew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol, runtime_checkable

from designer.streams.flows import NodeFlows
from designer.topology.catalogue import Flow, Flows, Operator
from designer.topology.graph import Edge

LATEST = "latest"
"""The port at which a part hears what others will answer to. In the test driver it hears it at once."""


class Part(NamedTuple):
    """The work of one part, with its inputs and outputs. Input from another part comes through a shuffle."""

    operator: Operator
    inputs: Mapping[str, Flow]
    outputs: Mapping[str, Flow]


class Parts(NamedTuple):
    """The parts of a node by name, in order of definition. An edge between two names the ports at its ends.

    `enter` names the part for the edges into each input port of the node. Parts that only `can_share` a shuffle
    are left out of plans made before aggregates of one group shared theirs.
    """

    by_name: Mapping[str, Part]
    enter: Mapping[str, str]
    edges: tuple[Edge, ...]
    can_share: bool = False


@runtime_checkable
class HasParts(Protocol):
    """An operator that works in several sub-topologies, at least with some inputs."""

    def parts(self, inputs: Flows, /) -> Parts | None: ...


def name_part(node: str, name: str) -> str:
    return f"{node}.{name}" if name else node


def find_owner(node: str) -> str:
    """The node that a user drew: the owner of a part, or the node itself."""
    return node.partition(".")[0]


def take_apart(
    nodes: Mapping[str, NodeFlows], edges: Iterable[Edge], *, is_shared: bool
) -> tuple[dict[str, NodeFlows], tuple[Edge, ...]]:
    """The same nodes and edges, with parts instead of each node that has some."""
    found_apart = ((node, _find_parts(at)) for node, at in nodes.items())
    apart = {node: parts for node, parts in found_apart if parts and (is_shared or not parts.can_share)}
    flows: dict[str, NodeFlows] = {}
    for node, at in nodes.items():
        if node not in apart:
            flows[node] = at
            continue
        for name, part in apart[node].by_name.items():
            inputs = Flows({port: (flow,) for port, flow in part.inputs.items()})
            flows[name_part(node, name)] = NodeFlows(part.operator, inputs, part.outputs or at.outputs, at.is_valid)
    outer = (_connect_to_part(edge, apart) for edge in edges)
    inner = (_make_edge_between(node, edge) for node, parts in apart.items() for edge in parts.edges)
    return flows, (*outer, *inner)


def _find_parts(at: NodeFlows) -> Parts | None:
    return at.operator.parts(at.inputs) if isinstance(at.operator, HasParts) else None


def _connect_to_part(edge: Edge, apart: Mapping[str, Parts]) -> Edge:
    if edge.target not in apart:
        return edge
    part = name_part(edge.target, apart[edge.target].enter[edge.target_port])
    return Edge(edge.source, edge.source_port, part, edge.target_port)


def _make_edge_between(node: str, edge: Edge) -> Edge:
    return Edge(name_part(node, edge.source), edge.source_port, name_part(node, edge.target), edge.target_port)
