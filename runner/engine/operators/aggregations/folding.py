"""The functions of aggregate. Each folds one value of each record into its own part of the aggregate.

As in SQL, they leave out nulls. Over only nulls, sum, avg, min, max, first and last are null, counts are 0
and the lists are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import gt, lt
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from designer.values.schemas import Kind, Type
from designer.values.tuples import StructValue
from runner.engine.operators.aggregations import exact_totals
from runner.engine.operators.aggregations.listing import (
    make_collection,
    make_distinct_count,
    make_first_of_all,
    make_greatest,
    make_greatest_by,
    make_greatest_by_of_all,
    make_greatest_of_all,
    make_last_of_all,
    make_latest,
    make_latest_of_all,
    make_least_of_all,
    make_most_of_all,
)
from runner.engine.operators.aggregations.parts import AggregatePart, Refuse, make_choice, make_plain
from runner.engine.operators.aggregations.totals import make_average, make_sum, make_sum_with_count
from runner.engine.tasks.aggregator import Aggregator


class Fold(NamedTuple):
    """One field of the result: its name, the form of its part, and its input.

    `of` computes the value from key, value and timestamp. Without it, every record is folded in.
    """

    name: str
    of: Callable[[Any, Any, int], Any] | None
    part: AggregatePart


def make_part(form: str, of: Type, n: int | None, *, node: str, field: str) -> AggregatePart:
    """The part of a function over values of the type `of`. A value it cannot take is a RecordError of that field."""

    def refuse(value: Any, why: str) -> RecordError:
        return RecordError(node, field, f"{form} cannot take {value!r:.40}: {why}.")

    if of.kind is Kind.DECIMAL and form in _EXACT:
        return _EXACT[form](refuse, of)
    return _PARTS[form](refuse, n or 0)


def with_order(
    of: Callable[[Any, Any, int], Any], order: Callable[[Any, Any, int], Any]
) -> Callable[[Any, Any, int], Any]:
    """Input of `greatest_by`: a value after its order. Null if either is null."""

    def order_parts(key: Any, value: Any, timestamp: int) -> list[Any] | None:
        by, operand = order(key, value, timestamp), of(key, value, timestamp)
        return None if by is None or operand is None else [by, operand]

    return order_parts


def fold_together(folds: Sequence[Fold]) -> Aggregator:
    """One aggregate, the list of the parts, shown as a struct with a field for each function."""
    starts = [fold.part.start for fold in folds]
    merges = [fold.part.merge for fold in folds]
    takes = [(index, fold.of, fold.part.take) for index, fold in enumerate(folds)]

    def merge(key: Any, parts: list[Any], others: list[Any]) -> list[Any]:
        return [merge(part, other) for merge, part, other in zip(merges, parts, others, strict=True)]

    return Aggregator(
        init=lambda: starts,
        add=_make_steps([(index, fold.of, fold.part.step) for index, fold in enumerate(folds)]),
        present=make_present({fold.name: fold.part for fold in folds}),
        subtract=_make_steps(takes) if all(fold.part.take for fold in folds) else None,
        merge=merge,
    )


def make_present(by_name: Mapping[str, AggregatePart]) -> Callable[[list[Any]], StructValue]:
    """A function that shows parts as a struct with a field for each."""
    shows = [(name, part.show) for name, part in by_name.items()]

    def present(parts: list[Any]) -> StructValue:
        return {name: part if show is None else show(part) for (name, show), part in zip(shows, parts, strict=True)}

    return present


def _make_steps(steps: Sequence[tuple[int, Any, Any]]) -> Callable[[Any, Any, int, list[Any]], list[Any]]:
    """A function that changes each part by its step with its value."""

    def change(key: Any, value: Any, timestamp: int, parts: list[Any]) -> list[Any]:
        parts = parts.copy()
        for index, of, step in steps:
            if of is None:
                parts[index] = step(parts[index], None)
            else:
                operand = of(key, value, timestamp)
                if operand is not None:
                    parts[index] = step(parts[index], operand)
        return parts

    return change


def _make_count(refuse: Refuse, n: int) -> AggregatePart:
    return AggregatePart(
        start=0,
        step=lambda count, value: count + 1,
        take=lambda count, value: count - 1,
        merge=lambda count, other: count + other,
    )


_PARTS: dict[str, Callable[[Refuse, int], AggregatePart]] = {
    "count": _make_count,
    "sum": make_sum,
    "avg": make_average,
    "min": lambda refuse, n: make_choice(lt, refuse),
    "max": lambda refuse, n: make_choice(gt, refuse),
    "first": lambda refuse, n: make_plain(lambda first, value: value if first is None else first),
    "last": lambda refuse, n: make_plain(lambda last, value: value),
    "collect": make_collection,
    "count_distinct": make_distinct_count,
    "top_n": make_greatest,
    "top_n by": make_greatest_by,
    "last_n": make_latest,
    "sum of a table": make_sum_with_count,
    "min of a table": make_least_of_all,
    "max of a table": make_most_of_all,
    "first of a table": make_first_of_all,
    "last of a table": make_last_of_all,
    "top_n of a table": make_greatest_of_all,
    "top_n by of a table": make_greatest_by_of_all,
    "last_n of a table": make_latest_of_all,
}
_EXACT: dict[str, Callable[[Refuse, Type], AggregatePart]] = {
    "sum": exact_totals.make_sum,
    "sum of a table": exact_totals.make_sum_with_count,
    "avg": exact_totals.make_average,
}
