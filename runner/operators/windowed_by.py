from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field, model_validator

from designer.catalogue import Flows, Operator, register
from designer.forms import Duration, WindowSize, missing, unread, wrong
from designer.issues import Issue
from designer.ports import (
    CogroupedKStream,
    Input,
    KGroupedStream,
    Output,
    PortType,
    SessionWindowedCogroupedKStream,
    SessionWindowedKStream,
    TimeWindowedCogroupedKStream,
    TimeWindowedKStream,
    case,
)
from designer.schemas import Schema, WindowKind, WindowSpec


def shown(*types: WindowKind) -> dict[str, Any]:
    """Only windows of those types have the field."""
    return {"shown": {"type": list(types)}}


@register
class WindowedBy(Operator):
    """Cut each group into windows of record time (KGroupedStream.windowedBy).

    - Tumbling windows have one size and follow each other without gap: [start, start + size), aligned to the epoch.
    - Hopping windows have one size and one starts every `advance_ms`, so they overlap.
    - Sliding windows hold records at most `difference_ms` apart: [start, start + difference], both ends included.
    - A session holds records at most `gap_ms` apart and ends when no more come. As in Kafka Streams it has no greatest
      length: while records keep coming it goes on.
    - An unlimited window starts at `start_ms` and never ends.

    A record that comes more than `grace_ms` of stream time after the end of its window is dropped. Stream time is the
    latest time of the records a task has seen so far: there are no watermarks, and no clock moves it.
    """

    icon = "clock"
    family = "group and window"
    grouped = Input(KGroupedStream, CogroupedKStream)
    result = Output(
        case(SessionWindowedKStream, grouped=KGroupedStream, type="session"),
        case(TimeWindowedKStream, grouped=KGroupedStream),
        case(SessionWindowedCogroupedKStream, grouped=CogroupedKStream, type="session"),
        case(TimeWindowedCogroupedKStream, grouped=CogroupedKStream),
    )

    type: WindowKind = Field("tumbling", description="The kind of window.")
    size_ms: WindowSize | None = Field(
        None, description="Length of a window, in milliseconds.", json_schema_extra=shown("tumbling", "hopping")
    )
    advance_ms: WindowSize | None = Field(
        None,
        description="How long after one window the next starts, in milliseconds: at most their size.",
        json_schema_extra=shown("hopping"),
    )
    difference_ms: Duration | None = Field(
        None,
        description="How far apart records of a window may lie, in milliseconds.",
        json_schema_extra=shown("sliding"),
    )
    gap_ms: Duration | None = Field(
        None,
        description="How far apart neighbours in a session may lie, in milliseconds.",
        json_schema_extra=shown("session"),
    )
    start_ms: Duration = Field(
        0,
        description="Start of the window, in milliseconds since 1970 (UTC). Earlier records have no window.",
        json_schema_extra=shown("unlimited"),
    )
    grace_ms: Duration = Field(
        0,
        description="How long a window still takes late records, in milliseconds.",
        json_schema_extra=shown("tumbling", "hopping", "sliding", "session"),
    )
    emit: Literal["on_update", "on_close"] = Field(
        "on_update",
        description="Forward each update of a window, or each window once, when stream time has passed its end and "
        "the grace period.",
        json_schema_extra=shown("tumbling", "hopping", "sliding", "session"),
    )
    retention_ms: Duration | None = Field(
        None,
        description="How long windows are kept behind the latest, in milliseconds. Empty: until they close.",
        json_schema_extra=shown("tumbling", "hopping", "sliding", "session"),
    )
    store_type: Literal["persistent", "in_memory"] = Field(
        "persistent",
        description="Windows past retention are gone at once as in Kafka Streams' stores in memory, or may still take "
        "updates until their segment goes, as in its persistent ones. Either is restored after a crash.",
        json_schema_extra=shown("tumbling", "hopping", "sliding", "session"),
    )

    @model_validator(mode="after")
    def _lengths_given(self) -> WindowedBy:
        needs = {"tumbling": ("size_ms",), "hopping": ("size_ms", "advance_ms")}
        needs |= {"sliding": ("difference_ms",), "session": ("gap_ms",)}
        for name in needs.get(self.type, ()):
            if getattr(self, name) is None:
                raise missing(self, name, f"{self.type} windows need")
        return self

    @model_validator(mode="after")
    def _windows_without_gap(self) -> WindowedBy:
        if self.type == "hopping" and (self.advance_ms or 0) > (self.size_ms or 0):
            text = f"Windows of {self.size_ms} ms that start every {self.advance_ms} ms leave gaps; expected none."
            raise wrong("window.advance", text, f"Advance by at most {self.size_ms} ms.", "advance_ms")
        return self

    @model_validator(mode="after")
    def _kept_until_closed(self) -> WindowedBy:
        least = self._spec.least_retention_ms
        if self.type != "unlimited" and self.retention_ms is not None and self.retention_ms < least:
            text = f"Windows are kept {self.retention_ms} ms, and records may change them for {least} ms."
            raise wrong("window.retention", text, f"Keep them for at least {least} ms.", "retention_ms")
        return self

    @model_validator(mode="after")
    def _closes(self) -> WindowedBy:
        if self.type == "unlimited" and self.emit == "on_close":
            text = "An unlimited window never closes, so nothing would be emitted on close."
            raise wrong("window.emit", text, "Emit on update.", "emit")
        return self

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, window=self._spec)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from unread(self, "window.unused")
        if self.emit == "on_close" and inputs.only.type is PortType.COGROUPED_KSTREAM:
            yield Issue(
                code="window.emit",
                message="Cogrouped windows cannot be emitted on close: Kafka Streams has no emitStrategy for them.",
                hint="Emit on update, and put suppress until window_close behind the aggregate.",
                field="emit",
            )

    def processor(self, place: Any) -> None:
        """The aggregation behind it puts records into windows: they pass as they are."""

    @property
    def _spec(self) -> WindowSpec:
        if self.type == "unlimited":
            return WindowSpec(self.type, start_ms=self.start_ms)
        size = {"sliding": self.difference_ms, "session": self.gap_ms}.get(self.type, self.size_ms) or 0
        advance = (self.advance_ms or 0) if self.type == "hopping" else 0
        return WindowSpec(
            self.type,
            size,
            self.grace_ms,
            advance_ms=advance,
            emit=self.emit,
            retention_ms=self.retention_ms,
            store_type=self.store_type,
        )
