"""One row of aggregate's form: a function over all records of a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from pydantic import Field, model_validator

from designer.issues import Issue
from designer.topology.forms import ExpressionText, FieldName, FormPart, make_error
from designer.values.schemas import DOUBLE, INTEGER, Kind, Type
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.aggregations.exact_totals import choose_average_type, sum_type

NUMBERS = frozenset({Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL, Kind.ANY})
ORDERED_KINDS = NUMBERS | {Kind.BOOLEAN, Kind.STRING}
TAKES = {"sum": NUMBERS, "avg": NUMBERS, "min": ORDERED_KINDS, "max": ORDERED_KINDS, "top_n": ORDERED_KINDS}
LISTS = ("collect", "top_n", "last_n")
WITH_N = ("top_n", "last_n")
COUNTS = ("count", "count_distinct")
EXACT = {"sum": sum_type, "avg": choose_average_type}

TAKES_BACK_FROM_ALL = frozenset({"sum", "min", "max", "first", "last", "top_n", "last_n"})
"""Functions that keep more over rows of a table: the next value after a row is taken back."""


class AggregateFunction(FormPart):
    """One field of the result: a function over all records of the group."""

    name: FieldName = Field(description="Name of the field that holds the result.")
    function: Literal[
        "count", "sum", "avg", "min", "max", "first", "last", "collect", "count_distinct", "top_n", "last_n"
    ] = Field(
        description=(
            "The function to compute. On a grouped KTable it uses the current rows, in order of their last change. "
            "Functions that compare or list rows keep all of them, at most 100,000 in a group."
        )
    )
    expression: ExpressionText | None = Field(
        None,
        description="Expression to aggregate; nulls are ignored. Leave it empty only for count, which then "
        "counts records.",
        json_schema_extra={"more": {"function": ["count"]}},
    )
    order_by: ExpressionText | None = Field(
        None,
        description="Expression by which top_n orders the values; nulls are ignored.",
        json_schema_extra={"shown": {"function": ["top_n"]}, "more": True, "empty_means": "the value itself"},
    )
    n: int | None = Field(
        None,
        ge=1,
        le=10_000,
        description="How many values top_n and last_n keep.",
        json_schema_extra={"shown": {"function": list(WITH_N)}},
    )

    @model_validator(mode="after")
    def _complete(self) -> AggregateFunction:
        if self.expression is None and self.function != "count":
            raise make_error(Issue(OperatorIssueCode.EXPRESSION_MISSING, {"function": self.function}), "expression")
        if self.n is None and self.function in WITH_N:
            raise make_error(Issue(OperatorIssueCode.N_MISSING, {"function": self.function}), "n")
        if self.n is not None and self.function not in WITH_N:
            raise make_error(Issue(OperatorIssueCode.N_UNNEEDED, {"function": self.function}), "n")
        if self.order_by is not None and self.function != "top_n":
            raise make_error(Issue(OperatorIssueCode.ORDER_BY_UNNEEDED, {"function": self.function}), "order_by")
        return self

    def part(self, *, is_of_table: bool) -> str:
        """Name of the form in which the aggregate keeps its part."""
        form = self.function if self.order_by is None else f"{self.function} by"
        return f"{form} of a table" if is_of_table and self.function in TAKES_BACK_FROM_ALL else form

    def name_stored_form(self, of: Type, *, is_of_table: bool) -> str:
        """Form of its part over values of the type `of`. Contents in another form have another meaning."""
        part = self.part(is_of_table=is_of_table)
        return f"{part}, decimal" if of.kind is Kind.DECIMAL and self.function not in COUNTS else part

    def type(self, of: Type) -> Type:
        """The type of the result over values of the type `of`."""
        if self.function in LISTS:
            return Type(Kind.LIST, item=of)
        if of.kind is Kind.DECIMAL and self.function in EXACT:
            return EXACT[self.function](of)
        return {"count": INTEGER, "count_distinct": INTEGER, "avg": DOUBLE}.get(self.function, of)


def find_function_issues(
    functions: Sequence[AggregateFunction], type_of: Callable[[str | None], Type]
) -> Iterator[Issue]:
    """Functions over values that they cannot take."""
    for index, each in enumerate(functions):
        field, text = ("expression", each.expression) if each.order_by is None else ("order_by", each.order_by)
        kind = type_of(text).kind
        if kind not in TAKES.get(each.function, {kind}):
            needed_values = "numbers" if TAKES[each.function] is NUMBERS else "values with an order"
            yield Issue(
                OperatorIssueCode.AGGREGATE_TYPE,
                {"function": each.function, "wanted": needed_values, "text": text, "type": kind},
                field=f"functions.{index}.{field}",
            )
