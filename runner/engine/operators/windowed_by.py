from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from pydantic import Field, model_validator
from pydantic.config import JsonDict

from designer.issues import Issue
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Operator, WindowProbe, Words, register
from designer.topology.forms import Duration, WindowSize, find_unread, make_error, make_missing_error
from designer.topology.ports import (
    CogroupedKStream,
    Input,
    KGroupedStream,
    Output,
    PortType,
    SessionWindowedCogroupedKStream,
    SessionWindowedKStream,
    TimeWindowedCogroupedKStream,
    TimeWindowedKStream,
    make_case,
)
from designer.topology.zones import ZoneName
from designer.values.schemas import Calendar, CalendarUnit, Schema, Weekday, WindowKind, WindowSpec
from runner.engine.issue_codes import OperatorIssueCode

HOUR_MS = 3_600_000
MAX_MS = {"day": 24 * HOUR_MS, "week": 7 * 24 * HOUR_MS, "month": 31 * 24 * HOUR_MS, "year": 366 * 24 * HOUR_MS}
MAX_WINDOWS = 100_000
"""Maximum number of hopping windows that one record is in."""
MAX_SET_BACK_MS = 7 * HOUR_MS
"""Most time that a zone's clocks were set back since 1970, which lengthens a window (Antarctica/Vostok, 1994)."""


TIMES = {"functions": [{"name": "times", "function": "collect", "expression": "timestamp"}]}
CLOSING: tuple[WindowKind, ...] = ("tumbling", "hopping", "sliding", "session", "calendar")


def show_only_with(*types: WindowKind) -> JsonDict:
    """Marks a field that only windows of those types have."""
    return {"shown": {"type": [*types]}}


@register
class WindowedBy(Operator):
    """Divide each group into windows of record time (KGroupedStream.windowedBy).

    - Tumbling windows have one size and follow each other without gap: [start, start + size), aligned to the epoch.
    - Hopping windows have one size, and one starts every `advance_ms`, so they overlap.
    - Sliding windows hold records at most `difference_ms` apart: [start, start + difference], both ends included.
    - A session holds records at most `gap_ms` apart and ends when no more come. As in Kafka Streams its length has no
      limit: it continues while records arrive.
    - An unlimited window starts at `start_ms` and never ends.
    - Calendar windows are days, weeks, months or years of a time zone. They follow each other without gap and differ in
      length: in Europe/Copenhagen a day has 23 or 25 hours when clocks change. In Kafka Streams you write a `Windows`
      class for them, such as DailyTimeWindows in its examples. With `count` above 1, several units form one window:
      three months are a quarter, counted from January 1970.

    A record that arrives more than `grace_ms` of stream time after the end of its window is dropped. Stream time is the
    latest time of the records a task has seen. There are no watermarks, and no clock moves stream time unless you set
    `idle_ms`.
    """

    icon = "clock"
    follows = 12
    step_prefixes = ("windowed",)
    kafka_names = ("TimeWindows", "SessionWindows", "SlidingWindows", "UnlimitedWindows")
    family = "group and window"
    summary = (
        Words("{count} {unit}, {zone}", {"type": "calendar", "count": 1}),
        Words("{count} {unit}s, {zone}", {"type": "calendar"}),
        Words("{size_ms} every {advance_ms}", {"type": "hopping"}),
        Words("within {difference_ms}", {"type": "sliding"}),
        Words("gap {gap_ms}", {"type": "session"}),
        "size_ms",
    )
    passes_unchanged = True
    beneath = "windows"
    window_probe = WindowProbe("aggregate", TIMES, port="grouped", without=("emit", "idle_ms"))
    more = ("week_start", "start_hour", "idle_ms", "retention_ms", "store_type")
    grouped = Input(KGroupedStream, CogroupedKStream)
    result = Output(
        make_case(SessionWindowedKStream, grouped=KGroupedStream, type="session"),
        make_case(TimeWindowedKStream, grouped=KGroupedStream),
        make_case(SessionWindowedCogroupedKStream, grouped=CogroupedKStream, type="session"),
        make_case(TimeWindowedCogroupedKStream, grouped=CogroupedKStream),
    )

    type: WindowKind = Field(
        "tumbling", description="Whether windows follow each other, overlap, follow the records or the calendar."
    )
    size_ms: WindowSize | None = Field(
        None,
        description="How long each window lasts, from its start.",
        json_schema_extra=show_only_with("tumbling", "hopping"),
    )
    advance_ms: WindowSize | None = Field(
        None,
        description="Time between the starts of two windows. At most the window size.",
        json_schema_extra=show_only_with("hopping"),
    )
    difference_ms: Duration | None = Field(
        None,
        description="Longest time between records of one window.",
        json_schema_extra=show_only_with("sliding"),
    )
    gap_ms: Duration | None = Field(
        None,
        description="Longest gap between consecutive records of a session.",
        json_schema_extra=show_only_with("session"),
    )
    start_ms: Duration = Field(
        0,
        description="Start of the window, in milliseconds since 1970 (UTC). Earlier records have no window.",
        json_schema_extra=show_only_with("unlimited"),
    )
    unit: CalendarUnit = Field(
        "day",
        description="A window lasts one of these, or as many as Count says.",
        json_schema_extra=show_only_with("calendar"),
    )
    count: int = Field(
        1, ge=1, le=1_000, description="Number of units in one window.", json_schema_extra=show_only_with("calendar")
    )
    zone: ZoneName = Field(
        "UTC", description="Time zone, as the IANA database names it.", json_schema_extra=show_only_with("calendar")
    )
    week_start: Weekday = Field(
        "monday",
        description="Weekday on which windows of weeks begin.",
        json_schema_extra={"shown": {"type": ["calendar"], "unit": ["week"]}},
    )
    start_hour: int = Field(
        0,
        ge=0,
        le=23,
        description="Local hour at which a window starts, on its first day.",
        json_schema_extra=show_only_with("calendar"),
    )
    grace_ms: Duration = Field(
        0,
        description="How long after its end a window accepts late records.",
        json_schema_extra=show_only_with(*CLOSING),
    )
    emit: Literal["on_update", "on_close"] = Field(
        "on_update",
        description="Forward each update of a window, or each window once, after stream time passes its end and the "
        "grace period.",
        json_schema_extra=show_only_with(*CLOSING),
    )
    idle_ms: WindowSize | None = Field(
        None,
        title="Idle time",
        description=(
            "After this wall-clock time without records, a task advances its stream time to now minus this "
            "time. Windows then close, and records that arrive later are dropped as late."
        ),
        json_schema_extra={
            "shown": {"type": list(CLOSING), "emit": ["on_close"]},
            "empty_means": "only records close windows, as in Kafka Streams",
        },
    )
    retention_ms: Duration | None = Field(
        None,
        description="How long windows are kept after stream time passes them.",
        json_schema_extra={**show_only_with(*CLOSING), "empty_means": "until they close"},
    )
    # Kafka Streams' in-memory stores answer differently in this rule only. Our rows are in memory-mapped files in
    # either case.
    store_type: Literal["persistent", "in_memory"] = Field(
        "persistent",
        description="in_memory removes windows past retention at once. persistent still updates them until their "
        "segment is removed, as in Kafka Streams. Both are restored after a crash.",
        json_schema_extra=show_only_with(*CLOSING),
    )

    @model_validator(mode="after")
    def _lengths_given(self) -> WindowedBy:
        needs = {"tumbling": ("size_ms",), "hopping": ("size_ms", "advance_ms")}
        needs |= {"sliding": ("difference_ms",), "session": ("gap_ms",)}
        for name in needs.get(self.type, ()):
            if getattr(self, name) is None:  # fields of the form, by their names
                raise make_missing_error(self, name, f"{self.type} windows need")
        return self

    @model_validator(mode="after")
    def _windows_without_gap(self) -> WindowedBy:
        if self.type == "hopping" and (self.advance_ms or 0) > (self.size_ms or 0):
            raise make_error(
                Issue(OperatorIssueCode.WINDOW_ADVANCE, {"size": self.size_ms, "advance": self.advance_ms}),
                "advance_ms",
            )
        return self

    @model_validator(mode="after")
    def _few_windows(self) -> WindowedBy:
        if self.type == "hopping" and self.size_ms and self.advance_ms:
            count = -(-self.size_ms // self.advance_ms)
            if count > MAX_WINDOWS:
                raise make_error(
                    Issue(OperatorIssueCode.WINDOW_COUNT, {"count": count, "most": MAX_WINDOWS}), "advance_ms"
                )
        return self

    @model_validator(mode="after")
    def _kept_until_closed(self) -> WindowedBy:
        least = self._spec.least_retention_ms
        if self.type != "unlimited" and self.retention_ms is not None and self.retention_ms < least:
            raise make_error(
                Issue(OperatorIssueCode.WINDOW_RETENTION, {"retention": self.retention_ms, "least": least}),
                "retention_ms",
            )
        return self

    @model_validator(mode="after")
    def _closes(self) -> WindowedBy:
        if self.type == "unlimited" and self.emit == "on_close":
            raise make_error(Issue(OperatorIssueCode.WINDOW_UNLIMITED), "emit")
        return self

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, window=self._spec)

    def trace(self, tracing: Tracing) -> Columns:
        return tracing.only.influenced("window", tracing.only.timestamp)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from find_unread(self)
        if self.emit == "on_close" and inputs.only.type is PortType.COGROUPED_KSTREAM:
            yield Issue(OperatorIssueCode.WINDOW_EMIT, field="emit")

    @property
    def _spec(self) -> WindowSpec:
        if self.type == "unlimited":
            return WindowSpec(self.type, start_ms=self.start_ms)
        calendar = self.calendar if self.type == "calendar" else None
        sizes = {"sliding": self.difference_ms, "session": self.gap_ms, "calendar": self.longest_ms}
        size = sizes.get(self.type, self.size_ms) or 0
        advance = (self.advance_ms or 0) if self.type == "hopping" else 0
        return WindowSpec(
            self.type,
            size,
            self.grace_ms,
            advance_ms=advance,
            calendar=calendar,
            emit=self.emit,
            idle_ms=self.idle_ms if self.emit == "on_close" else None,
            retention_ms=self.retention_ms,
            store_type=self.store_type,
        )

    @property
    def calendar(self) -> Calendar:
        week_start = self.week_start if self.unit == "week" else "monday"
        return Calendar(self.unit, self.count, self.zone, week_start, self.start_hour)

    @property
    def longest_ms(self) -> int:
        """Upper limit for the length of a calendar window."""
        return self.count * MAX_MS[self.unit] + (0 if self.zone == "UTC" else MAX_SET_BACK_MS)
