"""The functions of aggregate that keep many values: collect, count_distinct, top_n and last_n."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from json import JSONEncoder
from operator import itemgetter
from typing import Any

from designer.expressions.functions.limits import MOST_ITEMS
from runner.operators.aggregations.parts import Part, Refuse, no_order, ordered

_text = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=repr).encode


def collecting(refuse: Refuse, n: int) -> Part:
    """All values in the order in which they came; one that is taken back goes from where an equal one first stands."""

    def step(items: list[Any], value: Any) -> list[Any]:
        _room(len(items) + 1, value, refuse)
        return [*items, value]

    def take(items: list[Any], value: Any) -> list[Any]:
        at = next((place for place, item in enumerate(items) if item == value and text(item) == text(value)), None)
        return items if at is None else [*items[:at], *items[at + 1 :]]

    def merge(items: list[Any], others: list[Any]) -> list[Any]:
        _room(len(items) + len(others), others, refuse)
        return [*items, *others]

    return Part(start=[], step=step, merge=merge, take=take)


def counting_distinct(refuse: Refuse, n: int) -> Part:
    """How many different values there are; kept is how often each came, so that it can be taken back."""

    def step(times: dict[str, int], value: Any) -> dict[str, int]:
        return changed(times, value, 1)

    def take(times: dict[str, int], value: Any) -> dict[str, int]:
        return changed(times, value, -1)

    def changed(times: dict[str, int], value: Any, by: int) -> dict[str, int]:
        it = text(value)
        now = max(times.get(it, 0) + by, 0)
        rest = {**times, it: now} if now else {other: count for other, count in times.items() if other != it}
        _room(len(rest), value, refuse)
        return rest

    def merge(times: dict[str, int], others: dict[str, int]) -> dict[str, int]:
        both = {it: times.get(it, 0) + others.get(it, 0) for it in (*times, *others)}
        _room(len(both), "a session", refuse)
        return both

    return Part(start={}, step=step, merge=merge, take=take, show=len)


def greatest(refuse: Refuse, n: int) -> Part:
    """The n greatest values, the greatest first."""
    return _greatest(refuse, n, order_of=lambda value: value)


def greatest_by(refuse: Refuse, n: int) -> Part:
    """The n values whose orders are greatest, the greatest first; taken and kept are pairs of order and value."""
    pairs = _greatest(refuse, n, order_of=itemgetter(0))
    return pairs._replace(show=lambda best: [value for _, value in best])


def _greatest(refuse: Refuse, n: int, order_of: Callable[[Any], Any]) -> Part:
    def step(best: list[Any], item: Any) -> list[Any]:
        order = order_of(item)
        ordered(order, refuse)
        try:
            at = bisect_left(best, True, key=lambda other: bool(order > order_of(other)))
        except TypeError as error:
            raise no_order(order, order_of(best[0]), refuse) from error
        return [*best[:at], item, *best[at:]][:n]

    def merge(best: list[Any], others: Sequence[Any]) -> list[Any]:
        for item in others:
            best = step(best, item)
        return best

    return Part(start=[], step=step, merge=merge)


def latest(refuse: Refuse, n: int) -> Part:
    """The n values that came last, the last one last."""
    return Part(
        start=[], step=lambda last, value: [*last, value][-n:], merge=lambda last, others: [*last, *others][-n:]
    )


def text(value: Any) -> str:
    """The same text for equal values, and for them alone; 1 and 1.0 are equal, 1 and true are not."""
    return _text(int(value) if type(value) is float and value.is_integer() else value)


def _room(length: int, value: Any, refuse: Refuse) -> None:
    if length > MOST_ITEMS:
        raise refuse(value, f"there would be more than {MOST_ITEMS:,} values")
