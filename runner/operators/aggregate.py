from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from designer.catalogue import ExpressionText, Flows, Operator, Scope, record_scope, register
from designer.expressions import check
from designer.forms import FieldName, FormPart, StoreName, unique_names, wrong
from designer.issues import Issue
from designer.ports import Input, KGroupedStream, KTable, Output, TimeWindowedKStream
from designer.schemas import ANY, DOUBLE, INTEGER, Kind, Schema, Side, Type
from designer.schemas import Field as StructField
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.tables import NodeTables
from runner.operators.aggregating import aggregation
from runner.operators.folding import Fold, fold_named, folded_together

TAKES = {
    "sum": {Kind.INTEGER, Kind.DOUBLE, Kind.ANY},
    "avg": {Kind.INTEGER, Kind.DOUBLE, Kind.ANY},
    "min": {Kind.BOOLEAN, Kind.INTEGER, Kind.DOUBLE, Kind.STRING, Kind.ANY},
    "max": {Kind.BOOLEAN, Kind.INTEGER, Kind.DOUBLE, Kind.STRING, Kind.ANY},
}
WANTS = {"sum": "numbers", "avg": "numbers", "min": "values with an order", "max": "values with an order"}


class AggregateFunction(FormPart):
    """One field of the result: a function over all records of the group."""

    name: FieldName = Field(description="Name of the field that holds the result.")
    function: Literal["count", "sum", "avg", "min", "max"] = Field(description="What is computed.")
    expression: ExpressionText | None = Field(
        None, description="Of what; nulls are left out. Empty only for count, which then counts records."
    )

    @model_validator(mode="after")
    def _expression_given(self) -> AggregateFunction:
        if self.expression is None and self.function != "count":
            hint = "Name a field or write an expression."
            raise wrong("expression.missing", f"Nothing says what {self.function} is of.", hint, "expression")
        return self

    def type(self, of: Type) -> Type:
        """The type of the result over values of the type `of`."""
        return {"count": INTEGER, "avg": DOUBLE}.get(self.function, of)


@register
class Aggregate(Operator):
    """Compute count, sum, avg, min and max over the records of each key, or of each key and window.

    The result is one value with a field for each function. Each record updates it in order of arrival; its time is
    the greatest among its records. Without windows a record with a null value is dropped, as in Kafka Streams.
    """

    icon = "sigma"
    family = "aggregate"
    grouped = Input(KGroupedStream, TimeWindowedKStream)
    result = Output(KTable)

    functions: Annotated[tuple[AggregateFunction, ...], AfterValidator(unique_names)] = Field(
        min_length=1, max_length=100, description="The fields of the result."
    )
    store: StoreName | None = Field(None, description="Name it to query the results while the job runs.")

    def output_schema(self, inputs: Flows) -> Schema:
        fields = tuple(StructField(each.name, each.type(self._of(each, inputs))) for each in self.functions)
        return replace(inputs.only.schema, value=Side("json", Type(Kind.STRUCT, fields=fields)))

    def scope(self, field: str, inputs: Flows) -> Scope:
        """Functions see single records, whose key is not windowed yet."""
        return record_scope(replace(inputs.only.schema, window=None))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        for index, each in enumerate(self.functions):
            kind = self._of(each, inputs).kind
            if kind not in TAKES.get(each.function, {kind}):
                yield Issue(
                    code="aggregate.type",
                    message=f"{each.function} takes {WANTS[each.function]}, and `{each.expression}` is {kind.value}.",
                    hint="Cast it, or choose another field or function.",
                    field=f"functions.{index}.expression",
                )

    def plan_tables(self, plan: NodeTables) -> None:
        plan.aggregate()

    def processor(self, place: Place) -> Processor:
        folds = [self._fold(place, index, each) for index, each in enumerate(self.functions)]
        return aggregation(place, folded_together(folds))

    def _fold(self, place: Place, index: int, each: AggregateFunction) -> Fold:
        field = f"functions.{index}.expression"
        of = place.optional_expression(field, "key", "value", "timestamp")
        return fold_named(each.function, each.name, of, node=place.node, field=field)

    def _of(self, each: AggregateFunction, inputs: Flows) -> Type:
        return ANY if each.expression is None else check(each.expression, self.scope("functions", inputs)).type
