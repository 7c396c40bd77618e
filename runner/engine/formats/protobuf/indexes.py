"""Which message of its schema the bytes hold.

In Confluent's frame, message indexes come before the message: how many, and the place of the message at each level of
nesting, as zig-zag varints; one byte 0 stands for [0], the first message. In a record header they follow the id.
"""

from __future__ import annotations

from google.protobuf.descriptor import Descriptor

from designer.protobuf import ProtoSchema, list_nested, parse
from designer.values.schemas import FormatSchema
from runner.engine.formats.errors import DecodeError

FIRST: tuple[int, ...] = (0,)
MAX_INDEXES = 64
MAX_SHIFT = 28


def write_indexes(schema: FormatSchema) -> bytes:
    """The message indexes of a schema's message."""
    place: list[int] = []
    message: Descriptor | None = parse(schema.text).find_message(schema.message)
    while message is not None:
        outer = message.containing_type
        siblings = message.file.message_types_by_name.values() if outer is None else list_nested(outer)
        place.append([each.name for each in siblings].index(message.name))
        message = outer
    if place == [0]:
        return b"\0"
    return b"".join(_write_zigzag(number) for number in (len(place), *reversed(place)))


def find_message(text: str, data: bytes, start: int, indexes: bytes) -> tuple[str, int]:
    """The name of the message in a frame, and where it begins. Raises DecodeError.

    `indexes` are those of a header, for data without a prefix.
    """
    found, begin = read_indexes(data, start) if start else (FIRST, 0)
    if not start and indexes:
        found, _ = read_indexes(indexes, 0)
    message = parse(text).find_by_indexes(found)
    if message is None:
        raise DecodeError(f"Its message indexes {list(found)} name no message of its schema.")
    return str(message.full_name), begin


def check_message(writer: ProtoSchema, indexes: tuple[int, ...], own: Descriptor) -> None:
    """Raises DecodeError if the indexes name another message than the source reads."""
    found = writer.find_by_indexes(indexes)
    if found is None:
        raise DecodeError(f"Its message indexes {list(indexes)} name no message of its schema.")
    if found.full_name != own.full_name:
        raise DecodeError(f"It is a message {found.full_name}; the source reads {own.full_name}.")


def read_indexes(data: bytes, at: int) -> tuple[tuple[int, ...], int]:
    """The indexes, and where the message begins. Raises DecodeError."""
    count, at = _read_zigzag(data, at)
    if count == 0:
        return FIRST, at
    if not 0 < count <= MAX_INDEXES:
        raise DecodeError(f"It does not begin with message indexes: it says that it has {count}.")
    indexes = []
    for _ in range(count):
        index, at = _read_zigzag(data, at)
        indexes.append(index)
    return tuple(indexes), at


def _write_zigzag(number: int) -> bytes:
    number <<= 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


def _read_zigzag(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and shift <= MAX_SHIFT:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return (number >> 1) ^ -(number & 1), at
    raise DecodeError("It does not begin with message indexes: they are cut off, or too large.")
