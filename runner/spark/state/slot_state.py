"""The state of a slot during one batch: what a task reads and writes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import Any

from .changelog import Change, Changelog, Head
from .entry import Delta, Span
from .long_keys import in_stored_order, stored_key
from .ordered import Ranges, SortedKeys
from .roll import span_size
from .rows import Row, Rows
from .sizes import Size, Sizes, added, counted, removed, sized, total
from .working_copy import WorkingCopy

MOST_READ = 1_000_000
UNKNOWN: Any = object()


class SlotState:
    """A sorted map of bytes: the working copy as of the last batch, under what this batch wrote.

    Nothing leaves the process before `commit`, and then it goes to Spark's state store, which keeps it only if the
    batch succeeds; so a failed attempt leaves nothing behind. Keys are at least one byte long. Use it as a context:

        with SlotState.load(changelog, directory) as state:
            ...
            state.commit()
    """

    def __init__(self, changelog: Changelog, copy: WorkingCopy, head: Head) -> None:
        self._changelog = changelog
        self._copy = copy
        self._head = head
        self._base: Rows = copy.catch_up(changelog, head)
        self._stores: Sizes = counted(self._base.items()) if head.stores is None else head.stores
        self._read: dict[bytes, bytes | None] = {}
        self._written: dict[bytes, bytes | None] = {}
        self._order = SortedKeys()
        self._gone = Ranges()

    @classmethod
    def load(cls, changelog: Changelog, directory: Path) -> SlotState:
        """The state at the changelog's head, its working copy in the directory; one state call if that is current."""
        return cls(changelog, WorkingCopy(directory), changelog.head())

    def __enter__(self) -> SlotState:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def size(self) -> Size:
        """Rows, and bytes of keys and values, as of the last commit; exact."""
        return self._head.size

    @property
    def stores(self) -> Sizes:
        """The same for each store."""
        return self._stores

    def get(self, key: bytes) -> bytes | None:
        value = self._written.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = self._read.get(key, UNKNOWN)
            if value is UNKNOWN:
                value = self._fetch(key)
        found: bytes | None = value
        return found

    def put(self, key: bytes, value: bytes) -> None:
        self._written[key] = value

    def delete(self, key: bytes) -> None:
        self._written[key] = None

    def delete_range(self, start: bytes, end: bytes) -> None:
        """Deletes the keys with start <= key < end. It forgets what was read, so call it seldom: once a batch."""
        self._sort_written()
        for key in self._order.take(start, end):
            del self._written[key]
        self._gone.add(start, end)
        self._read.clear()

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[Row]:
        """Rows with start <= key < end (None: to the last) as they are now, whatever is written while they are read."""
        self._sort_written()
        written = [(key, self._written[key]) for key in self._order.between(start, end)]
        gaps = self._gone.gaps(start, end) if self._gone else [(start, end)]
        if reverse:
            written.reverse()
            gaps.reverse()
        below = chain.from_iterable(self._base.items(low, high, reverse) for low, high in gaps)
        return _overlaid(below, written, reverse) if written else below

    def commit(self) -> None:
        """Writes what changed to the changelog and closes the state; a batch that changed nothing writes nothing.

        State calls: one entry, the head, and one or two entries that go (more when megabytes changed).
        """
        if change := self._change():
            self._head, entries = self._changelog.append(self._head, change)
            self._stores = change.stores
            self._copy.pending.save(entries)
        self.close()

    def close(self) -> None:
        """Ends reading. What was not committed is forgotten."""
        self._base.close()

    def _fetch(self, key: bytes) -> bytes | None:
        if len(self._read) >= MOST_READ:
            self._read.clear()
        value = self._read[key] = self._before(key)
        return value

    def _before(self, key: bytes) -> bytes | None:
        """The value in the working copy, unless a range delete hides it."""
        return None if self._gone and key in self._gone else self._base.get(key)

    def _sort_written(self) -> None:
        added = len(self._written) - len(self._order)
        if added:
            self._order.update(list(islice(reversed(self._written), added)))

    def _change(self) -> Change | None:
        """What this batch changed, if anything: writing the value that was there before is no change."""
        written, read = self._written, self._read
        gone, went = self._gone_ranges()
        rows = [
            (key, written[key], read[key] if key in read else self._before(key)) for key in in_stored_order(written)
        ]
        rows = [row for row in rows if row[1] != row[2]]
        if not rows and not gone:
            return None
        keys, values, before = map(list, zip(*rows, strict=True)) if rows else ([], [], [])
        delta = Delta(gone, keys, values)
        stores = removed(added(self._stores, sized(keys, values)), added(went, sized(keys, before)))
        size = span_size(delta.size(), total(stores).bytes, self._head.size.bytes)
        return Change(delta, self._span(keys, size), stores)

    def _gone_ranges(self) -> tuple[list[tuple[bytes, bytes]], Sizes]:
        """The range deletes that delete something, and how much they delete."""
        found = [(bounds, counted(self._base.items(*bounds))) for bounds in self._gone]
        went: Sizes = {}
        for _, sizes in found:
            went = added(went, sizes)
        return [bounds for bounds, sizes in found if sizes], went

    def _span(self, changed: list[bytes], size: int) -> Span:
        """The next stretch of the roll, as it stands after this batch. `changed` is in stored order."""
        start = self._head.roll.cursor
        end, keys, values = self._base.stretch(start, size)
        rows = dict(zip(keys, values, strict=True))
        for key in [key for key in rows if key in self._gone] if self._gone else ():
            del rows[key]
        low = bisect_left(changed, start, key=stored_key)
        high = len(changed) if end is None else bisect_left(changed, end, key=stored_key)
        same_keys = len(rows) == len(keys)
        for key in changed[low:high]:
            value = self._written[key]
            if value is None:
                rows.pop(key, None)
                same_keys = False
            else:
                same_keys = same_keys and key in rows
                rows[key] = value
        if same_keys:
            return Span(end, keys, list(rows.values()))
        ordered = in_stored_order(rows)
        return Span(end, ordered, [rows[key] for key in ordered])


def _overlaid(below: Iterator[Row], written: list[tuple[bytes, bytes | None]], reverse: bool) -> Iterator[Row]:
    """Rows of both in order. A written row stands in for the one below it; a written None only hides it."""
    upper = iter(written)
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
