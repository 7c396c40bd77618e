"""Shared by flat_map and flat_map_values: a list computed from each record, and names for one of its items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import StringConstraints

from designer.expressions import ExpressionError, check
from designer.expressions.errors import RecordError
from designer.topology.catalogue import Flows, Scope, make_record_scope
from designer.topology.forms import Expression
from designer.values.schemas import ANY, INTEGER, Kind, Type

ListExpression = Annotated[
    str, StringConstraints(min_length=1, max_length=4_096), Expression(returns=Type(Kind.LIST, item=ANY))
]
ITEM = ("key", "value", "timestamp", "item", "index")
"""Parameters of expressions over one item of a record."""

Items = Callable[[Any, Any, int], list[Any]]


def make_item_scope(items: str | None, inputs: Flows) -> Scope:
    """The names of the record, with `item` and `index`, the number of the item from 0."""
    scope = make_record_scope(inputs.only.schema)
    return scope._replace(names={**scope.names, "item": find_item_type(items, scope), "index": INTEGER})


def find_item_type(items: str | None, scope: Scope) -> Type:
    """The type of the items of an expression's list. ANY while the expression is wrong."""
    try:
        return ANY if items is None else check(items, scope).type.item or ANY
    except ExpressionError:
        return ANY


def make_lister(node: str, field: str, compute: Callable[[Any, Any, int], Any]) -> Items:
    """The function that returns the list of a record. Null is a record error, and in Java a NullPointerException."""

    def items(key: Any, value: Any, timestamp: int) -> list[Any]:
        values = compute(key, value, timestamp)
        if type(values) is not list:
            text = "null" if values is None else repr(values)[:40]
            raise RecordError(node, field, f"`{field}` gave {text}; expected a list, which may be empty.")
        return values

    return items
