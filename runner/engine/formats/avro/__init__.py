"""Avro's binary encoding of one value, by a schema in its side, with Confluent's header or plain.

Unlike other formats, it is made for a schema, not for a type: see `runner.engine.formats.sides`. A value written
with another schema is read with that schema, and then resolved (Avro's "Schema Resolution").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from designer.avro import SchemaNotRead, parse
from designer.avro.references import inline_references
from designer.avro.resolution import find_mismatch
from designer.avro.tree import Part, is_bounded
from designer.values.exact_json import TOO_DEEP, is_too_deep
from designer.values.schemas import FormatSchema, RegistrySchemas, SchemaId
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.avro.misread import READ_ERRORS, Misread, make_misread
from runner.engine.formats.avro.primitives import Read
from runner.engine.formats.avro.reading import MAX_EMPTY_ITEMS, empty_items, make_reader
from runner.engine.formats.avro.writing import AvroMismatch, make_writer
from runner.engine.formats.errors import DecodeError, EncodeError
from runner.engine.formats.framing import PREFIX as HEADER
from runner.engine.formats.framing import describe_frame, find_schema_id

FramedDecoder = Callable[[bytes, str | None], Any]
"""Bytes and the headers of their record to a value."""


@lru_cache(maxsize=256)
def make_decoder(avro: FormatSchema) -> Decoder:
    if avro.registry:
        decode_framed = make_registry_decoder(avro, {}, "")
        return lambda data: decode_framed(data, None)
    own = parse(avro.text)
    writers = {number: parse(text) for number, text in avro.writers}
    if not avro.header:
        decode = _make_body_decoder(make_reader(own, own))
    elif avro.id is None and not writers:
        decode = _decode_behind_any_header(_make_body_decoder(make_reader(own, own), HEADER.size))
    else:
        readers = {number: make_reader(writer, own) for number, writer in writers.items()}
        decode = _decode_behind_header(readers | {avro.id or 0: make_reader(own, own)})
    return decode if all(map(is_bounded, [own, *writers.values()])) else _bound(decode)


@lru_cache(maxsize=256)
def make_encoder(avro: FormatSchema) -> Encoder:
    part = parse(avro.text)
    write, may_be_deep = make_writer(part), not is_bounded(part)
    header = HEADER.pack(0, avro.id or 0) if avro.header else b""

    def encode(value: Any) -> bytes:
        out = bytearray(header)
        if may_be_deep and is_too_deep(value):
            raise EncodeError(f"Avro cannot hold it: {TOO_DEEP}.")
        try:
            write(value, out)
        except AvroMismatch as error:
            raise EncodeError(f"The Avro schema does not accept it: {error}") from error
        except RecursionError as error:
            raise EncodeError(f"Avro cannot hold it: {TOO_DEEP}.") from error
        return bytes(out)

    return encode


def _make_body_decoder(read: Read, start: int = 0) -> Decoder:
    def decode(data: bytes) -> Any:
        try:
            value, at = read(data, start)
        except READ_ERRORS as error:
            raise _make_decode_error(make_misread(error, data, start), data) from error
        if at != len(data):
            raise DecodeError(f"Not Avro of this schema: {len(data) - at} of {len(data)} bytes are left over.")
        return value

    return decode


def _bound(decode: Decoder) -> Decoder:
    """The same for schemas whose values may be large or deep although their bytes are few."""

    def decode_bounded(data: bytes) -> Any:
        empty_items.left = MAX_EMPTY_ITEMS
        try:
            value = decode(data)
        except RecursionError as error:
            raise DecodeError(f"This Avro cannot be read: {TOO_DEEP}.") from error
        if is_too_deep(value):
            raise DecodeError(f"This Avro cannot be read: {TOO_DEEP}.")
        return value

    return decode_bounded


def make_registry_decoder(avro: FormatSchema, schemas: RegistrySchemas, header: str) -> FramedDecoder:
    """The decoder of records whose ids a schema registry knows. Each id has one reader, compiled at its first record.

    `header` is the name of the record header that may hold the id. Ids of the form itself need no registry.
    """
    own = parse(avro.text)
    own_texts = {**dict(avro.writers), avro.id or 0: avro.text}  # the topology itself writes 0 without an id
    decoders: dict[tuple[SchemaId, int], Decoder] = {}

    def find_decoder(number: SchemaId, start: int) -> Decoder:
        writer = _find_writer(number, own, own_texts, schemas)
        decode = _make_body_decoder(make_reader(writer, own), start)
        decoders[number, start] = decode if is_bounded(own) and is_bounded(writer) else _bound(decode)
        return decoders[number, start]

    def decode(data: bytes, headers: str | None) -> Any:
        number, start = find_schema_id(data, headers, header)
        if number is None:
            raise DecodeError(describe_frame(data))
        decode_body = decoders.get((number, start)) or find_decoder(number, start)
        return decode_body(data)

    return decode


def _find_writer(number: SchemaId, own: Part, own_texts: Mapping[int, str], schemas: RegistrySchemas) -> Part:
    """Raises DecodeError if records of that id cannot be read."""
    schema = schemas.get(number)
    if isinstance(number, int) and number in own_texts:
        text = own_texts[number]
    elif schema is None:
        raise DecodeError(f"It is written with the schema of id {number}, which the schema registry did not give.")
    elif schema.kind == "MISSING":
        raise DecodeError(f"It is written with the schema of id {number}, which the schema registry does not have.")
    elif schema.kind == "UNUSABLE":
        raise DecodeError(f"The schema of id {number} cannot be used. {schema.text}")
    elif schema.kind != "AVRO":
        raise DecodeError(f"The schema of id {number} is {schema.kind}; expected AVRO.")
    else:
        text = inline_references(schema)
    try:
        writer = parse(text)
    except SchemaNotRead as error:
        raise DecodeError(f"The schema of id {number} cannot be used. {error}") from error
    if why := find_mismatch(writer, own):
        raise DecodeError(f"A record of schema {number} cannot become one of the source's schema. {why}.")
    return writer


def _decode_behind_header(readers: dict[int, Read]) -> Decoder:
    """An unknown id is not guessed, because fields of the same type could be swapped unnoticed."""
    bodies = {number: _make_body_decoder(read, HEADER.size) for number, read in readers.items()}
    known_ids = ", ".join(map(str, sorted(readers)))

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


def _decode_behind_any_header(decode_body: Decoder) -> Decoder:
    """Reads every id with the one schema, for jobs with plans from before the check that asks for an id."""

    def decode(data: bytes) -> Any:
        _read_schema_id(data)
        return decode_body(data)

    return decode


def _read_schema_id(data: bytes) -> int:
    if len(data) < HEADER.size or data[0] != 0:
        raise DecodeError("It does not begin with Confluent's header, a byte 0 and 4 bytes of schema id.")
    number: int = HEADER.unpack_from(data)[1]
    return number


def _make_decode_error(error: Misread, data: bytes) -> DecodeError:
    where = f"field `{error.path}`, at byte {error.at}" if error.path else f"at byte {error.at}"
    return DecodeError(f"Not Avro of this schema: {where} of {len(data)}: {error.why}.", error.path)
