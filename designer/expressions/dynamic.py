"""What compiled expressions do with values of unknown type (ANY): look at them at run time. Raises Fault."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from designer.expressions.casts import named, to_string
from designer.expressions.errors import Fault
from designer.logical import MICROS, MS, UNITS, changing
from designer.values import UnionValue

EXPECTED: dict[str, tuple[tuple[type, ...], str]] = {
    "boolean": ((bool,), "true or false"),
    "integer": ((int,), "an integer"),
    "double": ((float, int), "a number"),
    "number": ((int, float), "a number"),
    "string": ((str,), "a string"),
    "bytes": ((bytes,), "bytes"),
    "binary": ((str, bytes), "a string or bytes"),
    "union": ((UnionValue,), "a value of a union"),
    "list": ((list,), "a list"),
    "struct": ((dict,), "a struct"),
    "map": ((dict,), "a map"),
    "collection": ((list, dict), "a list or a map"),
}
NUMBERS = (int, float)
NESTED = (dict, list, UnionValue)


def expect(kind: str) -> Callable[[Any], Any]:
    """A function that gives its argument back if it is of that kind; `double` widens integers."""
    types, what = EXPECTED[kind]

    def expected(value: Any) -> Any:
        if type(value) not in types:
            raise Fault(f"Expected {what}, found a {named(value)}.")
        return float(value) if kind == "double" else value

    return expected


CHANGES: dict[str, Callable[[Any], Any]] = {
    f"{name} to {unit.word}": change
    for name, held in {**UNITS, "ms": MS}.items()
    for unit in (MS, MICROS)
    if (change := changing(held, unit)) is not None
}
"""From the unit of a logical type to that of a function, as in `timestamp-nanos to milliseconds`."""

EXPECT: dict[str, Callable[[Any], Any]] = {
    **{kind: expect(kind) for kind in EXPECTED},
    "text": to_string,
    **CHANGES,
}


def member(value: Any, name: str) -> Any:
    """`value.name`, null where the value or the field is."""
    if value is None:
        return None
    if type(value) is not dict:
        raise Fault(f"Field `{name}` was asked of a {named(value)}; expected a struct.")
    return value.get(name)


def entry(of: Any, place: Any) -> Any:
    """`of[place]`: the member of that name, or the item at that position."""
    if type(place) is str:
        return member(of, place)
    if type(place) is not int:
        raise Fault(f"What stands in brackets is a {named(place)}; expected an integer or a text.")
    return item(of, place)


def item(items: Any, position: int) -> Any:
    """`items[position]`, counted from 0."""
    if type(items) is not list:
        raise Fault(f"An item was asked of a {named(items)}; expected a list.")
    if not 0 <= position < len(items):
        raise Fault(f"There is no item [{position}] in a list of {len(items)}; get(list, index) gives null instead.")
    return items[position]


def comparable(left: Any, right: Any) -> None:
    kinds = type(left), type(right)
    alike = kinds[0] is kinds[1] and kinds[0] not in NESTED
    if not alike and not (kinds[0] in NUMBERS and kinds[1] in NUMBERS):
        raise Fault(f"A {named(left)} cannot be compared with a {named(right)}.")


def comparing(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compared(left: Any, right: Any) -> Any:
        if type(left) is not type(right) or type(left) in NESTED:
            comparable(left, right)
        return compare(left, right)

    return compared


COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": comparing(operator.eq),
    "<>": comparing(operator.ne),
    "<": comparing(operator.lt),
    "<=": comparing(operator.le),
    ">": comparing(operator.gt),
    ">=": comparing(operator.ge),
}


def same(left: Any, right: Any) -> bool:
    """`left <=> right`"""
    if left is None or right is None:
        return left is right
    comparable(left, right)
    return bool(left == right)


def equal(left: Any, right: Any) -> bool | None:
    """`left = right` by SQL's three values."""
    if left is None or right is None:
        return None
    comparable(left, right)
    return bool(left == right)


def within(value: Any, items: tuple[Any, ...]) -> bool | None:
    """`value IN (items)` by SQL's three values; value is not null."""
    found: bool | None = False
    for other in items:
        if other is None:
            found = None
            continue
        comparable(value, other)
        if value == other:
            return True
    return found


def between(value: Any, low: Any, high: Any) -> bool | None:
    """`value BETWEEN low AND high` by SQL's three values; value is not null."""
    above = None if low is None else COMPARE[">="](value, low)
    below = None if high is None else COMPARE["<="](value, high)
    if above is False or below is False:
        return False
    return None if above is None or below is None else True
