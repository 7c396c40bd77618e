"""A state that notes which input last wrote each row, and which rows the current input touches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from runner.engine.stores.state import PREFIX, TIMES, MemoryState, State

Mark = Any
"""Name of an input."""
OF_STORE = slice(2, PREFIX.size)
STREAM_TIMES = PREFIX.pack(0, TIMES)[OF_STORE]


class TracedState:
    """Reads and writes the rows of another state. `needs` holds, for each input, the inputs that wrote what it read or
    overwrote. Several states may share it.

    Without the input, an overwritten row would still be there. Stream times do not count.
    """

    def __init__(
        self,
        state: State | None = None,
        needs: dict[Mark, set[Mark]] | None = None,
        writers: dict[bytes, Mark] | None = None,
    ) -> None:
        self.state: State = MemoryState() if state is None else state
        self.now: Mark = None
        self.writers: dict[bytes, Mark] = {} if writers is None else writers
        """The last writer of each key, also of deleted rows."""
        self.deleted_keys: list[bytes] = []
        """The keys of deleted rows, in order."""
        self.needs: dict[Mark, set[Mark]] = {} if needs is None else needs
        self.before: dict[bytes, tuple[bytes | None, Mark]] | None = None
        """Each touched row as it was, with its writer. None: no one follows."""

    def begin(self, mark: Mark) -> None:
        """Begins an input."""
        self.now = mark
        self.needs.setdefault(mark, set())

    def get(self, key: bytes) -> bytes | None:
        self._read(key)
        return self.state.get(key)

    def peek(self, key: bytes) -> bytes | None:
        """A row as it is, for a reader that is not an input."""
        return self.state.get(key)

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """A deleted row counts as read, too: the input that deleted it made a difference."""
        last = len(self.deleted_keys) if end is None else bisect_left(self.deleted_keys, end)
        for key in self.deleted_keys[bisect_left(self.deleted_keys, start) : last]:
            self._read(key)
        for key, value in self.state.range(start, end, reverse):
            self._read(key)
            yield key, value

    def put(self, key: bytes, value: bytes) -> None:
        self._write(key)
        at = bisect_left(self.deleted_keys, key)
        if at < len(self.deleted_keys) and self.deleted_keys[at] == key:
            del self.deleted_keys[at]
        self.state.put(key, value)

    def delete(self, key: bytes) -> None:
        if self.state.get(key) is not None:
            self._write(key)
            self.deleted_keys.insert(bisect_left(self.deleted_keys, key), key)
        self.state.delete(key)

    def delete_range(self, start: bytes, end: bytes) -> None:
        self.state.delete_range(start, end)

    def _read(self, key: bytes) -> None:
        if key[OF_STORE] == STREAM_TIMES:
            return
        writer = self.writers.get(key)
        if writer is not None and writer != self.now:
            self.needs[self.now].add(writer)
        if self.before is not None and key not in self.before:
            self.before[key] = (self.state.get(key), writer)

    def _write(self, key: bytes) -> None:
        self._read(key)
        self.writers[key] = self.now
