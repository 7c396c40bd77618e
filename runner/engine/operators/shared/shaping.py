"""Shared by map_values and the joins: a new value, either one expression or a list of named fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field, model_validator

from designer.expressions import check
from designer.expressions.errors import RecordError
from designer.issues import Issue
from designer.streams.formats import choose_side
from designer.streams.lineage import Columns, Origins, Tracing
from designer.topology.catalogue import Operator, Scope
from designer.topology.forms import ExpressionText, NamedExpressions, make_error
from designer.values.schemas import ANY, Kind, Side, Type
from designer.values.schemas import Field as StructField
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.tasks.processor_context import ProcessorContext


class ShapesValue(Operator):
    """An operator whose result is a user-defined value."""

    value: ExpressionText | None = Field(None, description="Expression that gives the whole new value.")
    fields: NamedExpressions = Field((), description="The fields of the new value. Use them instead of Value.")
    keep: bool = Field(
        False, description="Keeps the fields of the arriving value. The fields named above replace them or are added."
    )

    may_leave_value: ClassVar[bool] = False
    """True: without `value`, `fields` and `keep` the value stays, or is what the operator itself makes of it."""

    @model_validator(mode="after")
    def _one_way_to_say_it(self) -> ShapesValue:
        if self.value is not None and self.fields:
            raise make_error(Issue(OperatorIssueCode.VALUE_BOTH), "value")
        if not self.may_leave_value and self.value is None and not self.fields and not self.keep:
            raise make_error(Issue(OperatorIssueCode.VALUE_NONE), "value")
        return self

    def find_new_value(self, scope: Scope, side: Side) -> Side:
        """The side of the new value. `side` is the input's side: its format stays while it fits the new type."""
        shape = check(self.value, scope).type if self.value is not None else self._make_struct(scope, side.type)
        return choose_side(shape, side)

    def _make_struct(self, scope: Scope, type_: Type) -> Type:
        if self.keep and type_.kind is Kind.ANY:
            return ANY
        types = {field.name: field.type for field in type_.fields} if self.keep else {}
        types |= {field.name: check(field.expression, scope).type for field in self.fields}
        return Type(Kind.STRUCT, fields=tuple(StructField(name, field_type) for name, field_type in types.items()))

    def trace_value(self, tracing: Tracing, kept: Origins, records: Columns | None = None, **roles: Origins) -> Origins:
        """The origins of the new value. `kept` are those of the value whose fields may be kept."""
        if self.value is not None:
            return tracing.expression("value", self.value, records, **roles)
        members = {
            field.name: tracing.expression(f"fields.{index}.expression", field.expression, records, **roles)
            for index, field in enumerate(self.fields)
        }
        return kept.with_members(members) if self.keep else Origins({}, members)

    def shape(self, context: ProcessorContext, side: str, *parameters: str) -> Callable[..., Any]:
        """The function that makes the new value from those roles. `side` is the role whose fields are kept."""
        whole = context.compile_optional("value", *parameters)
        if whole is not None:
            return whole
        at = parameters.index(side)
        if not self.fields:
            return lambda *record: record[at]
        paths = {field.name: f"fields.{index}.expression" for index, field in enumerate(self.fields)}
        one_by_one = self._compute_one_by_one(context, paths, side, parameters)
        return context.struct(paths, parameters, side if self.keep else None, one_by_one)

    def _compute_one_by_one(
        self, context: ProcessorContext, paths: Mapping[str, str], side: str, parameters: Sequence[str]
    ) -> Callable[..., Any]:
        """The function that `shape` returns, expression by expression, so an error names its field."""
        fields = {name: context.expression(path, *parameters) for name, path in paths.items()}
        at, node = parameters.index(side), context.node

        def shape(*record: Any) -> Any:
            old_value = record[at] if self.keep else None
            if old_value is not None and type(old_value) is not dict:
                raise RecordError(node, "keep", f"The {side} has no fields to keep; it is {old_value!r:.40}.")
            return (old_value or {}) | {name: compute(*record) for name, compute in fields.items()}

        return shape

    def refuse_nothing_to_keep(self, type_: Type) -> Iterator[Issue]:
        """The issue of keeping the fields of a value without fields."""
        if self.value is None and self.keep and self.fields and type_.kind not in (Kind.STRUCT, Kind.ANY):
            yield Issue(OperatorIssueCode.KEEP_NO_FIELDS, {"type": type_.kind}, field="keep")
