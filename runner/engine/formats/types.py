"""Enforces declared types on decoded values: 64-bit integers, 5.0 for a double written 5, no value of a wrong type."""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Callable, Iterable
from decimal import Decimal, Inexact, InvalidOperation
from functools import lru_cache
from typing import Any

from designer.values.decimals import NUMBER, make_fit
from designer.values.exact_json import JsonNumber
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import Kind, Type
from designer.values.tuples import UnionValue
from runner.engine.formats.errors import DecodeError
from runner.engine.formats.structs import make_partial_check

NESTED_KINDS = (Kind.LIST, Kind.MAP, Kind.STRUCT, Kind.UNION, Kind.BYTES, Kind.DECIMAL)

Enforce = Callable[[Any, str], Any]
"""Takes a value and its path. Returns the value, converted if the type asks for it. Raises `DecodeError`."""

_SCALARS: dict[Kind, type] = {Kind.BOOLEAN: bool, Kind.INTEGER: int, Kind.DOUBLE: float, Kind.STRING: str}
_NAMES: dict[type, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a decimal number",
    JsonNumber: "a decimal number",
    Decimal: "a decimal number",
    str: "text",
    list: "a list",
    dict: "an object",
}


@lru_cache(maxsize=4_096)
def find_enforcer(type_: Type) -> Enforce | None:
    """The check of a type. None if every value is right (ANY). A type that many fields have is looked at once."""
    match type_.kind:
        case Kind.ANY:
            return None
        case Kind.STRUCT:
            return _enforce_struct(type_)
        case Kind.LIST:
            return _list_of(type_)
        case Kind.MAP:
            return _map_of(type_)
        case Kind.BYTES:
            return _enforce_bytes
        case Kind.DECIMAL:
            return _enforce_decimal(type_)
        case Kind.UNION:
            return _enforce_union(type_)
        case scalar:
            return _enforce_scalar(scalar)


def _enforce_scalar(kind: Kind) -> Enforce:
    right = _SCALARS[kind]

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        if kind is Kind.DOUBLE and type(value) in (int, JsonNumber):
            return _enforce_double(value, path)
        if type(value) is not right:
            if kind is Kind.INTEGER and isinstance(value, float) and abs(value) >= MAX_LONG:
                raise _make_width_error(path)
            raise _make_error(value, path, kind.value)
        if type(value) is int and not MIN_LONG <= value <= MAX_LONG:
            raise _make_width_error(path)
        return value

    return enforce


def _enforce_double(number: float, path: str) -> float:
    try:
        double = float(number)
    except OverflowError:
        double = math.inf
    if math.isinf(double):
        raise DecodeError(f"{_describe_place(path)} is too large; expected double, which ends at 1.8e308.", path)
    return double


def _enforce_bytes(value: Any, path: str) -> Any:
    """JSON holds bytes as base64."""
    if value is None:
        return None
    if type(value) is not str:
        raise _make_error(value, path, "bytes in base64")
    try:
        return b64decode(value, validate=True)
    except ValueError as error:  # binascii.Error is one, and letters beyond ASCII raise another
        raise DecodeError(f"{_describe_place(path)} is not valid base64; expected bytes in base64.", path) from error


def _enforce_decimal(type_: Type) -> Enforce:
    """Accepts decimals, integers, and texts that hold a number, as Jackson does. A double has lost its digits."""
    fit, name = make_fit(type_.precision, type_.scale), f"decimal({type_.precision},{type_.scale})"

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        kind = type(value)
        if kind is float:
            raise DecodeError(
                f"{_describe_place(path)} is a float, which has no exact digits; expected {name}, a Decimal.", path
            )
        if kind is not Decimal and kind is not int and (kind is not str or not NUMBER.fullmatch(value)):
            raise _make_error(value, path, name)
        try:
            return fit(value if kind is Decimal else Decimal(value))
        except Inexact:
            raise DecodeError(
                f"{_describe_place(path)} is {value!s:.60}; {name} has {type_.scale} digits after the point.", path
            ) from None
        except InvalidOperation:
            raise DecodeError(
                f"{_describe_place(path)} is {value!s:.60}, which does not fit into {name}.", path
            ) from None

    return enforce


def _list_of(type_: Type) -> Enforce:
    item = find_enforcer(type_.item) if type_.item is not None else None

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        if type(value) is not list:
            raise _make_error(value, path, "list")
        return value if item is None else [item(each, f"{path}[{index}]") for index, each in enumerate(value)]

    return enforce


def _map_of(type_: Type) -> Enforce:
    item = find_enforcer(type_.item) if type_.item is not None else None

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        if type(value) is not dict:
            raise _make_error(value, path, "map")
        return value if item is None else {key: item(each, f"{path}[{key!r}]") for key, each in value.items()}

    return enforce


def _enforce_union(type_: Type) -> Enforce:
    """JSON does not name the type, so the first type that takes the value is chosen."""
    options = {field.name: find_enforcer(field.type) or _as_it_is for field in type_.fields}

    def enforce(value: Any, path: str) -> Any:
        if value is None:
            return None
        if type(value) is UnionValue and value.tag in options:
            return UnionValue(value.tag, options[value.tag](value.value, path))
        for tag, option in options.items():
            try:
                return UnionValue(tag, option(value, path))
            except DecodeError:
                continue
        raise _make_error(value, path, f"one of {', '.join(options)}")

    return enforce


def _as_it_is(value: Any, path: str) -> Any:
    return value


def _enforce_struct(type_: Type) -> Enforce:
    fields = {field.name: check for field in type_.fields if (check := find_enforcer(field.type)) is not None}
    nested_names = find_nested_fields(type_)
    is_right = make_partial_check(type_)

    def enforce(value: Any, path: str) -> Any:
        if type(value) is not dict:
            if value is None:
                return None
            raise _make_error(value, path, "struct")
        try:
            names: Iterable[str] = nested_names if is_right(value) else fields
        except OverflowError:  # an integer beyond the doubles
            names = fields
        for name in names:
            if name in value:
                value[name] = fields[name](value[name], f"{path}.{name}" if path else name)
        return value

    return enforce


def find_nested_fields(type_: Type) -> list[str]:
    """The fields of a struct that hold lists, maps, structs, bytes and decimals. One look does not judge these."""
    return [field.name for field in type_.fields if field.type.kind in NESTED_KINDS]


def _make_error(value: Any, path: str, expectation: str) -> DecodeError:
    return DecodeError(
        f"{_describe_place(path)} is {_NAMES.get(type(value), type(value).__name__)}; expected {expectation}.", path
    )


def _make_width_error(path: str) -> DecodeError:
    return DecodeError(f"{_describe_place(path)} does not fit into 64 bits; expected integer.", path)


def _describe_place(path: str) -> str:
    return f"Field `{path}`" if path else "It"
