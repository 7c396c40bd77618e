"""The key-value stores that users' code reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runner.engine.records.codecs import BOUNDS, pack, unpack
from runner.engine.records.plain import copy_plain
from runner.engine.stores.of_code.entries import Entries
from runner.engine.stores.of_code.store import StoreOfCode, ValueAndTimestamp


class KeyValueStore(StoreOfCode):
    """Values by key, each of them JSON (Kafka Streams' KeyValueStore). It returns copies.

    Putting None deletes. Ranges are in order of the keys' bytes, as in Kafka Streams.
    """

    def __init__(
        self, name: str, entries: Entries, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]
    ) -> None:
        super().__init__(name, encode, decode)
        self._entries = entries

    def get(self, key: Any) -> Any:
        """The value of a key, or None."""
        data = self._entries.get(self._encode_key(key))
        return None if data is None else self._read(data)

    def put(self, key: Any, value: Any) -> None:
        """Sets the value of a key."""
        self._put(self._encode_key(key), value, 0)

    def put_if_absent(self, key: Any, value: Any) -> Any:
        """Sets the value of a key that has none. Returns the earlier value."""
        before = self.get(key)
        if before is None:
            self.put(key, value)
        return before

    def delete(self, key: Any) -> Any:
        """Deletes a key. Returns its earlier value."""
        before = self.get(key)
        self._entries.delete(self._encode_key(key))
        return before

    def range(self, first: Any = None, last: Any = None, *, reverse: bool = False) -> Iterator[tuple[Any, Any]]:
        """Keys with their values from `first` to `last`, both included. None means no bound."""
        low, high = (None if end is None else self._encode_key(end) for end in (first, last))
        rows = self._entries.range(low, high, reverse)
        return ((self._decode(key), self._read(data)) for key, data in rows)

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
            self._entries.put(key, pack(copy_plain(value)), timestamp)


class TimestampedKeyValueStore(KeyValueStore):
    """Values with timestamps by key (TimestampedKeyValueStore). `get` returns a `ValueAndTimestamp`."""

    def put(self, key: Any, value: Any, timestamp: int | None = None) -> None:
        """Sets the value of a key and its time (ms), or both from a ValueAndTimestamp."""
        if isinstance(value, ValueAndTimestamp):
            value, timestamp = value
        if value is not None and type(timestamp) is not int:
            raise TypeError(f"put() of the store `{self._name}` takes a key, a value and its time in ms.")
        self._put(self._encode_key(key), value, timestamp or 0)

    def put_if_absent(self, key: Any, value: Any, timestamp: int | None = None) -> Any:
        """Sets the value of a key that has none. Returns the earlier value."""
        before = self.get(key)
        if before is None:
            self.put(key, value, timestamp)
        return before

    def _read(self, data: bytes) -> ValueAndTimestamp:
        return ValueAndTimestamp(unpack(data[BOUNDS.size :]), BOUNDS.unpack_from(data)[1])
