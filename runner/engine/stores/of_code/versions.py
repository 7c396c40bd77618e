"""The versioned store that users' code reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.values.longs import MAX_LONG
from runner.engine.records.codecs import KeyCodec
from runner.engine.records.context import RecordContext
from runner.engine.records.plain import copy_plain, copy_value
from runner.engine.stores.of_code.store import StoreOfCode, ValueAndTimestamp
from runner.engine.stores.state import State, Within
from runner.engine.stores.times import StreamTime
from runner.engine.stores.versioned_store import VersionedStore


class VersionedKeyValueStore(StoreOfCode):
    """Values by key with earlier ones, each of them JSON (Kafka Streams' VersionedKeyValueStore). It returns
    copies. Putting None deletes from that time on."""

    def __init__(
        self,
        name: str,
        versions: VersionedStore,
        encode: Callable[[Any], bytes],
        decode: Callable[[bytes], Any],
        when_expired: Callable[[], None],
    ) -> None:
        """`when_expired` hears of puts before the begin of the history."""
        super().__init__(name, encode, decode)
        self._versions = versions
        self._when_expired = when_expired

    def get(self, key: Any, as_of: int | None = None) -> ValueAndTimestamp | None:
        """The newest value of a key with the time from which it is valid, or the one valid at `as_of` (ms)."""
        handle = self._encode_key(key)
        entry = self._versions.get(handle) if as_of is None else self._versions.as_of(handle, as_of)
        return None if entry is None else ValueAndTimestamp(copy_value(entry[0]), entry[1])

    def put(self, key: Any, value: Any, timestamp: int) -> None:
        """Sets the value of a key from a time (ms) on, until that of the next version."""
        handle = self._encode_key(key)
        if type(timestamp) is not int or not 0 <= timestamp <= MAX_LONG:
            raise ValueError(
                f"put() of the store `{self._name}` takes a key, a value and the time in ms it is valid from."
            )
        if self._versions.is_expired(timestamp):
            self._when_expired()
        else:
            self._versions.put_version(handle, copy_plain(value), timestamp)

    def delete(self, key: Any, timestamp: int) -> ValueAndTimestamp | None:
        """Deletes a key from a time (ms) on. Returns the value that was valid then."""
        before = None if self._versions.is_expired(timestamp) else self.get(key, timestamp)
        self.put(key, None, timestamp)
        return before

    def flush(self) -> None:
        self._versions.flush()


def make_versioned_store(
    state: State, context: RecordContext, history_ms: int, stream_time: StreamTime
) -> VersionedStore:
    """The store behind it, whose keys are already bytes. It uses the part of the state that a node keeps for it."""
    keys = KeyCodec(_give_itself, _give_itself, is_plain=False)
    entries, history = Within(state, b"e"), Within(state, b"h")
    return VersionedStore(entries, b"", keys, context, history=history, history_ms=history_ms, stream_time=stream_time)


def _give_itself(key: bytes) -> bytes:
    return key
