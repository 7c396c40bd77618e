"""Rows under newer changes: the view of a batch, or of a reader of a batch that is not in the copy yet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from types import TracebackType
from typing import Any, Self

from .entry import Delta
from .rows import Row, Rows
from .sorted_keys import Ranges, SortedKeys

MAX_READ = 1_000_000
UNKNOWN: Any = object()


class View:
    """A sorted map of bytes: rows in a read transaction, which it closes, under later writes.

    Keys are at least one byte long.
    """

    def __init__(self, base: Rows) -> None:
        self._base = base
        self._read: dict[bytes, bytes | None] = {}
        self._writes: dict[bytes, bytes | None] = {}
        self._order = SortedKeys()
        self._deleted_ranges = Ranges()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: bytes) -> bytes | None:
        value = self._writes.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = self._read.get(key, UNKNOWN)
            if value is UNKNOWN:
                value = self._fetch(key)
        row_value: bytes | None = value
        return row_value

    def put(self, key: bytes, value: bytes) -> None:
        # what was read stays as it was read: at the end of a batch it says whether this is a change at all
        self._writes[key] = value

    def delete(self, key: bytes) -> None:
        self._writes[key] = None

    def delete_range(self, start: bytes, end: bytes) -> None:
        """Deletes the keys with start <= key < end. It drops cached reads, so call it seldom: once a batch."""
        self._sort_written()
        for key in self._order.take(start, end):
            del self._writes[key]
        self._deleted_ranges.add(start, end)
        self._read.clear()

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[Row]:
        """Rows with start <= key < end (None: to the last) as they are now, whatever is written during the read."""
        self._sort_written()
        written_rows = [(key, self._writes[key]) for key in self._order.find_between(start, end)]
        gaps = self._deleted_ranges.gaps(start, end) if self._deleted_ranges else [(start, end)]
        if reverse:
            written_rows.reverse()
            gaps.reverse()
        below = chain.from_iterable(self._base.items(low, high, reverse) for low, high in gaps)
        return _merge_rows(below, written_rows, reverse) if written_rows else below

    def apply(self, delta: Delta) -> None:
        """Applies the changes of a batch."""
        for start, end in delta.deleted_ranges:
            self.delete_range(start, end)
        self._writes.update(zip(delta.keys, delta.values, strict=True))

    def lend(self) -> tuple[Any, int, dict[bytes, bytes | None], list[tuple[bytes, bytes]]] | None:
        """What the kernel needs to read this by itself: LMDB and a transaction (`Lent`), the writes, deleted ranges.

        None if it must ask `get` and `range`.
        """
        lent = self._base.lend()
        return lent and (*lent, self._writes, list(self._deleted_ranges))

    def close(self) -> None:
        """Ends reading. Uncommitted changes are lost."""
        self._base.close()

    def _fetch(self, key: bytes) -> bytes | None:
        if len(self._read) >= MAX_READ:
            self._read.clear()
        value = self._read[key] = self._read_before(key) if self._deleted_ranges else self._base.get(key)
        return value

    def _read_before(self, key: bytes) -> bytes | None:
        """The value in the working copy, unless a range delete hides it."""
        return None if self._deleted_ranges and key in self._deleted_ranges else self._base.get(key)

    def _sort_written(self) -> None:
        added_count = len(self._writes) - len(self._order)
        if added_count:
            # a dict keeps the order of insertion, so the keys that are not sorted yet are its last ones
            self._order.update(list(islice(reversed(self._writes), added_count)))


def _merge_rows(below: Iterator[Row], writes: list[tuple[bytes, bytes | None]], reverse: bool) -> Iterator[Row]:
    """Rows of both in order. A written row replaces the one below it. A written None only hides it."""
    # a row is (key, value): one from below continues as the tuple that it is
    upper = iter(writes)
    over = next(upper, None)
    for row in below:
        while over is not None and (over[0] > row[0] if reverse else over[0] < row[0]):
            if over[1] is not None:
                yield over[0], over[1]
            over = next(upper, None)
        if over is None or over[0] != row[0]:
            yield row
    while over is not None:
        if over[1] is not None:
            yield over[0], over[1]
        over = next(upper, None)
