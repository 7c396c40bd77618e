"""What passed each node of a task: worked out from what each processor counts, when somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from designer.graph import Edge
from runner.engine.drops import Drops, told
from runner.engine.drops import add as add_drops
from runner.engine.errors import Errors
from runner.engine.layers import is_clone, original_of
from runner.engine.layout import Cut
from runner.engine.parts import owner_of
from runner.engine.processor import Processor

if TYPE_CHECKING:
    from runner.engine.task import Task


def counters(task: Task) -> dict[str, dict[str, int]]:
    """By node: in, out, dropped, errors, where a table is looked up also no_match.

    Clones and parts of a node count as the node that was drawn.
    """
    counted: dict[str, dict[str, int]] = {}
    arrived, inner = _arrived(task), _inner(task)
    for node, processor in task.processors.items():
        errors = task.errors.by_node[original_of(node)]
        out = arrived[node] - errors if processor is None else processor.forwarded(arrived[node], errors)
        dropped = 0 if processor is None else processor.dropped
        if not is_clone(node):
            _count(counted, owner_of(node), arrived[node] - inner[node], dropped, task.errors)
        if node in counted:
            counted[node]["out"] += out
            if processor is not None and processor.no_match is not None:
                counted[node]["no_match"] = processor.no_match
        for edge in _edges_within(task, node):
            arrived[edge.target] += _out_by(processor, edge.source_port, out, arrived[node], errors)
    for cut, processor in task.cuts:
        if processor.silent and owner_of(cut.from_node) != owner_of(cut.to_node):
            at = counted.setdefault(owner_of(cut.to_node), {"in": 0, "out": 0, "dropped": 0, "errors": 0})
            at["in"] += processor.silent
    return counted


def drops(task: Task) -> Drops:
    """By node: why records were dropped, how many, and the first of them."""
    own: Drops = {}
    for node, each in task.processors.items():
        if each is not None and each.reasons and not is_clone(node):
            found = told(task.layout, each.reasons, each.dropped_rows, lambda target: task.entrances[target].decode_key)
            add_drops(own, {owner_of(node): found})
    return own


def _arrived(task: Task) -> Counter[str]:
    """Rows that came from outside, by the node they came to."""
    arrived: Counter[str] = Counter()
    for target, count in task.received.items():
        arrived[task.layout.entered(target)] += count
    return arrived


def _inner(task: Task) -> Counter[str]:
    """Those of them that a part of the same node sent."""
    inner: Counter[str] = Counter()
    for target, count in task.received.items():
        cut = task.layout.targets[target]
        if isinstance(cut, Cut) and owner_of(cut.from_node) == owner_of(cut.to_node):
            inner[cut.to_node] += count
    return inner


def _out_by(processor: Processor | None, output: str, out: int, received: int, errors: int) -> int:
    if processor is None or not hasattr(processor, "branches"):
        return out
    return processor.forwarded_to(output, received, errors)


def _edges_within(task: Task, node: str) -> Iterable[Edge]:
    cut = task.layout.cut_of
    return (edge for edge in task.layout.children[node] if (edge.target, edge.target_port) not in cut)


def _count(counted: dict[str, dict[str, int]], node: str, received: int, dropped: int, errors: Errors) -> None:
    """Add what came to a node or to one of its parts; `errors` has those of the whole node."""
    at = counted.setdefault(node, {"in": 0, "out": 0, "dropped": 0, "errors": errors.by_node[node]})
    at["in"] += received
    at["dropped"] += dropped
