from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from designer.issues import Issue
from designer.streams.lineage import Origins, Tracing, find_fixed_origins, join_origins
from designer.topology.catalogue import Flows, Scope, register
from designer.topology.forms import ExpressionText, make_error, refuse_repeated_names
from designer.topology.ports import COGROUPS, Input, KGroupedTable
from designer.values.schemas import Field as StructField
from designer.values.schemas import Kind, Schema, Side, Type, without_names
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.aggregations.aggregate_function import AggregateFunction, find_function_issues
from runner.engine.operators.aggregations.aggregating import make_aggregation
from runner.engine.operators.aggregations.folding import Fold, fold_together, make_part, make_present, with_order
from runner.engine.operators.aggregations.grouping import (
    GROUPED_TYPES,
    SESSIONS,
    AggregatesGroups,
    aggregate_side,
    check_merge,
    check_subtract,
    find_fixed_type,
    find_map_type,
    find_type,
    hint_unfixed,
    is_empty_map,
    keep_filled,
    make_group_scope,
    make_merge_scope,
    show_for,
    with_aggregate,
)
from runner.engine.operators.aggregations.parts import AggregatePart
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext
from runner.engine.tasks.store_context import StoreContext

BY_EXPRESSIONS = ("init", "add", "subtract", "merge")
RECORD = ("key", "value", "timestamp")


@register
class Aggregate(AggregatesGroups):
    """Compute one value from the records of each key, or of each key and window (KStreamAggregate, KTableAggregate).

    `functions` computes fields such as counts, sums and averages. Or write expressions: `init` gives the first value,
    and `add` gives the next value for each record. An expression that gives null deletes the row. Records count in
    order of arrival. The result has the greatest time among its records. Without windows, records with a null value are
    dropped, as in Kafka Streams. When a row of a grouped KTable changes, its old value is taken back. For logic that
    expressions cannot express, use `process`: Python with its own stores.
    """

    icon = "sigma"
    summary = ("functions", "store")
    follows = 10
    step_prefixes = ("KSTREAM-AGGREGATE", "KTABLE-AGGREGATE", "COGROUPKSTREAM-MERGE")
    grouped = Input(*GROUPED_TYPES, *sorted(COGROUPS))
    ways = MappingProxyType({"Functions": ("functions",), "Init and add": BY_EXPRESSIONS})
    beneath = "result"
    more = ("store", "ttl_ms", "on_error")

    functions: Annotated[tuple[AggregateFunction, ...], AfterValidator(refuse_repeated_names)] = Field(
        (),
        max_length=100,
        description="Each computes one field of the result from all records of a group.",
        json_schema_extra=show_for(*GROUPED_TYPES, None),
    )
    init: ExpressionText | None = Field(
        None,
        description="Initial value, for example `0` or `map()`. Use it instead of functions. It cannot refer to a "
        "record.",
    )
    add: ExpressionText | None = Field(
        None,
        description="The new value. Use `agg`, the previous value, and the record: `key`, `value` and its fields.",
        json_schema_extra=show_for(*GROUPED_TYPES, None),
    )
    subtract: ExpressionText | None = Field(
        None,
        description="The value after a row leaves the group: the reverse of `add`.",
        json_schema_extra=show_for(KGroupedTable),
    )
    merge: ExpressionText | None = Field(
        None,
        description="The value when two sessions merge. Use `key` and their values `agg` and `other`.",
        json_schema_extra=show_for(*SESSIONS),
    )

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> Aggregate:
        # fields of the form, by their names
        field = next((name for name in BY_EXPRESSIONS if getattr(self, name) is not None), None)
        if self.functions and field is not None:
            raise make_error(Issue(OperatorIssueCode.AGGREGATE_BOTH, {"field": field}), field)
        if not self.functions and self.init is None:
            if field is None:
                raise make_error(Issue(OperatorIssueCode.AGGREGATE_NONE), "functions")
            raise make_error(Issue(OperatorIssueCode.AGGREGATE_NO_INIT, {"field": field}), "init")
        return self

    def name_stored_form(self, inputs: Flows) -> str:
        of_table = inputs.only.type is KGroupedTable
        return ", ".join(
            each.name_stored_form(self.find_type_of(each, inputs), is_of_table=of_table) for each in self.functions
        )

    def output_schema(self, inputs: Flows) -> Schema:
        schema = inputs.only.schema
        if not self.functions:
            return replace(schema, value=aggregate_side(self._aggregate(inputs), schema.value))
        fields = tuple(StructField(each.name, each.type(self.find_type_of(each, inputs))) for each in self.functions)
        return replace(schema, value=Side("json", Type(Kind.STRUCT, fields=fields)))

    def scope(self, field: str, inputs: Flows) -> Scope:
        if field == "init":
            return Scope({})
        if field == "merge":
            return make_merge_scope(inputs.only, self._aggregate(inputs))
        record = make_group_scope(inputs.only)
        return with_aggregate(record, self._aggregate(inputs)) if field in BY_EXPRESSIONS else record

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().issues(inputs)
        if inputs.only.type in COGROUPS:
            yield from self._find_adds_outside_cogroup()
        elif not self.functions and self.add is None:
            yield Issue(OperatorIssueCode.ADD_MISSING, field="add")
        if self.functions:
            record = self.scope("functions", inputs)
            yield from find_function_issues(self.functions, lambda text: find_type(text, record))
        else:
            yield from check_subtract(self.subtract, inputs.only)
            yield from check_merge(self.merge, inputs.only)

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().hints(inputs)
        if not self.functions and inputs.only.type not in COGROUPS:
            start = find_type(self.init, Scope({}))
            scope = with_aggregate(make_group_scope(inputs.only), start)
            merging = make_merge_scope(inputs.only, start)
            fields = {"add": (self.add, scope), "subtract": (self.subtract, scope), "merge": (self.merge, merging)}
            yield from hint_unfixed(start, self._aggregate(inputs), fields, has_init=True)

    def trace_aggregate(self, tracing: Tracing) -> Origins:
        if self.functions:
            return Origins({}, {each.name: _trace_function(tracing, n, each) for n, each in enumerate(self.functions)})

        def step(aggregate: Origins) -> Origins:
            texts = (("add", self.add), ("subtract", self.subtract), ("merge", self.merge))
            return join_origins(tracing.expression(path, text, agg=aggregate, other=aggregate) for path, text in texts)

        is_cogrouped = tracing.inputs.only.type in COGROUPS
        return find_fixed_origins(tracing.only.value if is_cogrouped else Origins(), step)

    def processor(self, context: ProcessorContext) -> Processor:
        if not self.functions:
            return make_aggregation(context, self._compile_expressions(context))
        folds = [self._make_fold(context, index, each) for index, each in enumerate(self.functions)]
        return make_aggregation(context, fold_together(folds))

    def _compile_expressions(self, context: ProcessorContext) -> Aggregator:
        """After cogroup, each input has its own `add`, which replaces the missing one."""
        return Aggregator(
            init=context.expression("init"),
            add=context.compile_optional("add", *RECORD, "agg"),  # type: ignore[arg-type]
            subtract=context.compile_optional("subtract", *RECORD, "agg"),
            merge=context.compile_optional("merge", "key", "agg", "other"),
        )

    def present(self, context: StoreContext) -> Callable[[Any], Any] | None:
        parts = {each.name: self._make_part(context, index, each) for index, each in enumerate(self.functions)}
        return make_present(parts) if parts else None

    def _make_fold(self, context: ProcessorContext, index: int, each: AggregateFunction) -> Fold:
        of = context.compile_optional(f"functions.{index}.expression", *RECORD)
        order = context.compile_optional(f"functions.{index}.order_by", *RECORD)
        by_order = of if of is None or order is None else with_order(of, order)
        return Fold(each.name, by_order, self._make_part(context, index, each))

    def _make_part(self, context: StoreContext, index: int, each: AggregateFunction) -> AggregatePart:
        form = each.part(is_of_table=context.inputs.only.type is KGroupedTable)
        of = self.find_type_of(each, context.inputs)
        return make_part(form, of, each.n, node=context.node, field=f"functions.{index}.expression")

    def find_type_of(self, each: AggregateFunction, inputs: Flows) -> Type:
        return find_type(each.expression, self.scope("functions", inputs))

    def _aggregate(self, inputs: Flows) -> Type:
        """The type of the value: that of `init`, if the other expressions keep to it."""
        start = find_type(self.init, Scope({}))
        if inputs.only.type in COGROUPS and without_names(inputs.only.schema.value.type) != without_names(start):
            return Type(Kind.ANY)
        record = make_group_scope(inputs.only)
        scopes = {
            text: lambda aggregate: with_aggregate(record, aggregate) for text in keep_filled(self.add, self.subtract)
        }
        merging = {text: lambda aggregate: make_merge_scope(inputs.only, aggregate) for text in keep_filled(self.merge)}
        if is_empty_map(self.init) and scopes:
            return find_map_type(scopes | merging)
        return find_fixed_type(start, scopes | merging)

    def _find_adds_outside_cogroup(self) -> Iterator[Issue]:
        for field in ("functions", "add"):
            if getattr(self, field):  # a field of the form, which the issue names
                yield Issue(OperatorIssueCode.AGGREGATE_COGROUPED, {"field": field}, field=field)


def _trace_function(tracing: Tracing, index: int, each: AggregateFunction) -> Origins:
    texts = (("expression", each.expression), ("order_by", each.order_by))
    return join_origins(
        tracing.expression(f"functions.{index}.{name}", text).computed("aggregation") for name, text in texts
    )
