"""Operations on one aggregate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Aggregator(NamedTuple):
    """`init()` returns the first aggregate, `add(key, value, timestamp, aggregate)` the next one. None deletes it.

    Aggregates are plain JSON values, never changed in place. `present` turns one into the value of the table, if
    that is not the aggregate itself. `subtract(key, value, timestamp, aggregate)` takes a value back, for grouped
    tables. `merge(key, aggregate, other)` joins the aggregates of two sessions.
    """

    init: Callable[[], Any]
    add: Callable[[Any, Any, int, Any], Any]
    present: Callable[[Any], Any] | None = None
    subtract: Callable[[Any, Any, int, Any], Any] | None = None
    merge: Callable[[Any, Any, Any], Any] | None = None
