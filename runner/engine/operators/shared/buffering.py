"""The buffer of suppress: the newest update of each key, in the order in which the keys arrived."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

from runner.engine.records.codecs import TIMESTAMP, pack, unpack
from runner.engine.records.record import MovedNumbers, Row
from runner.engine.stores.conversion import Convert
from runner.engine.stores.state import State, find_key_after

TIMES = b"t"
"""State prefix of a buffer time and a key. The entry follows them."""
KEYS = b"k"
"""State prefix of a key. Its buffer time follows."""
SIZE = b"s"
"""State key of the number of entries and their bytes."""


class BufferedUpdate(NamedTuple):
    """An update that waits. `prior` is the last emitted value, `bytes` the counted size of the entry."""

    time: int
    prior: Any
    old: Any
    new: Any
    timestamp: int
    row: Row
    bytes: int


def count_buffered(state: State) -> int:
    """The number of updates in a buffer of that state, as of its last flush."""
    data = state.get(SIZE)
    return 0 if data is None else int(unpack(data)[0])


def convert_buffered(convert: Convert | None, moved: MovedNumbers, key: bytes, data: bytes) -> bytes:
    """A row of a buffer with the values and the numbers of a new version: an update with three values, its time, or
    the sums."""
    if not key.startswith(TIMES):
        return data
    time, *values, timestamp, row, size = unpack(data)
    if convert is not None:
        values = [None if value is None else convert(value) for value in values]
    return pack([time, *values, timestamp, moved.move_row(row), size])


class ChangeBuffer:
    """Updates by key, ordered by buffer time and key bytes (InMemoryTimeOrderedKeyValueChangeBuffer).

    Touched entries stay decoded until the next flush. `pending` has the touched keys in order of time. Untouched
    entries of the state are moved into it from the front.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.entries: dict[bytes, BufferedUpdate | None] = {}
        self.stored_times: dict[bytes, int | None] = {}
        """Buffer times of the touched keys, as in the state."""
        self.pending: list[tuple[int, bytes]] = []
        self.position = TIMES
        self.ahead: tuple[int, bytes] | None = None
        data = state.get(SIZE)
        self.count: int
        self.bytes: int
        self.count, self.bytes = (0, 0) if data is None else unpack(data)

    def get(self, key: bytes) -> BufferedUpdate | None:
        if key not in self.entries:
            self._load(key)
        return self.entries[key]

    def put(self, key: bytes, entry: BufferedUpdate) -> None:
        before = self.get(key)
        if before is None:
            heapq.heappush(self.pending, (entry.time, key))
            self.count += 1
            self.bytes += entry.bytes
        else:
            self.bytes += entry.bytes - before.bytes
        self.entries[key] = entry

    def find_first(self) -> tuple[int, bytes] | None:
        """Buffer time and key of the entry that leaves first."""
        pending, entries = self.pending, self.entries
        while pending and ((entry := entries[pending[0][1]]) is None or entry.time != pending[0][0]):
            heapq.heappop(pending)
        ahead = self._find_ahead()
        if ahead is not None and (not pending or ahead < pending[0]):
            self.get(ahead[1])
            return ahead
        return pending[0] if pending else None

    def remove(self, key: bytes) -> None:
        entry = self.get(key)
        if entry is not None:
            self.entries[key] = None
            self.count -= 1
            self.bytes -= entry.bytes

    def flush(self) -> None:
        """Write the touched entries to the state."""
        for key, entry in self.entries.items():
            before = self.stored_times[key]
            if before is not None and (entry is None or entry.time != before):
                self.state.delete(TIMES + TIMESTAMP.pack(before) + key)
            if entry is not None:
                self.state.put(TIMES + TIMESTAMP.pack(entry.time) + key, pack(list(entry)))
                self.state.put(KEYS + key, TIMESTAMP.pack(entry.time))
            elif before is not None:
                self.state.delete(KEYS + key)
        if self.entries:
            self.state.put(SIZE, pack([self.count, self.bytes]))
        self.entries.clear()
        self.stored_times.clear()
        self.pending.clear()
        self.position, self.ahead = TIMES, None

    def _load(self, key: bytes) -> None:
        data = self.state.get(KEYS + key)
        if data is None:
            self.entries[key] = self.stored_times[key] = None
            return
        (time,) = TIMESTAMP.unpack(data)
        entry = self.state.get(TIMES + data + key)
        assert entry is not None
        at, prior, old, new, timestamp, row, size = unpack(entry)
        self.entries[key] = BufferedUpdate(at, prior, old, new, timestamp, tuple(row), size)
        self.stored_times[key] = time
        heapq.heappush(self.pending, (time, key))

    def _find_ahead(self) -> tuple[int, bytes] | None:
        """The first untouched entry of the state. Touched entries that still exist are in `pending`."""
        while self.position and (self.ahead is None or self.ahead[1] in self.entries):
            entry = next(self.state.range(self.position, find_key_after(TIMES)), None)
            if entry is None:
                self.position, self.ahead = b"", None
                break
            at = entry[0]
            self.ahead = (TIMESTAMP.unpack_from(at, 1)[0], at[1 + TIMESTAMP.size :])
            self.position = at + b"\0"
        return self.ahead
