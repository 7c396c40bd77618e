"""Sums and averages. `exact_totals` has those of known decimals."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from designer.expressions.decimals import EXACT
from designer.values.decimals import is_decimal
from designer.values.exact_json import JsonNumber
from designer.values.longs import MAX_LONG, MIN_LONG
from runner.engine.operators.aggregations.parts import AggregatePart, Refuse, make_plain

NUMBERS = frozenset({int, float, Decimal, JsonNumber})
Compute = Callable[[Any, Any], Any]


def make_sum(refuse: Refuse, n: int) -> AggregatePart:
    """A sum that only grows. It is the total itself."""
    plus = _make_addition(_refuse_width(refuse))

    def add(total: Any, value: Any) -> Any:
        refuse_no_number(value, refuse)
        return _round_to_double(value) if total is None else plus(total, value)

    return make_plain(add)


def make_sum_with_count(refuse: Refuse, n: int) -> AggregatePart:
    """A sum from which values can be taken back. After the last one it is null again, and free of rounding errors."""
    return _make_total(refuse, _refuse_width(refuse))._replace(show=lambda part: None if part is None else part[0])


def make_average(refuse: Refuse, n: int) -> AggregatePart:
    """An integer sum too wide for 64 bits continues as a double, because the average is one."""
    return _make_total(refuse, lambda total, value: float(total))


def refuse_no_number(value: Any, refuse: Refuse) -> None:
    if type(value) not in NUMBERS:
        raise refuse(value, "it is not a number")
    if type(value) is int and not MIN_LONG <= value <= MAX_LONG:
        raise refuse(value, "it does not fit into 64 bits")


def _round_to_double(number: Any) -> Any:
    """The double of a number with more digits than a double has."""
    return float(number) if type(number) is JsonNumber else number


def _refuse_width(refuse: Refuse) -> Compute:
    """Refuses a total that is too wide for integers of 64 bits or decimals of 38 digits."""

    def refuse_width(total: Any, value: Any) -> Any:
        size = "64 bits" if type(total) is int else "a decimal of 38 digits"
        raise refuse(value, f"the sum does not fit into {size}")

    return refuse_width


def _make_addition(too_wide: Compute) -> Compute:
    """`total + value` for integers, doubles, or decimals with all their digits. Beside a double all are doubles."""

    def plus(total: Any, value: Any) -> Any:
        try:
            new_total = total + value
        except TypeError:
            return float(total) + float(value)
        kind = type(new_total)
        if kind is float or (kind is int and MIN_LONG <= new_total <= MAX_LONG):
            return new_total
        if kind is Decimal and is_decimal(new_total := EXACT.add(total, value)):
            return new_total
        return too_wide(new_total, value)

    return plus


def _make_total(refuse: Refuse, too_wide: Compute) -> AggregatePart:
    """The part is the total with its number of values, or null."""
    plus = _make_addition(too_wide)

    def add(part: Any, value: Any) -> Any:
        refuse_no_number(value, refuse)
        return [_round_to_double(value), 1] if part is None else [plus(part[0], value), part[1] + 1]

    def take(part: Any, value: Any) -> Any:
        refuse_no_number(value, refuse)
        if part is None or part[1] <= 1:
            return None
        return [plus(part[0], value.copy_negate() if type(value) is Decimal else -value), part[1] - 1]

    def merge(part: Any, other: Any) -> Any:
        if part is None or other is None:
            return part or other
        return [plus(part[0], other[0]), part[1] + other[1]]

    return AggregatePart(start=None, step=add, merge=merge, take=take, show=_compute_average)


def _compute_average(part: list[Any] | None) -> float | None:
    if part is None:
        return None
    total, count = part
    average: float = (float(total) if type(total) is Decimal else total) / count
    return average
