"""Edges at which records go to the task of a new key: Kafka Streams puts a repartition topic before them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from designer.streams.flows import NodeFlows, group_by_target
from designer.topology.graph import Edge, Graph
from designer.topology.ports import GROUPS


def find_shuffles(nodes: Mapping[str, NodeFlows], edges: Iterable[Edge]) -> list[Edge]:
    """The edges, given in order of flow, whose changed key now matters, or that are to shuffle.

    Edges into (still) unknown nodes are left out.
    """
    rekeyed_nodes = {node for node, at in nodes.items() if at.operator.changes_key()}
    shuffles: list[Edge] = []
    for edge in edges:
        at = nodes.get(edge.target)
        if at is None:
            continue
        if at.operator.repartitions:
            shuffles.append(edge)
        elif edge.source in rekeyed_nodes:
            if edge.target_port in at.operator.find_keyed_inputs(at.inputs):
                shuffles.append(edge)
            else:
                rekeyed_nodes.add(edge.target)
    return shuffles


def find_shuffles_in_graph(graph: Graph, nodes: Mapping[str, NodeFlows]) -> list[Edge]:
    """Return the edges of a graph that shuffle, as far as it is valid. `nodes` are its flows.

    Groups with new keys shuffle as they leave group_by: their readers share that shuffle.
    """
    into = group_by_target(graph)
    edges = [edge for node in nodes for edge in into[node]]
    regrouping = {node for node, at in nodes.items() if at.operator.changes_key() and _gives_groups(at)}
    shuffles = set(find_shuffles(nodes, [edge for edge in edges if edge.source not in regrouping]))
    return [edge for edge in edges if edge in shuffles or edge.source in regrouping]


def _gives_groups(at: NodeFlows) -> bool:
    return any(flow.type in GROUPS for flow in at.outputs.values())
