from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from designer.catalogue import Flows, register
from designer.formats import FormatName, fits
from designer.issues import Issue
from designer.ports import Input, KStream
from designer.schemas import INTEGER, Schema, Side, Type, struct
from designer.topics import WritesTopic, misfit


@register
class To(WritesTopic):
    """Write the records of a KStream to a topic, with their keys, values, times and headers.

    A KTable goes through to_stream first, as in Kafka Streams.
    """

    icon = "log-out"
    stream = Input(KStream)

    key_format: FormatName | None = Field(None, description="How keys are written in bytes. Empty: as they arrive.")
    value_format: FormatName | None = Field(None, description="How values are written in bytes. Empty: as they arrive.")
    windowed_key: Literal["json", "kafka", "key"] = Field(
        "json",
        description='A windowed key as JSON with "key", "start" and "end" (ms), in Kafka\'s own bytes '
        "(TimeWindowedSerializer: the key, then 8 bytes of start), or only the key.",
    )
    create_if_missing: bool = Field(True, description="Create the topic when the job is deployed.")
    partitions: int | None = Field(
        None, ge=1, le=10_000, description="Partitions of a topic that is created. Empty: as many as the tasks."
    )

    def written(self, arriving: Schema) -> Schema:
        """What stands in the topic. Its `window` stays only with `windowed_key` kafka; `key` is then the inner key."""
        value = Side(self.value_format or arriving.value.format, arriving.value.type)
        key = Side(self.key_format or arriving.key.format, arriving.key.type)
        if arriving.window is None or self.windowed_key == "key":
            return Schema(key, value)
        if self.windowed_key == "json":
            return Schema(Side("json", _windowed(arriving.key.type)), value)
        return Schema(key, value, arriving.window)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        written = self.written(inputs.only.schema)
        for name, side in (("key", written.key), ("value", written.value)):
            if not fits(side):
                yield misfit(f"{name}_format", side)


def _windowed(key: Type) -> Type:
    return struct(key=key, start=INTEGER, end=INTEGER)
