"""The functions of aggregate: each folds one value of each record into its own part of the aggregate.

As in SQL they leave out nulls; over nothing but nulls sum, avg, min and max are null, and count is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from runner.engine.aggregator import Aggregator

GREATEST = 2**63 - 1


class Fold(NamedTuple):
    """One function: the part it starts with, how a value changes it, and what it shows (None: the part itself).

    `of` computes the value from key, value and timestamp; without it every record is folded in.
    """

    name: str
    start: Any
    of: Callable[[Any, Any, int], Any] | None
    step: Callable[[Any, Any], Any]
    show: Callable[[Any], Any] | None = None


def fold_named(
    function: str, name: str, of: Callable[[Any, Any, int], Any] | None, *, node: str, field: str
) -> Fold:
    """The fold of count, sum, avg, min or max; on a value it cannot take, it raises a RecordError of that field."""
    guarded = _guarding(function, node, field)
    match function:
        case "count":
            return Fold(name, 0, of, lambda count, value: count + 1)
        case "sum":
            return Fold(name, None, of, guarded(_sum))
        case "avg":
            return Fold(name, None, of, guarded(_sum_and_count), lambda part: part and part[0] / part[1])
        case "min":
            return Fold(name, None, of, guarded(lambda least, value: value if value < least else least))
        case _:
            return Fold(name, None, of, guarded(lambda most, value: value if value > most else most))


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
        return {
            name: part if show is None else show(part) for (name, show), part in zip(shows, parts, strict=True)
        }

    return Aggregator(init=lambda: starts, add=add, present=present)


def _sum(total: Any, value: Any) -> Any:
    total = total + value
    if type(total) is int and not -GREATEST - 1 <= total <= GREATEST:
        raise OverflowError("The sum does not fit into 64 bits.")
    return total


def _sum_and_count(part: Any, value: Any) -> Any:
    total = part[0] + value
    if type(total) is int and not -GREATEST - 1 <= total <= GREATEST:
        total = float(total)
    return [total, part[1] + 1]
