"""Words of the audit for stored fields: the product's words, not those of the database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Field, Model
from django.db.models.expressions import BaseExpression

from designer.topology.differences import compare
from designer.topology.graph import Graph

MODELS = {
    "agenthost": "host",
    "apitoken": "token",
    "choice": "choice of",
    "cluster": "Kafka cluster",
    "grant": "role:",
    "sparkcluster": "Spark cluster",
}
FIELDS = {
    "config": "settings",
    "desired": "should be",
    "expires_at": "ends",
    "is_active": "may sign in",
    "is_slug_fixed": "id is fixed",
    "is_superuser": "product administrator",
    "on_state": "what happens to state",
    "seconds": "for seconds",
    "slug": "id",
    "spark": "Spark cluster",
    "threshold": "limit",
    "username": "name",
}
UNTOLD = frozenset(
    {
        *("id", "created_at", "updated_at", "used_at", "last_login", "beat_at", "saved_at", "date_joined", "at"),
        *("owner", "created_by", "updated_by", "by"),
        *("revision", "generation", "based_on", "graph", "schemas", "begins", "is_staff"),
        *("redrive.records", "redrive.topic_id"),
    }
)
"""Fields that an entry shows elsewhere, or that mean nothing to users. `compare_graphs` handles graphs."""


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
    kind = MODELS.get(str(instance._meta.model_name), str(instance._meta.verbose_name))
    name = str(instance)
    return name if name.startswith(kind) else f"{kind} {name}"


def name_field(name: str) -> str:
    """
    >>> name_field("is_active"), name_field("bootstrap_servers")
    ('may sign in', 'bootstrap servers')
    """
    return FIELDS.get(name, name.replace("_", " "))


def read_fields(instance: Model) -> dict[str, Any]:
    """The stored fields of something that users know, with names instead of ids."""
    model = instance._meta.model_name
    fields = [each for each in instance._meta.concrete_fields if not {each.name, f"{model}.{each.name}"} & UNTOLD]
    values = {field.name: _read(instance, field) for field in fields}
    return {name: value for name, value in values.items() if not isinstance(value, BaseExpression)}


def _read(instance: Model, field: Field[Any, Any]) -> Any:
    value = getattr(instance, field.attname)
    if isinstance(value, BaseExpression):  # the database computes it
        return value
    if field.many_to_one or field.one_to_one:
        return value and str(getattr(instance, field.name))
    return getattr(instance, f"get_{field.name}_display")() if field.choices else value


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
