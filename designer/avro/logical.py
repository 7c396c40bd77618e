"""Avro's logical types: which are valid where, and values of those that need more than Python's own types.

An unknown one, or one that is not valid in its place, is ignored as the specification demands: its base type remains.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from typing import Any
from uuid import UUID

from designer.avro.tree import Logical
from designer.values.decimals import MAX_PRECISION

FORMS_BY_NAME: Mapping[str, tuple[str, ...]] = {
    "decimal": ("bytes", "fixed"),
    "uuid": ("string", "fixed"),
    "duration": ("fixed",),
    "date": ("int",),
    "time-millis": ("int",),
    "time-micros": ("long",),
    "timestamp-millis": ("long",),
    "timestamp-micros": ("long",),
    "timestamp-nanos": ("long",),
    "local-timestamp-millis": ("long",),
    "local-timestamp-micros": ("long",),
    "local-timestamp-nanos": ("long",),
}
SIZES = {"uuid": 16, "duration": 12}
"""Number of bytes in a fixed of a logical type."""
_DURATION = struct.Struct("<III")
_EXACT = Context(prec=2 * MAX_PRECISION)


def read_logical(schema: Mapping[str, Any], base: str, size: int = 0) -> Logical | None:
    """The logical type of a schema with that base type. `size` is a fixed's size in bytes."""
    name = schema.get("logicalType")
    if not isinstance(name, str) or base not in FORMS_BY_NAME.get(name, ()):
        return None
    if name != "decimal":
        return Logical(name) if base != "fixed" or size == SIZES[name] else None
    precision, scale = schema.get("precision"), schema.get("scale", 0)
    if type(precision) is not int or type(scale) is not int or not 0 <= scale <= precision:
        return None
    most = len(str(2 ** (8 * size - 1) - 1)) - 1 if base == "fixed" else precision
    return Logical(name, precision, scale) if 0 < precision <= min(MAX_PRECISION, most) else None


def make_decimal_decoder(scale: int) -> Callable[[bytes], Decimal]:
    """Reads the unscaled number, in two's complement from the highest byte on."""
    exponent = -scale

    def read(data: bytes) -> Decimal:
        return Decimal(int.from_bytes(data, "big", signed=True)).scaleb(exponent, _EXACT)

    return read


def to_unscaled(number: Decimal, scale: int) -> int:
    """The unscaled whole number of a decimal with that scale."""
    return int(number.scaleb(scale, _EXACT))


def encode_shortest(number: int) -> bytes:
    """Two's complement in as few bytes as possible, like Java's BigInteger.toByteArray."""
    return number.to_bytes((number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True)


def decode_uuid(data: bytes) -> str:
    return str(UUID(bytes=data))


def encode_uuid(text: str) -> bytes:
    """Raises ValueError."""
    return UUID(text).bytes


def decode_duration(data: bytes) -> dict[str, int]:
    """Months, days and milliseconds, each of 32 bits without a sign, the lowest byte first."""
    months, days, milliseconds = _DURATION.unpack(data)
    return {"months": months, "days": days, "milliseconds": milliseconds}


def encode_duration(value: Mapping[str, int]) -> bytes:
    """Raises KeyError, TypeError or struct.error."""
    return _DURATION.pack(value["months"], value["days"], value["milliseconds"])
