"""JSON (RFC 8259), one document a value. NaN, a byte order mark and a second document are errors.

It holds bytes as base64, and decimals as numbers with all digits of their scale, as Java's Jackson writes them.
For a decimal, it also reads a text that holds a number.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

import orjson

from designer.values import exact_json
from designer.values.decimals import write_digits
from designer.values.exact_json import TOO_DEEP, JsonNumber, is_too_deep, may_be_too_deep, may_lose_digits
from designer.values.schemas import Kind, Type
from designer.values.tuples import UnionValue
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.digits import with_digits
from runner.engine.formats.errors import DecodeError, EncodeError
from runner.engine.formats.structs import make_complete_check
from runner.engine.formats.types import find_enforcer, find_nested_fields

NO_NUMBER = re.compile(rb".?-?(NaN|Infinity)", re.DOTALL)


@lru_cache(maxsize=1_024)
def make_decoder(type_: Type) -> Decoder:
    """Most of the cost of a small topology is here. So a flat struct is checked at once, and again only in doubt.

    Numbers of unknown type keep their digits (`designer.values.exact_json`). A flat struct is searched for them only
    if it has undeclared members.
    """
    if holds(Kind.DECIMAL, type_):
        return _make_exact_decoder(type_)
    enforce = find_enforcer(type_)
    is_flat = type_.kind is Kind.STRUCT and not find_nested_fields(type_) and not holds(Kind.ANY, type_)
    is_right = make_complete_check(type_) if is_flat else _is_never
    loads, members, names = orjson.loads, len(type_.fields), frozenset(field.name for field in type_.fields)

    def decode(data: bytes) -> Any:
        try:
            value = loads(data)
            if is_right(value):
                if len(value) == members:
                    return value
                refuse_depth(data, value)
                if not may_lose_digits(data, value):
                    return value
        except orjson.JSONDecodeError:
            value = read_document(data)
        except (KeyError, TypeError):
            pass
        is_declared = is_flat and type(value) is dict and names.issuperset(value)
        if not is_declared:
            refuse_depth(data, value)
            if may_lose_digits(data, value):
                value = read_document(data)
        return value if enforce is None else enforce(value, "")

    return decode


def refuse_depth(data: bytes, value: Any) -> None:
    """Raises DecodeError if a document has too many levels."""
    if may_be_too_deep(data) and is_too_deep(value):
        raise DecodeError(f"This JSON cannot be read: {TOO_DEEP}.")


def read_document(data: bytes) -> Any:
    """The value of a document, with all digits of its numbers. Raises DecodeError with the reason and the place."""
    try:
        return exact_json.loads_document(data)
    except orjson.JSONDecodeError as error:
        if not data.strip():
            raise DecodeError("It is empty, and an empty text is not valid JSON.") from error
        if NO_NUMBER.match(data, max(error.pos - 1, 0)):
            raise DecodeError("Not valid JSON: it has no number that is infinite or not a number.") from error
        raise DecodeError(f"Not valid JSON: {error.msg} at byte {error.pos}.") from error
    except ValueError as error:
        raise DecodeError(f"This JSON cannot be read: {error}.") from error


def _make_exact_decoder(type_: Type) -> Decoder:
    """Reads twice: orjson is strict and gives all but the decimals. Their digits come from the text itself."""
    enforce, restore, loads = find_enforcer(type_), with_digits(type_), orjson.loads

    def decode(data: bytes) -> Any:
        try:
            value = loads(data)
        except orjson.JSONDecodeError:
            value = None
        if value is None or may_lose_digits(data, value):
            value = read_document(data)
        refuse_depth(data, value)
        value = restore(value, data)
        return value if enforce is None else enforce(value, "")

    return decode


def _is_never(value: Any) -> bool:
    return False


@lru_cache(maxsize=1_024)
def make_encoder(type_: Type) -> Encoder:
    return _make_encoder(type_, _write_unknown)


@lru_cache(maxsize=1_024)
def make_key_encoder(type_: Type) -> Encoder:
    """Return the encoder of keys, which are compared by their bytes: it writes equal decimals alike, 1.50 as 1.5."""
    return _make_encoder(type_, _write_unknown_of_key)


def _make_encoder(type_: Type, default: Callable[[Any], Any]) -> Encoder:
    dumps, may_be_infinite = orjson.dumps, holds_doubles(type_)

    def encode(value: Any) -> bytes:
        try:
            data = dumps(value, default)
        except TypeError:
            data = _with_long_integers(value, default)
        if may_be_too_deep(data) and is_too_deep(value):
            raise EncodeError(f"JSON cannot hold it: {TOO_DEEP}.")
        if may_be_infinite and b"null" in data and not is_finite(value):
            raise EncodeError("JSON cannot hold a number that is infinite or not a number.")
        return data

    return encode


def _with_long_integers(value: Any, default: Callable[[Any], Any]) -> bytes:
    if is_too_deep(value):
        raise EncodeError(f"JSON cannot hold it: {TOO_DEEP}.")
    try:
        return orjson.dumps(exact_json.with_long_integers(value), default)
    except TypeError as error:
        raise EncodeError(f"JSON cannot hold it: {error}.") from error


def _write_unknown(value: Any) -> Any:
    """JSON form of a value that orjson does not know. Raises TypeError if there is none."""
    if type(value) is JsonNumber:
        return orjson.Fragment(value.text)
    if type(value) is Decimal:
        return orjson.Fragment(write_digits(value))
    if type(value) is UnionValue:
        return value.value
    if type(value) is not bytes:
        raise TypeError
    return b64encode(value).decode()


def _write_unknown_of_key(value: Any) -> Any:
    return orjson.Fragment(value.shortest) if type(value) is JsonNumber else _write_unknown(value)


@lru_cache(maxsize=4_096)
def holds(kind: Kind, type_: Type) -> bool:
    """True if values of the type are or hold one of a kind."""
    if type_.item is not None:
        return holds(kind, type_.item)
    return type_.kind is kind or any(holds(kind, field.type) for field in type_.fields)


@lru_cache(maxsize=4_096)
def holds_doubles(type_: Type) -> bool:
    """True if a value of the type may hold an infinite number or NaN."""
    if type_.item is not None:
        return holds_doubles(type_.item)
    return type_.kind in (Kind.DOUBLE, Kind.ANY, Kind.LIST, Kind.MAP) or any(
        holds_doubles(field.type) for field in type_.fields
    )


def holds_structs(type_: Type) -> bool:
    """True if a value of the type may have undeclared members."""
    return type_.kind is Kind.STRUCT or (type_.item is not None and holds_structs(type_.item))


def is_finite(value: Any) -> bool:
    """True if all numbers in a value are finite, so that JSON can hold them."""
    match value:
        case float():
            return math.isfinite(value) or type(value) is JsonNumber
        case dict():
            return all(map(is_finite, value.values()))
        case list() | tuple():
            return all(map(is_finite, value))
        case _:
            return True
