"""What may be asked of the stores of tables from outside: rows by key, by range, by window or all, in pages.

These are Kafka Streams' interactive queries (KeyQuery, RangeQuery, WindowKeyQuery, WindowRangeQuery,
VersionedKeyQuery); only what is committed is seen.
"""

from __future__ import annotations

import base64
import binascii
import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel, ConfigDict, Field

from designer.refusals import Refusal
from designer.schemas import Kind, Side
from designer.values import Windowed
from runner.engine.codecs import BOUNDS, TIMESTAMP, key_codec
from runner.engine.context import Context
from runner.engine.layers import is_clone
from runner.engine.layout import Layout, Store
from runner.engine.parts import owner_of
from runner.engine.plain import NotPlain, fitted
from runner.engine.records import Entry
from runner.engine.state import State, after
from runner.engine.store_place import StorePlace
from runner.engine.stores import SessionStore, SlidingWindowStore, WindowStore
from runner.engine.stores.by_key import MARK
from runner.engine.stores.key_value import entry_of
from runner.engine.times import StreamTimes
from runner.formats import DecodeError, EncodeError
from runner.formats.shown import shown
from runner.formats.types import GREATEST

LARGEST = 1 << 20
"""Bytes of stored rows after which a page ends, whatever its limit."""
MOST_SEEN = 100_000
"""Rows after which a page ends, whether they are asked for or not: whoever answers has other work."""
Part = tuple[int, State]
"""A task and the state of its slot."""


class Query(BaseModel):
    """What is asked of a store. Times are ms since 1970; keys are text, as `key_of` reads it.

    Without a key all rows are meant, or those of keys from `first` to `last`, both included, in order of the bytes of
    keys (windows: of their starts, then keys; sessions: of their ends first). `since` and `until` choose windows by
    their start and sessions by what they touch; `descending` turns the order round. `as_of` asks a versioned table
    for the row that was valid then.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str | None = None
    first: str | None = None
    last: str | None = None
    since: int = Field(0, ge=0, le=GREATEST)
    until: int = Field(GREATEST - 1, ge=0, le=GREATEST)
    descending: bool = False
    as_of: int | None = Field(None, ge=0, le=GREATEST)
    cursor: str = ""
    limit: int = Field(100, ge=1, le=1_000)


class QueryRefused(Refusal):
    """A question that the store cannot be asked."""

    code = "query.refused"
    status = 422


class Page(NamedTuple):
    """Rows as plain JSON, and the `cursor` of those that follow (None: there are none).

    A page may have fewer rows than its limit, even none, and others behind it.
    """

    rows: list[dict[str, Any]]
    next: str | None


def queryable(layout: Layout) -> Mapping[str, Store]:
    """The stores of the tables that nodes give, by the name that users gave them, else by that of their node."""
    return {
        store.name: store
        for store in layout.stores
        if store.part is None and not is_clone(store.node) and store.node == owner_of(store.node)
    }


def answer(layout: Layout, store: Store, parts: Sequence[Part], query: Query) -> Page:
    """The rows that are asked for, of all tasks; raises QueryRefused."""
    asked = [_Reader(layout, store, *part, query) for part in parts]
    if query.key is None:
        rows = heapq.merge(*(each.rows() for each in asked), reverse=query.descending)
        return _paged(rows, asked[0], query)
    return Page([row for each in asked for row in each.rows_of_key()], None)


def key_of(side: Side, text: str) -> Any:
    """The key that a text stands for: text as it is, bytes in base64, everything else as JSON; raises QueryRefused."""
    kind = side.type.kind
    try:
        if kind is Kind.STRING:
            return fitted(side.type)(text)
        if kind is Kind.BYTES:
            return base64.b64decode(text, validate=True)
        return fitted(side.type)(_json(text, otherwise_text=kind is Kind.ANY))
    except (ValueError, NotPlain, DecodeError, binascii.Error) as error:
        raise QueryRefused(
            f"{text!r:.60} is not a key of this table: {error}",
            f"Its keys are of type {kind.value}: give bytes in base64, and all but text as JSON.",
        ) from error


class _Reader:
    """One task's part of a store."""

    def __init__(self, layout: Layout, store: Store, task: int, state: State, query: Query) -> None:
        self.store = store
        self.state = state
        self.query = query
        self.place = StorePlace(layout, store.node, task, state, StreamTimes(state, task), Context(), cached=False)
        self.prefix = self.place.prefix_of_table()
        self.keys = key_codec(store.key)
        self.first, self.last = (None if text is None else self._bound(text) for text in (query.first, query.last))
        self.in_keys = store.window is not None and store.kind not in ("window", "session")
        """Whether the window stands behind the key, in a table that is made of one with windows."""
        present = getattr(layout.nodes[store.node].operator, "present", None)
        self.present: Callable[[Any], Any] | None = None if present is None else present(self.place)

    def rows_of_key(self) -> Iterator[dict[str, Any]]:
        key = key_of(self.store.key, self.query.key or "")
        if self.store.kind in ("window", "session"):
            found = self._windows_of(key)
        else:
            found = self._windowed_keys_of(key) if self.in_keys else self._row_of(key)
        if self.query.descending:
            return (self._shown(*row) for row in reversed(deque(found, self.query.limit)))
        return (self._shown(*row) for row in islice(found, self.query.limit))

    def rows(self) -> Iterator[tuple[bytes, bytes]]:
        """What lies between the bounds, as it is stored, behind the prefix."""
        start, end = self._bounds()
        skip = len(self.prefix)
        if start >= end:
            return
        for key, data in self.state.range(start, end, self.query.descending):
            yield key[skip:], data

    def decoded(self, key: bytes, data: bytes) -> dict[str, Any]:
        """A row as JSON."""
        if self.store.kind in ("window", "session"):
            return self._shown(self.windows().key_at(self.prefix + key), entry_of(data))
        return self._shown(key_codec(self.store.key, self.store.window).decode(key), entry_of(data))

    def windows(self) -> WindowStore:
        window = self.store.window
        assert window is not None
        made = {"session": SessionStore, "sliding": SlidingWindowStore}.get(window.kind, WindowStore)
        return self.place.window_store(made)

    def _row_of(self, key: Any) -> Iterator[tuple[Any, Entry]]:
        if self.query.as_of is not None:
            versions = self.place.versioned_store()
            if versions is None:
                raise QueryRefused(f"The table `{self.store.name}` keeps no versions.", "Leave out `as_of`.")
            entry = versions.as_of(versions.handle(key), self.query.as_of)
        else:
            data = self.state.get(self.prefix + self._encoded(key))
            entry = None if data is None else entry_of(data)
        if entry is not None:
            yield key, entry

    def _windows_of(self, key: Any) -> Iterator[tuple[Any, Entry]]:
        store = self.windows()
        inner = store.inner_handle(key)
        since, until = self.query.since, self.query.until
        handles: Iterable[tuple[Any, ...]]
        if isinstance(store, SessionStore):
            handles = [(*times, inner) for times in store.sessions(inner, since, until)]
        elif isinstance(store, SlidingWindowStore):
            handles = [(start, inner) for start in store.starts(inner, since, until)]
        else:
            encoded = self._encoded(key)
            handles = ((start, inner) for start in self._starts(encoded, max(since, store.kept_from), until))
        for handle in handles:
            entry = store.get(handle)
            if entry is not None:
                yield store.key_of(handle), entry

    def _starts(self, key: bytes, start: int, until: int) -> Iterator[int]:
        """The starts of a key's windows; it goes from start to start, for they stand before the keys."""
        while start <= until:
            place = self.prefix + TIMESTAMP.pack(start) + key
            found = next(self.state.range(place, self.prefix + MARK), None)
            if found is None:
                return
            if found[0] == place:
                yield start
            (there,) = TIMESTAMP.unpack_from(found[0], len(self.prefix))
            start = start + 1 if there == start else there

    def _windowed_keys_of(self, key: Any) -> Iterator[tuple[Any, Entry]]:
        encoded = self.prefix + self._encoded(key)
        start, end = (encoded + BOUNDS.pack(time, 0) for time in (self.query.since, self.query.until + 1))
        for found, data in self.state.range(start, end):
            if len(found) == len(start):
                yield Windowed(key, *BOUNDS.unpack_from(found, len(encoded))), entry_of(data)

    def _bounds(self) -> tuple[bytes, bytes]:
        """The state keys to begin with and to end before."""
        query, begin, end = self.query, b"", after(self.prefix)
        if self.store.kind in ("window", "session"):
            until = query.until if self.store.kind == "window" else GREATEST - 1
            begin = TIMESTAMP.pack(max(query.since, self.windows().kept_from))
            end = self.prefix + TIMESTAMP.pack(until + 1)
        else:
            begin = self.first or b""
            if self.last is not None:
                end = self.prefix + self.last + (b"\xff" * BOUNDS.size if self.in_keys else b"") + b"\0"
        begin = self.prefix + begin
        if not query.cursor:
            return begin, end
        place = self.prefix + _place_of(query.cursor)
        return (begin, min(end, place + b"\0")) if query.descending else (max(begin, place), end)

    def is_asked(self, key: bytes) -> bool:
        """Whether a stored key that lies between the bounds is asked for, where they do not say it all."""
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

    def _bound(self, text: str) -> bytes:
        return self._encoded(key_of(self.store.key, text))

    def _encoded(self, key: Any) -> bytes:
        try:
            return self.keys.encode(key)
        except EncodeError as error:
            raise QueryRefused(f"That is not a key of this table: {error}") from error

    def _shown(self, key: Any, entry: Entry) -> dict[str, Any]:
        value = shown(entry[0] if self.present is None else self.present(entry[0]))
        if isinstance(key, Windowed):
            window = {"start": key.start, "end": key.end}
            return {"key": shown(key.key), "window": window, "value": value, "timestamp": entry[1]}
        return {"key": shown(key), "window": None, "value": value, "timestamp": entry[1]}


def _paged(rows: Iterator[tuple[bytes, bytes]], reader: _Reader, query: Query) -> Page:
    page: list[dict[str, Any]] = []
    taken = 0
    for seen, (key, data) in enumerate(rows, 1):
        if reader.is_asked(key):
            page.append(reader.decoded(key, data))
            taken += len(data)
        if len(page) == query.limit or taken > LARGEST or seen == MOST_SEEN:
            more = next(rows, None)
            return Page(page, None if more is None else base64.urlsafe_b64encode(more[0]).decode())
    return Page(page, None)


def _place_of(cursor: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(cursor)
    except ValueError as error:
        raise QueryRefused("`cursor` is no place in this table.", "Use the `next` of the page before.") from error


def _json(text: str, *, otherwise_text: bool) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        if otherwise_text:
            return text
        raise
