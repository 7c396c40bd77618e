"""The window store that keeps every value put, for users' code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runner.engine.records.codecs import TIMESTAMP
from runner.engine.stores.duplicates import NEXT, read_number
from runner.engine.stores.of_code.segmented_bytes import SegmentedBytes
from runner.engine.stores.of_code.windows import WindowStore
from runner.engine.stores.state import State


class DuplicatesStore(WindowStore):
    """All values put for a key and start of a window, in order of arrival (a window store that retains duplicates).

    Putting None does nothing (RocksDBWindowStore.put). The number of a value continues after a restart, unlike in
    Kafka Streams, which starts again and replaces values.
    """

    def __init__(
        self,
        name: str,
        state: State,
        rows: SegmentedBytes,
        size_ms: int,
        encode: Callable[[Any], bytes],
        decode: Callable[[bytes], Any],
    ) -> None:
        """`rows` have two times: the start of the window and the number of the value."""
        super().__init__(name, rows, size_ms, encode, decode)
        self._state = state
        self._next = self._next_in_state = read_number(state)

    def put(self, key: Any, value: Any, start: int) -> None:
        """Adds a value of a key to the window that starts at `start`."""
        start = self._check_start(start)
        if value is not None:
            self._put(key, value, (start, self._next))
            self._next += 1

    def fetch(
        self, key: Any, start: int, end: int | None = None, *, reverse: bool = False
    ) -> Iterator[tuple[int, Any]]:
        """The starts and values of a key in windows that start between `start` and `end`, both included. Without an
        `end`, those of the window that starts at `start`."""
        return self._read_key(self._encode_key(key), start, start if end is None else end, reverse)

    def flush(self) -> None:
        if self._next > self._next_in_state:
            self._state.put(NEXT, TIMESTAMP.pack(self._next))
            self._next_in_state = self._next
        super().flush()
