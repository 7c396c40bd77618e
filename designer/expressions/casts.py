"""CAST at run time: Spark's rules with ANSI on (an impossible cast is an error), 64-bit integers, Java's digits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from designer.expressions.decimals import to_64_bits
from designer.expressions.errors import Fault
from designer.values.decimals import NUMBER, make_fit, write_digits
from designer.values.exact_json import JsonNumber
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import Kind, Type
from designer.values.tuples import UnionValue

INTEGER = re.compile(r"\s*[+-]?[0-9]{1,40}\s*")
DOUBLE = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,5})?\s*")
SPECIAL = {"nan": math.nan, "infinity": math.inf, "inf": math.inf, "+infinity": math.inf, "+inf": math.inf}
SPECIAL |= {"-infinity": -math.inf, "-inf": -math.inf}
TRUE = frozenset(("t", "true", "y", "yes", "1"))
NAMES = {bool: "a boolean", int: "an integer", float: "a double", JsonNumber: "a double", Decimal: "a decimal"}
NAMES |= {str: "a string", bytes: "a value of bytes"}
NAMES |= {list: "a list", dict: "a struct or map", UnionValue: "a union"}
FALSE = frozenset(("f", "false", "n", "no", "0"))


def to_integer(value: Any) -> int:
    """Doubles lose their digits after the point. Raises Fault."""
    kind = type(value)
    if (kind is int and MIN_LONG <= value <= MAX_LONG) or kind is bool:
        return int(value)
    if kind is float and MIN_LONG <= value < 2.0**63:
        return int(value)
    if kind is JsonNumber and MIN_LONG <= value <= MAX_LONG:
        return int(value.exact)
    if kind is Decimal:
        return to_64_bits(value)
    if kind is str and INTEGER.fullmatch(value) and MIN_LONG <= (number := int(value)) <= MAX_LONG:
        return number
    raise _make_fault(value, "an integer of 64 bits", "BIGINT")


def to_double(value: Any) -> float:
    kind = type(value)
    if kind in (float, int, bool, Decimal, JsonNumber):
        try:
            return float(value)
        except OverflowError:
            raise _make_fault(value, "a number", "DOUBLE") from None
    if kind is str:
        if DOUBLE.fullmatch(value):
            return float(value)
        if (special := SPECIAL.get(value.strip().lower())) is not None:
            return special
    raise _make_fault(value, "a number", "DOUBLE")


def to_boolean(value: Any) -> bool:
    kind = type(value)
    if kind in (bool, int, float, Decimal, JsonNumber):
        return bool(value)
    if kind is str:
        word = value.strip().lower()
        if word in TRUE or word in FALSE:
            return word in TRUE
    raise _make_fault(value, "true or false", "BOOLEAN")


def to_string(value: Any) -> str:
    kind = type(value)
    if kind is str:
        return str(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is JsonNumber:
        return str(value)
    if kind is float:
        return write_double(value)
    if kind is Decimal:
        return write_digits(value)
    if kind is bytes:
        try:
            return str(value, "utf-8")
        except UnicodeDecodeError as error:
            message = f"The bytes are not UTF-8 text: {error.reason} at byte {error.start}; hex(…) shows any bytes."
            raise Fault(message) from None
    raise _make_fault(value, "a text", "STRING")


@lru_cache(maxsize=1_024)
def to_decimal(type_: Type) -> Callable[[Any], Decimal]:
    """The cast to a decimal: for a double its written form, rounded half up to the scale."""
    fit, target = make_fit(type_.precision, type_.scale, ROUND_HALF_UP), f"DECIMAL({type_.precision}, {type_.scale})"

    def cast(value: Any) -> Decimal:
        kind, number = type(value), None
        if kind is Decimal:
            number = value
        elif kind is int or kind is bool:
            number = Decimal(value)
        elif kind is float and math.isfinite(value):
            number = Decimal(repr(value))
        elif kind is JsonNumber:
            number = value.exact
        elif kind is str and NUMBER.fullmatch(text := value.strip()):
            number = Decimal(text)
        try:
            if number is not None:
                return fit(number)
        except InvalidOperation:
            pass
        raise _make_fault(value, f"a number that {target} holds", target)

    return cast


def to_bytes(value: Any) -> bytes:
    """The UTF-8 of a text."""
    if type(value) is str:
        return value.encode()
    if type(value) is bytes:
        return value
    raise _make_fault(value, "a text or bytes", "BINARY")


def write_double(number: float) -> str:
    """The digits of Java's Double.toString: 1.0, 1.0E10, NaN, Infinity.

    Java takes the shortest decimal of two digits or more: the least double is 4.9E-324 where Python writes 5e-324.
    """
    if number != number:
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0 or 1e-3 <= abs(number) < 1e7:
        return repr(number)
    text = f"{number:.1e}"
    sign, digits, exponent = Decimal(text if float(text) == number else repr(number)).normalize().as_tuple()
    assert isinstance(exponent, int)
    first, *rest = map(str, digits)
    return f"{'-' * sign}{first}.{''.join(rest) or '0'}E{exponent + len(rest)}"


CASTS: dict[Kind, Callable[[Any], Any]] = {
    Kind.INTEGER: to_integer,
    Kind.DOUBLE: to_double,
    Kind.BOOLEAN: to_boolean,
    Kind.STRING: to_string,
    Kind.BYTES: to_bytes,
}


def _with_null_for_faults(cast: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def try_cast(value: Any) -> Any:
        try:
            return cast(value)
        except Fault:
            return None

    return try_cast


TRY_CASTS = {kind: _with_null_for_faults(cast) for kind, cast in CASTS.items()}


@lru_cache(maxsize=1_024)
def make_cast(to: Type, *, is_safe: bool) -> Callable[[Any], Any]:
    """A function that casts to a type. Otherwise it raises Fault or, if safe, returns null."""
    if to.kind is not Kind.DECIMAL:
        return (TRY_CASTS if is_safe else CASTS)[to.kind]
    return _with_null_for_faults(to_decimal(to)) if is_safe else to_decimal(to)


def _make_fault(value: Any, what: str, target: str) -> Fault:
    text = (
        repr(value)[:60]
        if isinstance(value, str | int | float)
        else write_digits(value)[:60]
        if isinstance(value, Decimal)
        else name_kind(value).capitalize()
    )
    return Fault(f"{text} is not {what}; TRY_CAST(… AS {target}) gives null instead.")


def name_kind(value: Any) -> str:
    """The kind of a run-time value with its article, in our words."""
    return NAMES.get(type(value), "a value of another kind")
