"""The key-value store of a table whose rows have a time to live."""

from __future__ import annotations

from typing import Any

from runner.engine.records.codecs import TIMESTAMP, KeyCodec
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Entry
from runner.engine.stores.key_value import Handle, TimestampedStore
from runner.engine.stores.state import State, find_key_after
from runner.engine.stores.times import StreamTime

INDEX_FLAG = b""
"""State key that says that every row of the store is in the index."""
THERE = b"\0"
NEVER = 2**63 - 1


# A time to live belongs to the store: a separate operator behind a table could not empty the table's own store, which
# is what grows.
class ExpiringStore(TimestampedStore):
    """Rows end when stream time is `ttl_ms` past their timestamps. `by_time` is their index in that order.

    A store that had no time to live before has no index yet. The index is then made from its rows.
    """

    def __init__(
        self,
        state: State,
        prefix: bytes,
        keys: KeyCodec,
        context: RecordContext,
        *,
        is_cached: bool,
        by_time: State,
        ttl_ms: int,
        time: StreamTime,
    ) -> None:
        super().__init__(state, prefix, keys, context, is_cached=is_cached)
        self.by_time = by_time
        self.ttl_ms = ttl_ms
        self.time = time
        self.earliest = 0
        """No row is older than this."""
        if by_time.get(INDEX_FLAG) is None:
            self._note_all()

    def put(self, handle: Handle, value: Any, timestamp: int) -> None:
        before = self.get(handle)
        if before is not None:
            self.by_time.delete(self._make_place(handle, before[1]))
        super().put(handle, value, timestamp)
        if value is not None:
            self.by_time.put(self._make_place(handle, timestamp), THERE)
            self.earliest = min(self.earliest, timestamp)

    def find_expired(self) -> list[tuple[Handle, Entry]]:
        """The ended rows that still exist, in order of their timestamps and the bytes of their keys.

        They leave the index: the caller deletes them.
        """
        until = self.time.value - self.ttl_ms
        if until < self.earliest:
            return []
        end = TIMESTAMP.pack(until + 1)
        places = [place for place, _ in self.by_time.range(TIMESTAMP.pack(0), end)]
        for place in places:
            self.by_time.delete(place)
        later = next(self.by_time.range(end, None), None)
        self.earliest = NEVER if later is None else TIMESTAMP.unpack_from(later[0])[0]
        handles = (self._read_handle(place[TIMESTAMP.size :]) for place in places)
        return [(handle, entry) for handle in handles if (entry := self.get(handle)) is not None]

    def _make_place(self, handle: Handle, timestamp: int) -> bytes:
        return TIMESTAMP.pack(timestamp) + self.state_key(handle)[len(self.prefix) :]

    def _read_handle(self, key: bytes) -> Handle:
        return self.keys.decode(key) if self.keys.is_plain else key

    def _note_all(self) -> None:
        for key, data in self.state.range(self.prefix, find_key_after(self.prefix)):
            self.by_time.put(data[: TIMESTAMP.size] + key[len(self.prefix) :], THERE)
        self.by_time.put(INDEX_FLAG, THERE)
