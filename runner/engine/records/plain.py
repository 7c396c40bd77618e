"""Values that cross between the engine and users' code. They are copies, so neither sees the other's changes."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from designer.values.decimals import MAX_PRECISION, is_decimal
from designer.values.exact_json import JsonNumber
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import Kind, Type
from designer.values.tuples import UnionValue, Windowed
from runner.engine.formats.json import holds
from runner.engine.formats.types import find_enforcer
from runner.engine.records.codecs import pack, unpack

FLAT = frozenset({str, int, float, JsonNumber, Decimal, bool, bytes, type(None)})
"""Types that cannot change."""
AS_IT_IS = frozenset({float, JsonNumber, bool, bytes, type(None)})
EXPECTATION = (
    "expected null, true or false, a 64-bit integer, a float, a Decimal, text, bytes, "
    "a list or a dict with text as names"
)


class NotPlain(TypeError):
    """A value that no record can hold."""


def copy_value(value: Any) -> Any:
    """A copy of a value of the engine."""
    try:
        return _copy(value)
    except RecursionError:
        return unpack(pack(value))


def _copy(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {name: each if type(each) in FLAT else _copy(each) for name, each in value.items()}
    if kind is list:
        return [each if type(each) in FLAT else _copy(each) for each in value]
    if kind is UnionValue:
        return UnionValue(value.tag, _copy(value.value))
    return value._replace(key=copy_value(value.key)) if kind is Windowed else value


def copy_plain(value: Any) -> Any:
    """A copy of a user's value. Raises NotPlain if a record cannot hold it. A tuple becomes a list."""
    try:
        return _copy_plain(value)
    except RecursionError as error:
        raise NotPlain("It is nested too deep, or holds itself.") from error


def _copy_plain(value: Any) -> Any:
    kind = type(value)
    if kind in AS_IT_IS or (kind is str and value.isascii()) or (kind is int and MIN_LONG <= value <= MAX_LONG):
        return value
    if kind is dict:
        for name in value:
            if type(name) is not str or not name.isascii():
                _check_name(name)
        return {
            name: each if (of := type(each)) in AS_IT_IS or (of is str and each.isascii()) else _copy_plain(each)
            for name, each in value.items()
        }
    if kind is list or kind is tuple:
        return [each if type(each) in AS_IT_IS else _copy_plain(each) for each in value]
    return _check(value, kind)


def make_fitter(type_: Type) -> Callable[[Any], Any]:
    """Makes users' values plain and checks that they are of a type (DecodeError if not)."""
    if type_.kind is Kind.BYTES:
        return _fit_bytes
    enforce = None if holds(Kind.BYTES, type_) else find_enforcer(type_)
    if enforce is None:
        return copy_plain
    check = enforce
    return lambda value: check(copy_plain(value), "")


def _fit_bytes(value: Any) -> Any:
    if value is not None and type(value) is not bytes:
        raise NotPlain(f"It is {type(value).__name__}; expected bytes.")
    return value


def _check_name(name: Any) -> None:
    if type(name) is not str:
        raise NotPlain(f"A name in a dict is {name!r:.40}; {EXPECTATION}.")
    _check(name, str)


def _check(value: Any, kind: type) -> Any:
    """Checks the other values: text that is not ASCII, decimals, values of unions, and values for no record."""
    if kind is UnionValue:
        _check_name(value.tag)
        return UnionValue(value.tag, _copy_plain(value.value))
    if kind is int:
        raise NotPlain(f"{value!r:.40} does not fit into 64 bits.")
    if kind is Decimal:
        if not is_decimal(value):
            raise NotPlain(f"{value!s:.60} is not a decimal of at most {MAX_PRECISION} digits.")
        return value
    if kind is not str:
        raise NotPlain(f"A record cannot hold a {kind.__name__}; {EXPECTATION}.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise NotPlain("A text contains half a surrogate pair, which UTF-8 cannot write.") from error
    return value
