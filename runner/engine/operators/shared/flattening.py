"""Shared by flat_map and flat_map_values: a list computed from each record, and names for one of its items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import StringConstraints

from designer.expressions import ExpressionError, check
from designer.expressions.errors import RecordError
from designer.reasons import TOO_MANY_RESULTS
from designer.topology.catalogue import Flows, Scope, make_record_scope
from designer.topology.forms import Expression
from designer.values.schemas import ANY, INTEGER, Kind, Type
from runner.engine.records.context import RecordContext
from runner.engine.tasks.processor import Processor

ListExpression = Annotated[
    str, StringConstraints(min_length=1, max_length=4_096), Expression(returns=Type(Kind.LIST, item=ANY))
]
MAX_RESULTS = 1_000_000
"""Maximum number of records that flat maps make of one row."""
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


class Flattening(Processor):
    """Forwards any number of records for one. All that flat maps make of one row share `MAX_RESULTS`.

    Lists of 100,000 items, three times in a row, would be 10**15 records: the job would never end.
    """

    context: RecordContext

    def has_room(self) -> bool:
        """Whether the row may have more results. If not, its record is counted as dropped."""
        context = self.context
        if context.row is not context.results_of:
            context.results_of, context.results = context.row, 0
        elif context.results > MAX_RESULTS:
            self.drop(TOO_MANY_RESULTS)
            return False
        return True

    def take_results(self, count: int) -> None:
        """Count the results of a record before they are forwarded. Raises RecordError beyond the limit."""
        context = self.context
        context.results += count
        if context.results > MAX_RESULTS:
            message = f"Flat maps would make more than {MAX_RESULTS:,} records of this one."
            raise RecordError(self.node, "", f"{message} Its later results are dropped.")


def make_lister(node: str, field: str, compute: Callable[[Any, Any, int], Any]) -> Items:
    """The function that returns the list of a record. Null is a record error, and in Java a NullPointerException."""

    def items(key: Any, value: Any, timestamp: int) -> list[Any]:
        values = compute(key, value, timestamp)
        if type(values) is not list:
            text = "null" if values is None else repr(values)[:40]
            raise RecordError(node, field, f"`{field}` gave {text}; expected a list, which may be empty.")
        return values

    return items
