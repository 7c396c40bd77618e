"""The versioned store: each key's newest value by timestamp, and earlier ones for a time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Any

from runner.engine.records.codecs import KeyCodec, pack, unpack
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Entry
from runner.engine.stores.conversion import Convert
from runner.engine.stores.key_value import Handle, TimestampedStore
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTime

Version = list[Any]
"""The time from which it was valid, and the value. None is a deletion. It was valid until the next one."""

since = itemgetter(0)


class VersionedStore(TimestampedStore):
    """Values by key, newest by timestamp, with earlier ones (RocksDBVersionedStore). It is never cached.

    The entries are the newest values. `past` has the earlier ones, oldest first, and a deletion if that is
    the newest. A value that ended `history_ms` or more before the largest timestamp put is not found. It is
    forgotten as soon as its key is put again.
    """

    def __init__(
        self,
        state: State,
        prefix: bytes,
        keys: KeyCodec,
        context: RecordContext,
        *,
        history: State,
        history_ms: int,
        stream_time: StreamTime,
    ) -> None:
        super().__init__(state, prefix, keys, context, is_cached=False)
        self.history = history
        self.history_ms = history_ms
        self.stream_time = stream_time
        self.past: dict[Handle, list[Version]] = {}

    def is_expired(self, timestamp: int) -> bool:
        """True if a put at that time comes too late."""
        return timestamp < self.stream_time.value - self.history_ms

    def put_version(self, handle: Handle, value: Any, timestamp: int) -> bool:
        """Set the value from that time on, or delete it. True if it is the newest of its key."""
        self.stream_time.observe(timestamp)
        past = self._read_past(handle)
        is_newest = self._is_newest(handle, timestamp, past)
        if is_newest:
            self._put_newest(handle, value, timestamp, past)
        else:
            _put_between(past, value, timestamp)
        self._forget_expired(handle, past)
        self.dirty.setdefault(handle, self.context.row)
        return is_newest

    def as_of(self, handle: Handle, timestamp: int) -> Entry | None:
        """The value that was valid at a time. Values older than the history are not found."""
        newest = self.get(handle)
        if newest is not None and newest[1] <= timestamp:
            return newest
        if self.is_expired(timestamp):
            return None
        past = self._read_past(handle)
        at = bisect_right(past, timestamp, key=since)
        if at == 0 or past[at - 1][1] is None:
            return None
        valid_from, value = past[at - 1]
        return value, valid_from

    def _read_past(self, handle: Handle) -> list[Version]:
        try:
            return self.past[handle]
        except KeyError:
            data = self.history.get(self._encode_key(handle))
            past = self.past[handle] = [] if data is None else unpack(data)
            return past

    def _is_newest(self, handle: Handle, timestamp: int, past: list[Version]) -> bool:
        newest = self.get(handle)
        if newest is not None:
            return timestamp >= newest[1]
        return not past or timestamp >= past[-1][0]

    def _put_newest(self, handle: Handle, value: Any, timestamp: int, past: list[Version]) -> None:
        """As in Kafka Streams, a key is forgotten if its only version is deleted at its own time."""
        newest = self.get(handle)
        is_undone = value is None and newest is not None and newest[1] == timestamp and not past
        if newest is not None and newest[1] < timestamp:
            past.append([newest[1], newest[0]])
        elif past and past[-1][0] == timestamp:
            past.pop()
        if value is None and not is_undone:
            past.append([timestamp, None])
        self.put(handle, value, timestamp)

    def _forget_expired(self, handle: Handle, past: list[Version]) -> None:
        """Forget the versions that a newer one replaced before the begin of the history."""
        begins = self.stream_time.value - self.history_ms
        newest = self.get(handle)
        while past:
            replaced_at = past[1][0] if len(past) > 1 else past[0][0] if newest is None else newest[1]
            if replaced_at > begins:
                return
            del past[0]

    def _write(self, handle: Handle) -> None:
        super()._write(handle)
        past, key = self.past[handle], self._encode_key(handle)
        if past:
            self.history.put(key, pack(past))
        else:
            self.history.delete(key)

    def _forget(self) -> None:
        super()._forget()
        self.past.clear()

    def _encode_key(self, handle: Handle) -> bytes:
        return self.keys.encode(handle) if self.keys.is_plain else handle


def _put_between(past: list[Version], value: Any, timestamp: int) -> None:
    at = bisect_left(past, timestamp, key=since)
    if at < len(past) and past[at][0] == timestamp:
        past[at][1] = value
    else:
        past.insert(at, [timestamp, value])


def convert_history(convert: Convert, key: bytes, data: bytes) -> bytes:
    """A row of the earlier values with the values of a new version."""
    return pack([[time, None if value is None else convert(value)] for time, value in unpack(data)])
