"""The data of window and session stores of code: bytes by key and window, with a retention."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import NamedTuple

from runner.engine.records.codecs import TIMESTAMP
from runner.engine.stores.state import State, find_key_after
from runner.engine.stores.times import StreamTime
from runner.engine.stores.windows import MIN_SEGMENT_MS

BY_KEY, BY_TIME = b"k", b"t"
Times = tuple[int, ...]
"""A window's start, or a session's end and start. The first one orders them, and retention counts by it."""


class ByteRow(NamedTuple):
    """One row: the bytes of its key, its times and its data."""

    key: bytes
    times: Times
    data: bytes


class SegmentedBytes:
    """Bytes by key and times (AbstractRocksDBSegmentedBytesStore).

    A row whose time is `retention_ms` or more before the latest one put is gone. Rows of one key come in order of
    their times. Rows of several keys come by segment of time (half the retention, at least a minute), then order of the
    keys' bytes, then of times.
    """

    def __init__(
        self, state: State, times: Struct, latest: StreamTime, retention_ms: int, when_expired: Callable[[], None]
    ) -> None:
        """`latest` is the latest time put. `when_expired` hears of puts for which RocksDB has no segment."""
        self._state = state
        self._times = times
        self._latest = latest
        self._retention_ms = retention_ms
        self._segment_ms = max(retention_ms // 2, MIN_SEGMENT_MS)
        self._when_expired = when_expired

    def put(self, key: bytes, times: Times, data: bytes | None) -> None:
        """Sets a row, or deletes it if there is no data."""
        time = times[0]
        self._latest.observe(time)
        if time < self._find_first():
            if self._find_segment(time) < self._find_segment(max(0, self._latest.value - self._retention_ms)):
                self._when_expired()
            return
        packed_times = self._times.pack(*times)
        if data is None:
            self._state.delete(BY_KEY + key + packed_times)
            self._state.delete(BY_TIME + packed_times + key)
        else:
            self._state.put(BY_KEY + key + packed_times, data)
            self._state.put(BY_TIME + packed_times + key, b"\0")

    def get(self, key: bytes, times: Times) -> bytes | None:
        return self._state.get(BY_KEY + key + self._times.pack(*times)) if times[0] >= self._find_first() else None

    def read_key(self, key: bytes, first: int, last: int, *, reverse: bool) -> list[ByteRow]:
        """The rows of a key with times between `first` and `last`, both included."""
        prefix = BY_KEY + key
        start, end = self._find_bounds(prefix, first, last)
        rows = self._state.range(start, end, reverse) if start < end else ()
        length = len(prefix) + self._times.size
        return [
            ByteRow(key, self._times.unpack_from(row, len(prefix)), data) for row, data in rows if len(row) == length
        ]

    def read_between(
        self, first: int, last: int, low: bytes | None = None, high: bytes | None = None, *, reverse: bool = False
    ) -> list[ByteRow]:
        """The rows with times between `first` and `last` and keys between `low` and `high`, all included."""
        rows = [
            (self._find_segment(times[0]), key, times)
            for key, times in self._sort_by_time(*self._find_bounds(BY_TIME, first, last))
            if (low is None or key >= low) and (high is None or key <= high)
        ]
        rows.sort(reverse=reverse)
        return [
            ByteRow(key, times, self._state.get(BY_KEY + key + self._times.pack(*times)) or b"")
            for _, key, times in rows
        ]

    def flush(self) -> None:
        """Deletes expired rows."""
        first = self._find_first()
        if first == 0 or not self._latest.has_advanced:
            return
        start, end = BY_TIME, BY_TIME + TIMESTAMP.pack(first)
        old = self._sort_by_time(start, end)
        for key, times in old:
            self._state.delete(BY_KEY + key + self._times.pack(*times))
        if old:
            self._state.delete_range(start, end)

    def _sort_by_time(self, start: bytes, end: bytes) -> list[tuple[bytes, Times]]:
        rows = self._state.range(start, end) if start < end else ()
        return [(index_key[1 + self._times.size :], self._times.unpack_from(index_key, 1)) for index_key, _ in rows]

    def _find_bounds(self, prefix: bytes, first: int, last: int) -> tuple[bytes, bytes]:
        """First and last key of the remaining rows. The last is before the first if there are none."""
        first, last = max(first, self._find_first()), min(last, max(self._latest.value, 0))
        if first > last:
            return prefix, prefix
        return prefix + TIMESTAMP.pack(first), find_key_after(prefix + TIMESTAMP.pack(last))

    def _find_first(self) -> int:
        """The earliest time that is not past retention."""
        return max(0, self._latest.value - self._retention_ms + 1)

    def _find_segment(self, time: int) -> int:
        return time // self._segment_ms
