"""Values of a store whose schema changes.

A store keeps values, not the bytes of a schema. Kafka Streams keeps the bytes that the old schema wrote, and its serde
reads them with the new one. So a value that becomes one of the new schema is written by the old one and read by the
new one, by the rules of the format: Avro's resolution, Protobuf's field numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from designer.issues import SchemaNotRead
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, Side
from runner.engine.formats.framed import CODECS
from runner.engine.records.codecs import TIMESTAMP, pack, unpack

Convert = Callable[[bytes], bytes]
"""A row's bytes in the old store to those in the new one. Raises EncodeError and DecodeError."""
CONVERTED = frozenset({"key_value", "window", "session"})
"""Stores whose rows are a timestamp and one value."""


@lru_cache(maxsize=256)
def can_keep_values(kind: str, before: Side, after: Side) -> bool:
    """Whether every value of a store fits another side, as it is or converted (`make_conversion`).

    Another text of the same type, such as one with other docs, always fits. JSON Schema is not converted: nobody can
    say that all values that one schema accepts are valid by the next.
    """
    if before == after:
        return True
    one, other = before.schema, after.schema
    if before.format != after.format or one is None or other is None or one.message != other.message:
        return False
    if before.format == "json_schema":
        return before.type == after.type
    schema_format = SCHEMA_FORMATS[before.format]
    try:
        if schema_format.find_mismatch(one.text, other.text, one.message, all_fit=True) is not None:
            return False
        if before.type == after.type:
            return True
        is_whole = all(
            schema_format.read_type(schema.text, schema.message) == side.type
            for schema, side in ((one, before), (other, after))
        )
    except SchemaNotRead:
        return False
    return kind in CONVERTED and is_whole


def make_conversion(before: Side, after: Side) -> Convert | None:
    """Turns rows of a store into those of the other side, if `can_keep_values` says so. None: they stay as they are."""
    if before.type == after.type:
        return None
    assert before.schema is not None
    assert after.schema is not None
    codec = CODECS[before.format]
    encode = codec.make_body_encoder(_leave_frame(before.schema))
    decode = codec.make_body_decoder(_leave_frame(after.schema), before.schema.text, 0)

    def convert(row: bytes) -> bytes:
        at = TIMESTAMP.size
        if len(row) < at:  # the times of a key's windows, which the store keeps beside the values
            return row
        return row[:at] + pack(decode(encode(unpack(row[at:]))))

    return convert


def _leave_frame(schema: FormatSchema) -> FormatSchema:
    return FormatSchema(schema.text, message=schema.message)
