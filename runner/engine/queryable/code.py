"""Queries of the stores of process and process_values, with rows in the order that their code needs."""

from __future__ import annotations

from collections.abc import Iterator

from designer.values.longs import MAX_LONG
from designer.values.tuples import Windowed
from runner.engine.formats.sides import make_decoder_of, make_encoder_of
from runner.engine.planning.layout import Layout, Store
from runner.engine.queryable.query import Query, QueryRefused, TableRow, encode_key, from_cursor, parse_key, write_row
from runner.engine.records.codecs import BOUNDS, TIMESTAMP, unpack
from runner.engine.records.context import RecordContext
from runner.engine.stores.key_value import make_entry
from runner.engine.stores.of_code.entries import ENTRY
from runner.engine.stores.of_code.segmented_bytes import BY_KEY, BY_TIME
from runner.engine.stores.of_code.versions import make_versioned_store
from runner.engine.stores.state import State, find_key_after
from runner.engine.stores.times import StreamTimes
from runner.engine.tasks.store_context import StoreContext

TIMES = {"window": TIMESTAMP, "duplicates": BOUNDS, "session": BOUNDS}
"""Times before the key in the index: a start; a start and a number; or an end and a
start."""


class CodeReader:
    """One task's part of a store of code."""

    def __init__(self, layout: Layout, store: Store, task: int, state: State, query: Query) -> None:
        assert store.view is not None and store.part is not None
        self.store, self.view, self.query = store, store.view, query
        self.kind = self.view.kind
        self.times = TIMES.get(self.kind)
        self.index = ENTRY if self.times is None else BY_TIME
        self.context = RecordContext()
        self.stream_times = StreamTimes(state, task)
        context = StoreContext(layout, store.node, task, state, self.stream_times, self.context, is_cached=False)
        self.state = context.get_own_state(store.part)
        self.latest = context.stream_time(self.view.name)
        self.decode = make_decoder_of(store.key)
        self.first, self.last = (None if text is None else self._encode_key(text) for text in (query.first, query.last))

    def read_key(self) -> Iterator[TableRow]:
        key = self._encode_key(self.query.key or "")
        if self.times is not None:
            return self._read_windows(key)
        if self.query.as_of is not None:
            return self._read_version(key, self.query.as_of)
        data = self.state.get(ENTRY + key)
        return iter(() if data is None or self._is_over(data) else (self.decode_row(key, data),))

    def rows(self) -> Iterator[tuple[bytes, bytes]]:
        """Places are keys of the index. If there are times, they are before the key."""
        start, end = self._find_bounds()
        if start >= end:
            return
        for index_key, data in self.state.range(start, end, self.query.descending):
            place = index_key[len(self.index) :]
            row: bytes | None = data
            if self.times is not None:
                row = self.state.get(BY_KEY + place[self.times.size :] + place[: self.times.size])
            if row is not None and not self._is_over(row):
                yield place, row

    def is_asked(self, place: bytes) -> bool:
        if self.times is None:
            return True
        key = place[self.times.size :]
        if self.kind == "session" and self.times.unpack_from(place)[1] > self.query.until:
            return False
        return (self.first is None or key >= self.first) and (self.last is None or key <= self.last)

    def decode_row(self, place: bytes, data: bytes) -> TableRow:
        if self.times is not None:
            return self._describe_window(place[self.times.size :], self.times.unpack_from(place), data)
        key = self.decode(place)
        if self.kind == "versioned":
            return write_row(key, *make_entry(data))
        timestamp = BOUNDS.unpack_from(data)[1] if self.kind == "timestamped" else None
        return write_row(key, unpack(data[BOUNDS.size :]), timestamp)

    def _read_windows(self, key: bytes) -> Iterator[TableRow]:
        assert self.times is not None
        prefix = BY_KEY + key
        until = MAX_LONG - 1 if self.kind == "session" else self.query.until
        start, end = prefix + TIMESTAMP.pack(self._find_first_time()), prefix + TIMESTAMP.pack(until + 1)
        for index_key, data in self.state.range(start, end) if start < end else ():
            times = index_key[len(prefix) :]
            if len(times) == self.times.size and self.is_asked(times + key):
                yield self._describe_window(key, self.times.unpack(times), data)

    def _read_version(self, key: bytes, as_of: int) -> Iterator[TableRow]:
        if self.kind != "versioned":
            raise QueryRefused(f"The store `{self.view.name}` keeps no versions.", "Leave out `as_of`.")
        versions = make_versioned_store(self.state, self.context, self.view.kept_ms or 0, self.latest)
        entry = versions.as_of(key, as_of)
        if entry is not None:
            yield write_row(self.decode(key), *entry)

    def _describe_window(self, key: bytes, times: tuple[int, ...], data: bytes) -> TableRow:
        """A session has its end first. The number after the start of a window is not a time."""
        start, end = (times[1], times[0]) if self.kind == "session" else (times[0], times[0] + self.view.size_ms)
        return write_row(Windowed(self.decode(key), start, end), unpack(data), None)

    def _find_bounds(self) -> tuple[bytes, bytes]:
        """The first state key, and the one after the last."""
        query, index = self.query, self.index
        if self.times is None:
            end = find_key_after(index) if self.last is None else index + self.last + b"\0"
            return from_cursor(query, index, index + (self.first or b""), end)
        until = MAX_LONG - 1 if self.kind == "session" else query.until
        end = index + TIMESTAMP.pack(until + 1)
        return from_cursor(query, index, index + TIMESTAMP.pack(self._find_first_time()), end)

    def _find_first_time(self) -> int:
        """The first requested start, or end of a session, that is not past retention."""
        assert self.view.kept_ms is not None
        return max(self.query.since, self.latest.value - self.view.kept_ms + 1, 0)

    def _is_over(self, data: bytes) -> bool:
        """True if an entry is past its time to live."""
        if self.view.kept_ms is None or self.index != ENTRY or self.kind == "versioned":
            return False
        written_at, _ = BOUNDS.unpack_from(data)
        return bool(written_at + self.view.kept_ms <= self.stream_times.stream_time("").value)

    def _encode_key(self, text: str) -> bytes:
        return encode_key(make_encoder_of(self.store.key), parse_key(self.store.key, text))
