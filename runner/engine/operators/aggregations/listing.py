"""The functions of aggregate that keep many values.

top_n and last_n keep the values that they show. Over rows of a table, which may be taken back, these and min, max,
first and last keep all values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal
from json import JSONEncoder
from operator import itemgetter
from typing import Any

from designer.expressions.decimals import EXACT
from designer.expressions.functions.limits import MAX_ITEMS
from designer.values.decimals import write_digits
from runner.engine.operators.aggregations.parts import AggregatePart, Refuse, check_order, make_order_error


def _replace_unhashable(value: Any) -> Any:
    return {"\0": _format_digits(value)} if type(value) is Decimal else repr(value)


_text = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_replace_unhashable).encode


def make_collection(refuse: Refuse, n: int) -> AggregatePart:
    """All values in order of arrival. Taking a value back removes the first equal one."""

    def step(items: list[Any], value: Any) -> list[Any]:
        _refuse_overflow(len(items) + 1, value, refuse)
        return [*items, value]

    def merge(items: list[Any], others: list[Any]) -> list[Any]:
        _refuse_overflow(len(items) + len(others), others, refuse)
        return [*items, *others]

    return AggregatePart(start=[], step=step, merge=merge, take=_without)


def make_first_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return make_collection(refuse, n)._replace(show=_take_first)


def make_last_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return make_collection(refuse, n)._replace(show=_take_last)


def make_latest_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return make_collection(refuse, n)._replace(show=lambda items: items[-n:])


def make_distinct_count(refuse: Refuse, n: int) -> AggregatePart:
    """Number of different values. It keeps the count of each value, to take values back."""

    def step(times: dict[str, int], value: Any) -> dict[str, int]:
        return change(times, value, 1)

    def take(times: dict[str, int], value: Any) -> dict[str, int]:
        return change(times, value, -1)

    def change(times: dict[str, int], value: Any, by: int) -> dict[str, int]:
        it = write_text(value)
        now = max(times.get(it, 0) + by, 0)
        rest = {**times, it: now} if now else {other: count for other, count in times.items() if other != it}
        _refuse_overflow(len(rest), value, refuse)
        return rest

    def merge(times: dict[str, int], others: dict[str, int]) -> dict[str, int]:
        both = {it: times.get(it, 0) + others.get(it, 0) for it in (*times, *others)}
        _refuse_overflow(len(both), "a session", refuse)
        return both

    return AggregatePart(start={}, step=step, merge=merge, take=take, show=len)


def make_greatest(refuse: Refuse, n: int) -> AggregatePart:
    """The n greatest values, the greatest first."""
    return _make_ranking(refuse, give_itself, most=n)


def make_greatest_by(refuse: Refuse, n: int) -> AggregatePart:
    """The n values with the greatest orders, the greatest first. It takes and keeps pairs of order and value."""
    return _make_ranking(refuse, itemgetter(0), most=n)._replace(show=lambda best: [value for _, value in best])


def make_greatest_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return _make_ranking(refuse, give_itself)._replace(show=lambda items: items[:n])


def make_greatest_by_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return _make_ranking(refuse, itemgetter(0))._replace(show=lambda items: [value for _, value in items[:n]])


def make_least_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return _make_ranking(refuse, give_itself)._replace(show=_take_last)


def make_most_of_all(refuse: Refuse, n: int) -> AggregatePart:
    return _make_ranking(refuse, give_itself)._replace(show=_take_first)


def _make_ranking(refuse: Refuse, order_of: Callable[[Any], Any], most: int | None = None) -> AggregatePart:
    """Keeps the `most` greatest or all, from the greatest down. Equal ones are in order of arrival."""

    def step(best: list[Any], item: Any) -> list[Any]:
        order = order_of(item)
        check_order(order, refuse)
        try:
            at = bisect_left(best, True, key=lambda other: bool(order > order_of(other)))
        except TypeError as error:
            raise make_order_error(order, order_of(best[0]), refuse) from error
        if most is None:
            _refuse_overflow(len(best) + 1, item, refuse)
        return [*best[:at], item, *best[at:]][:most]

    def merge(best: list[Any], others: Sequence[Any]) -> list[Any]:
        for item in others:
            best = step(best, item)
        return best

    return AggregatePart(start=[], step=step, merge=merge, take=_without if most is None else None)


def make_latest(refuse: Refuse, n: int) -> AggregatePart:
    """The newest n values, the newest last."""
    return AggregatePart(
        start=[], step=lambda last, value: [*last, value][-n:], merge=lambda last, others: [*last, *others][-n:]
    )


def write_text(value: Any) -> str:
    """The same text for equal values, and only for them. 1 and 1.0 are equal, 1 and true are not."""
    if type(value) is Decimal:
        return _format_digits(value)
    return _text(int(value) if type(value) is float and value.is_integer() else value)


def _format_digits(number: Decimal) -> str:
    return write_digits(number.normalize(EXACT))


def give_itself(value: Any) -> Any:
    return value


def _take_first(items: list[Any]) -> Any:
    return items[0] if items else None


def _take_last(items: list[Any]) -> Any:
    return items[-1] if items else None


def _without(items: list[Any], value: Any) -> list[Any]:
    """The items except the first equal one. Only the text tells that NaN is one."""
    it = write_text(value)
    at = next((place for place, item in enumerate(items) if item == value and write_text(item) == it), None)
    if at is None:
        at = next((place for place, item in enumerate(items) if write_text(item) == it), None)
    return items if at is None else [*items[:at], *items[at + 1 :]]


def _refuse_overflow(length: int, value: Any, refuse: Refuse) -> None:
    if length > MAX_ITEMS:
        raise refuse(value, f"there would be more than {MAX_ITEMS:,} values")
