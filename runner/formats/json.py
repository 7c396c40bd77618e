"""JSON (RFC 8259), one document a value. NaN, a byte order mark and a second document are errors."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import orjson

from designer.schemas import Type
from runner.formats import Decoder, Encoder
from runner.formats.errors import DecodeError, EncodeError
from runner.formats.types import enforcer


@lru_cache(maxsize=1_024)
def decoder(held: Type) -> Decoder:
    enforce = enforcer(held)
    loads = orjson.loads

    def decode(data: bytes) -> Any:
        try:
            value = loads(data)
        except orjson.JSONDecodeError as error:
            raise DecodeError(f"It is no JSON: {error.msg} at byte {error.pos}.") from error
        return value if enforce is None else enforce(value, "")

    return decode


@lru_cache(maxsize=1_024)
def encoder(held: Type) -> Encoder:
    dumps = orjson.dumps

    def encode(value: Any) -> bytes:
        try:
            data = dumps(value)
        except TypeError as error:
            raise EncodeError(f"JSON cannot hold it: {error}.") from error
        if b"null" in data and not finite(value):
            raise EncodeError("JSON cannot hold a number that is infinite or not a number.")
        return data

    return encode


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
