"""Words of the audit for stored fields: the product's words, not those of the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Field, Model
from django.db.models.expressions import BaseExpression

from designer.topology.differences import compare
from designer.topology.graph import Graph

UNTOLD = frozenset(
    {
        *("id", "created_at", "updated_at", "saved_at", "at", "owner", "created_by", "updated_by", "by"),
        *("revision", "based_on", "graph", "schemas"),
    }
)
"""Fields of many models that an entry shows elsewhere. `compare_graphs` handles graphs."""


@dataclass(frozen=True)
class AuditWords:
    """What the audit calls a model and its fields, where users know them by other names than the database.

    A model gives them as `audit_words`. `untold` are fields that mean nothing to users.
    """

    name: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    untold: frozenset[str] = frozenset()


NO_WORDS = AuditWords()


class Difference(NamedTuple):
    """A field of a part before and after; None if it has none."""

    of: str
    field: str
    before: Any
    after: Any


def describe(instance: Model) -> str:
    """
    >>> from designer.projects.models import Topology
    >>> describe(Topology(name="Orders"))
    'topology Orders'
    """
    kind = _get_words(instance).name or str(instance._meta.verbose_name)
    name = str(instance)
    return name if name.startswith(kind) else f"{kind} {name}"


def name_field(instance: Model, name: str) -> str:
    """
    >>> from designer.projects.models import Topology
    >>> name_field(Topology(), "is_slug_fixed"), name_field(Topology(), "some_field")
    ('id is fixed', 'some field')
    """
    return _get_words(instance).fields.get(name, name.replace("_", " "))


def read_fields(instance: Model) -> dict[str, Any]:
    """The stored fields of something that users know, with names instead of ids."""
    untold = UNTOLD | _get_words(instance).untold
    fields = [each for each in instance._meta.concrete_fields if each.name not in untold]
    values = {each.name: _read(instance, each) for each in fields}
    return {name: value for name, value in values.items() if not isinstance(value, BaseExpression)}


def _get_words(instance: Model) -> AuditWords:
    """A model of Django's own has none."""
    words: AuditWords = getattr(instance, "audit_words", NO_WORDS)
    return words


def _read(instance: Model, column: Field[Any, Any]) -> Any:
    value = getattr(instance, column.attname)
    if isinstance(value, BaseExpression):  # the database computes it
        return value
    if column.many_to_one or column.one_to_one:
        return value and str(getattr(instance, column.name))
    return getattr(instance, f"get_{column.name}_display")() if column.choices else value


def compare_graphs(before: Any, after: Any) -> Iterator[Difference]:
    """The changes of an edit in a graph, by node, edge and note."""
    if before == after:
        return
    differences = compare(Graph.from_json(before), Graph.from_json(after))
    if not differences:
        yield Difference("nodes", "places", None, "moved")
    for node in differences.removed_nodes:
        yield Difference(f"node {node.id}", "", node.operator, None)
        yield from (Difference(f"node {node.id}", name, value, None) for name, value in node.config.items())
    for node in differences.added_nodes:
        yield Difference(f"node {node.id}", "", None, node.operator)
        yield from (Difference(f"node {node.id}", name, None, value) for name, value in node.config.items())
    for change in differences.node_changes:
        yield from (Difference(f"node {change.node}", *field) for field in _list_triples(change.fields))
    for edge in differences.removed_edges:
        yield Difference(f"edge {edge.source} → {edge.target}", edge.target_port, "drawn", None)
    for edge in differences.added_edges:
        yield Difference(f"edge {edge.source} → {edge.target}", edge.target_port, None, "drawn")
    for note in differences.notes:
        yield Difference(f"note {note.note}", "", note.before and note.before.text, note.after and note.after.text)


def _list_triples(fields: Any) -> Iterator[tuple[str, Any, Any]]:
    return ((each.name, each.before, each.after) for each in fields)
