"""Values of a store whose schema or type changes.

A store keeps values, not bytes of their format. Kafka Streams keeps the bytes that the old version wrote, and its serde
reads them in the new one. So a value becomes one of the new version in the same way: it is written in the old form and
read in the new one, by the rules of the format. These are Avro's resolution, Protobuf's field numbers, and for JSON the
names of members.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from designer.avro.text import load
from designer.issues import SchemaNotRead
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import DOUBLE, INTEGER, FormatSchema, Kind, Side, Type
from runner.engine.formats import Decoder, EncodeError, Encoder, get_format
from runner.engine.formats.framed import CODECS
from runner.engine.formats.json import holds
from runner.engine.records.codecs import TIMESTAMP, pack, unpack

Convert = Callable[[Any], Any]
"""A value of the old store to one of the new."""
CONVERTED = frozenset({"key_value", "versioned", "window", "session"})
"""Stores whose rows are a timestamp and one value."""
JSON = ("json", "json_schema")
NOT_IN_BYTES = frozenset({"doc", "aliases", "default", "order"})
"""Members of an Avro schema that decide no byte of a value."""


def can_keep_keys(before: Side, after: Side) -> bool:
    """Return whether a key has the same bytes under both sides, so that its rows are still found.

    The bytes of Avro do not depend on docs and defaults, nor on the schemas of other writers. The bytes of JSON Schema
    are plain JSON, which does not depend on the schema at all.
    """
    if before == after:
        return True
    if (before.format, before.type) != (after.format, after.type):
        return False
    one, other = before.schema, after.schema
    if before.format in JSON or one is None or other is None:
        return before.format in JSON
    if (one.header, one.id, one.message) != (other.header, other.id, other.message):
        return False
    return one.text == other.text or (before.format == "avro" and _read_bare(one.text) == _read_bare(other.text))


def _read_bare(schema: str) -> Any:
    """Return an Avro schema without the members on which no byte of a value depends."""

    def strip(part: Any) -> Any:
        if isinstance(part, list):
            return [strip(each) for each in part]
        if isinstance(part, dict):
            return {name: strip(value) for name, value in part.items() if name not in NOT_IN_BYTES}
        return part

    return strip(load(schema))


@lru_cache(maxsize=256)
def can_keep_values(kind: str, before: Side, after: Side, *, holds_records: bool) -> bool:
    """Return whether a store of a kind may keep its values, as they are or converted (`make_conversion`).

    Another text of the same type, such as one with other docs, always fits. JSON and JSON Schema are only converted if
    the store `holds_records` as they came: with another member, what a node has computed may mean something else.
    Values in state are not validated again, as Confluent's serde does not validate what it reads.
    """
    if before == after:
        return True
    if before.format != after.format:
        return False
    if before.format in JSON:
        if before.schema is not None and before.type == after.type:
            return True
        has_no_union = not holds(Kind.UNION, before.type)  # in JSON, a value of a union does not name its type
        return holds_records and kind in CONVERTED and has_no_union and _can_read(before.type, after.type)
    one, other = before.schema, after.schema
    if one is None or other is None or one.message != other.message:
        return False
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
    # without indexes, nobody knows which of several messages the bytes of a union are
    has_several_messages = before.format == "protobuf" and before.type.kind is Kind.UNION
    return kind in CONVERTED and is_whole and not has_several_messages


@lru_cache(maxsize=1_024)
def _can_read(before: Type, after: Type) -> bool:
    """Return whether the declared parts of a JSON value also have another type.

    Members may be new, or no longer declared. An undeclared member may still be wrong, because its value is known only
    when it is read.
    """
    if before.kind is after.kind is Kind.STRUCT:
        both = ((field.type, into) for field in before.fields if (into := after.field(field.name)) is not None)
        return all(_can_read(of, into) for of, into in both)
    if before.item is not None and after.item is not None and before.kind is after.kind:
        return _can_read(before.item, after.item)
    return before == after or (before == INTEGER and after == DOUBLE)


def make_conversion(before: Side, after: Side) -> Convert | None:
    """Return what turns values of one side into those of another, or None if they stay as they are.

    Only for sides for which `can_keep_values` is true. The conversion raises EncodeError and DecodeError.
    """
    if before.type == after.type:
        return None
    if before.format in JSON or before.schema is None or after.schema is None:
        return _make_json_conversion(before.type, after.type)
    codec = CODECS[before.format]
    encode = codec.make_body_encoder(_leave_frame(before.schema))
    return _write_and_read(encode, codec.make_body_decoder(_leave_frame(after.schema), before.schema.text, 0))


def _make_json_conversion(before: Type, after: Type) -> Convert:
    """Convert by way of JSON. A value that JSON cannot hold, such as one with NaN, stays as it is."""
    encode, decode = get_format("json").make_encoder(before), get_format("json").make_decoder(after)

    def convert(value: Any) -> Any:
        try:
            data = encode(value)
        except EncodeError:
            return value
        return decode(data)

    return convert


def convert_row(convert: Convert, key: bytes, data: bytes) -> bytes:
    """Convert a row of a store of `CONVERTED`: a timestamp and a value. Shorter rows belong to an index and stay."""
    at = TIMESTAMP.size
    return data if len(data) < at else data[:at] + pack(convert(unpack(data[at:])))


def _write_and_read(encode: Encoder, decode: Decoder) -> Convert:
    def convert(value: Any) -> Any:
        return decode(encode(value))

    return convert


def _leave_frame(schema: FormatSchema) -> FormatSchema:
    return FormatSchema(schema.text, message=schema.message)
