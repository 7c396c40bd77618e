"""The window store that code of users reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from designer.values import Windowed
from runner.engine.codecs import TIMESTAMP, pack, unpack
from runner.engine.plain import plain
from runner.engine.state import State
from runner.engine.stores.of_code import StoreOfCode
from runner.engine.stores.windows import SHORTEST_SEGMENT_MS
from runner.engine.times import StreamTime

BY_KEY, BY_TIME = b"k", b"t"


class WindowStore(StoreOfCode):
    """Values by key and start of a window, each of them JSON (Kafka Streams' WindowStore). What it gives is a copy.

    Putting None deletes. A window that starts `retention_ms` or more before the latest one put is gone. Those of one
    key come in order of time; those of several by segment of time (half the retention, a minute at least), then in
    order of the keys' bytes, as in RocksDB (AbstractRocksDBSegmentedBytesStore, WindowKeySchema).
    """

    def __init__(
        self,
        name: str,
        encode: Callable[[Any], bytes],
        decode: Callable[[bytes], Any],
        *,
        state: State,
        latest: StreamTime,
        size_ms: int,
        retention_ms: int,
        when_expired: Callable[[], None],
    ) -> None:
        """`latest` is the latest start put, `when_expired` hears of puts that RocksDB has no segment for any more."""
        super().__init__(name, encode, decode)
        self._state = state
        self._latest = latest
        self._size_ms = size_ms
        self._retention_ms = retention_ms
        self._segment_ms = max(retention_ms // 2, SHORTEST_SEGMENT_MS)
        self._when_expired = when_expired

    def put(self, key: Any, value: Any, start: int) -> None:
        """Sets the value of a key in the window that starts at `start`."""
        if type(start) is not int or start < 0:
            raise ValueError(f"put() of the store `{self._name}` takes a key, a value and the start of a window in ms.")
        key = self._bytes(key)
        self._latest.observe(start)
        if start >= self._first():
            self._write(key, None if value is None else pack(plain(value)), TIMESTAMP.pack(start))
        elif start // self._segment_ms < max(0, self._latest.value - self._retention_ms) // self._segment_ms:
            self._when_expired()

    def fetch(self, key: Any, start: int, end: int | None = None, *, reverse: bool = False) -> Any:
        """The value of a key in the window that starts at `start`; with an `end`, an iterator over the starts and
        values of its windows that start between both, these included."""
        key = self._bytes(key)
        if end is None:
            data = self._state.get(BY_KEY + key + TIMESTAMP.pack(start)) if start >= self._first() else None
            return None if data is None else unpack(data)
        first, last = max(start, self._first()), min(end, self._latest.value)
        if first > last:
            return iter(())
        prefix = BY_KEY + key
        rows = self._state.range(prefix + TIMESTAMP.pack(first), prefix + TIMESTAMP.pack(last) + b"\0", reverse)
        length = len(prefix) + TIMESTAMP.size
        return iter([(_time_behind(row), unpack(data)) for row, data in rows if len(row) == length])

    def fetch_all(
        self, start: int, end: int, first: Any = None, last: Any = None, *, reverse: bool = False
    ) -> Iterator[tuple[Windowed, Any]]:
        """Windowed keys with values, of windows that start between `start` and `end` and keys between `first` and
        `last`, all included; None is no bound of keys."""
        low, high = (None if bound is None else self._bytes(bound) for bound in (first, last))
        found = [
            (time // self._segment_ms, key, time)
            for time, key in self._between(max(start, self._first()), min(end, self._latest.value))
            if (low is None or key >= low) and (high is None or key <= high)
        ]
        found.sort(reverse=reverse)
        return iter([self._windowed(key, time) for _, key, time in found])

    def all(self, *, reverse: bool = False) -> Iterator[tuple[Windowed, Any]]:
        """All windowed keys with their values, as they are now."""
        return self.fetch_all(0, self._latest.value, reverse=reverse)

    def flush(self) -> None:
        first = self._first()
        if first == 0 or not self._latest.changed:
            return
        old = self._between(0, first - 1)
        for time, key in old:
            self._state.delete(BY_KEY + key + TIMESTAMP.pack(time))
        if old:
            self._state.delete_range(BY_TIME + TIMESTAMP.pack(0), BY_TIME + TIMESTAMP.pack(first))

    def _first(self) -> int:
        """The earliest start that is not past retention."""
        return max(0, self._latest.value - self._retention_ms + 1)

    def _write(self, key: bytes, data: bytes | None, start: bytes) -> None:
        by_key, by_time = BY_KEY + key + start, BY_TIME + start + key
        if data is None:
            self._state.delete(by_key)
            self._state.delete(by_time)
        else:
            self._state.put(by_key, data)
            self._state.put(by_time, b"\0")

    def _between(self, first: int, last: int) -> list[tuple[int, bytes]]:
        """Starts of windows and their keys."""
        if first > last:
            return []
        rows = self._state.range(BY_TIME + TIMESTAMP.pack(first), BY_TIME + TIMESTAMP.pack(last + 1))
        return [(TIMESTAMP.unpack_from(row, 1)[0], row[1 + TIMESTAMP.size :]) for row, _ in rows]

    def _windowed(self, key: bytes, start: int) -> tuple[Windowed, Any]:
        data = self._state.get(BY_KEY + key + TIMESTAMP.pack(start))
        assert data is not None
        return Windowed(self._decode(key), start, start + self._size_ms), unpack(data)


def _time_behind(row: bytes) -> int:
    return int(TIMESTAMP.unpack_from(row, len(row) - TIMESTAMP.size)[0])
