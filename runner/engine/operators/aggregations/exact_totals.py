"""Exact sums and averages of decimals, with the types that Spark SQL gives them (its Sum and Average)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from designer.expressions import decimals
from designer.expressions.errors import Fault
from designer.expressions.types import describe
from designer.values.decimals import MAX_PRECISION
from designer.values.schemas import Type, decimal
from runner.engine.operators.aggregations.parts import AggregatePart, Refuse, make_plain


def sum_type(of: Type) -> Type:
    return decimal(min(of.precision + 10, MAX_PRECISION), of.scale)


def choose_average_type(of: Type) -> Type:
    return decimal(min(of.precision + 4, MAX_PRECISION), min(of.scale + 4, MAX_PRECISION))


def make_sum(refuse: Refuse, of: Type) -> AggregatePart:
    """A sum that only grows. It is the total itself."""
    add = _make_operation("+", refuse, of)
    return make_plain(lambda total, value: value if total is None else add(total, value))


def make_sum_with_count(refuse: Refuse, of: Type) -> AggregatePart:
    """A sum from which values can be taken back. It is null again after the last one."""
    return _make_total(refuse, of)._replace(show=lambda part: None if part is None else part[0])


def make_average(refuse: Refuse, of: Type) -> AggregatePart:
    """An average too wide for its type is an error of the record that makes it too wide."""
    part, divide = _make_total(refuse, of), _make_division(of)
    if of.precision + 4 <= MAX_PRECISION:
        return part._replace(show=divide)

    def step(total: Any, value: Any) -> Any:
        new_total = part.step(total, value)
        try:
            divide(new_total)
        except Fault as fault:
            raise refuse(value, str(fault)) from None
        return new_total

    return part._replace(step=step, show=divide)


def _make_total(refuse: Refuse, of: Type) -> AggregatePart:
    """The part is the total with its number of values, or null."""
    add, subtract = _make_operation("+", refuse, of), _make_operation("-", refuse, of)

    def step(part: Any, value: Any) -> Any:
        return [value, 1] if part is None else [add(part[0], value), part[1] + 1]

    def take(part: Any, value: Any) -> Any:
        return None if part is None or part[1] <= 1 else [subtract(part[0], value), part[1] - 1]

    def merge(part: Any, other: Any) -> Any:
        if part is None or other is None:
            return part or other
        return [add(part[0], other[0]), part[1] + other[1]]

    return AggregatePart(start=None, step=step, merge=merge, take=take)


def _make_operation(op: str, refuse: Refuse, of: Type) -> Callable[[Decimal, Decimal], Decimal]:
    total_type = sum_type(of)
    run = decimals.EXACT.add if op == "+" else decimals.EXACT.subtract
    fit, words = decimals.make_fitter(total_type), describe(total_type)

    def compute(total: Decimal, value: Decimal) -> Decimal:
        try:
            return fit(run(total, value))
        except Fault:
            raise refuse(value, f"the sum does not fit into {words}") from None

    return compute


def _make_division(of: Type) -> Callable[[Any], Decimal | None]:
    fit = decimals.make_fitter(choose_average_type(of))

    def divide(part: Any) -> Decimal | None:
        return None if part is None else fit(decimals.divide(part[0], part[1]))

    return divide
