"""Bypassed nodes: records pass them unchanged, as if the edge before one continued after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import new_class

from pydantic import ConfigDict

from designer.topology.catalogue import Flows, Operator, get_catalogue
from designer.topology.graph import Edge, Graph, Node
from designer.topology.ports import Input, Output


class BypassedOperator(Operator):
    """What the checks see of a bypassed node. Its form is kept for later, and need not be right."""

    model_config = ConfigDict(extra="ignore", frozen=True, ignored_types=(Input, Output))

    def history(self, inputs: Flows) -> int | None:
        """Return the history of the arriving table, because the table behind this node is the same one."""
        return inputs.only.history_ms


def get_operator(node: Node) -> type[Operator] | None:
    """The class of a node's operator, or its replacement while the node is bypassed. None if it is unknown."""
    operator = get_catalogue().get(node.operator)
    return _make_bypass(operator) if operator and node.bypassed and can_be_bypassed(operator) else operator


def can_be_bypassed(operator: type[Operator]) -> bool:
    """Whether it is clear what passes: the records of its one input, to its one output."""
    inputs, outputs = list(operator.get_declared_inputs().values()), list(operator.get_declared_outputs().values())
    if not len(inputs) == len(outputs) == 1:
        return False
    return not (inputs[0].is_many or inputs[0].each or outputs[0].each)


@cache
def _make_bypass(operator: type[Operator]) -> type[Operator]:
    """An operator with the ports of another one, whose output is like its input."""
    inputs, outputs = operator.get_declared_inputs(), operator.get_declared_outputs()
    (input_name,) = inputs
    ports = {**inputs, **{name: Output(like=input_name) for name in outputs}}
    return new_class(operator.__name__, (BypassedOperator,), exec_body=lambda body: body.update(ports))


# What runs is a topology that could be drawn without the node, so no processor, store or table rule needs to handle
# it.
def remove_bypassed(graph: Graph) -> Graph:
    """The running part of a graph without issues: the inputs of a bypassed node feed its followers."""
    return Graph(tuple(node for node in graph.nodes if not node.bypassed), tuple(_connect_around_bypassed(graph)))


def _connect_around_bypassed(graph: Graph) -> Iterator[Edge]:
    for edge in graph.edges:
        if not graph.node(edge.target).bypassed:
            while graph.node(edge.source).bypassed:
                (before,) = graph.edges_into(edge.source)
                edge = replace(edge, source=before.source, source_port=before.source_port)
            yield edge
