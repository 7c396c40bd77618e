"""Avro's binary encoding of one value, by a schema that the side carries; with Confluent's header, or plain.

Unlike the other formats it is made for a schema, not for a type: see `runner.formats.sides`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from typing import Any

from fastavro import parse_schema, schemaless_reader, schemaless_writer
from fastavro.validation import ValidationError, validate

from designer.schemas import Avro
from runner.formats import Decoder, Encoder
from runner.formats.errors import DecodeError, EncodeError

HEADER = struct.Struct(">bI")
"""0, then the schema's id in the registry (Confluent's wire format)."""
BROKEN = (EOFError, ValueError, IndexError, KeyError, TypeError, OverflowError, MemoryError, struct.error)


@lru_cache(maxsize=256)
def decoder(avro: Avro) -> Decoder:
    schema = _parsed(avro.schema)
    begun: Callable[[bytes], int] = _past_header(avro.id) if avro.header else _at_once

    def decode(data: bytes) -> Any:
        stream = BytesIO(data)
        stream.seek(begun(data))
        try:
            value = schemaless_reader(stream, schema, None)
        except BROKEN as error:
            raise DecodeError(f"It is no Avro of this schema: {error or type(error).__name__}.") from error
        if stream.tell() < len(data):
            raise DecodeError(f"It is no Avro of this schema: {len(data) - stream.tell()} bytes are left over.")
        return value

    return decode


@lru_cache(maxsize=256)
def encoder(avro: Avro) -> Encoder:
    schema = _parsed(avro.schema)
    header = HEADER.pack(0, avro.id or 0) if avro.header else b""

    def encode(value: Any) -> bytes:
        """What is written is looked at first: the writer itself takes 64 bits for an int."""
        stream = BytesIO()
        stream.write(header)
        try:
            validate(value, schema)
            schemaless_writer(stream, schema, value)
        except ValidationError as error:
            raise EncodeError(f"The Avro schema does not take it: {error.errors[0]}.") from error
        except BROKEN as error:
            raise EncodeError(f"The Avro schema does not take it: {error}.") from error
        return stream.getvalue()

    return encode


def _parsed(schema: str) -> Any:
    return parse_schema(_without_logical_types(json.loads(schema)))


def _without_logical_types(schema: Any) -> Any:
    """A timestamp is then the long that it is written as."""
    match schema:
        case dict():
            return {name: _without_logical_types(part) for name, part in schema.items() if name != "logicalType"}
        case list():
            return [_without_logical_types(part) for part in schema]
        case _:
            return schema


def _at_once(data: bytes) -> int:
    return 0


def _past_header(wanted: int | None) -> Callable[[bytes], int]:
    def begun(data: bytes) -> int:
        if len(data) < HEADER.size or data[0] != 0:
            raise DecodeError("It does not begin with Confluent's header, a byte 0 and 4 bytes of schema id.")
        _, found = HEADER.unpack_from(data)
        if wanted is not None and found != wanted:
            raise DecodeError(f"Its header names the schema {found}; expected {wanted}.")
        return HEADER.size

    return begun
