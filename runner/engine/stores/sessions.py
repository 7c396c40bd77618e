"""The session store: an aggregate for each session of a key, with a retention."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from struct import Struct

from designer.values.tuples import Windowed
from runner.engine.records.codecs import BOUNDS, TIMESTAMP
from runner.engine.stores.by_key import Times
from runner.engine.stores.key_value import Handle
from runner.engine.stores.windows import SlidingWindowStore


class SessionStore(SlidingWindowStore):
    """Aggregates by session and key (SessionStore). A handle is (end, start, handle of the inner key).

    Their timestamp is the end, and retention counts from the latest end written. Emit on close finds sessions a little
    longer: until their segment is dropped (RocksDBTimeOrderedSessionSegmentedBytesStore.fetchSessions).
    """

    times: Struct = BOUNDS

    def sessions(self, inner: Handle, earliest_end: int, latest_start: int) -> Sequence[Times]:
        """End and start of a key's sessions that touch that time, in order (findSessions)."""
        times = self.times_of(inner)
        first = bisect_left(times, (max(earliest_end, self.retention_start),))
        return [window for window in times[first:] if window[1] <= latest_start]

    def find_first(self) -> int:
        return self.retention_start if self.window.emit == "on_update" else self.find_live_start()

    def sort_for_emission(self, rows: Iterator[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
        """In memory, sessions that end together are ordered by key and then start (InMemorySessionStore)."""
        if self.window.store_type == "persistent":
            return rows
        start, key = len(self.prefix) + TIMESTAMP.size, len(self.prefix) + BOUNDS.size

        def end_of(row: tuple[bytes, bytes]) -> bytes:
            stored_key, _ = row
            return stored_key[:start]

        def key_and_start_of(row: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
            stored_key, _ = row
            return stored_key[key:], stored_key[start:key]

        return (row for _, sessions in groupby(rows, end_of) for row in sorted(sessions, key=key_and_start_of))

    def state_key(self, handle: Handle) -> bytes:
        end, start, inner = handle
        return self.prefix + BOUNDS.pack(end, start) + (self.keys.encode(inner) if self.keys.is_plain else inner)

    def key_of(self, handle: Handle) -> Windowed:
        end, start, inner = handle
        return Windowed(inner if self.keys.is_plain else self.keys.decode(inner), start, end)

    def _make_handle(self, key: Windowed) -> Handle:
        return (key.end, key.start, self.inner_handle(key.key))

    def _get_kept_ms(self) -> int:
        return self.retention_ms - 1
