from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic import Field

from designer.catalogue import Flows, register
from designer.expressions.errors import RecordError
from designer.formats import FormatName, fits
from designer.issues import Issue
from designer.ports import Input, KStream
from designer.schemas import INTEGER, Schema, Side, Type, struct
from designer.topics import WritesTopic, misfit
from runner.engine.codecs import TIMESTAMP
from runner.engine.context import Context
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.records import Emit
from runner.formats import EncodeError, Encoder, format_named


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

    def processor(self, place: Place) -> Writer:
        arriving = place.inputs.only.schema
        written = self.written(arriving)
        encode_key = format_named(written.key.format).encoder(written.key.type)
        if arriving.window is not None:
            encode_key = _WINDOWED[self.windowed_key](encode_key)
        encode_value = format_named(written.value.format).encoder(written.value.type)
        return Writer(place, encode_key, encode_value)


def _windowed(key: Type) -> Type:
    return struct(key=key, start=INTEGER, end=INTEGER)


def _as_json(encode: Encoder) -> Encoder:
    return lambda key: encode({"key": key.key, "start": key.start, "end": key.end})


def _as_kafka_does(encode: Encoder) -> Encoder:
    return lambda key: encode(key.key) + TIMESTAMP.pack(key.start)


def _only_the_key(encode: Encoder) -> Encoder:
    return lambda key: encode(key.key)


_WINDOWED: dict[str, Callable[[Encoder], Encoder]] = {
    "json": _as_json,
    "kafka": _as_kafka_does,
    "key": _only_the_key,
}


class Writer(Processor):
    """Encodes records and sends them to their topic, with the headers of the record they come from."""

    emit: Emit
    context: Context

    def __init__(self, place: Place, encode_key: Encoder, encode_value: Encoder) -> None:
        self.node = place.node
        self.target = place.layout.sink_of[place.node]
        self.emit = place.emit
        self.context = place.context
        self.encode_key = encode_key
        self.encode_value = encode_value

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        try:
            key_bytes = None if key is None else self.encode_key(key)
            value_bytes = None if value is None else self.encode_value(value)
        except EncodeError as error:
            raise RecordError(self.node, "", f"The record cannot be written. {error}") from error
        self.emit(self.target, key_bytes, value_bytes, timestamp, self.context.row[4])
