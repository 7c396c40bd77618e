"""The newest record of a store, found in a limited number of its rows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

MAX_ROWS = 10_000
"""Most rows to examine, because callers have other work."""


class Newest(NamedTuple):
    """Key and time (ms) of the newest record."""

    key: Any
    timestamp: int


def find_newest(rows: Iterable[tuple[Any, int]]) -> Newest | None:
    """The newest of keys with their times. The first of several."""
    newest = max(islice(rows, MAX_ROWS), key=lambda row: row[1], default=None)
    return None if newest is None else Newest(*newest)
