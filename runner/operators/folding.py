"""The functions of aggregate: each folds one value of each record into its own part of the aggregate.

As in SQL they leave out nulls; over nothing but nulls sum, avg, min and max are null, and count is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import gt, lt
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from runner.engine.aggregator import Aggregator

GREATEST = 2**63 - 1
LEAST = -(2**63)
NUMBERS = frozenset({int, float})
ORDERED = frozenset({bool, int, float, str})

Step = Callable[[Any, Any], Any]
"""Takes the part and a value that is not null, gives the new part."""
Refuse = Callable[[Any, str], RecordError]


class Fold(NamedTuple):
    """One function: the part it starts with, how a value changes it, and what it shows (None: the part itself).

    `of` computes the value from key, value and timestamp; without it every record is folded in.
    """

    name: str
    start: Any
    of: Callable[[Any, Any, int], Any] | None
    step: Step
    show: Callable[[Any], Any] | None = None


def fold_named(function: str, name: str, of: Callable[[Any, Any, int], Any] | None, *, node: str, field: str) -> Fold:
    """The fold of count, sum, avg, min or max; what it cannot take is a RecordError of that field."""

    def refuse(value: Any, why: str) -> RecordError:
        return RecordError(node, field, f"{function} cannot take {value!r:.40}: {why}.")

    match function:
        case "count":
            return Fold(name, 0, of, lambda count, value: count + 1)
        case "sum":
            return Fold(name, None, of, _summing(refuse))
        case "avg":
            return Fold(name, None, of, _averaging(refuse), _average)
        case "min":
            return Fold(name, None, of, _choosing(lt, refuse))
        case _:
            return Fold(name, None, of, _choosing(gt, refuse))


def folded_together(folds: Sequence[Fold]) -> Aggregator:
    """One aggregate, the list of the parts, shown as a struct with a field for each function."""
    starts = [fold.start for fold in folds]
    steps = [(index, fold.of, fold.step) for index, fold in enumerate(folds)]
    shows = [(fold.name, fold.show) for fold in folds]

    def add(key: Any, value: Any, timestamp: int, parts: list[Any]) -> list[Any]:
        parts = parts.copy()
        for index, of, step in steps:
            if of is None:
                parts[index] = step(parts[index], None)
            else:
                folded = of(key, value, timestamp)
                if folded is not None:
                    parts[index] = step(parts[index], folded)
        return parts

    def present(parts: list[Any]) -> dict[str, Any]:
        return {name: part if show is None else show(part) for (name, show), part in zip(shows, parts, strict=True)}

    return Aggregator(init=lambda: starts, add=add, present=present)


def _summing(refuse: Refuse) -> Step:
    def add(total: Any, value: Any) -> Any:
        if type(value) not in NUMBERS:
            raise refuse(value, "it is no number")
        if total is None:
            return value
        total = total + value
        if type(total) is int and not LEAST <= total <= GREATEST:
            raise refuse(value, "the sum does not fit into 64 bits")
        return total

    return add


def _averaging(refuse: Refuse) -> Step:
    """An integer sum too wide for 64 bits goes on as a double, since the average is one."""

    def add(part: Any, value: Any) -> Any:
        if type(value) not in NUMBERS:
            raise refuse(value, "it is no number")
        if part is None:
            return [value, 1]
        total = part[0] + value
        if type(total) is int and not LEAST <= total <= GREATEST:
            total = float(total)
        return [total, part[1] + 1]

    return add


def _choosing(wins: Callable[[Any, Any], bool], refuse: Refuse) -> Step:
    def choose(best: Any, value: Any) -> Any:
        if type(value) not in ORDERED:
            raise refuse(value, "it has no order")
        try:
            return value if best is None or wins(value, best) else best
        except TypeError as error:
            raise refuse(value, f"it has no order with {best!r:.40}") from error

    return choose


def _average(part: list[Any] | None) -> float | None:
    return None if part is None else part[0] / part[1]
