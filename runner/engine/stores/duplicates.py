"""The window store of a stream-stream join: every record by key and time, with a retention."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable
from operator import itemgetter
from struct import Struct
from typing import Any

from runner.engine.records.codecs import TIMESTAMP, KeyCodec, pack, unpack
from runner.engine.stores.conversion import Convert
from runner.engine.stores.key_value import Handle
from runner.engine.stores.newest import Newest, find_newest
from runner.engine.stores.state import State, find_key_after
from runner.engine.stores.times import StreamTime
from runner.engine.stores.windows import MIN_SEGMENT_MS

BUCKET = Struct(">qI")
"""State prefix of a key: the bucket of its record, and the length of the key."""
ORDER = Struct(">qq")
"""After the key: the timestamp of the record, and its number in order of arrival."""
MIN_BUCKET_MS = 10_000
NEXT = b""
"""The state key of the number of the next record."""

StoredRow = tuple[int, int, Any]
"""Timestamp, number in order of arrival, value."""

Place = tuple[int, Handle]
"""Bucket and key."""


class DuplicatesStore:
    """Records by key and time, with duplicates (a RocksDB window store that retains duplicates).

    A record `retention_ms` or more older than the latest one put is not found. In state, records are
    in buckets of time as wide as one look-up. So expired records go in one range, and each
    look-up reads little. A bucket of a key that was read stays decoded until the next flush.
    """

    def __init__(
        self,
        state: State,
        keys: KeyCodec,
        values: tuple[Callable[[Any], bytes], Callable[[bytes], Any]],
        latest: StreamTime,
        *,
        looked_up_ms: int,
        retention_ms: int,
    ) -> None:
        self.state = state
        self.encode = keys.encode
        self.decode = keys.decode
        self.plain = keys.is_plain
        self.pack, self.unpack = values
        self.latest = latest
        self.retention_ms = retention_ms
        self.bucket_ms = find_bucket_ms(looked_up_ms)
        self.segment_ms = max(retention_ms // 2, MIN_SEGMENT_MS)
        self.next = read_number(state)
        self.read: dict[Place, list[StoredRow]] = {}
        self.new_rows: dict[Place, list[StoredRow]] = {}

    def put(self, key: Any, value: Any, timestamp: int) -> bool:
        """Add a record. False if it is so late that RocksDB has no segment for it (expired-window-record-drop)."""
        latest = self.latest
        if timestamp > latest.value:
            latest.observe(timestamp)
        if timestamp <= latest.value - self.retention_ms:
            return timestamp // self.segment_ms >= (latest.value - self.retention_ms) // self.segment_ms
        place = (timestamp // self.bucket_ms, key if self.plain else self.encode(key))
        row = (timestamp, self.next, value)
        self.next += 1
        self.new_rows.setdefault(place, []).append(row)
        if place in self.read:
            insort(self.read[place], row)
        return True

    def fetch(self, key: Any, first: int, last: int) -> list[StoredRow]:
        """The records of a key from one time to another, both included, in order of time and arrival."""
        retention_start = self.latest.value - self.retention_ms + 1
        if first < retention_start:
            first = retention_start
        if last < first:
            return []
        handle = key if self.plain else self.encode(key)
        rows: list[StoredRow] = []
        for bucket in range(first // self.bucket_ms, last // self.bucket_ms + 1):
            place = (bucket, handle)
            stored_rows = self.read[place] if place in self.read else self._load(place)
            if stored_rows:
                rows += stored_rows[bisect_left(stored_rows, (first,)) : bisect_left(stored_rows, (last + 1,))]
        return rows

    def read_newest(self) -> Newest | None:
        """The newest record of the state, which is in the last bucket."""
        last = next((key for key, _ in self.state.range(TIMESTAMP.pack(0), None, reverse=True)), None)
        if last is None:
            return None
        rows = self.state.range(last[: TIMESTAMP.size], None)
        newest = find_newest((key, ORDER.unpack_from(key, len(key) - ORDER.size)[0]) for key, _ in rows)
        return newest and Newest(self.decode(newest.key[BUCKET.size : -ORDER.size]), newest.timestamp)

    def flush(self) -> None:
        """Write added records to the state, and delete expired ones."""
        if self.new_rows:
            for place, rows in self.new_rows.items():
                prefix = self._make_prefix(place)
                for timestamp, number, value in rows:
                    self.state.put(prefix + ORDER.pack(timestamp, number), self.pack(value))
            self.state.put(NEXT, TIMESTAMP.pack(self.next))
            self._expire()
            self.new_rows.clear()
        self.read.clear()

    def _expire(self) -> None:
        end = (self.latest.value - self.retention_ms + 1) // self.bucket_ms
        if end > 0:
            self.state.delete_range(TIMESTAMP.pack(0), TIMESTAMP.pack(end))

    def _load(self, place: Place) -> list[StoredRow]:
        """All records of a bucket and key, from earlier batches and this one."""
        prefix = self._make_prefix(place)
        rows = self.state.range(prefix, find_key_after(prefix))
        stored_rows = [(*ORDER.unpack_from(key, len(prefix)), self.unpack(value)) for key, value in rows]
        stored_rows += self.new_rows.get(place, ())
        stored_rows.sort(key=itemgetter(0, 1))
        self.read[place] = stored_rows
        return stored_rows

    def _make_prefix(self, place: Place) -> bytes:
        bucket, handle = place
        key = self.encode(handle) if self.plain else handle
        return BUCKET.pack(bucket, len(key)) + key


def read_number(state: State) -> int:
    """The number of the next record."""
    data = state.get(NEXT)
    return 0 if data is None else int(TIMESTAMP.unpack(data)[0])


def find_bucket_ms(looked_up_ms: int) -> int:
    """The time that one bucket spans, for look-ups of a length."""
    return max(looked_up_ms, MIN_BUCKET_MS)


def convert_record(convert: Convert | None, looked_up_ms: int, key: bytes, data: bytes) -> tuple[bytes, bytes]:
    """A row of this store in the bucket of another length, with the value of a new version."""
    if key == NEXT:
        return key, data
    timestamp, _ = ORDER.unpack_from(key, len(key) - ORDER.size)
    moved = TIMESTAMP.pack(timestamp // find_bucket_ms(looked_up_ms)) + key[TIMESTAMP.size :]
    return moved, data if convert is None else pack(convert(unpack(data)))
