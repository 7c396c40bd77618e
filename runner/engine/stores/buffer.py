"""The buffer of a stream-table join with grace. Records wait in order of time."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from runner.engine.records.codecs import TIMESTAMP, KeyCodec, pack, unpack
from runner.engine.records.record import MovedNumbers
from runner.engine.stores.conversion import Convert
from runner.engine.stores.state import State

NUMBER = TIMESTAMP
NEXT = b""
"""The state key of the number of the next record."""
NOTHING = 2**63 - 1

Waiting = tuple[int, bytes, int, Any]
"""Timestamp, key bytes, number in order of arrival, waiting record. They leave in this order."""


class TimeOrderedBuffer:
    """Waiting records by time, key and arrival (RocksDBTimeOrderedKeyValueBuffer).

    A heap holds the records put since the last flush. Of records in the state, only the first time is known until it is
    due.
    """

    def __init__(self, state: State, keys: KeyCodec) -> None:
        self.state = state
        self.keys = keys
        self.new_rows: list[Waiting] = []
        self.read_again()

    def read_again(self) -> None:
        """Learns from the state what is kept beside the rows themselves, also after somebody else wrote it."""
        number = self.state.get(NEXT)
        self.next = 0 if number is None else NUMBER.unpack(number)[0]
        self.first_in_state = self._find_first()

    def put(self, key: Any, timestamp: int, waiting: Any) -> None:
        heappush(self.new_rows, (timestamp, self.keys.encode(key), self.next, waiting))
        self.next += 1

    def take(self, until: int) -> list[tuple[Any, int, Any]]:
        """Key, timestamp and waiting record of all entries up to that time, in order. Removes them."""
        due = self._find_due(until) if self.first_in_state <= until else []
        while self.new_rows and self.new_rows[0][0] <= until:
            due.append(heappop(self.new_rows))
        due.sort(key=lambda each: each[:3])
        return [(self.keys.decode(key), timestamp, waiting) for timestamp, key, _, waiting in due]

    def flush(self) -> None:
        for timestamp, key, number, waiting in self.new_rows:
            self.state.put(TIMESTAMP.pack(timestamp) + key + NUMBER.pack(number), pack(waiting))
        if self.new_rows:
            self.first_in_state = min(self.first_in_state, self.new_rows[0][0])
            self.state.put(NEXT, NUMBER.pack(self.next))
            self.new_rows.clear()

    def _find_due(self, until: int) -> list[Waiting]:
        due: list[Waiting] = []
        for place, waiting in list(self.state.range(TIMESTAMP.pack(self.first_in_state), TIMESTAMP.pack(until + 1))):
            (number,) = NUMBER.unpack(place[-NUMBER.size :])
            due.append((TIMESTAMP.unpack_from(place)[0], place[TIMESTAMP.size : -NUMBER.size], number, unpack(waiting)))
            self.state.delete(place)
        self.first_in_state = self._find_first(until + 1)
        return due

    def _find_first(self, since: int = 0) -> int:
        """The time of the first record in the state that is not older."""
        for place, _ in self.state.range(TIMESTAMP.pack(since), None):
            return int(TIMESTAMP.unpack_from(place)[0])
        return NOTHING


def convert_waiting(convert: Convert | None, moved: MovedNumbers, key: bytes, data: bytes) -> bytes:
    """A row of this store with the value and the numbers of a new version.

    The waiting record is a value, headers, input number and offset.
    """
    if key == NEXT:
        return data
    value, headers, number, offset = unpack(data)
    return pack([value if convert is None else convert(value), headers, moved.move_input(number), offset])
