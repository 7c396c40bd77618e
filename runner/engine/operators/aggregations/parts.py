"""Parts of aggregates that functions keep, and the functions that keep one of their values."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from designer.values.exact_json import JsonNumber

ORDERED_TYPES = frozenset({bool, int, float, JsonNumber, Decimal, str})

Step = Callable[[Any, Any], Any]
"""Takes the part and a value that is not null. Returns the new part, and never changes a part in place."""
Refuse = Callable[[Any, str], RecordError]


class AggregatePart(NamedTuple):
    """Functions for one part of an aggregate.

    The part begins as `start`. `step` adds a value, and `take` takes one back (None: not possible). `merge` joins
    the parts of two sessions. `show` gives its visible value (None: the part itself).
    """

    start: Any
    step: Step
    merge: Callable[[Any, Any], Any]
    take: Step | None = None
    show: Callable[[Any], Any] | None = None


def make_plain(step: Step) -> AggregatePart:
    """The part is a value, null before the first one. A merge treats the other's value as later."""
    return AggregatePart(start=None, step=step, merge=lambda part, other: part if other is None else step(part, other))


def make_choice(wins: Callable[[Any, Any], bool], refuse: Refuse) -> AggregatePart:
    """Keeps a value until another one wins against it."""

    def choose(best: Any, value: Any) -> Any:
        check_order(value, refuse)
        try:
            return value if best is None or wins(value, best) else best
        except TypeError as error:
            raise make_order_error(value, best, refuse) from error

    return make_plain(choose)


def check_order(value: Any, refuse: Refuse) -> None:
    if type(value) not in ORDERED_TYPES:
        raise refuse(value, "it has no order")


def make_order_error(value: Any, other: Any, refuse: Refuse) -> RecordError:
    return refuse(value, f"it has no order with {other!r:.40}")
