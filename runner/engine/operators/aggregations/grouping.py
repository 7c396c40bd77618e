"""Shared by count, reduce and aggregate: the ports, the store, and names for expressions over aggregates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field
from pydantic.config import JsonDict

from designer.expressions import ExpressionError, check
from designer.expressions.types import name_in_sql, with_article
from designer.issues import Issue
from designer.streams.formats import choose_side
from designer.streams.lineage import Columns, Origins, Tracing
from designer.topology.catalogue import Flow, Flows, Operator, Scope, Words, make_record_scope
from designer.topology.forms import TableStoreName, WindowSize
from designer.topology.ports import (
    CogroupedKStream,
    Input,
    KGroupedStream,
    KGroupedTable,
    KTable,
    Output,
    PortType,
    SessionWindowedCogroupedKStream,
    SessionWindowedKStream,
    TimeWindowedKStream,
)
from designer.values.decimals import MAX_PRECISION
from designer.values.schemas import (
    ANY,
    BOOLEAN,
    DOUBLE,
    INTEGER,
    STRING,
    Kind,
    Side,
    Type,
    decimal,
    map_of,
    without_names,
)
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.planning.tables import NodeTables
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.engine.tasks.idling import keep_idle_time

GROUPED_TYPES = (KGroupedStream, KGroupedTable, TimeWindowedKStream, SessionWindowedKStream)
UNWINDOWED_TYPES = (KGroupedStream, CogroupedKStream)
SESSIONS = (SessionWindowedKStream, SessionWindowedCogroupedKStream)


def show_for(*arriving: PortType | None) -> JsonDict:
    """Marks a field that matters only if one of those types arrives at `grouped`. None: also if nothing arrives yet."""
    return {"shown": {"grouped": [each and str(each) for each in arriving]}}


class AggregatesGroups(Operator):
    """An aggregation: one row for each key, or for each key and window."""

    family = "aggregate"
    summary: ClassVar[tuple[str | Words, ...]] = ("store",)
    remembers = True
    grouped = Input(*GROUPED_TYPES)
    result = Output(KTable)

    store: TableStoreName = None
    ttl_ms: WindowSize | None = Field(
        None,
        title="Time to live",
        description=(
            "How long a row lives without an update, in record time. Then it is deleted, and the next record "
            "of its key starts a new row."
        ),
        json_schema_extra={**show_for(*UNWINDOWED_TYPES), "empty_means": "the row stays"},
    )

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        if self.ttl_ms is not None and inputs.only.type not in UNWINDOWED_TYPES:
            yield Issue(OperatorIssueCode.AGGREGATE_TTL, {"type": inputs.only.type}, field="ttl_ms")

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        if self.ttl_ms is None and inputs.only.type in UNWINDOWED_TYPES:
            yield Issue(OperatorIssueCode.STATE_GROWS, {"store": None}, field="ttl_ms")

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"grouped"})

    def trace(self, tracing: Tracing) -> Columns:
        grouped = tracing.only.influenced("group_by", tracing.only.key)
        return replace(grouped, value=self.trace_aggregate(tracing))

    def trace_aggregate(self, tracing: Tracing) -> Origins:
        """The origins of the aggregate. That of a count is no column."""
        return Origins()

    def plan_tables(self, plan: NodeTables) -> None:
        plan.aggregate(ttl_ms=self.ttl_ms)
        arriving = plan.inputs.only
        window = arriving.schema.window
        if arriving.type in WINDOWED_STREAMS and window is not None and window.idle_ms is not None:
            keep_idle_time(plan)


def make_group_scope(flow: Flow) -> Scope:
    """Names for expressions over one record of a group.

    Windows do not exist yet. A row of a grouped table is taken back later and must then give the same. So it has
    neither the time nor the headers of its update.
    """
    grouped_already = flow.type in (KGroupedStream, KGroupedTable)
    scope = make_record_scope(flow.schema if grouped_already else replace(flow.schema, window=None))
    return keep_lasting(scope) if flow.type is KGroupedTable else scope


def keep_lasting(scope: Scope) -> Scope:
    """The scope without names that belong to one update of a row and not to the row."""
    return scope._replace(names={name: of for name, of in scope.names.items() if name not in ("timestamp", "headers")})


def with_aggregate(scope: Scope, type_: Type) -> Scope:
    return scope._replace(names={**scope.names, "agg": type_})


def make_merge_scope(flow: Flow, type_: Type) -> Scope:
    """Names for the merger of two sessions."""
    return Scope({"key": flow.schema.key.type, "agg": type_, "other": type_})


def keep_filled(*texts: Any) -> list[str]:
    """The expressions that are filled in. A form that is not valid yet may hold anything."""
    return [text for text in texts if isinstance(text, str)]


def find_type(text: str | None, scope: Scope) -> Type:
    """The type of an expression. ANY if it is empty or wrong, which other checks report."""
    try:
        return check(text, scope).type if isinstance(text, str) else ANY
    except ExpressionError:
        return ANY


NUMBERS = frozenset({Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL})

Over = Mapping[str, Callable[[Type], Scope]]
"""Expressions over aggregates, each with its names for aggregates of a type."""


def find_fixed_type(start: Type, expressions: Over) -> Type:
    """The type of aggregates that begin as `start`: that type, if every expression over them gives it again.

    Decimals may grow into all their digits before the point, as in `agg + amount`. If an expression gives another
    type, the result is ANY. A wrong expression changes nothing, so `start` judges it.
    """
    widest = decimal(MAX_PRECISION, start.scale)
    try:
        if _keep_to(start, expressions):
            return start
        return widest if start.kind is Kind.DECIMAL and _keep_to(widest, expressions) else ANY
    except ExpressionError:
        return start


def hint_unfixed(
    start: Type, fixed: Type, fields: Mapping[str, tuple[str | None, Scope]], *, has_init: bool
) -> Iterator[Issue]:
    """The first expression that gives another type than aggregates `start` with, if their `fixed` type is unknown.

    `fields` has the expressions by their fields, with their names for aggregates of the type `start`. What is not
    declared says nothing.
    """
    if fixed != ANY:
        return
    for field, (text, scope) in fields.items():
        if difference := _find_difference(start, find_type(text, scope)):
            path, before, after = difference
            wanted = after if has_init else before
            if has_init and before.kind is after.kind is Kind.DECIMAL:  # each sum has a digit more
                wanted = decimal(MAX_PRECISION, max(before.scale, after.scale))
            is_number = before.kind in NUMBERS and after.kind in NUMBERS
            yield Issue(
                OperatorIssueCode.AGGREGATE_UNFIXED,
                {
                    "what": "`init`" if has_init else "The first value",
                    "where": f" in `{path}`" if path else "",
                    "before": with_article(before),
                    "after": with_article(after),
                    "field": field,
                    "places": f"`init` and `{field}`" if has_init else f"`{field}`",
                    "type": name_in_sql(wanted) if is_number else None,
                },
                field=field,
            )
            return


def _find_difference(one: Type, other: Type, path: str = "") -> tuple[str, Type, Type] | None:
    """The first place of declared types that differ, with the type of each there."""
    if ANY in (one, other):
        return None
    if one.kind is other.kind is Kind.STRUCT and [each.name for each in one.fields] == [
        each.name for each in other.fields
    ]:
        pairs = zip(one.fields, other.fields, strict=True)
        found = (_find_difference(mine.type, its.type, f"{path}.{mine.name}".lstrip(".")) for mine, its in pairs)
        return next(filter(None, found), None)
    return None if without_names(one) == without_names(other) else (path, one, other)


def is_empty_map(text: str | None) -> bool:
    """True if an expression is `map()`. A form that is not valid yet may hold anything."""
    return isinstance(text, str) and "".join(text.lower().split()) == "map()"


def find_map_type(expressions: Over) -> Type:
    """The type of aggregates that begin as an empty map: the common type of everything put into it."""
    for value_type in (INTEGER, DOUBLE, BOOLEAN, STRING):
        with suppress(ExpressionError):
            if _keep_to(map_of(value_type), expressions):
                return map_of(value_type)
    return find_fixed_type(map_of(ANY), expressions)


def _keep_to(type_: Type, expressions: Over) -> bool:
    return all(
        without_names(check(text, scope(type_)).type) == without_names(type_) for text, scope in expressions.items()
    )


def aggregate_side(type_: Type, arriving: Side) -> Side:
    """The side of aggregates of that type: that of the values if it fits, or JSON if the type may be anything."""
    return (
        arriving
        if without_names(type_) == without_names(arriving.type)
        else choose_side(type_, None if type_ == ANY else arriving)
    )


def check_subtract(subtract: str | None, flow: Flow) -> Iterator[Issue]:
    """A grouped table needs a subtractor. Other inputs have no use for one."""
    if flow.type is KGroupedTable and subtract is None:
        yield Issue(OperatorIssueCode.SUBTRACT_MISSING, field="subtract")
    elif flow.type is not KGroupedTable and subtract is not None:
        yield Issue(OperatorIssueCode.SUBTRACT_UNNEEDED, {"type": flow.type}, field="subtract")


def check_merge(merge: str | None, flow: Flow) -> Iterator[Issue]:
    """Sessions need a merger. Other inputs have no use for one."""
    if flow.type in SESSIONS and merge is None:
        yield Issue(OperatorIssueCode.MERGE_MISSING, field="merge")
    elif flow.type not in SESSIONS and merge is not None:
        yield Issue(OperatorIssueCode.MERGE_UNNEEDED, {"type": flow.type}, field="merge")
