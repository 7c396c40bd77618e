from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from designer.issues import Issue
from designer.streams.lineage import Columns, Origins, Tracing, find_fixed_origins, join_columns, join_origins
from designer.topology.catalogue import Flows, Operator, Scope, register
from designer.topology.forms import ExpressionText, FieldName, FormPart, refuse_repeated_names
from designer.topology.ports import CogroupedKStream, Input, KGroupedStream, Output
from designer.values.schemas import ANY, Schema, Side, is_alike
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.aggregations.cogrouping import Cogrouping
from runner.engine.operators.aggregations.grouping import find_type, make_group_scope, with_aggregate
from runner.engine.tasks.processor_context import ProcessorContext


class CogroupedInput(FormPart):
    """One stream of groups, and what each of its records makes of the aggregate."""

    name: FieldName = Field(description="Names the input port for one grouped stream.")
    add: ExpressionText = Field(
        description="The new aggregate. Use `agg`, the previous aggregate, and the record: `key`, `value` and its "
        "fields."
    )


@register
class Cogroup(Operator):
    """Aggregate several streams by key into one aggregate, with a separate `add` for each stream (CogroupedKStream,
    KIP-150).

    Draw an edge into aggregate, which gives the initial value, or into windowed_by first. All streams must have the
    same type of key. Records count in order of arrival. Each stream has its own stream time, which decides which of its
    records are late and dropped.
    """

    icon = "group"
    step_prefixes = ("cogrouped",)
    family = "group and window"
    summary = ("inputs",)
    stream = Input(KGroupedStream, each="inputs")
    result = Output(CogroupedKStream)

    inputs: Annotated[tuple[CogroupedInput, ...], AfterValidator(refuse_repeated_names)] = Field(
        min_length=1, max_length=100, description="The streams. Each one has its own input port."
    )

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset(inputs)

    def output_schema(self, inputs: Flows) -> Schema:
        """The value represents the aggregate. Its type is that of every `add`, or ANY if they differ."""
        types = [
            find_type(each.add, self.scope(f"inputs.{index}.add", inputs)) for index, each in enumerate(self.inputs)
        ]
        value_type = types[0] if all(each == types[0] for each in types) else ANY
        first = inputs[self.inputs[0].name].schema
        return replace(first, value=Side("json", value_type))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """The record at the port of that row, and `agg`. The first value of `agg` is not known yet."""
        rows: Sequence[Any] = self.inputs
        row = rows[int(field.split(".")[1])]
        flow = inputs.get(str(row.get("name") if isinstance(row, dict) else row.name))
        return with_aggregate(Scope({}) if flow is None else make_group_scope(flow), ANY)

    def trace(self, tracing: Tracing) -> Columns:
        records = tracing.arriving

        def step(aggregate: Origins) -> Origins:
            return join_origins(
                tracing.expression(f"inputs.{index}.add", each.add, records[each.name], agg=aggregate)
                for index, each in enumerate(self.inputs)
            )

        return replace(join_columns(list(records.values())), value=find_fixed_origins(Origins(), step))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        first, *others = self.inputs
        for each in others:
            yield from _find_key_difference(first.name, inputs[first.name].schema, each.name, inputs[each.name].schema)

    def processor(self, context: ProcessorContext) -> Cogrouping:
        return Cogrouping(
            {
                each.name: context.expression(f"inputs.{index}.add", "key", "value", "timestamp", "agg")
                for index, each in enumerate(self.inputs)
            }
        )


def _find_key_difference(name: str, schema: Schema, other_name: str, other: Schema) -> Iterator[Issue]:
    """The issue of two inputs whose records with the same key would not meet."""
    if (schema.window is None) != (other.window is None):
        plain_name, windowed_name = (name, other_name) if schema.window is None else (other_name, name)
        yield Issue(
            OperatorIssueCode.COGROUP_WINDOWED, {"windowed": windowed_name, "plain": plain_name}, field="inputs"
        )
    elif schema.window != other.window:
        yield Issue(OperatorIssueCode.COGROUP_WINDOWS, {"first": name, "other": other_name}, field="inputs")
    elif not is_alike(schema.key.type, other.key.type):
        yield Issue(
            OperatorIssueCode.COGROUP_KEYS,
            {
                "first": name,
                "first_type": schema.key.type.kind,
                "other": other_name,
                "other_type": other.key.type.kind,
            },
            field="inputs",
        )
    elif schema.key.format != other.key.format:
        yield Issue(
            OperatorIssueCode.COGROUP_FORMATS,
            {
                "first": name,
                "first_format": schema.key.format,
                "other": other_name,
                "other_format": other.key.format,
            },
            field="inputs",
        )
