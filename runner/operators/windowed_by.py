from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from designer.catalogue import Flows, Operator, register
from designer.forms import Duration, WindowSize
from designer.ports import Input, KGroupedStream, Output, TimeWindowedKStream
from designer.schemas import Schema, WindowSpec


@register
class WindowedBy(Operator):
    """Cut each group into windows of record time.

    Tumbling windows (`TimeWindows.ofSizeAndGrace`) have one size, follow each other without gap and are aligned to
    the epoch: [start, start + size). A record that comes more than `grace_ms` of stream time after the end of its
    window is dropped.
    """

    icon = "clock"
    family = "group and window"
    grouped = Input(KGroupedStream)
    result = Output(TimeWindowedKStream)

    type: Literal["tumbling"] = Field("tumbling", description="The kind of window.")
    size_ms: WindowSize = Field(description="Length of a window, in milliseconds.")
    grace_ms: Duration = Field(0, description="How long a window still takes late records, in milliseconds.")

    def output_schema(self, inputs: Flows) -> Schema:
        return replace(inputs.only.schema, window=WindowSpec(self.type, self.size_ms, self.grace_ms))

    def processor(self, place: Any) -> None:
        """The aggregation behind it puts records into windows: they pass as they are."""
