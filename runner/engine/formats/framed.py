"""Formats with a schema: their bytes bare, or behind the id of the schema that each record is written with.

Unlike other formats, these are made for a schema, not for a type. A module in `CODECS` reads and writes the bytes of
one value. Here is what they share: the id, the schema that belongs to it, and the refusal of any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from designer.issues import SchemaNotRead
from designer.streams.formats import FORMATS_BY_KIND, SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, Kind, RegistrySchemas, SchemaId, Side
from runner.engine.formats import Decoder, Encoder, avro, json_schema, protobuf
from runner.engine.formats.errors import DecodeError
from runner.engine.formats.framing import PREFIX, Frame, describe_frame, find_frame
from runner.engine.formats.protobuf.indexes import find_message, write_indexes

FramedDecoder = Callable[[bytes, str | None], Any]
"""Bytes and the headers of their record to a value."""
KINDS = {name: kind for kind, name in FORMATS_BY_KIND.items()}


class Codec(Protocol):
    """The bytes of one value, without its frame."""

    def make_body_decoder(self, schema: FormatSchema, writer: str, start: int, indexes: bytes | None = None) -> Decoder:
        """A decoder of bytes that the schema `writer` wrote, from `start` on, to values of `schema`.

        `indexes` are Protobuf's message indexes if they are in a header; otherwise they come first, if there is a
        frame. Raises SchemaNotRead.
        """

    def make_body_encoder(self, schema: FormatSchema) -> Encoder:
        """An encoder of what follows the id: the bytes of a value, and Protobuf's message indexes before them."""


CODECS: Mapping[str, Codec] = {"avro": avro, "protobuf": protobuf, "json_schema": json_schema}
BARE_JSON = re.compile(rb'\s*[\[{"0-9tfn-]').match
"""The beginning of a JSON document: it is read without an id, because no frame begins so."""


@lru_cache(maxsize=256)
def make_decoder(side: Side) -> Decoder:
    schema = _get_schema(side)
    codec = CODECS[side.format]
    if schema.registry:
        decode_framed = make_registry_decoder(side, {}, "")
        return lambda data: decode_framed(data, None)
    if not schema.header:
        return codec.make_body_decoder(schema, schema.text, 0)
    decode_own = codec.make_body_decoder(schema, schema.text, PREFIX.size)
    if schema.id is None and not schema.writers:
        return _or_bare(side, _decode_behind_any_id(decode_own))
    bodies = {number: codec.make_body_decoder(schema, text, PREFIX.size) for number, text in schema.writers}
    return _or_bare(side, _decode_behind_id(bodies | {schema.id or 0: decode_own}))


@lru_cache(maxsize=256)
def make_encoder(side: Side) -> Encoder:
    schema = _get_schema(side)
    encode = CODECS[side.format].make_body_encoder(schema)
    if not schema.header:
        return encode
    prefix = PREFIX.pack(0, schema.id or 0)
    return lambda value: prefix + encode(value)


def make_indexes(side: Side) -> Mapping[str, bytes]:
    """What follows the id of a schema: Protobuf's message indexes by the tags of a union, nothing in other formats.

    The tag is "" if all values have the same.
    """
    if side.format != "protobuf":
        return {"": b""}
    schema = _get_schema(side)
    if side.type.kind is not Kind.UNION:
        return {"": write_indexes(schema)}
    names = (field.name for field in side.type.fields)
    return {name: write_indexes(schema._replace(message=name)) for name in names}


def open_frame(side: Side, data: bytes, frame: Frame) -> tuple[Side, bytes]:
    """The bytes of one value in its frame, and how to read them: a frame of Protobuf names the message.

    Raises DecodeError.
    """
    if side.format != "protobuf":
        return side, data[frame.start :]
    schema = _get_schema(side)
    message, begin = find_message(schema.text, data, frame.start, frame.indexes)
    type_ = SCHEMA_FORMATS[side.format].read_type(schema.text, message)
    return Side(side.format, type_, schema._replace(message=message)), data[begin:]


def make_registry_decoder(side: Side, schemas: RegistrySchemas, header: str) -> FramedDecoder:
    """The decoder of records whose ids a schema registry knows. Each id has one decoder, compiled at its first record.

    `header` is the name of the record header that may hold the id. Ids of the form itself need no registry.
    """
    own = _get_schema(side)
    own_texts = list_own_texts(own)
    decoders: dict[tuple[SchemaId, int, bytes], Decoder] = {}
    decode_bare = _make_bare_decoder(side)

    def make(number: SchemaId, start: int, indexes: bytes) -> Decoder:
        writer = find_writer(number, side.format, own, own_texts, schemas)
        try:
            decode = CODECS[side.format].make_body_decoder(own, writer, start, None if start else indexes)
        except SchemaNotRead as error:
            raise DecodeError(f"The schema of id {number} cannot be used. {error}") from error
        decoders[number, start, indexes] = decode
        return decode

    def decode(data: bytes, headers: str | None) -> Any:
        number, start, indexes = find_frame(data, headers, header)
        if number is None:
            if decode_bare is not None and BARE_JSON(data):
                return decode_bare(data)
            raise DecodeError(describe_frame(data))
        decode_body = decoders.get((number, start, indexes)) or make(number, start, indexes)
        return decode_body(data)

    return decode


def _make_bare_decoder(side: Side) -> Decoder | None:
    """The decoder of records without a frame in a topic whose other records have one. Only JSON can be told apart."""
    schema = _get_schema(side)
    return json_schema.make_body_decoder(schema, schema.text, 0) if side.format == "json_schema" else None


def _or_bare(side: Side, decode: Decoder) -> Decoder:
    decode_bare = _make_bare_decoder(side)
    return decode if decode_bare is None else lambda data: (decode_bare if BARE_JSON(data) else decode)(data)


def _get_schema(side: Side) -> FormatSchema:
    assert side.schema is not None
    return side.schema


def list_own_texts(schema: FormatSchema) -> dict[SchemaId, str]:
    """The schemas that a form names itself, by id. The topology itself writes 0 without an id."""
    return {**dict(schema.writers), schema.id or 0: schema.text}


def find_writer(
    number: SchemaId, format_name: str, own: FormatSchema, own_texts: Mapping[SchemaId, str], schemas: RegistrySchemas
) -> str:
    """The schema of an id. Raises DecodeError if its records cannot be read."""
    if number in own_texts:
        return own_texts[number]
    schema = schemas.get(number)
    if schema is None:
        raise DecodeError(f"It is written with the schema of id {number}, which the schema registry did not give.")
    if schema.kind == "MISSING":
        raise DecodeError(f"It is written with the schema of id {number}, which the schema registry does not have.")
    if schema.kind == "UNUSABLE":
        raise DecodeError(f"The schema of id {number} cannot be used. {schema.text}")
    if schema.kind != KINDS[format_name]:
        raise DecodeError(f"The schema of id {number} is {schema.kind}; expected {KINDS[format_name]}.")
    text = SCHEMA_FORMATS[format_name].inline_references(schema)
    try:
        why = SCHEMA_FORMATS[format_name].find_mismatch(text, own.text, own.message)
    except SchemaNotRead as error:
        raise DecodeError(f"The schema of id {number} cannot be used. {error}") from error
    if why:
        raise DecodeError(f"A record of schema {number} cannot become one of the source's schema. {why}.")
    return text


def _decode_behind_id(bodies: Mapping[int, Decoder]) -> Decoder:
    """An unknown id is not guessed, because fields of the same type could be swapped unnoticed."""
    known_ids = ", ".join(map(str, sorted(bodies)))

    def decode(data: bytes) -> Any:
        number = _read_schema_id(data)
        decode_body = bodies.get(number)
        if decode_body is None:
            raise DecodeError(
                f"It is written with the schema of id {number}. Known: {known_ids}. "
                "Add that id and its schema to the source's writer schemas."
            )
        return decode_body(data)

    return decode


def _decode_behind_any_id(decode_body: Decoder) -> Decoder:
    """Reads every id with the one schema, for jobs with plans from before the check that asks for an id."""

    def decode(data: bytes) -> Any:
        _read_schema_id(data)
        return decode_body(data)

    return decode


def _read_schema_id(data: bytes) -> int:
    if len(data) < PREFIX.size or data[0] != 0:
        raise DecodeError("It does not begin with Confluent's header, a byte 0 and 4 bytes of schema id.")
    number: int = PREFIX.unpack_from(data)[1]
    return number
