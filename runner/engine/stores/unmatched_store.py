"""Records of a left or outer stream-stream join that have no partner yet, in order of expiry."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from heapq import merge
from itertools import islice
from struct import Struct
from typing import Any

from runner.engine.records.codecs import TIMESTAMP, KeyCodec, pack, unpack
from runner.engine.stores.conversion import Convert
from runner.engine.stores.state import State

ORDER = Struct(">q?")
"""Timestamp, and whether it came from the left, before the key (TimestampedKeyAndJoinSide)."""
EARLIEST = b""
"""The state key of `earliest`."""
NEVER = 2**63 - 1


class UnmatchedStore:
    """Values by time, side and key, with duplicates (the outer join's ListValueStore).

    `earliest` is the time from which on Kafka Streams assumes records (TimeTracker.minTime). It may be later
    than the first record. Changes since the last flush stay decoded: `changes` has None for removed records.
    """

    def __init__(self, state: State, keys: KeyCodec) -> None:
        self.state = state
        self.encode = keys.encode
        self.decode = keys.decode
        self.changes: dict[bytes, list[Any] | None] = {}
        self.new_places: list[bytes] = []
        self.first = TIMESTAMP.pack(0)
        self.earliest = NEVER
        self.earliest_in_state: bytes | None = None
        self.read_earliest()

    def read_earliest(self) -> None:
        """Begin with the state as it is."""
        self.earliest_in_state = self.state.get(EARLIEST)
        if self.earliest_in_state is not None:
            (self.earliest,) = TIMESTAMP.unpack(self.earliest_in_state)

    def put(self, timestamp: int, key: Any, value: Any, *, is_left: bool) -> None:
        if timestamp < self.earliest:
            self.earliest = timestamp
        place = ORDER.pack(timestamp, is_left) + self.encode(key)
        values = self._read_values(place)
        at = bisect_left(self.new_places, place)
        if at == len(self.new_places) or self.new_places[at] != place:
            self.new_places.insert(at, place)
        if place < self.first:
            self.first = place
        if values is None:
            self.changes[place] = [value]
        else:
            self.changes[place] = [*values, value]

    def remove(self, timestamp: int, key: Any, *, is_left: bool) -> int:
        """Remove all records of that key, time and side. Returns their number."""
        place = ORDER.pack(timestamp, is_left) + self.encode(key)
        values = self._read_values(place)
        if values is None:
            return 0
        self.changes[place] = None
        return len(values)

    def read_in_order(self) -> Iterator[tuple[int, bool, bytes]]:
        """Time, side and state key of all records that still exist when reached, the left before the right."""
        before = (place for place, _ in self.state.range(self.first, None) if place not in self.changes)
        new_places = islice(self.new_places, bisect_left(self.new_places, self.first), None)
        for place in merge(before, new_places):
            if place not in self.changes or self.changes[place] is not None:
                timestamp, is_left = ORDER.unpack_from(place)
                yield timestamp, is_left, place

    def count(self, place: bytes) -> int:
        """The number of records at a state key."""
        return len(self._read_values(place) or ())

    def take(self, place: bytes) -> tuple[Any, list[Any]]:
        """Removes the entry at a state key. Returns its key and values."""
        values = self._read_values(place)
        self.changes[place] = None
        return self.decode(place[ORDER.size :]), values or []

    def starts_at(self, timestamp: int) -> None:
        """No record is older than this, so scans need not look there."""
        self.first = TIMESTAMP.pack(timestamp)

    def flush(self) -> None:
        for place, values in self.changes.items():
            if values is None:
                self.state.delete(place)
            else:
                self.state.put(place, pack(values))
        earliest = TIMESTAMP.pack(self.earliest)
        if earliest != self.earliest_in_state:
            self.state.put(EARLIEST, earliest)
            self.earliest_in_state = earliest
        self.changes.clear()
        self.new_places.clear()

    def _read_values(self, place: bytes) -> list[Any] | None:
        if place in self.changes:
            return self.changes[place]
        data = self.state.get(place)
        return None if data is None else unpack(data)


def convert_unmatched(converts: Mapping[str, Convert], key: bytes, data: bytes) -> bytes:
    """A row of this store with the values of a new version, if its side has a `Convert`: `left` or `right`."""
    if key == EARLIEST:
        return data
    _, is_left = ORDER.unpack_from(key)
    convert = converts.get("left" if is_left else "right")
    return data if convert is None else pack([convert(value) for value in unpack(data)])
