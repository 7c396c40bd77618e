"""The window store that users' code reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from designer.values.longs import MAX_LONG
from designer.values.tuples import Windowed
from runner.engine.records.codecs import pack, unpack
from runner.engine.records.plain import copy_plain
from runner.engine.stores.of_code.segmented_bytes import ByteRow, SegmentedBytes, Times
from runner.engine.stores.of_code.store import StoreOfCode


class WindowStore(StoreOfCode):
    """Values by key and start of a window, each of them JSON (Kafka Streams' WindowStore). It returns copies.

    Putting None deletes. Retention and order of windows are those of `SegmentedBytes`.
    """

    def __init__(
        self,
        name: str,
        rows: SegmentedBytes,
        size_ms: int,
        encode: Callable[[Any], bytes],
        decode: Callable[[bytes], Any],
    ) -> None:
        super().__init__(name, encode, decode)
        self._rows = rows
        self._size_ms = size_ms

    def put(self, key: Any, value: Any, start: int) -> None:
        """Sets the value of a key in the window that starts at `start`."""
        self._put(key, value, (self._check_start(start),))

    def fetch(self, key: Any, start: int, end: int | None = None, *, reverse: bool = False) -> Any:
        """The value of a key in the window that starts at `start`. With an `end`, an iterator over the starts and
        values of its windows that start between both, both included."""
        key = self._encode_key(key)
        if end is None:
            data = self._rows.get(key, (start,))
            return None if data is None else unpack(data)
        return self._read_key(key, start, end, reverse)

    def fetch_all(
        self, start: int, end: int, first: Any = None, last: Any = None, *, reverse: bool = False
    ) -> Iterator[tuple[Windowed, Any]]:
        """Windowed keys with values, of windows that start between `start` and `end` and keys between `first` and
        `last`, all included. None means no bound of keys."""
        low, high = (None if key is None else self._encode_key(key) for key in (first, last))
        return map(self._make_window_row, self._rows.read_between(start, end, low, high, reverse=reverse))

    def all(self, *, reverse: bool = False) -> Iterator[tuple[Windowed, Any]]:
        """All windowed keys with their values, as they are now."""
        return self.fetch_all(0, MAX_LONG, reverse=reverse)

    def flush(self) -> None:
        self._rows.flush()

    def _check_start(self, start: Any) -> int:
        if type(start) is not int or not 0 <= start <= MAX_LONG:
            raise ValueError(f"put() of the store `{self._name}` takes a key, a value and the start of a window in ms.")
        return start

    def _put(self, key: Any, value: Any, times: Times) -> None:
        self._rows.put(self._encode_key(key), times, None if value is None else pack(copy_plain(value)))

    def _read_key(self, key: bytes, start: int, end: int, reverse: bool) -> Iterator[tuple[int, Any]]:
        return ((row.times[0], unpack(row.data)) for row in self._rows.read_key(key, start, end, reverse=reverse))

    def _make_window_row(self, row: ByteRow) -> tuple[Windowed, Any]:
        start = row.times[0]
        return Windowed(self._decode(row.key), start, start + self._size_ms), unpack(row.data)
