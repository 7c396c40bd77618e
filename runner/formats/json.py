"""JSON (RFC 8259), one document a value. NaN, a byte order mark and a second document are errors.

Bytes stand in it as base64, as Java's Jackson writes them.
"""

from __future__ import annotations

import math
from base64 import b64encode
from functools import lru_cache
from typing import Any

import orjson

from designer.schemas import Kind, Type
from runner.formats import Decoder, Encoder
from runner.formats.errors import DecodeError, EncodeError
from runner.formats.structs import complete_check
from runner.formats.types import enforcer, nested_fields


@lru_cache(maxsize=1_024)
def decoder(held: Type) -> Decoder:
    """Most of what a small topology costs is here, so a flat struct is checked at once and again only in doubt."""
    enforce = enforcer(held)
    is_right = complete_check(held) if held.kind is Kind.STRUCT and not nested_fields(held) else _never
    loads = orjson.loads

    def decode(data: bytes) -> Any:
        try:
            value = loads(data)
            if is_right(value):
                return value
        except orjson.JSONDecodeError as error:
            raise DecodeError(f"It is no JSON: {error.msg} at byte {error.pos}.") from error
        except (KeyError, TypeError):
            pass
        return value if enforce is None else enforce(value, "")

    return decode


def _never(value: Any) -> bool:
    return False


@lru_cache(maxsize=1_024)
def encoder(held: Type) -> Encoder:
    dumps, may_be_infinite = orjson.dumps, holds_doubles(held)

    def encode(value: Any) -> bytes:
        try:
            data = dumps(value, _bytes_as_text)
        except TypeError as error:
            raise EncodeError(f"JSON cannot hold it: {error}.") from error
        if may_be_infinite and b"null" in data and not finite(value):
            raise EncodeError("JSON cannot hold a number that is infinite or not a number.")
        return data

    return encode


def _bytes_as_text(value: Any) -> str:
    """What stands in JSON for a value that orjson does not know; raises TypeError where nothing can."""
    if type(value) is not bytes:
        raise TypeError
    return b64encode(value).decode()


def holds_doubles(held: Type) -> bool:
    """Whether a value of the type may hold a number that is infinite or not a number."""
    if held.item is not None:
        return holds_doubles(held.item)
    return held.kind in (Kind.DOUBLE, Kind.ANY, Kind.LIST, Kind.MAP) or any(
        holds_doubles(field.type) for field in held.fields
    )


def finite(value: Any) -> bool:
    """Whether all numbers in a value are finite, so that JSON can hold them."""
    match value:
        case float():
            return math.isfinite(value)
        case dict():
            return all(map(finite, value.values()))
        case list() | tuple():
            return all(map(finite, value))
        case _:
            return True
