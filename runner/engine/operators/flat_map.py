from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic import Field

from designer.reasons import Reason
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Operator, Scope, make_record_scope, register
from runner.engine.operators.shared.flattening import (
    ITEM,
    Flattening,
    Items,
    ListExpression,
    make_item_scope,
    make_lister,
)
from runner.engine.operators.shared.records import GivesRecords
from runner.engine.tasks.processor_context import ProcessorContext


class MakesItems(Operator):
    """Its one field is the first in the form."""

    items: ListExpression = Field(description="Expression that gives a list. Each item becomes a record.")


@register
class FlatMap(GivesRecords, MakesItems):
    """Turn each record into zero or more records with new keys and values; their time stays.

    `items` gives a list. Each item becomes one record, in order. The expressions for key and value can use the record,
    the `item` and its `index`, which starts at 0. If `items` gives null, the record is an error.
    """

    icon = "split"
    summary = ("key", "items", "value", "fields")
    step_prefixes = ("KSTREAM-FLATMAP",)

    def scope(self, field: str, inputs: Flows) -> Scope:
        if field == "items":
            return make_record_scope(inputs.only.schema)
        # a form that is not valid yet may lack it
        return make_item_scope(getattr(self, "items", None), inputs)

    def trace(self, tracing: Tracing) -> Columns:
        items = tracing.expression("items", self.items)
        value = self.trace_value(tracing, tracing.only.value, item=items)
        key = tracing.expression("key", self.key, item=items)
        return replace(tracing.only, key=key, value=value).influenced("filter", items)

    def processor(self, context: ProcessorContext) -> SeveralRecords:
        items = make_lister(context.node, "items", context.expression("items", "key", "value", "timestamp"))
        return SeveralRecords(items, context.expression("key", *ITEM), self.shape(context, "value", *ITEM))


class SeveralRecords(Flattening):
    """Forwards a record for each item, after all of them are made (KStreamFlatMap)."""

    silence = Reason.EMPTY_LIST

    forwards_often = True

    def __init__(self, items: Items, select: Callable[..., Any], shape: Callable[..., Any]) -> None:
        self.items = items
        self.select = select
        self.shape = shape

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if not self.has_room():
            return
        select, shape = self.select, self.shape
        pairs = [
            (select(key, value, timestamp, item, index), shape(key, value, timestamp, item, index))
            for index, item in enumerate(self.items(key, value, timestamp))
        ]
        self.take_results(len(pairs))
        self.settle(len(pairs))
        for new_key, new_value in pairs:
            self.forward(new_key, new_value, timestamp)
