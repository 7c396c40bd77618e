"""The id of the schema that a record is written with: in a header of the record, else before its bytes.

A header holds 0 and a number of 4 bytes, or 1 and a GUID of 16 bytes (Confluent's HeaderSchemaIdSerializer). The prefix
is 0 and a number of 4 bytes (Confluent's wire format). Protobuf's message indexes follow the id in either.
"""

from __future__ import annotations

import binascii
import struct
from base64 import b64decode
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import orjson

from designer.values.schemas import SchemaId

PREFIX = struct.Struct(">bI")
KEY_HEADER, VALUE_HEADER = "__key_schema_id", "__value_schema_id"
GLUE = b"\x03"
"""First byte of AWS Glue's frame. Then come the compression and a UUID."""


class Frame(NamedTuple):
    """Where the id of a schema was found. `id` is None if there is none."""

    id: SchemaId | None
    start: int
    """Where the data begins: 0 without an id, and behind an id in a header."""
    indexes: bytes = b""
    """What a header holds behind the id: Protobuf's message indexes."""


NO_FRAME = Frame(None, 0)


def find_frame(data: bytes, headers: str | None, name: str) -> Frame:
    """The id of the schema, and where the data begins. `headers` are the engine's JSON text.

    A header counts before a prefix, and bytes with such a header have no prefix.
    """
    if headers is not None and name and name in headers and (frame := _find_in_headers(headers, name)) is not None:
        return frame
    if len(data) >= PREFIX.size and data[0] == 0:
        return Frame(int(PREFIX.unpack_from(data)[1]), PREFIX.size)
    return NO_FRAME


def find_frame_in(data: bytes, headers: Sequence[tuple[str, bytes | None]], name: str) -> Frame:
    """The id of the schema, and where the data begins, from the headers of a record as Kafka gives them."""
    for key, content in reversed(headers):
        if key == name and (frame := _read_header(content or b"")) is not None:
            return frame
    return find_frame(data, None, name)


def describe_frame(data: bytes) -> str:
    """Why there is no id, for a person."""
    if data[:1] == GLUE and len(data) >= 18 and data[1] in (0, 5):
        return (
            "It is written in the frame of AWS Glue Schema Registry, which Streamwright does not read. "
            "Let its producer use Confluent's wire format."
        )
    return "It does not begin with Confluent's header, a byte 0 and 4 bytes of schema id."


def _find_in_headers(headers: str, name: str) -> Frame | None:
    """The id in the last header of that name, as Kafka's `lastHeader`."""
    for each in reversed(orjson.loads(headers)):
        if each["key"] == name:
            try:
                return _read_header(b64decode(each["value"] or "", validate=True))
            except binascii.Error:
                return None
    return None


def _read_header(content: bytes) -> Frame | None:
    if len(content) >= 5 and content[0] == 0:
        return Frame(int(PREFIX.unpack_from(content)[1]), 0, content[5:])
    if len(content) >= 17 and content[0] == 1:
        return Frame(str(UUID(bytes=content[1:17])), 0, content[17:])
    return None
