"""Avro's binary encoding of one value by a schema. `runner.engine.formats.framed` adds Confluent's header.

A value written with another schema is read with that schema, and then resolved (Avro's "Schema Resolution").
"""

from __future__ import annotations

from typing import Any

from designer.avro import parse
from designer.avro.tree import is_bounded
from designer.values.exact_json import TOO_DEEP, is_too_deep
from designer.values.schemas import FormatSchema
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.avro.misread import READ_ERRORS, Misread, make_misread
from runner.engine.formats.avro.primitives import Read
from runner.engine.formats.avro.reading import MAX_EMPTY_ITEMS, empty_items, make_reader
from runner.engine.formats.avro.writing import AvroMismatch, make_writer
from runner.engine.formats.errors import DecodeError, EncodeError


def make_body_decoder(schema: FormatSchema, writer: str, start: int, indexes: bytes | None = None) -> Decoder:
    """Reads what a writer's schema wrote, from the byte `start` on. Raises SchemaNotRead."""
    own, written = parse(schema.text), parse(writer)
    decode = _make_reading_decoder(make_reader(written, own), start)
    return decode if is_bounded(own) and is_bounded(written) else _bound(decode)


def make_body_encoder(schema: FormatSchema) -> Encoder:
    part = parse(schema.text)
    write, may_be_deep = make_writer(part), not is_bounded(part)

    def encode(value: Any) -> bytes:
        out = bytearray()
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


def _make_reading_decoder(read: Read, start: int) -> Decoder:
    def decode(data: bytes) -> Any:
        try:
            value, at = read(data, start)
        except READ_ERRORS as error:
            raise _make_decode_error(make_misread(error, start), data) from error
        if at != len(data):
            raise DecodeError(f"Not Avro of this schema: {len(data) - at} of {len(data)} bytes are left over.")
        return value

    return decode


def _bound(decode: Decoder) -> Decoder:
    """Bound a decoder of a schema whose values may be large or deep although their bytes are few."""

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


def _make_decode_error(error: Misread, data: bytes) -> DecodeError:
    where = f"field `{error.path}`, at byte {error.at}" if error.path else f"at byte {error.at}"
    return DecodeError(f"Not Avro of this schema: {where} of {len(data)}: {error.why}.", error.path)
