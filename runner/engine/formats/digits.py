"""The digits of decimals in a JSON text, of which its usual reader makes doubles."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from json import JSONDecoder
from typing import Any

from designer.values.exact_json import JsonNumber
from designer.values.schemas import Kind, Type
from runner.engine.formats.errors import DecodeError

_read_as_written = JSONDecoder(parse_float=str, parse_int=str).decode
NUMBERS = (int, float, JsonNumber)

Restore = Callable[[Any, Any], Any]
"""A value and the same with its numbers as they are written, to the value with its decimals exact."""


def with_digits(held: Type) -> Callable[[Any, bytes], Any]:
    """A function that puts the decimals of a JSON text, for a type that has some, into the value read from it.

    Numbers where decimals are declared become `Decimal`s with the digits of the text; all else stays. The text must
    have been read already: what JSON does not allow is not looked for here. Raises DecodeError.
    """
    restore = _make_restore(held)
    assert restore is not None

    def restore_value(value: Any, data: bytes) -> Any:
        try:
            return restore(value, _read_as_written(str(data, "utf-8")))
        except RecursionError as error:
            raise DecodeError("It is nested too deep.") from error

    return restore_value


def _make_restore(held: Type) -> Restore | None:
    """None where the type holds no decimals."""
    match held.kind:
        case Kind.DECIMAL:
            return _decimal
        case Kind.STRUCT:
            return _struct(held)
        case Kind.LIST | Kind.MAP:
            item = _make_restore(held.item) if held.item is not None else None
            return None if item is None else _list(item) if held.kind is Kind.LIST else _map(item)
        case _:
            return None


def _decimal(value: Any, written: Any) -> Any:
    if type(value) not in NUMBERS:
        return value
    try:
        return Decimal(written)
    except InvalidOperation as error:
        raise DecodeError(f"{written:.60} is too large for a decimal.") from error


def _struct(held: Type) -> Restore | None:
    fields = [(field.name, found) for field in held.fields if (found := _make_restore(field.type)) is not None]

    def restore(value: Any, written: Any) -> Any:
        if type(value) is dict:
            for name, of in fields:
                if name in value:
                    value[name] = of(value[name], written[name])
        return value

    return restore if fields else None


def _list(item: Restore) -> Restore:
    def restore(value: Any, written: Any) -> Any:
        return list(map(item, value, written)) if type(value) is list else value

    return restore


def _map(item: Restore) -> Restore:
    def restore(value: Any, written: Any) -> Any:
        return {name: item(each, written[name]) for name, each in value.items()} if type(value) is dict else value

    return restore
