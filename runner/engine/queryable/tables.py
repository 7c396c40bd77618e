"""Queries of the stores of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, runtime_checkable

from designer.values.longs import MAX_LONG
from designer.values.tuples import Windowed
from runner.engine.planning.layout import Layout, Store
from runner.engine.queryable.query import Query, QueryRefused, TableRow, encode_key, from_cursor, parse_key, write_row
from runner.engine.records.codecs import BOUNDS, TIMESTAMP, make_key_codec
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Entry
from runner.engine.stores import CalendarWindowStore, SessionStore, SlidingWindowStore, WindowStore
from runner.engine.stores.by_key import MARK
from runner.engine.stores.key_value import make_entry
from runner.engine.stores.state import State, find_key_after
from runner.engine.stores.times import StreamTimes
from runner.engine.tasks.store_context import StoreContext


@runtime_checkable
class PresentsEntries(Protocol):
    """An operator whose table may differ from the content of its store."""

    def present(self, context: StoreContext, /) -> Callable[[Any], Any] | None:
        """The function from a stored value to the value of the table. None if both are the same."""


class TableReader:
    """One task's part of a table's store."""

    def __init__(self, layout: Layout, store: Store, task: int, state: State, query: Query) -> None:
        self.store = store
        self.state = state
        self.query = query
        self.store_context = StoreContext(
            layout, store.node, task, state, StreamTimes(state, task), RecordContext(), is_cached=False
        )
        self.prefix = self.store_context.prefix_of_table()
        self.keys = make_key_codec(store.key)
        self.first, self.last = (None if text is None else self._make_bound(text) for text in (query.first, query.last))
        self.in_keys = store.window is not None and store.kind not in ("window", "session")
        """True if the window is after the key, in a table made from a windowed one."""
        operator = layout.nodes[store.node].operator
        self.present = operator.present(self.store_context) if isinstance(operator, PresentsEntries) else None

    def read_key(self) -> Iterator[TableRow]:
        key = parse_key(self.store.key, self.query.key or "")
        if self.store.kind in ("window", "session"):
            rows = self._read_windows(key)
        else:
            rows = self._find_windowed_keys(key) if self.in_keys else self._read_row(key)
        return (self._write_row(*row) for row in rows)

    def rows(self) -> Iterator[tuple[bytes, bytes]]:
        """Places are stored keys, after the prefix."""
        start, end = self._find_bounds()
        skip = len(self.prefix)
        if start >= end:
            return
        for key, data in self.state.range(start, end, self.query.descending):
            yield key[skip:], data

    def decode_row(self, key: bytes, data: bytes) -> TableRow:
        return self._write_row(self.decode_key(key), make_entry(data))

    def decode_key(self, key: bytes) -> Any:
        """The key at a place, with its window if it has one."""
        if self.store.kind in ("window", "session"):
            return self.windows().key_at(self.prefix + key)
        return make_key_codec(self.store.key, self.store.window).decode(key)

    def windows(self) -> WindowStore:
        window = self.store.window
        assert window is not None
        stores = {"session": SessionStore, "sliding": SlidingWindowStore, "calendar": CalendarWindowStore}
        store_class = stores.get(window.kind, WindowStore)
        return self.store_context.window_store(store_class)

    def _read_row(self, key: Any) -> Iterator[tuple[Any, Entry]]:
        if self.query.as_of is not None:
            versions = self.store_context.get_versioned_store()
            if versions is None:
                raise QueryRefused(f"The table `{self.store.name}` keeps no versions.", "Leave out `as_of`.")
            entry = versions.as_of(versions.handle(key), self.query.as_of)
        else:
            data = self.state.get(self.prefix + self._encode_key(key))
            entry = None if data is None else make_entry(data)
        if entry is not None:
            yield key, entry

    def _read_windows(self, key: Any) -> Iterator[tuple[Any, Entry]]:
        store = self.windows()
        inner = store.inner_handle(key)
        since, until = self.query.since, self.query.until
        handles: Iterable[tuple[Any, ...]]
        if isinstance(store, SessionStore):
            handles = [(*times, inner) for times in store.sessions(inner, since, until)]
        elif isinstance(store, SlidingWindowStore):
            handles = [(start, inner) for start in store.starts(inner, since, until)]
        else:
            encoded_key = self._encode_key(key)
            handles = (
                (start, inner) for start in self._find_starts(encoded_key, max(since, store.retention_start), until)
            )
        for handle in handles:
            entry = store.get(handle)
            if entry is not None:
                yield store.key_of(handle), entry

    def _find_starts(self, key: bytes, start: int, until: int) -> Iterator[int]:
        """The starts of a key's windows. It goes from start to start, because they are before the keys."""
        while start <= until:
            place = self.prefix + TIMESTAMP.pack(start) + key
            row = next(self.state.range(place, self.prefix + MARK), None)
            if row is None:
                return
            if row[0] == place:
                yield start
            (there,) = TIMESTAMP.unpack_from(row[0], len(self.prefix))
            start = start + 1 if there == start else there

    def _find_windowed_keys(self, key: Any) -> Iterator[tuple[Any, Entry]]:
        prefix = self.prefix + self._encode_key(key)
        start, end = (prefix + BOUNDS.pack(time, 0) for time in (self.query.since, self.query.until + 1))
        for stored_key, data in self.state.range(start, end):
            if len(stored_key) == len(start):
                yield Windowed(key, *BOUNDS.unpack_from(stored_key, len(prefix))), make_entry(data)

    def _find_bounds(self) -> tuple[bytes, bytes]:
        """The first state key, and the one after the last."""
        query, begin, end = self.query, b"", find_key_after(self.prefix)
        if self.store.kind in ("window", "session"):
            until = query.until if self.store.kind == "window" else MAX_LONG - 1
            begin = TIMESTAMP.pack(max(query.since, self.windows().retention_start))
            end = self.prefix + TIMESTAMP.pack(until + 1)
        else:
            begin = self.first or b""
            if self.last is not None:
                end = self.prefix + self.last + (b"\xff" * BOUNDS.size if self.in_keys else b"") + b"\0"
        return from_cursor(query, self.prefix, self.prefix + begin, end)

    def is_asked(self, key: bytes) -> bool:
        query, kind = self.query, self.store.kind
        if kind in ("window", "session"):
            times = TIMESTAMP if kind == "window" else BOUNDS
            inner = key[times.size :]
            touches = kind == "window" or times.unpack_from(key)[1] <= query.until
        elif self.in_keys:
            inner, start = key[: -BOUNDS.size], BOUNDS.unpack_from(key, len(key) - BOUNDS.size)[0]
            touches = query.since <= start <= query.until
        else:
            return True
        above = self.first is None or inner >= self.first
        return touches and above and (self.last is None or inner <= self.last)

    def _make_bound(self, text: str) -> bytes:
        return self._encode_key(parse_key(self.store.key, text))

    def _encode_key(self, key: Any) -> bytes:
        return encode_key(self.keys.encode, key)

    def _write_row(self, key: Any, entry: Entry) -> TableRow:
        return write_row(key, entry[0] if self.present is None else self.present(entry[0]), entry[1])
