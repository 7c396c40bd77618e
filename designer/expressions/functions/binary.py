"""Bytes, and their forms as text."""

from __future__ import annotations

import base64
import binascii

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import check_length
from designer.expressions.functions.table import function


@function("octet_length(data: binary) -> integer")
def octet_length(data: str | bytes) -> int:
    """The number of bytes. A text counts its UTF-8 bytes.
    octet_length('Zürich') = 7
    octet_length(unhex('CAFE')) = 2
    """
    return len(_to_bytes(data))


@function("hex(data: binary) -> string")
def hex_(data: str | bytes) -> str:
    """The bytes as hexadecimal digits. A text uses its UTF-8 bytes.
    hex(CAST('é' AS BINARY)) = 'C3A9'
    """
    check_length(2 * len(data))
    return _to_bytes(data).hex().upper()


@function("unhex(text: string) -> bytes")
def unhex(text: str) -> bytes:
    """The bytes that the hexadecimal digits encode.
    CAST(unhex('4869') AS STRING) = 'Hi'
    """
    try:
        return bytes.fromhex("0" * (len(text) % 2) + text)
    except ValueError:
        raise Fault(f"{text[:60]!r} has characters that are not hexadecimal digits.") from None


@function("base64(data: binary) -> string")
def base64_(data: str | bytes) -> str:
    """The bytes as base64 text. A text uses its UTF-8 bytes.
    base64('Hi') = 'SGk='
    """
    check_length(2 * len(data))
    return base64.b64encode(_to_bytes(data)).decode()


@function("unbase64(text: string) -> bytes")
def unbase64(text: str) -> bytes:
    """The bytes that a base64 text encodes.
    CAST(unbase64('SGk=') AS STRING) = 'Hi'
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Fault(f"{text[:60]!r} is not base64.") from None


def _to_bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
