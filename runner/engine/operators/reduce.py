from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import Field

from designer.issues import Issue
from designer.streams.lineage import Origins, Tracing, find_fixed_origins, join_origins
from designer.topology.catalogue import Flows, Scope, register
from designer.topology.forms import ExpressionText
from designer.topology.ports import KGroupedTable
from designer.values.schemas import Schema, Type
from runner.engine.operators.aggregations.aggregating import make_aggregation
from runner.engine.operators.aggregations.grouping import (
    AggregatesGroups,
    aggregate_side,
    check_subtract,
    find_fixed_type,
    hint_unfixed,
    keep_filled,
    keep_lasting,
    make_group_scope,
    show_for,
    with_aggregate,
)
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Reduce(AggregatesGroups):
    """Combine the values of each key, or of each key and window, into one value of the same type.

    The first value of a group becomes the aggregate. `add` combines the aggregate with each later value. If `add` gives
    null, the row is deleted, and the next value becomes the aggregate again. `add` also combines sessions that merge.
    """

    icon = "combine"
    follows = 9
    step_prefixes = ("KSTREAM-REDUCE", "KTABLE-REDUCE")

    add: ExpressionText = Field(
        description="The new aggregate. Use `agg`, the previous aggregate, `value` and `key`. Sum: `agg + value`. "
        "Least: `least(agg, value)`. Greatest: `greatest(agg, value)`. Latest: `value`."
    )
    subtract: ExpressionText | None = Field(
        None,
        description="The aggregate after the row `value` leaves the group: the reverse of `add`.",
        json_schema_extra=show_for(KGroupedTable),
    )

    def output_schema(self, inputs: Flows) -> Schema:
        schema = inputs.only.schema
        return replace(schema, value=aggregate_side(self._aggregate(inputs), schema.value))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """No times and no headers: a reducer sees two values, and one may be from another session."""
        return with_aggregate(self._make_record_scope(inputs), self._aggregate(inputs))

    def trace_aggregate(self, tracing: Tracing) -> Origins:
        def step(aggregate: Origins) -> Origins:
            texts = (("add", self.add), ("subtract", self.subtract))
            return join_origins(tracing.expression(path, text, agg=aggregate) for path, text in texts)

        return find_fixed_origins(tracing.only.value, step)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().issues(inputs)
        yield from check_subtract(self.subtract, inputs.only)

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().hints(inputs)
        start = inputs.only.schema.value.type
        scope = with_aggregate(self._make_record_scope(inputs), start)
        fields = {"add": (self.add, scope), "subtract": (self.subtract, scope)}
        yield from hint_unfixed(start, self._aggregate(inputs), fields, has_init=False)

    def processor(self, context: ProcessorContext) -> Processor:
        roles = ("key", "value", "timestamp", "agg")
        add = take_first_or_add(context.expression("add", *roles))
        return make_aggregation(
            context,
            Aggregator(
                init=start_with_nothing,
                add=add,
                subtract=context.compile_optional("subtract", *roles),
                merge=lambda key, aggregate, other: add(key, other, 0, aggregate),
            ),
        )

    def _make_record_scope(self, inputs: Flows) -> Scope:
        return keep_lasting(make_group_scope(inputs.only))

    def _aggregate(self, inputs: Flows) -> Type:
        record = self._make_record_scope(inputs)
        # a form that is not valid yet may lack `add`
        texts = keep_filled(getattr(self, "add", None), self.subtract)
        scopes = {text: lambda aggregate: with_aggregate(record, aggregate) for text in texts}
        return find_fixed_type(inputs.only.schema.value.type, scopes)


def start_with_nothing() -> None:
    """A reduction starts with no aggregate."""


def take_first_or_add(add: Callable[[Any, Any, int, Any], Any]) -> Callable[[Any, Any, int, Any], Any]:
    """Calls `add`, but takes the first value unchanged (KStreamReduce, KTableReduce)."""

    def reduce_value(key: Any, value: Any, timestamp: int, aggregate: Any) -> Any:
        return value if aggregate is None else add(key, value, timestamp, aggregate)

    return reduce_value
