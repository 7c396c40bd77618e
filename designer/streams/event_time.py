"""The time of a topic's record, according to the source's form (Consumed.withTimestampExtractor)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Literal

from pydantic import Field

from designer.expressions import CheckedExpression, ExpressionError, check
from designer.expressions import tree as t
from designer.issues import Fix, Issue
from designer.messages import FixCode, IssueCode
from designer.streams.topics import ReadsTopic
from designer.topology.catalogue import Flows, Scope, make_record_scope
from designer.topology.forms import Duration, ExpressionText, find_unread
from designer.values.logical import MS, get_unit
from designer.values.schemas import ANY, Schema, Side

TimestampUnit = Literal["ms", "s", "iso"]
TIMES_OF_TOPIC: Mapping[TimestampUnit, str] = {
    "ms": "timestamp",
    "s": "timestamp / 1000",
    "iso": "date_format(timestamp, 'yyyy-MM-dd HH:mm:ss.SSS')",
}
"""The record's timestamp in the topic, in each unit."""


class ReadsTimes(ReadsTopic):
    """A source that may take its records' time from elsewhere than the topic."""

    timestamp_from: Literal["record", "field", "wall_clock"] = Field(
        "record",
        description="The time of a record: its timestamp in the topic, a field (`timestamp_field`), or the time of "
        "processing.",
    )
    timestamp_field: ExpressionText | None = Field(
        None,
        description="Expression that gives the time. Use key, value, headers and the record's timestamp.",
        json_schema_extra={"shown": {"timestamp_from": ["field"]}},
    )
    timestamp_unit: TimestampUnit = Field(
        "ms",
        description="Milliseconds or seconds since 1970, or ISO 8601 text (UTC without a zone). A field of an Avro "
        "type such as timestamp-micros or date is read in its own unit.",
        json_schema_extra={"shown": {"timestamp_from": ["field"]}},
    )

    max_ahead_ms: Duration | None = Field(
        None,
        description=(
            "How far the time of a record may be ahead of the wall clock. A record further ahead is handled "
            "like one that cannot be decoded, and does not move stream time."
        ),
        json_schema_extra={"shown": {"timestamp_from": ["record", "field"]}, "empty_means": "no limit"},
    )

    def scope(self, field: str, inputs: Flows) -> Scope:
        """Undeclared sides may be anything: a sample of them can be wrong for the next record."""
        schema = ReadsTopic.read(self, Schema(Side("json", ANY), Side("json", ANY)))
        return make_record_scope(schema)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().issues(inputs)
        if self.timestamp_from == "field" and self.timestamp_field is None:
            yield Issue(IssueCode.TIMESTAMP_FIELD_MISSING, field="timestamp_field")
        yield from find_unread(self, "timestamp_field", "max_ahead_ms")

    def hints(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().hints(inputs)
        if not self.has_topic_of_rows or self.timestamp_from != "field" or self.timestamp_field is None:
            return
        try:
            expression = self.check_time(self.timestamp_field)
        except ExpressionError:
            return
        cure = self.write_cure(expression)
        if cure is not None and _is_field_of_value(expression.tree):
            yield Issue(
                IssueCode.TIMESTAMP_FIELD_OF_DELETIONS,
                {"field": self.timestamp_field, "cure": cure},
                field="timestamp_field",
                fix=Fix(FixCode.USE, cure, "`coalesce`"),
            )

    def check_time(self, text: str) -> CheckedExpression:
        """Check the text of a `timestamp_field`. Raises ExpressionError."""
        return check(text, self.scope("timestamp_field", Flows()))

    def write_cure(self, expression: CheckedExpression) -> str | None:
        """A `timestamp_field` like `expression`, by which records without a value take their time from the topic.

        None if there is none: a type has another unit than the form, or is a text.
        """
        field, unit = self.timestamp_field, get_unit(expression.type)
        if unit is not None and self.timestamp_unit != "ms":
            return None
        if unit is not None and unit != MS:  # beside `timestamp`, a type loses its unit
            field = f"{field} * {unit.ns // MS.ns}" if unit.ns > MS.ns else f"{field} DIV {MS.ns // unit.ns}"
        cure = f"coalesce({field}, {TIMES_OF_TOPIC[self.timestamp_unit]})"
        with suppress(ExpressionError):
            self.check_time(cure)
            return cure
        return None


def _is_field_of_value(tree: t.Tree) -> bool:
    while isinstance(tree, t.Member):
        tree = tree.of
    return isinstance(tree, t.ScopeRole) and tree.name == "value"
