"""Sums and averages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.exact_json import JsonNumber
from runner.operators.aggregations.parts import Part, Refuse, plain

GREATEST = 2**63 - 1
LEAST = -(2**63)
NUMBERS = frozenset({int, float, JsonNumber})


def summing(refuse: Refuse, n: int) -> Part:
    """A sum that only grows: the total itself."""
    fitting = _fitting(refuse)

    def add(total: Any, value: Any) -> Any:
        number(value, refuse)
        return _plain(value) if total is None else fitting(total + value, value)

    return plain(add)


def summing_with_count(refuse: Refuse, n: int) -> Part:
    """A sum that values are taken back from: null again, and free of rounding errors, when the last one is."""
    return _totalling(refuse, _fitting(refuse))._replace(show=lambda part: None if part is None else part[0])


def averaging(refuse: Refuse, n: int) -> Part:
    """An integer sum too wide for 64 bits goes on as a double, since the average is one."""
    return _totalling(refuse, lambda total, value: total if fits(total) else float(total))


def number(value: Any, refuse: Refuse) -> None:
    if type(value) not in NUMBERS:
        raise refuse(value, "it is no number")
    if not fits(value):
        raise refuse(value, "it does not fit into 64 bits")


def _plain(number: Any) -> Any:
    """Of a number with more digits than a double has, the double."""
    return float(number) if type(number) is JsonNumber else number


def fits(total: Any) -> bool:
    return type(total) is not int or LEAST <= total <= GREATEST


def _fitting(refuse: Refuse) -> Callable[[Any, Any], Any]:
    def fitting(total: Any, value: Any) -> Any:
        if not fits(total):
            raise refuse(value, "the sum does not fit into 64 bits")
        return total

    return fitting


def _totalling(refuse: Refuse, fitting: Callable[[Any, Any], Any]) -> Part:
    """The part is the total and how many values made it, or null."""

    def add(part: Any, value: Any) -> Any:
        number(value, refuse)
        return [_plain(value), 1] if part is None else [fitting(part[0] + value, value), part[1] + 1]

    def take(part: Any, value: Any) -> Any:
        number(value, refuse)
        return None if part is None or part[1] <= 1 else [fitting(part[0] - value, value), part[1] - 1]

    def merge(part: Any, other: Any) -> Any:
        if part is None or other is None:
            return part or other
        return [fitting(part[0] + other[0], other[0]), part[1] + other[1]]

    return Part(start=None, step=add, merge=merge, take=take, show=_average)


def _average(part: list[Any] | None) -> float | None:
    return None if part is None else part[0] / part[1]
