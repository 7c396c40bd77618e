"""How Kafka Streams writes the keys and values of changelog topics.

A key-value store writes the bytes of its serdes, and the timestamp of a row as that of the record. So do window and
session stores with their values. Stores with headers (KIP-1271) put them into the record's headers. Only keys of
windows, and the buffer of suppress, have a layout of their own. All numbers are big-endian.

`tests/runner/engine/adopting/test_serialization.py` reads bytes that Kafka Streams 4.4 has written.
"""

from __future__ import annotations

from struct import Struct, error
from typing import NamedTuple

from designer.values.schemas import WindowSpec
from runner.engine.records.headers import read_headers, write_headers

START = Struct(">q")
"""The start of a window, after its key (WindowKeySchema.toBinary)."""
START_AND_NUMBER = Struct(">qi")
"""In a window store a number follows, which tells duplicates apart (WindowKeySchema.toStoreKeyBinary)."""
END_AND_START = Struct(">qq")
"""The bounds of a session, after its key (SessionKeySchema.toBinary)."""
TIME_AND_OFFSET, LENGTH = Struct(">qq"), Struct(">i")
VERSION_HEADER, VERSION = "v", 3
"""The layout of a buffered update (InMemoryTimeOrderedKeyValueChangeBuffer.V_3_CHANGELOG_HEADERS)."""
NO_VALUE, SAME_AS_PRIOR = -1, -2
"""Instead of the length of a value (BufferValue)."""


class Unreadable(ValueError):
    """Bytes that are not in the layout that Kafka Streams uses for them. The text is a sentence without its subject."""


class ChangelogRecord(NamedTuple):
    """A record of a changelog topic. `value` is None for a deletion, `headers` are the engine's JSON text."""

    key: bytes
    value: bytes | None
    timestamp: int
    headers: str | None = None


class WindowKey(NamedTuple):
    """The bytes of the inner key, and the bounds of its window (ms)."""

    key: bytes
    start: int
    end: int


class BufferedChange(NamedTuple):
    """An update that suppress holds back, with its values as bytes.

    `time` decides when it leaves. `timestamp`, `topic`, `partition`, `offset` and `headers` are those of its record.
    """

    time: int
    prior: bytes | None
    old: bytes | None
    new: bytes | None
    timestamp: int
    topic: str
    partition: int
    offset: int
    headers: str | None


def read_key_of_window(data: bytes, window: WindowSpec) -> WindowKey:
    """The key of a window or session as a serde writes it, such as in the buffer of suppress.

    Raises Unreadable.
    """
    if window.kind == "session":
        return read_key_of_session_store(data)
    key, (start,) = _split(data, START)
    return WindowKey(key, start, start + window.length_ms)


def read_key_of_window_store(data: bytes, window: WindowSpec) -> WindowKey:
    """The key of a row of a window store without duplicates. Raises Unreadable."""
    key, (start, number) = _split(data, START_AND_NUMBER)
    if number:
        raise Unreadable(f"has a key with the number {number}, so the store keeps duplicates.")
    return WindowKey(key, start, start + window.length_ms)


def read_key_of_session_store(data: bytes) -> WindowKey:
    """The key of a row of a session store. Raises Unreadable."""
    key, (end, start) = _split(data, END_AND_START)
    return WindowKey(key, start, end)


def _split(data: bytes, layout: Struct) -> tuple[bytes, tuple[int, ...]]:
    if len(data) < layout.size:
        raise Unreadable(f"has a key of {len(data)} bytes, which is too short for a window.")
    numbers: tuple[int, ...] = layout.unpack(data[-layout.size :])
    return data[: -layout.size], numbers


def read_buffered_change(record: ChangelogRecord) -> BufferedChange:
    """An update in the buffer of suppress: the record's context, three values, and the buffer time (BufferValue).

    Raises Unreadable.
    """
    version = _read_version(record.headers)
    if version != VERSION or record.value is None:
        raise Unreadable(
            f"has a record of version {version}. Only {VERSION} can be read, which Kafka Streams writes since 2.4."
        )
    try:
        return _read_buffered(_Bytes(record.value))
    except (error, UnicodeDecodeError) as cause:
        raise Unreadable("has a record that is not a buffered update.") from cause


def _read_version(headers: str | None) -> int | None:
    values = [value for key, value in read_headers(headers) if key == VERSION_HEADER]
    return values[-1][0] if values and values[-1] else None


class _Bytes:
    """Reads from the front. Raises struct.error at the end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def numbers(self, layout: Struct) -> tuple[int, ...]:
        self.at += layout.size
        numbers: tuple[int, ...] = layout.unpack_from(self.data, self.at - layout.size)
        return numbers

    def length(self) -> int:
        return self.numbers(LENGTH)[0]

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.data):
            raise error("The bytes end too early.")
        self.at += count
        return self.data[self.at - count : self.at]

    def value(self) -> bytes | None:
        count = self.length()
        return None if count == NO_VALUE else self.take(count)


def _read_buffered(data: _Bytes) -> BufferedChange:
    timestamp, offset = data.numbers(TIME_AND_OFFSET)
    topic = data.take(data.length()).decode()
    partition = data.length()
    headers = _read_headers(data)
    prior = data.value()
    count = data.length()
    old = prior if count == SAME_AS_PRIOR else None if count == NO_VALUE else data.take(count)
    new = data.value()
    (time,) = data.numbers(START)
    if data.at != len(data.data):
        raise error("Bytes follow the buffer time.")
    return BufferedChange(time, prior, old, new, timestamp, topic, partition, offset, headers)


def _read_headers(data: _Bytes) -> str | None:
    """Headers as the engine's JSON text (ProcessorRecordContext.serialize)."""
    return write_headers((data.take(data.length()).decode(), data.value()) for _ in range(max(0, data.length())))
