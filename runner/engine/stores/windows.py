"""The timestamped window store: a value and its timestamp for each window and key, with a retention."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from struct import Struct
from typing import Any

from designer.values.schemas import WindowSpec
from designer.values.tuples import Windowed
from runner.engine.records.codecs import TIMESTAMP, KeyCodec
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Entry
from runner.engine.stores.by_key import Times, TimesByKey
from runner.engine.stores.calendar import get_calendar_windows
from runner.engine.stores.key_value import Handle, TimestampedStore, make_entry
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTime

MIN_SEGMENT_MS = 60_000
"""RocksDB's stores drop expired data in segments of half the retention, but at least this long."""


class WindowStore(TimestampedStore):
    """Values by window start and key (TimestampedWindowStore). A handle is (start, handle of the inner key).

    Entries whose start is `retention_ms` or more before the latest start written are silently gone, as in
    RocksDB's segmented stores. A persistent store for emit on close keeps one millisecond more, as
    AbstractDualSchemaRocksDBSegmentedBytesStore does. One in memory does not (InMemoryWindowStore). In state the
    start comes before the key, so one range deletes expired windows and one reads closed ones.
    """

    times: Struct = TIMESTAMP
    when_expired: Callable[[], None]
    """Called for each put into a dropped segment, which Kafka Streams counts as a dropped record."""

    def __init__(
        self,
        state: State,
        prefix: bytes,
        keys: KeyCodec,
        context: RecordContext,
        *,
        is_cached: bool,
        window: WindowSpec,
        retention_ms: int,
        latest: StreamTime,
    ) -> None:
        super().__init__(state, prefix, keys, context, is_cached=is_cached)
        self.window = window
        self.length_ms = window.length_ms
        self.retention_ms = retention_ms
        self.kept_ms = self._get_kept_ms()
        self.latest = latest
        self.newest = latest.value
        self.retention_start = self.newest - self.kept_ms
        self.inner_handle = self.handle
        self.handle = self._make_handle

    def get(self, handle: Handle) -> Entry | None:
        """The entry, unless it is past retention."""
        return None if handle[0] < self.retention_start else self.get_directly(handle)

    get_directly = TimestampedStore.get
    """The entry of a handle that is known to be within retention."""

    def put(self, handle: Handle, value: Any, timestamp: int) -> None:
        if handle[0] != self.newest and not self._takes(handle[0]):
            return
        if value is None:
            self.entries[handle] = None
            self.deleted_at[handle] = timestamp
        else:
            self.entries[handle] = (value, timestamp)
        self.dirty[handle] = self.context.row

    def read_between(self, first: int, last: int) -> Iterator[tuple[Windowed, Entry]]:
        """The windows that start (sessions: end) from `first` to `last`, in order of time and the bytes of keys."""
        self._write_all()
        first = max(first, self.find_first())
        if first <= last:
            start, end = self.prefix + TIMESTAMP.pack(first), self.prefix + TIMESTAMP.pack(last + 1)
            for key, data in self.sort_for_emission(self.state.range(start, end)):
                yield self.key_at(key), make_entry(data)

    def sort_for_emission(self, rows: Iterator[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
        """Rows of state, in the order in which emission on close forwards them."""
        return rows

    def count_expired(self, first: int, last: int) -> int:
        """Number of windows that start (sessions: end) from `first` to `last` and are past retention."""
        last = min(last, self.find_first() - 1)
        if last < first:
            return 0
        self._write_all()
        start, end = self.prefix + TIMESTAMP.pack(first), self.prefix + TIMESTAMP.pack(last + 1)
        return sum(1 for _ in self.state.range(start, end))

    def find_first(self) -> int:
        """The first time for which emission on close may still emit windows."""
        return self.retention_start

    def find_live_start(self) -> int:
        """Start of the first segment that is not dropped (AbstractSegments.getOrCreateSegmentIfLive).

        A store in memory has no segments.
        """
        if self.window.store_type == "in_memory":
            return self.retention_start
        segment_ms = max(self.retention_ms // 2, MIN_SEGMENT_MS)
        first = max(0, self.newest - self.retention_ms)
        return first - first % segment_ms

    def state_key(self, handle: Handle) -> bytes:
        start, inner = handle
        return self.prefix + TIMESTAMP.pack(start) + (self.keys.encode(inner) if self.keys.is_plain else inner)

    def key_of(self, handle: Handle) -> Windowed:
        start, inner = handle
        return Windowed(super().key_of(inner), start, start + self.length_ms)

    def key_at(self, state_key: bytes) -> Windowed:
        return self.key_of(self._read_handle(state_key))

    def _make_handle(self, key: Windowed) -> Handle:
        return (key.start, self.inner_handle(key.key))

    def _read_handle(self, state_key: bytes) -> Handle:
        at = len(self.prefix)
        inner = state_key[at + self.times.size :]
        return (*self.times.unpack_from(state_key, at), self.keys.decode(inner) if self.keys.is_plain else inner)

    def _get_kept_ms(self) -> int:
        keeps_more = self.window.emit == "on_close" and self.window.store_type == "persistent"
        return self.retention_ms if keeps_more else self.retention_ms - 1

    def _takes(self, time: int) -> bool:
        """Moves on to a new time. Expired data is not kept at all, but a cache first passes it on."""
        if time > self.newest:
            self.newest = time
            self.retention_start = time - self.kept_ms
            self.latest.observe(time)
        elif time < self.retention_start and not self.is_cached:
            if time < self.find_live_start():
                self.when_expired()
            return time >= self.find_first()
        return True

    def _write_all(self) -> None:
        for handle in self.dirty:
            self._write(handle)
        self.dirty.clear()

    def _forget(self) -> None:
        super()._forget()
        first = self.find_first()
        if self.latest.has_advanced and first > 0:
            self._expire(first)

    def _expire(self, first: int) -> None:
        self.state.delete_range(self.prefix + TIMESTAMP.pack(0), self.prefix + TIMESTAMP.pack(first))


class CalendarWindowStore(WindowStore):
    """A window store whose windows differ in length."""

    def __init__(self, state: State, prefix: bytes, keys: KeyCodec, context: RecordContext, **options: Any) -> None:
        super().__init__(state, prefix, keys, context, **options)
        assert self.window.calendar is not None
        self.bounds = get_calendar_windows(self.window.calendar).bounds
        self.last = (-1, 0)

    def key_of(self, handle: Handle) -> Windowed:
        start, inner = handle
        if start != self.last[0]:
            self.last = self.bounds(start)
        return Windowed(inner if self.keys.is_plain else self.keys.decode(inner), start, self.last[1])


class SlidingWindowStore(WindowStore):
    """A window store that also knows the windows of each key."""

    def __init__(self, state: State, prefix: bytes, keys: KeyCodec, context: RecordContext, **options: Any) -> None:
        super().__init__(state, prefix, keys, context, **options)
        self.by_key = TimesByKey(state, prefix, keys, self.times, self.retention_ms)

    def put(self, handle: Handle, value: Any, timestamp: int) -> None:
        times = self.times_of(handle[-1])
        super().put(handle, value, timestamp)
        if handle[0] >= self.find_first():
            self.by_key.set(times, handle[-1], handle[:-1], value is not None)

    def starts(self, inner: Handle, first: int, last: int) -> Sequence[int]:
        """The starts of a key's windows from `first` to `last`, ascending."""
        times = self.times_of(inner)
        first = max(first, self.retention_start)
        return [start for (start,) in times[bisect_left(times, (first,)) : bisect_left(times, (last + 1,))]]

    def times_of(self, inner: Handle) -> list[Times]:
        return self.by_key.read_times(inner, self.retention_start, self.newest)

    def _forget(self) -> None:
        self.by_key.flush()
        super()._forget()

    def _expire(self, first: int) -> None:
        super()._expire(first)
        self.by_key.expire(first)
