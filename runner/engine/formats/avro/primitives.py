"""Readers of Avro's primitive types. Each takes bytes and a place, and returns a value and the place after it.

They may raise all exceptions in `runner.engine.formats.avro.misread.BROKEN`. This code runs once per field.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from runner.engine.formats.avro.misread import Misread

Read = Callable[[bytes, int], tuple[Any, int]]

MAX_SHIFT = 63
LONGS = range(-(2**63), 2**63)
INTS = range(-(2**31), 2**31)
_FLOAT, _DOUBLE = struct.Struct("<f").unpack_from, struct.Struct("<d").unpack_from


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """An integer of 7 bits a byte, the lowest first, before its sign is decoded."""
    start, number, shift = at, 0, 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            if number >> 64:
                raise Misread("an integer does not fit into 64 bits", start)
            return number, at
        if shift == MAX_SHIFT:
            raise Misread("an integer does not end within 10 bytes", start)
        shift += 7


def read_null(data: bytes, at: int) -> tuple[None, int]:
    return None, at


def read_boolean(data: bytes, at: int) -> tuple[bool, int]:
    byte = data[at]
    if byte > 1:
        raise Misread(f"true or false is a byte 0 or 1, not {byte}", at)
    return byte == 1, at + 1


def read_long(data: bytes, at: int) -> tuple[int, int]:
    number = data[at]
    if number < 128:
        return (number >> 1) ^ -(number & 1), at + 1
    number, at = read_varint(data, at)
    return (number >> 1) ^ -(number & 1), at


def read_int(data: bytes, at: int) -> tuple[int, int]:
    number = data[at]
    if number < 128:
        return (number >> 1) ^ -(number & 1), at + 1
    number, end = read_long(data, at)
    if number not in INTS:
        raise Misread(f"an int is {number}, which does not fit into 32 bits", at)
    return number, end


def read_float(data: bytes, at: int) -> tuple[float, int]:
    return _FLOAT(data, at)[0], at + 4


def read_double(data: bytes, at: int) -> tuple[float, int]:
    return _DOUBLE(data, at)[0], at + 8


def read_bytes(data: bytes, at: int) -> tuple[bytes, int]:
    size = data[at]
    if size < 128 and not size & 1:
        start = at + 1
        end = start + (size >> 1)
        if end <= len(data):
            return data[start:end], end
    size, start = read_long(data, at)
    end = start + size
    if not 0 <= size <= len(data) - start:
        raise Misread(f"it says that it has {size} bytes, and {len(data) - start} are left", at)
    return data[start:end], end


def read_string(data: bytes, at: int) -> tuple[str, int]:
    size = data[at]
    if size < 128 and not size & 1:
        start = at + 1
        end = start + (size >> 1)
        if end <= len(data):
            return data[start:end].decode(), end
    text, end = read_bytes(data, at)
    return text.decode(), end


def read_fixed(size: int) -> Read:
    def read(data: bytes, at: int) -> tuple[bytes, int]:
        end = at + size
        if end > len(data):
            raise Misread(f"it has {size} bytes, and {len(data) - at} are left", at)
        return data[at:end], end

    return read


PRIMITIVES: dict[str, Read] = {
    "null": read_null,
    "boolean": read_boolean,
    "int": read_int,
    "long": read_long,
    "float": read_float,
    "double": read_double,
    "bytes": read_bytes,
    "string": read_string,
}
