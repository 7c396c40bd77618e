"""A snapshot that moves through a store, one stretch per batch, so old changelog entries can go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

MIN_BYTES = 16 << 10
STRETCHES = 1_024
MARKS = 8


class SpanStart(NamedTuple):
    """Place of the roll when it began the span of an entry."""

    lap: int
    key: bytes
    seq: int


class Roll(NamedTuple):
    """Place of the roll: the next span begins at the stored key `cursor`. `lap` counts its turns to the start.

    A mark is set about every eighth of a lap. Once the roll has come round to a mark's place again, the spans from
    the mark's entry on cover the whole store, so older entries are no longer needed.
    """

    lap: int = 0
    cursor: bytes = b""
    since: int = 0
    marks: Sequence[SpanStart] = ()

    @classmethod
    def decode(cls, fields: Sequence[Any]) -> Roll:
        lap, cursor, since, marks = fields
        return cls(lap, cursor, since, [SpanStart(*mark) for mark in marks])

    def begin(self, seq: int, store_bytes: int) -> Roll:
        """The roll before it writes a span into entry `seq`, with a mark there if one is due."""
        if self.marks and self.since * MARKS < store_bytes:
            return self
        return self._replace(since=0, marks=[*self.marks, SpanStart(self.lap, self.cursor, seq)])

    def advance(self, end: bytes | None, size: int) -> Roll:
        """The roll after a span up to the stored key `end` (None: the end of the store) of `size` bytes."""
        lap, cursor = (self.lap + 1, b"") if end is None else (self.lap, end)
        return self._replace(lap=lap, cursor=cursor, since=self.since + size)

    def settle(self, oldest: int) -> tuple[Roll, int]:
        """The roll without the marks that it has passed again, and the first entry that is still needed."""
        here = (self.lap, self.cursor)
        passed_marks = [mark for mark in self.marks if (mark.lap + 1, mark.key) <= here]
        ahead = self.marks[len(passed_marks) :]
        return self._replace(marks=ahead), passed_marks[-1].seq if passed_marks else oldest


def choose_span_size(delta_bytes: int, store_bytes: int, bytes_before: int) -> int:
    """Bytes of the span beside a delta, after which the store has `store_bytes`.

    As much as the delta, and twice as much as the store grows: then the roll overtakes even a store that only grows (a
    lap ends before the store has doubled). At least a 1,024th of the store, so small deltas do not pile up more
    than about as many entries.
    """
    return max(delta_bytes, 2 * (store_bytes - bytes_before), bytes_before // STRETCHES, MIN_BYTES)
