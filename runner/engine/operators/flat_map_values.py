from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import Field

from designer.issues import Issue
from designer.reasons import Reason
from designer.streams.formats import choose_side
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Operator, Scope, make_record_scope, register
from designer.topology.forms import ExpressionText
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import Schema
from runner.engine.operators.shared.flattening import (
    ITEM,
    Flattening,
    Items,
    ListExpression,
    find_item_type,
    make_item_scope,
    make_lister,
)
from runner.engine.operators.shared.shaping import ShapesValue
from runner.engine.tasks.processor_context import ProcessorContext


class MakesValues(Operator):
    """Its one field is the first in the form."""

    values: ListExpression = Field(description="Expression that gives a list. Each item becomes a record.")


@register
class FlatMapValues(ShapesValue, MakesValues):
    """Turn each record into zero or more records with new values; key and time stay.

    `values` gives a list, such as the words of a text. Each item becomes one record, in order. The new value is the
    item, or the result of `value` or `fields`. They can use the record, the `item` and its `index`, which starts at 0.
    If `values` gives null, the record is an error.
    """

    icon = "list-tree"
    step_prefixes = ("KSTREAM-FLATMAPVALUES",)
    family = "stateless"
    summary = ("values", "value", "fields")
    may_leave_value = True
    stream = Input(KStream)
    result = Output(KStream)

    value: ExpressionText | None = Field(
        None,
        description="Expression that gives the whole new value. If this and `fields` are empty, the value is the item.",
    )

    def output_schema(self, inputs: Flows) -> Schema:
        arriving = inputs.only.schema
        if self.gives_item_itself:
            items = find_item_type(self.values, make_record_scope(arriving))
            return replace(arriving, value=choose_side(items, arriving.value))
        return replace(arriving, value=self.find_new_value(self.scope("value", inputs), arriving.value))

    def scope(self, field: str, inputs: Flows) -> Scope:
        if field == "values":
            return make_record_scope(inputs.only.schema)
        # a form that is not valid yet may lack it
        return make_item_scope(getattr(self, "values", None), inputs)

    def trace(self, tracing: Tracing) -> Columns:
        items = tracing.expression("values", self.values)
        value = items if self.gives_item_itself else self.trace_value(tracing, tracing.only.value, item=items)
        return replace(tracing.only, value=value).influenced("filter", items)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from self.refuse_nothing_to_keep(inputs.only.schema.value.type)

    def processor(self, context: ProcessorContext) -> SeveralValues:
        values = make_lister(context.node, "values", context.expression("values", "key", "value", "timestamp"))
        if self.gives_item_itself and context.compile_optional("value", *ITEM) is None:
            return SeveralValues(values)
        return ShapedValues(values, self.shape(context, "value", *ITEM))

    @property
    def gives_item_itself(self) -> bool:
        return self.value is None and not self.fields and not self.keep


class SeveralValues(Flattening):
    """Forwards a record for each item of a list (KStreamFlatMapValues)."""

    silence = Reason.EMPTY_LIST

    forwards_often = True

    def __init__(self, values: Items) -> None:
        self.values = values

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if not self.has_room():
            return
        values = self.values(key, value, timestamp)
        self.take_results(len(values))
        self.settle(len(values))
        for each in values:
            self.forward(key, each, timestamp)


class ShapedValues(SeveralValues):
    """Forwards the value made from each item, after all of them are made."""

    def __init__(self, values: Items, shape: Callable[..., Any]) -> None:
        super().__init__(values)
        self.shape = shape

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if not self.has_room():
            return
        shape = self.shape
        items = self.values(key, value, timestamp)
        new_values = [shape(key, value, timestamp, item, index) for index, item in enumerate(items)]
        self.take_results(len(new_values))
        self.settle(len(new_values))
        for each in new_values:
            self.forward(key, each, timestamp)
