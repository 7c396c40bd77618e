"""The timestamped key-value store: a value and its timestamp for each key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runner.engine.records.codecs import TIMESTAMP, KeyCodec, pack, unpack
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Entry, ReceiveUpdate, Row, View
from runner.engine.stores.newest import Newest, find_newest
from runner.engine.stores.state import State, find_key_after

Handle = Any
"""The key in the dicts of a store: the key itself if that is exact, else its bytes."""
NO_ENTRY: Entry = (None, 0)


class TimestampedStore:
    """Values with timestamps by key (TimestampedKeyValueStore). `is_cached`: a table forwards when this is flushed.

    Entries are read and written under handles (`handle(key)`). Everything read or written stays decoded until the
    next flush, which writes the changes to the state.
    """

    def __init__(self, state: State, prefix: bytes, keys: KeyCodec, context: RecordContext, *, is_cached: bool) -> None:
        self.state = state
        self.prefix = prefix
        self.keys = keys
        self.context = context
        self.is_cached = is_cached
        self.forwarded_count = 0
        self.entries: dict[Handle, Entry | None] = {}
        self.dirty: dict[Handle, Row] = {}
        self.deleted_at: dict[Handle, int] = {}
        self.handle: Callable[[Any], Handle] = _give_itself if keys.is_plain else keys.encode

    def get(self, handle: Handle) -> Entry | None:
        try:
            return self.entries[handle]
        except KeyError:
            entry = self.entries[handle] = self.load(handle)
            return entry

    def put(self, handle: Handle, value: Any, timestamp: int) -> None:
        """Set the value, or delete the key if it is None. The handle becomes dirty if it is not yet."""
        if value is None:
            self.entries[handle] = None
            self.deleted_at[handle] = timestamp
        else:
            self.entries[handle] = (value, timestamp)
        self.dirty[handle] = self.context.row

    def view(self, present: Callable[[Any], Any] | None = None) -> View:
        """Looks up rows by key. `present` turns stored values into values of the table."""
        get, handle = self.get, self.handle
        if present is None:
            return get if handle is _give_itself else lambda key: get(handle(key))

        def look_up(key: Any) -> Entry | None:
            entry = get(handle(key))
            if entry is None:
                return None
            value, timestamp = entry
            return present(value), timestamp

        return look_up

    def load(self, handle: Handle) -> Entry | None:
        """The entry in the state."""
        data = self.state.get(self.state_key(handle))
        return None if data is None else make_entry(data)

    def read_newest(self) -> Newest | None:
        """The newest row of the state."""
        skip, rows = len(self.prefix), self.state.range(self.prefix, find_key_after(self.prefix))
        newest = find_newest((key, TIMESTAMP.unpack_from(data)[0]) for key, data in rows)
        return newest and Newest(self.keys.decode(newest.key[skip:]), newest.timestamp)

    def state_key(self, handle: Handle) -> bytes:
        return self.prefix + (self.keys.encode(handle) if self.keys.is_plain else handle)

    def key_of(self, handle: Handle) -> Any:
        return handle if self.keys.is_plain else self.keys.decode(handle)

    def flush(self) -> None:
        """Write the changes since the last flush to the state."""
        for handle in self.dirty:
            self._write(handle)
        self._forget()

    def flush_and_forward(self, forward: ReceiveUpdate, *, sends_old_values: bool) -> None:
        """Flush, and forward the last value of each dirty key in the order they became dirty.

        Old values are those of the last flush. A key that appeared and vanished in between forwards nothing
        (CachingKeyValueStore.putAndMaybeForward).
        """
        for handle, row in self.dirty.items():
            entry = self.entries[handle]
            before = self.load(handle) if sends_old_values or entry is None else None
            if entry is None and before is None:
                continue
            self._write(handle)
            self.forwarded_count += 1
            self.context.row = row
            old, _ = before or NO_ENTRY
            if entry is None:
                forward(self.key_of(handle), None, old, self.deleted_at[handle])
            else:
                value, timestamp = entry
                forward(self.key_of(handle), value, old, timestamp)
        self._forget()

    def _write(self, handle: Handle) -> None:
        entry = self.entries[handle]
        if entry is None:
            self.state.delete(self.state_key(handle))
        else:
            value, timestamp = entry
            self.state.put(self.state_key(handle), TIMESTAMP.pack(timestamp) + pack(value))

    def _forget(self) -> None:
        self.dirty.clear()
        self.entries.clear()
        self.deleted_at.clear()


def make_entry(data: bytes) -> Entry:
    """An entry from its bytes in the state."""
    return unpack(data[TIMESTAMP.size :]), TIMESTAMP.unpack_from(data)[0]


def _give_itself(key: Any) -> Handle:
    return key
