"""Byte keys in order: the writes of a batch, and the ranges that it deleted."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

CHUNK = 512


class SortedKeys:
    """Distinct keys in byte order, in chunks, so adding a key moves few others (about 1 µs at any size)."""

    def __init__(self) -> None:
        self._chunks: list[list[bytes]] = []
        self._firsts: list[bytes] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def update(self, keys: Collection[bytes]) -> None:
        """Adds keys that are not among these yet."""
        if len(keys) > 16 + self._count // 16:
            self._replace(sorted(chain(*self._chunks, keys)))
            return
        for key in keys:
            self._add(key)

    def find_between(self, start: bytes, end: bytes | None) -> list[bytes]:
        """The keys with start <= key < end. No end means all keys that follow."""
        keys: list[bytes] = []
        for chunk in self._chunks[self._find_place(start) :]:
            low = bisect_left(chunk, start)
            high = len(chunk) if end is None else bisect_left(chunk, end)
            keys += chunk[low:high]
            if high < len(chunk):
                break
        return keys

    def take(self, start: bytes, end: bytes) -> list[bytes]:
        """Removes the keys with start <= key < end and returns them."""
        keys = self.find_between(start, end)
        if keys:
            self._replace([key for key in chain(*self._chunks) if not start <= key < end])
        return keys

    def _find_place(self, key: bytes) -> int:
        return max(bisect_right(self._firsts, key) - 1, 0)

    def _add(self, key: bytes) -> None:
        if not self._chunks:
            return self._replace([key])
        place = self._find_place(key)
        chunk = self._chunks[place]
        insort(chunk, key)
        if len(chunk) > 2 * CHUNK:
            self._chunks[place : place + 1] = [chunk[:CHUNK], chunk[CHUNK:]]
            self._firsts.insert(place + 1, chunk[CHUNK])
        self._firsts[place] = self._chunks[place][0]
        self._count += 1
        return None

    def _replace(self, keys: list[bytes]) -> None:
        self._chunks = [keys[at : at + CHUNK] for at in range(0, len(keys), CHUNK)]
        self._firsts = [chunk[0] for chunk in self._chunks]
        self._count = len(keys)


class Ranges:
    """A set of keys given as disjoint ranges [start, end) in order."""

    def __init__(self, ranges: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self._starts = [start for start, _ in ranges]
        self._ends = [end for _, end in ranges]

    def __bool__(self) -> bool:
        return bool(self._starts)

    def __iter__(self) -> Iterator[tuple[bytes, bytes]]:
        return zip(self._starts, self._ends, strict=True)

    def __contains__(self, key: bytes) -> bool:
        place = bisect_right(self._starts, key) - 1
        return place >= 0 and key < self._ends[place]

    def add(self, start: bytes, end: bytes) -> None:
        """Adds [start, end), joined with the ranges that it touches. An empty range adds nothing."""
        if start >= end:
            return
        low, high = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if low < high:
            start, end = min(start, self._starts[low]), max(end, self._ends[high - 1])
        self._starts[low:high] = [start]
        self._ends[low:high] = [end]

    def gaps(self, start: bytes, end: bytes | None) -> list[tuple[bytes, bytes | None]]:
        """The parts of [start, end) outside the ranges, in order."""
        gap_ranges: list[tuple[bytes, bytes | None]] = []
        for deleted_start, deleted_end in self:
            if deleted_end <= start:
                continue
            if end is not None and deleted_start >= end:
                break
            if start < deleted_start:
                gap_ranges.append((start, deleted_start))
            start = deleted_end
        if end is None or start < end:
            gap_ranges.append((start, end))
        return gap_ranges
