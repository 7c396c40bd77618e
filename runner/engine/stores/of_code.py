"""The stores that code of users reads and writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from struct import Struct
from typing import Any, NamedTuple

from runner.engine.codecs import BOUNDS, pack, unpack
from runner.engine.plain import plain
from runner.engine.state import State
from runner.engine.times import StreamTime

ENTRY, BY_TIME, BEHIND = b"e", b"t", b"f"
TIME = Struct(">Q")
UNREAD = b""


class ValueAndTimestamp(NamedTuple):
    """What a timestamped store holds for a key; the time in ms."""

    value: Any
    timestamp: int


class Entries:
    """Bytes by key, each with a timestamp and the stream time at which it was written.

    With `ttl_ms` an entry is gone once stream time is that far past its last write; those are also found in order of
    time, to be deleted at the end of a batch.
    """

    def __init__(self, state: State, time: StreamTime, ttl_ms: int | None) -> None:
        self.state = state
        self.time = time
        self.ttl_ms = ttl_ms
        self.changed: dict[bytes, bytes | None] = {}

    def get(self, key: bytes) -> bytes | None:
        data = self.changed.get(key, UNREAD)
        if data == UNREAD:
            data = self.state.get(ENTRY + key)
        return None if data is None or self._is_over(data) else data

    def put(self, key: bytes, value: bytes, timestamp: int) -> None:
        self.changed[key] = BOUNDS.pack(self._now(), timestamp) + value

    def delete(self, key: bytes) -> None:
        self.changed[key] = None

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

    def _now(self) -> int:
        return max(self.time.value, 0)

    def _is_over(self, data: bytes) -> bool:
        return self.ttl_ms is not None and BOUNDS.unpack_from(data)[0] + self.ttl_ms <= self.time.value

    def _write(self) -> None:
        for key, data in self.changed.items():
            if self.ttl_ms is not None:
                self._note_time(key, data)
            if data is None:
                self.state.delete(ENTRY + key)
            else:
                self.state.put(ENTRY + key, data)
        self.changed.clear()

    def _note_time(self, key: bytes, data: bytes | None) -> None:
        before = self.state.get(ENTRY + key)
        if before is not None:
            self.state.delete(BY_TIME + TIME.pack(BOUNDS.unpack_from(before)[0]) + key)
        if data is not None:
            self.state.put(BY_TIME + TIME.pack(BOUNDS.unpack_from(data)[0]) + key, b"\0")

    def _forget(self, until: int) -> None:
        """Deletes what was written at stream times up to `until`."""
        if until < 0:
            return
        end = BY_TIME + TIME.pack(until + 1)
        old = [ENTRY + each[1 + TIME.size :] for each, _ in self.state.range(BY_TIME, end)]
        for key in old:
            self.state.delete(key)
        if old:
            self.state.delete_range(BY_TIME, end)


class StoreOfCode(ABC):
    """A store by its name, with the bytes of its keys."""

    def __init__(self, name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]) -> None:
        self._name = name
        self._encode = encode
        self._decode = decode

    @abstractmethod
    def flush(self) -> None:
        """Writes what changed, and forgets what is past its time: at the end of a batch."""

    def _bytes(self, key: Any) -> bytes:
        if key is None:
            raise ValueError(f"A key of the store `{self._name}` cannot be None.")
        return self._encode(plain(key))


class KeyValueStore(StoreOfCode):
    """Values by key, each of them JSON (Kafka Streams' KeyValueStore). What it gives is a copy.

    Putting None deletes. Ranges are in order of the keys' bytes, as in Kafka Streams.
    """

    def __init__(
        self, name: str, entries: Entries, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]
    ) -> None:
        super().__init__(name, encode, decode)
        self._entries = entries

    def get(self, key: Any) -> Any:
        """The value of a key, or None."""
        data = self._entries.get(self._bytes(key))
        return None if data is None else self._read(data)

    def put(self, key: Any, value: Any) -> None:
        """Sets the value of a key."""
        self._put(self._bytes(key), value, 0)

    def put_if_absent(self, key: Any, value: Any) -> Any:
        """Sets the value of a key that has none; what it had before."""
        before = self.get(key)
        if before is None:
            self.put(key, value)
        return before

    def delete(self, key: Any) -> Any:
        """Deletes a key; what it had before."""
        before = self.get(key)
        self._entries.delete(self._bytes(key))
        return before

    def range(self, first: Any = None, last: Any = None, *, reverse: bool = False) -> Iterator[tuple[Any, Any]]:
        """Keys with their values from `first` to `last`, both included; None is no bound."""
        low, high = (None if bound is None else self._bytes(bound) for bound in (first, last))
        found = self._entries.range(low, high, reverse)
        return ((self._decode(key), self._read(data)) for key, data in found)

    def all(self, *, reverse: bool = False) -> Iterator[tuple[Any, Any]]:
        """All keys with their values, as they are now."""
        return self.range(reverse=reverse)

    def flush(self) -> None:
        self._entries.flush()

    def _read(self, data: bytes) -> Any:
        return unpack(data[BOUNDS.size :])

    def _put(self, key: bytes, value: Any, timestamp: int) -> None:
        if value is None:
            self._entries.delete(key)
        else:
            self._entries.put(key, pack(plain(value)), timestamp)


class TimestampedKeyValueStore(KeyValueStore):
    """Values with timestamps by key (TimestampedKeyValueStore): `get` gives a `ValueAndTimestamp`."""

    def put(self, key: Any, value: Any, timestamp: int | None = None) -> None:
        """Sets the value of a key and its time (ms), or both from a ValueAndTimestamp."""
        if isinstance(value, ValueAndTimestamp):
            value, timestamp = value
        if value is not None and type(timestamp) is not int:
            raise TypeError(f"put() of the store `{self._name}` takes a key, a value and its time in ms.")
        self._put(self._bytes(key), value, timestamp or 0)

    def put_if_absent(self, key: Any, value: Any, timestamp: int | None = None) -> Any:
        """Sets the value of a key that has none; what it had before."""
        before = self.get(key)
        if before is None:
            self.put(key, value, timestamp)
        return before

    def _read(self, data: bytes) -> ValueAndTimestamp:
        return ValueAndTimestamp(unpack(data[BOUNDS.size :]), BOUNDS.unpack_from(data)[1])
