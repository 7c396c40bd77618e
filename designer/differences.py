"""What two drawings of a topology differ in, as data and as text for reviewers. Where nodes stand does not count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.graph import Edge, Graph, Node


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a node before and after; None where it has none. `operator` is the name of the node's kind."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A node that is in both drawings."""

    node: str
    operator: str
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """Nodes are in the order of their drawing: the earlier one for `removed`, the later one for the others."""

    added: tuple[Node, ...]
    removed: tuple[Node, ...]
    changed: tuple[NodeChange, ...]
    edges_added: tuple[Edge, ...]
    edges_removed: tuple[Edge, ...]

    def __bool__(self) -> bool:
        return any((self.added, self.removed, self.changed, self.edges_added, self.edges_removed))

    def text(self) -> str:
        """A line for each change: `+` in the later drawing, `-` in the earlier, `~` in both. Empty where nothing is.

        >>> before = Graph((Node("late", "custom", {"predicate": "delay > 15"}),))
        >>> after = Graph((Node("late", "custom", {"predicate": "delay > 30"}),))
        >>> print(compare(before, after).text())
        ~ late (custom)
        -   predicate: "delay > 15"
        +   predicate: "delay > 30"
        """
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for sign, nodes in (("-", self.removed), ("+", self.added)):
            for node in nodes:
                yield f"{sign} {node.id} ({node.operator})"
                yield from _fields(sign, sorted(node.config.items()))
        for change in self.changed:
            yield f"~ {change.node} ({change.operator})"
            for field in change.fields:
                for sign, value in (("-", field.before), ("+", field.after)):
                    yield from _fields(sign, [(field.name, value)] if value is not None else [])
        for sign, edges in (("-", self.edges_removed), ("+", self.edges_added)):
            yield from (f"{sign} edge {_words(edge)}" for edge in edges)


def compare(before: Graph, after: Graph) -> Differences:
    """What changed from one drawing to the other."""
    both = [node for node in after.nodes if node.id in before.by_id]
    changes = (_change(before.node(node.id), node) for node in both)
    return Differences(
        added=tuple(node for node in after.nodes if node.id not in before.by_id),
        removed=tuple(node for node in before.nodes if node.id not in after.by_id),
        changed=tuple(change for change in changes if change.fields),
        edges_added=_without(after.edges, before.edges),
        edges_removed=_without(before.edges, after.edges),
    )


def _change(before: Node, after: Node) -> NodeChange:
    was, now = _values(before), _values(after)
    names = [*was, *(name for name in now if name not in was)]
    changed = (FieldChange(name, was.get(name), now.get(name)) for name in names)
    return NodeChange(after.id, after.operator, tuple(each for each in changed if each.before != each.after))


def _values(node: Node) -> Mapping[str, Any]:
    told = {"operator": node.operator} | ({"bypassed": True} if node.bypassed else {})
    return told | {name: value for name, value in node.config.items() if value is not None}


def _without(edges: Iterable[Edge], others: Iterable[Edge]) -> tuple[Edge, ...]:
    known = set(others)
    return tuple(edge for edge in edges if edge not in known)


def _fields(sign: str, values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Each value as JSON, over several lines where it has several."""
    for name, value in values:
        first, *rest = json.dumps(value, indent=2, ensure_ascii=False).replace("\\n", "\n").split("\n")
        yield f"{sign}   {name}: {first}"
        yield from (f"{sign}   {line}" for line in rest)


def _words(edge: Edge) -> str:
    return f"{edge.source}.{edge.source_port} → {edge.target}.{edge.target_port}"
