"""The time of a topic's record, according to the source's form (Consumed.withTimestampExtractor)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from designer.issues import Issue
from designer.messages import IssueCode
from designer.streams.topics import ReadsTopic
from designer.topology.catalogue import Flows, Scope, make_record_scope
from designer.topology.forms import Duration, ExpressionText, find_unread
from designer.values.schemas import ANY, Schema, Side

TimestampUnit = Literal["ms", "s", "iso"]


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
