"""The timestamped window store: for each window and key a value and its timestamp, kept for a time."""

from __future__ import annotations

from typing import Any

from designer.values import Windowed
from runner.engine.codecs import TIMESTAMP, KeyCodec
from runner.engine.context import Context
from runner.engine.records import Entry, View
from runner.engine.state import State
from runner.engine.stores.key_value import Handle, TimestampedStore
from runner.engine.times import StreamTime


class WindowStore(TimestampedStore):
    """Values by window start and key (TimestampedWindowStore); a handle is (start, handle of the inner key).

    Entries whose start lies `retention_ms` or more behind the latest start written are gone, without a word, as in
    RocksDB's segmented stores. In state the start comes before the key, so that they go in one range.
    """

    def __init__(
        self,
        state: State,
        prefix: bytes,
        keys: KeyCodec,
        context: Context,
        *,
        cached: bool,
        size_ms: int,
        retention_ms: int,
        latest_start: StreamTime,
    ) -> None:
        super().__init__(state, prefix, keys, context, cached=cached)
        self.size_ms = size_ms
        self.retention_ms = retention_ms
        self.latest_start = latest_start
        self.inner_handle = self.handle
        self.handle = self._handle

    def _handle(self, key: Windowed) -> Handle:
        return (key.start, self.inner_handle(key.key))

    def put(self, handle: Handle, value: Any, timestamp: int) -> None:
        if handle[0] > self.latest_start.value:
            self.latest_start.observe(handle[0])
        if value is None:
            self.entries[handle] = None
            self.deleted_at[handle] = timestamp
        else:
            self.entries[handle] = (value, timestamp)
        self.dirty[handle] = self.context.row

    def view(self, present: Any = None) -> View:
        """Looks up rows by windowed key; what is past retention is not there."""
        found = super().view(present)

        def look_up(key: Windowed) -> Entry | None:
            return None if key.start < self._first_kept() else found(key)

        return look_up

    def state_key(self, handle: Handle) -> bytes:
        start, inner = handle
        return self.prefix + TIMESTAMP.pack(start) + (self.keys.encode(inner) if self.keys.plain else inner)

    def key_of(self, handle: Handle) -> Windowed:
        start, inner = handle
        return Windowed(super().key_of(inner), start, start + self.size_ms)

    def _forget(self) -> None:
        super()._forget()
        if self.latest_start.changed and self._first_kept() > 0:
            self.state.delete_range(self.prefix + TIMESTAMP.pack(0), self.prefix + TIMESTAMP.pack(self._first_kept()))

    def _first_kept(self) -> int:
        return self.latest_start.value - self.retention_ms + 1
