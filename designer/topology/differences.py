"""The differences of two graphs of a topology, as data and as text for reviewers. Places of nodes do not count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict

from designer.limits import AnyJson
from designer.text import write_duration
from designer.topology.graph import Edge, EdgeOut, Graph, GraphNodeOut, GraphNoteOut, Node, Note


class FieldChangeOut(TypedDict):
    """A field of a node before and after; null if it has none."""

    name: str
    before: AnyJson
    after: AnyJson


class NodeChangeOut(TypedDict):
    node: str
    operator: str
    fields: list[FieldChangeOut]


class NoteChangeOut(TypedDict):
    """A note or frame before and after; null if the graph has none."""

    note: str
    before: GraphNoteOut | None
    after: GraphNoteOut | None


class DifferencesOut(TypedDict):
    """The differences of two graphs, and the same as text: a line for each change."""

    added: list[GraphNodeOut]
    removed: list[GraphNodeOut]
    changed: list[NodeChangeOut]
    edges_added: list[EdgeOut]
    edges_removed: list[EdgeOut]
    notes: list[NoteChangeOut]
    text: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of a node before and after. None if it has none. `operator` is the name of the node's kind."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A node that is in both graphs."""

    node: str
    operator: str
    fields: tuple[FieldChange, ...]

    def to_json(self) -> NodeChangeOut:
        fields: list[FieldChangeOut] = [
            {"name": each.name, "before": each.before, "after": each.after} for each in self.fields
        ]
        return {"node": self.node, "operator": self.operator, "fields": fields}


@dataclass(frozen=True, slots=True)
class NoteChange:
    """A note or frame before and after. None if the graph has none."""

    note: str
    before: Note | None
    after: Note | None

    def to_json(self) -> NoteChangeOut:
        return {
            "note": self.note,
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
        }


@dataclass(frozen=True, slots=True)
class Differences:
    """Nodes are in the order of their graph: the earlier one for `removed_nodes`, the later one for the others."""

    added_nodes: tuple[Node, ...]
    removed_nodes: tuple[Node, ...]
    node_changes: tuple[NodeChange, ...]
    added_edges: tuple[Edge, ...]
    removed_edges: tuple[Edge, ...]
    notes: tuple[NoteChange, ...]

    def __bool__(self) -> bool:
        return any(
            (self.added_nodes, self.removed_nodes, self.node_changes, self.added_edges, self.removed_edges, self.notes)
        )

    def to_json(self) -> DifferencesOut:
        return {
            "added": [node.to_json() for node in self.added_nodes],
            "removed": [node.to_json() for node in self.removed_nodes],
            "changed": [change.to_json() for change in self.node_changes],
            "edges_added": [edge.to_json() for edge in self.added_edges],
            "edges_removed": [edge.to_json() for edge in self.removed_edges],
            "notes": [change.to_json() for change in self.notes],
            "text": self.text(),
        }

    def text(self) -> str:
        """A line for each change: `+` in the later graph, `-` in the earlier, `~` in both. Empty without changes.

        >>> before = Graph((Node("late", "custom", {"predicate": "delay > 15"}),))
        >>> after = Graph((Node("late", "custom", {"predicate": "delay > 30"}),))
        >>> print(compare(before, after).text())
        ~ late (custom)
        -   predicate: "delay > 15"
        +   predicate: "delay > 30"
        """
        return "\n".join(self._write_lines())

    def _write_lines(self) -> Iterator[str]:
        for sign, nodes in (("-", self.removed_nodes), ("+", self.added_nodes)):
            for node in nodes:
                yield f"{sign} {node.id} ({node.operator})"
                yield from _find_fields(sign, sorted(node.config.items()))
        for change in self.node_changes:
            yield f"~ {change.node} ({change.operator})"
            for field in change.fields:
                for sign, value in (("-", field.before), ("+", field.after)):
                    yield from _find_fields(sign, [(field.name, value)] if value is not None else [])
        for sign, edges in (("-", self.removed_edges), ("+", self.added_edges)):
            yield from (f"{sign} edge {_describe_thing(edge)}" for edge in edges)
        for note in self.notes:
            was, now = _describe(note.before), _describe(note.after)
            sign = "~" if was and now else "+" if now else "-"
            yield f"{sign} {(now or was)['kind']} {note.note}"
            for name in ("colour", "text"):
                if was.get(name) != now.get(name):
                    yield from _find_fields("-", [(name, was[name])] if name in was else [])
                    yield from _find_fields("+", [(name, now[name])] if name in now else [])


def compare(before: Graph, after: Graph) -> Differences:
    """The changes from one graph to the other."""
    both = [node for node in after.nodes if node.id in before.by_id]
    changes = (_find_change(before.node(node.id), node) for node in both)
    return Differences(
        added_nodes=tuple(node for node in after.nodes if node.id not in before.by_id),
        removed_nodes=tuple(node for node in before.nodes if node.id not in after.by_id),
        node_changes=tuple(change for change in changes if change.fields),
        added_edges=_subtract(after.edges, before.edges),
        removed_edges=_subtract(before.edges, after.edges),
        notes=tuple(_find_note_changes(before, after)),
    )


def _find_change(before: Node, after: Node) -> NodeChange:
    was, now = _find_values(before), _find_values(after)
    names = [*was, *(name for name in now if name not in was)]
    changes = (FieldChange(name, was.get(name), now.get(name)) for name in names)
    return NodeChange(after.id, after.operator, tuple(each for each in changes if each.before != each.after))


def _find_values(node: Node) -> Mapping[str, Any]:
    values = {"operator": node.operator} | ({"bypassed": True} if node.bypassed else {})
    values |= {"colour": node.colour} if node.colour else {}
    return values | {name: value for name, value in node.config.items() if value is not None}


def _find_note_changes(before: Graph, after: Graph) -> Iterator[NoteChange]:
    was, now = ({note.id: note for note in graph.notes} for graph in (before, after))
    for note in [*now, *(note for note in was if note not in now)]:
        if _describe(was.get(note)) != _describe(now.get(note)):
            yield NoteChange(note, was.get(note), now.get(note))


def _describe(note: Note | None) -> Mapping[str, str]:
    if note is None:
        return {}
    values = {"kind": note.kind, "colour": note.colour, "text": note.text}
    return {name: value for name, value in values.items() if value}


def _subtract(edges: Iterable[Edge], others: Iterable[Edge]) -> tuple[Edge, ...]:
    other_edges = set(others)
    return tuple(edge for edge in edges if edge not in other_edges)


def _find_fields(sign: str, values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Each value as JSON, over several lines if it has them."""
    for name, value in values:
        first, *rest = json.dumps(value, indent=2, ensure_ascii=False).replace("\\n", "\n").split("\n")
        yield f"{sign}   {name}: {first}{_describe_time(name, value)}"
        yield from (f"{sign}   {line}" for line in rest)


def _describe_time(name: str, value: Any) -> str:
    """What a number of milliseconds means, in parentheses. Empty for other fields.

    >>> _describe_time("size_ms", 7_200_000)
    ' (2 h)'
    """
    return f" ({write_duration(value)})" if name.endswith("_ms") and type(value) is int else ""


def _describe_thing(edge: Edge) -> str:
    return f"{edge.source}.{edge.source_port} → {edge.target}.{edge.target_port}"
