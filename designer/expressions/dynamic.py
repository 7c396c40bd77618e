"""Handles values of unknown type (ANY) in compiled expressions: checks them at run time. Raises Fault."""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from designer.expressions import arithmetic, decimals
from designer.expressions.casts import name_kind, to_decimal, to_string
from designer.expressions.errors import Fault
from designer.values.decimals import is_decimal
from designer.values.exact_json import JsonNumber, to_exact
from designer.values.logical import MICROS, MS, UNITS, make_change
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import Type
from designer.values.tuples import UnionValue

EXPECTATIONS: dict[str, tuple[tuple[type, ...], str]] = {
    "boolean": ((bool,), "true or false"),
    "integer": ((int,), "an integer"),
    "double": ((float, int, Decimal, JsonNumber), "a number"),
    "number": ((int, float, Decimal, JsonNumber), "a number"),
    "real": ((int, float, Decimal, JsonNumber), "a number"),
    "string": ((str,), "a string"),
    "bytes": ((bytes,), "bytes"),
    "binary": ((str, bytes), "a string or bytes"),
    "union": ((UnionValue,), "a value of a union"),
    "list": ((list,), "a list"),
    "struct": ((dict,), "a struct"),
    "map": ((dict,), "a map"),
    "collection": ((list, dict), "a list or a map"),
}
NUMBERS = (int, float, Decimal, JsonNumber)
NESTED_TYPES = (dict, list, UnionValue)
MIXED_PAIRS = ((Decimal, float), (float, Decimal))


def make_expectation(kind: str) -> Callable[[Any], Any]:
    """A function that returns its argument if it is of that kind. `double` widens, and `real` also widens decimals.

    A JSON number with more digits than a double becomes the nearest double. An integer beyond 64 bits is a fault.
    """
    types, what = EXPECTATIONS[kind]
    widened_types = {"double": (int, Decimal, JsonNumber), "real": (Decimal, JsonNumber)}.get(kind, (JsonNumber,))
    kept_types = tuple(each for each in types if each is not int and each not in widened_types)
    takes_integers, widens_integers = int in types, int in widened_types
    smallest, biggest = MIN_LONG, MAX_LONG

    def expect(value: Any) -> Any:
        of = type(value)
        if of is int and takes_integers:
            if not smallest <= value <= biggest:
                raise Fault(f"The integer {value!s:.40} does not fit into 64 bits; CAST(… AS DOUBLE) rounds it.")
            return float(value) if widens_integers else value
        if of in kept_types:
            return value
        if of in types:
            return float(value)
        raise Fault(f"Expected {what}, found {name_kind(value)}.")

    return expect


CHANGES: dict[str, Callable[[Any], Any]] = {
    f"{name} to {unit.word}": change
    for name, own_unit in {**UNITS, "ms": MS}.items()
    for unit in (MS, MICROS)
    if (change := make_change(own_unit, unit)) is not None
}
"""From the unit of a logical type to that of a function, as in `timestamp-nanos to milliseconds`."""

EXPECT: dict[str, Callable[[Any], Any]] = {
    **{kind: make_expectation(kind) for kind in EXPECTATIONS},
    "text": to_string,
    **CHANGES,
}


@lru_cache(maxsize=1_024)
def make_decimal_conversion(type_: Type) -> Callable[[Any], Decimal]:
    """A function that converts a number to a decimal of the type."""
    number, cast = EXPECT["number"], to_decimal(type_)
    return lambda value: cast(number(value))


def get_member(value: Any, name: str) -> Any:
    """`value.name`, or null if the value or the field is null."""
    if value is None:
        return None
    if type(value) is not dict:
        raise Fault(f"Field `{name}` was read from {name_kind(value)}; expected a struct.")
    return value.get(name)


def get_entry(of: Any, place: Any) -> Any:
    """`of[place]`: the member of that name, or the item at that position."""
    if type(place) is str:
        return get_member(of, place)
    if type(place) is not int:
        raise Fault(f"The value in brackets is {name_kind(place)}; expected an integer or a text.")
    return get_item(of, place)


def get_item(items: Any, position: int) -> Any:
    """`items[position]`, counted from 0."""
    if type(items) is not list:
        raise Fault(f"An item was read from {name_kind(items)}; expected a list.")
    if not 0 <= position < len(items):
        raise Fault(f"There is no item [{position}] in a list of {len(items)}; get(list, index) gives null instead.")
    return items[position]


def make_comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """The two for a comparison: beside a double, a decimal becomes one, but not beside a `JsonNumber`."""
    kinds = type(left), type(right)
    alike = kinds[0] is kinds[1] and kinds[0] not in NESTED_TYPES
    if not alike and not (kinds[0] in NUMBERS and kinds[1] in NUMBERS):
        raise Fault(f"{name_kind(left).capitalize()} cannot be compared with {name_kind(right)}.")
    if JsonNumber in kinds and Decimal in kinds:
        return to_exact(left), to_exact(right)
    return (float(left), float(right)) if kinds in MIXED_PAIRS else (left, right)


def make_comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compare_values(left: Any, right: Any) -> Any:
        if type(left) is not type(right) or type(left) in NESTED_TYPES:
            left, right = make_comparable(left, right)
        return compare(left, right)

    return compare_values


COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": make_comparison(operator.eq),
    "<>": make_comparison(operator.ne),
    "<": make_comparison(operator.lt),
    "<=": make_comparison(operator.le),
    ">": make_comparison(operator.gt),
    ">=": make_comparison(operator.ge),
}


def is_same(left: Any, right: Any) -> bool:
    """`left <=> right`"""
    if left is None or right is None:
        return left is right
    left, right = make_comparable(left, right)
    return bool(left == right)


def is_equal(left: Any, right: Any) -> bool | None:
    """`left = right` in SQL's three-valued logic."""
    if left is None or right is None:
        return None
    left, right = make_comparable(left, right)
    return bool(left == right)


def is_within(value: Any, items: tuple[Any, ...]) -> bool | None:
    """`value IN (items)` in SQL's three-valued logic. The value is not null."""
    answer: bool | None = False
    for other in items:
        if other is None:
            answer = None
            continue
        one, other = make_comparable(value, other)
        if one == other:
            return True
    return answer


def is_between(value: Any, low: Any, high: Any) -> bool | None:
    """`value BETWEEN low AND high` in SQL's three-valued logic. The value is not null."""
    above = None if low is None else COMPARE[">="](value, low)
    below = None if high is None else COMPARE["<="](value, high)
    if above is False or below is False:
        return False
    return None if above is None or below is None else True


def add(left: Any, right: Any) -> Any:
    """`left + right`: integers have 64 bits, decimals their digits, and beside a double all are doubles."""
    try:
        total = left + right
    except TypeError:
        return operator.add(*make_comparable(left, right))
    if (kind := type(total)) is float or (kind is int and MIN_LONG <= total <= MAX_LONG):
        return total
    return _to_38_digits(decimals.EXACT.add(left, right)) if kind is Decimal else arithmetic.raise_overflow()


def subtract(left: Any, right: Any) -> Any:
    try:
        difference = left - right
    except TypeError:
        return operator.sub(*make_comparable(left, right))
    if (kind := type(difference)) is float or (kind is int and MIN_LONG <= difference <= MAX_LONG):
        return difference
    return _to_38_digits(decimals.EXACT.subtract(left, right)) if kind is Decimal else arithmetic.raise_overflow()


def multiply(left: Any, right: Any) -> Any:
    try:
        product = left * right
    except TypeError:
        return operator.mul(*make_comparable(left, right))
    if (kind := type(product)) is float or (kind is int and MIN_LONG <= product <= MAX_LONG):
        return product
    return _to_38_digits(decimals.EXACT.multiply(left, right)) if kind is Decimal else arithmetic.raise_overflow()


def _to_38_digits(number: Decimal) -> Decimal:
    if not is_decimal(number):
        raise Fault("The result has more than 38 digits; CAST(… AS DECIMAL(38, 6)) rounds its inputs.")
    return number if number else abs(number)


def find_remainder(left: Any, right: Any) -> Any:
    if Decimal not in (type(left), type(right)):
        return arithmetic.find_remainder(left, right)
    left, right = make_comparable(left, right)
    return arithmetic.find_remainder(left, right) if type(left) is float else decimals.find_remainder(left, right)


COMPUTE: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "%": find_remainder,
}


def negate(number: Any) -> Any:
    return decimals.negate(number) if type(number) is Decimal else arithmetic.check_64_bits(-number)
