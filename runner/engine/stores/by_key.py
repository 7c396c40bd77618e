"""The windows of each key, for stores that are ordered by time first."""

from __future__ import annotations

from bisect import bisect_left
from struct import Struct
from typing import Any

from runner.engine.records.codecs import TIMESTAMP, KeyCodec
from runner.engine.stores.state import State

MARK = b"\x80"
"""Prefix of the keys of an index, after all times."""
LENGTH = Struct(">I")

Times = tuple[int, ...]


class TimesByKey:
    """The times of each key's windows in order: the start, or end and start of a session.

    In state they are ordered by segment of time, key and times. So a range or two finds those of one key, and
    old segments go in one. A key's times are read once a batch.
    """

    def __init__(self, state: State, prefix: bytes, keys: KeyCodec, times: Struct, retention_ms: int) -> None:
        self.state = state
        self.prefix = prefix + MARK
        self.keys = keys
        self.times = times
        self.segment_ms = find_segment_ms(retention_ms)
        self.times_by_handle: dict[Any, list[Times]] = {}
        self.changes: dict[tuple[Any, Times], bool] = {}

    def read_times(self, handle: Any, horizon: int, latest: int) -> list[Times]:
        """The times of a key, ascending. Times before `horizon` may be among them."""
        times = self.times_by_handle.get(handle)
        if times is None:
            times = self.times_by_handle[handle] = self._load(handle, max(0, horizon), latest)
        return times

    def set(self, times: list[Times], handle: Any, window: Times, is_there: bool) -> None:
        """Note in the times of a key that a window is or is no longer there."""
        at = bisect_left(times, window)
        was_there = at < len(times) and times[at] == window
        if is_there and not was_there:
            times.insert(at, window)
        elif was_there and not is_there:
            del times[at]
        if is_there != was_there:
            self.changes[handle, window] = is_there

    def flush(self) -> None:
        """Write the changes since the last flush."""
        for (handle, window), is_there in self.changes.items():
            key = self._make_key(window[0] // self.segment_ms, handle) + self.times.pack(*window)
            if is_there:
                self.state.put(key, b"\x00")
            else:
                self.state.delete(key)
        self.changes.clear()
        self.times_by_handle.clear()

    def expire(self, horizon: int) -> None:
        """Forget the segments that are wholly before a time."""
        segment = horizon // self.segment_ms
        if segment > 0:
            self.state.delete_range(self.prefix + TIMESTAMP.pack(0), self.prefix + TIMESTAMP.pack(segment))

    def _load(self, handle: Any, first: int, last: int) -> list[Times]:
        size = self.times.size
        times: list[Times] = []
        for segment in range(first // self.segment_ms, last // self.segment_ms + 1):
            start = self._make_key(segment, handle)
            rows = self.state.range(start, start + b"\xff" * size)
            times += [self.times.unpack(key[-size:]) for key, _ in rows]
        return times

    def _make_key(self, segment: int, handle: Any) -> bytes:
        key = self.keys.encode(handle) if self.keys.is_plain else handle
        return self.prefix + TIMESTAMP.pack(segment) + LENGTH.pack(len(key)) + key


def find_segment_ms(retention_ms: int) -> int:
    """The time that one segment of the index spans."""
    return max(retention_ms, 1)


def move_index_key(key: bytes, times: Struct, retention_ms: int) -> bytes:
    """The key of a row of this index, behind the prefix of its store, with another retention. Other keys stay."""
    if not key.startswith(MARK):
        return key
    first = times.unpack(key[-times.size :])[0]
    segment = TIMESTAMP.pack(first // find_segment_ms(retention_ms))
    return MARK + segment + key[len(MARK) + TIMESTAMP.size :]
