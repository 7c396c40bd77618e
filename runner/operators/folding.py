"""The functions of aggregate: each folds one value of each record into its own part of the aggregate.

As in SQL they leave out nulls; over nothing but nulls sum, avg, min and max are null, and count is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from runner.engine.aggregator import Aggregator

GREATEST = 2**63 - 1
NUMBERS = frozenset({int, float})
ORDERED = frozenset({bool, int, float, str})

Step = Callable[[Any, Any], Any]
"""Takes the part and a value that is not null, gives the new part."""


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

    def checked(first: Callable[[Any], Any], step: Step, takes: frozenset[type]) -> Step:
        def fold(part: Any, value: Any) -> Any:
            if type(value) not in takes:
                raise RecordError(node, field, f"{function} cannot take {value!r:.40}.")
            try:
                return first(value) if part is None else step(part, value)
            except (TypeError, OverflowError) as error:
                raise RecordError(node, field, f"{function} failed: {error}") from error

        return fold

    match function:
        case "count":
            return Fold(name, 0, of, lambda count, value: count + 1)
        case "sum":
            return Fold(name, None, of, checked(_itself, _sum, NUMBERS))
        case "avg":
            return Fold(name, None, of, checked(lambda value: [value, 1], _sum_and_count, NUMBERS), _average)
        case "min":
            return Fold(name, None, of, checked(_itself, lambda least, value: min(value, least), ORDERED))
        case _:
            return Fold(name, None, of, checked(_itself, lambda most, value: max(value, most), ORDERED))


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


def _itself(value: Any) -> Any:
    return value


def _sum(total: Any, value: Any) -> Any:
    total = total + value
    if type(total) is int and not -GREATEST - 1 <= total <= GREATEST:
        raise OverflowError("the sum does not fit into 64 bits.")
    return total


def _sum_and_count(part: list[Any], value: Any) -> list[Any]:
    """An integer sum too wide for 64 bits goes on as a double, since the average is one."""
    total = part[0] + value
    return [total if type(total) is float or -GREATEST <= total <= GREATEST else float(total), part[1] + 1]


def _average(part: list[Any] | None) -> float | None:
    return None if part is None else part[0] / part[1]
