"""The data of key-value stores of code: bytes by key, with a time to live."""

from __future__ import annotations

from struct import Struct

from runner.engine.records.codecs import BOUNDS
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTime

ENTRY, BY_TIME, BEHIND = b"e", b"t", b"f"
INDEX_FLAG = b"i"
"""State key that says that the index has every entry, and no other."""
INDEX_END = b"u"
TIME = Struct(">Q")
UNREAD_VALUE = b""


class Entries:
    """Bytes by key, each with a timestamp and the stream time at which it was written.

    With `ttl_ms` an entry ends when stream time is that far past its last write. An index in order of time finds ended
    entries, to delete them at the end of a batch. A version without a time to live removes the index, because it does
    not keep it. One with a time to live makes it again.
    """

    def __init__(self, state: State, time: StreamTime, ttl_ms: int | None) -> None:
        self.state = state
        self.time = time
        self.ttl_ms = ttl_ms
        self.changes: dict[bytes, bytes | None] = {}
        if (state.get(INDEX_FLAG) is not None) != (ttl_ms is not None):
            self._change_index()

    def get(self, key: bytes) -> bytes | None:
        data = self.changes.get(key, UNREAD_VALUE)
        if data == UNREAD_VALUE:
            data = self.state.get(ENTRY + key)
        return None if data is None or self._is_over(data) else data

    def put(self, key: bytes, value: bytes, timestamp: int) -> None:
        self.changes[key] = BOUNDS.pack(self._get_time(), timestamp) + value

    def delete(self, key: bytes) -> None:
        self.changes[key] = None

    def range(self, first: bytes | None, last: bytes | None, reverse: bool) -> list[tuple[bytes, bytes]]:
        """Entries from `first` to `last`, both included, in order of their bytes."""
        self._write()
        start, end = ENTRY + (first or b""), BEHIND if last is None else ENTRY + last + b"\0"
        rows = self.state.range(start, end, reverse)
        return [(key[1:], data) for key, data in rows if not self._is_over(data)]

    def flush(self) -> None:
        self._write()
        if self.ttl_ms is not None:
            self._forget(self.time.value - self.ttl_ms)

    def _get_time(self) -> int:
        return max(self.time.value, 0)

    def _is_over(self, data: bytes) -> bool:
        return self.ttl_ms is not None and BOUNDS.unpack_from(data)[0] + self.ttl_ms <= self.time.value

    def _write(self) -> None:
        for key, data in self.changes.items():
            if self.ttl_ms is not None:
                self._note_time(key, data)
            if data is None:
                self.state.delete(ENTRY + key)
            else:
                self.state.put(ENTRY + key, data)
        self.changes.clear()

    def _note_time(self, key: bytes, data: bytes | None) -> None:
        before = self.state.get(ENTRY + key)
        if before is not None:
            self.state.delete(BY_TIME + TIME.pack(BOUNDS.unpack_from(before)[0]) + key)
        if data is not None:
            self.state.put(BY_TIME + TIME.pack(BOUNDS.unpack_from(data)[0]) + key, b"\0")

    def _change_index(self) -> None:
        """Makes the index, or removes it. An earlier release has left some without a flag."""
        self.state.delete_range(BY_TIME, INDEX_END)
        if self.ttl_ms is None:
            self.state.delete(INDEX_FLAG)
            return
        for key, data in list(self.state.range(ENTRY, BEHIND)):
            self.state.put(BY_TIME + TIME.pack(BOUNDS.unpack_from(data)[0]) + key[len(ENTRY) :], b"\0")
        self.state.put(INDEX_FLAG, b"\0")

    def _forget(self, until: int) -> None:
        """Deletes entries written at stream times up to `until`."""
        if until < 0:
            return
        end = BY_TIME + TIME.pack(until + 1)
        old = [ENTRY + each[1 + TIME.size :] for each, _ in self.state.range(BY_TIME, end)]
        for key in old:
            self.state.delete(key)
        if old:
            self.state.delete_range(BY_TIME, end)
