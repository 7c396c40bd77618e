"""The state of tasks: bytes in order of their keys."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from struct import Struct
from typing import Protocol

PREFIX = Struct(">HH")
"""Task number and store number, before every key."""

GLOBAL_TASK = 0xFFFF
"""Task number of the global tables, which all tasks of a slot share."""

TIMES = 0xFFFF
"""Store number of the stream times, by name."""


class State(Protocol):
    """Holds the state of a slot."""

    def get(self, key: bytes) -> bytes | None: ...

    def put(self, key: bytes, value: bytes) -> None: ...

    def delete(self, key: bytes) -> None: ...

    def delete_range(self, start: bytes, end: bytes) -> None:
        """Delete all keys from `start` to before `end`."""

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """Entries from `start` to before `end` (None: to the last), in order of their keys."""


class Within:
    """The part of a state whose keys begin with a prefix, seen without it."""

    def __init__(self, state: State, prefix: bytes) -> None:
        self.state = state
        self.prefix = prefix

    def get(self, key: bytes) -> bytes | None:
        return self.state.get(self.prefix + key)

    def put(self, key: bytes, value: bytes) -> None:
        self.state.put(self.prefix + key, value)

    def delete(self, key: bytes) -> None:
        self.state.delete(self.prefix + key)

    def delete_range(self, start: bytes, end: bytes) -> None:
        self.state.delete_range(self.prefix + start, self.prefix + end)

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """An `end` of None is the end of this part."""
        stop = find_key_after(self.prefix) if end is None else self.prefix + end
        skip = len(self.prefix)
        return ((key[skip:], value) for key, value in self.state.range(self.prefix + start, stop, reverse))


def find_key_after(prefix: bytes) -> bytes:
    """The first key after all keys with a prefix that is not all 0xFF."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes((stem[-1] + 1,))


class MemoryState:
    """State in memory, for the test driver and for tests."""

    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}
        self.keys: list[bytes] = []

    def get(self, key: bytes) -> bytes | None:
        return self.values.get(key)

    def put(self, key: bytes, value: bytes) -> None:
        if key not in self.values:
            self.keys.insert(bisect_left(self.keys, key), key)
        self.values[key] = value

    def delete(self, key: bytes) -> None:
        if self.values.pop(key, None) is not None:
            del self.keys[bisect_left(self.keys, key)]

    def delete_range(self, start: bytes, end: bytes) -> None:
        first, last = bisect_left(self.keys, start), bisect_left(self.keys, end)
        for key in self.keys[first:last]:
            del self.values[key]
        del self.keys[first:last]

    def range(self, start: bytes, end: bytes | None, reverse: bool = False) -> Iterator[tuple[bytes, bytes]]:
        last = len(self.keys) if end is None else bisect_left(self.keys, end)
        keys = self.keys[bisect_left(self.keys, start) : last]
        for key in reversed(keys) if reverse else keys:
            yield key, self.values[key]
