"""Exact digits of decimals in a JSON text, from which the usual reader makes doubles."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from json import JSONDecoder
from typing import Any

from designer.values.exact_json import JsonNumber
from designer.values.schemas import Kind, Type
from runner.engine.formats.errors import DecodeError

_read_digits = JSONDecoder(parse_float=str, parse_int=str).decode
NUMBERS = (int, float, JsonNumber)

Restore = Callable[[Any, Any], Any]
"""Takes a value, and the same value with its numbers as written. Returns the value with exact decimals."""


def with_digits(type_: Type) -> Callable[[Any, bytes], Any]:
    """A function that puts the decimals of a JSON text into the value read from it. For a type with decimals.

    Numbers that are declared as decimals become `Decimal`s with the digits of the text. All else stays. The text must
    have been read already, because invalid JSON is not detected here. Raises DecodeError.
    """
    restore = _make_restore(type_)
    assert restore is not None

    def restore_value(value: Any, data: bytes) -> Any:
        try:
            return restore(value, _read_digits(str(data, "utf-8")))
        except RecursionError as error:
            raise DecodeError("It is nested too deep.") from error

    return restore_value


@lru_cache(maxsize=1_024)
def _make_restore(type_: Type) -> Restore | None:
    """None if the type holds no decimals."""
    match type_.kind:
        case Kind.DECIMAL:
            return _read_decimal
        case Kind.STRUCT:
            return _find_restore_of_struct(type_)
        case Kind.LIST | Kind.MAP:
            item = _make_restore(type_.item) if type_.item is not None else None
            return None if item is None else _list(item) if type_.kind is Kind.LIST else _map(item)
        case _:
            return None


def _read_decimal(value: Any, digits: Any) -> Any:
    if type(value) not in NUMBERS:
        return value
    try:
        return Decimal(digits)
    except InvalidOperation as error:
        raise DecodeError(f"{digits:.60} is too large for a decimal.") from error


def _find_restore_of_struct(type_: Type) -> Restore | None:
    fields = [(field.name, of) for field in type_.fields if (of := _make_restore(field.type)) is not None]

    def restore(value: Any, digits: Any) -> Any:
        if type(value) is dict:
            for name, of in fields:
                if name in value:
                    value[name] = of(value[name], digits[name])
        return value

    return restore if fields else None


def _list(item: Restore) -> Restore:
    def restore(value: Any, digits: Any) -> Any:
        return list(map(item, value, digits)) if type(value) is list else value

    return restore


def _map(item: Restore) -> Restore:
    def restore(value: Any, digits: Any) -> Any:
        return {name: item(each, digits[name]) for name, each in value.items()} if type(value) is dict else value

    return restore
