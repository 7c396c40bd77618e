"""The session store that users' code reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from designer.values.longs import MAX_LONG
from designer.values.tuples import Windowed
from runner.engine.records.codecs import pack, unpack
from runner.engine.records.plain import copy_plain
from runner.engine.stores.of_code.segmented_bytes import ByteRow, SegmentedBytes
from runner.engine.stores.of_code.store import StoreOfCode


class SessionStore(StoreOfCode):
    """Values by key and session, each of them JSON (Kafka Streams' SessionStore). It returns copies.

    A session is a `Windowed` key, which includes its end. Retention and order follow the ends, as in `SegmentedBytes`.
    Putting None removes.
    """

    def __init__(
        self, name: str, rows: SegmentedBytes, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]
    ) -> None:
        super().__init__(name, encode, decode)
        self._rows = rows

    def put(self, session: Windowed, value: Any) -> None:
        """Sets the value of a session: `put(Windowed(key, start, end), value)`."""
        if type(session) is not Windowed or not _is_session(session.start, session.end):
            raise ValueError(
                f"The store `{self._name}` takes a session, Windowed(key, start, end) with times in ms, and its value."
            )
        data = None if value is None else pack(copy_plain(value))
        self._rows.put(self._encode_key(session.key), (session.end, session.start), data)

    def remove(self, session: Windowed) -> None:
        """Removes a session."""
        self.put(session, None)

    def fetch_session(self, key: Any, start: int, end: int) -> Any:
        """The value of a key in the session with this start and end, or None."""
        data = self._rows.get(self._encode_key(key), (end, start))
        return None if data is None else unpack(data)

    def find_sessions(
        self, key: Any, earliest_end: int, latest_start: int, *, reverse: bool = False
    ) -> Iterator[tuple[Windowed, Any]]:
        """A key's sessions with their values that end at `earliest_end` or later and start at `latest_start` or
        before. (t - gap, t + gap) finds sessions that may be merged with a record at time t."""
        rows = self._rows.read_key(self._encode_key(key), earliest_end, MAX_LONG, reverse=reverse)
        return (self._make_session(row) for row in rows if row.times[1] <= latest_start)

    def fetch(self, first: Any, last: Any = None, *, reverse: bool = False) -> Iterator[tuple[Windowed, Any]]:
        """The sessions of a key with their values. With a `last`, those of all keys between both, included."""
        if last is None:
            return self.find_sessions(first, 0, MAX_LONG, reverse=reverse)
        rows = self._rows.read_between(0, MAX_LONG, self._encode_key(first), self._encode_key(last), reverse=reverse)
        return map(self._make_session, rows)

    def flush(self) -> None:
        self._rows.flush()

    def _make_session(self, row: ByteRow) -> tuple[Windowed, Any]:
        end, start = row.times
        return Windowed(self._decode(row.key), start, end), unpack(row.data)


def _is_session(start: Any, end: Any) -> bool:
    return type(start) is int and type(end) is int and 0 <= start <= end <= MAX_LONG
