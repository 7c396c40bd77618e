"""The rolling snapshot: a copy of the store that goes into the changelog a stretch at a time, so old entries can go.

Each entry of a changelog holds a delta, which is what its batch changed, and a span, which is a stretch of the store as
it is after the batch. A store is restored from its spans and the deltas after them. A full snapshot would do the same,
but one batch would have to write all of it.

1. Before a span is written, set a mark if the last one is far behind: lap, key and number of the entry (`Roll.begin`).
2. Write the next span, from the cursor on, and move the cursor to its end. At the end of the store a new lap begins
   (`Roll.advance`).
3. Once the cursor has passed the place of a mark a second time, the spans since that mark cover the whole store. So the
   entries before the mark are no longer needed (`Roll.settle`).
4. Remove the oldest unneeded entries, a few with each batch. A batch that removed all at once would take long
   (`changelog.move_head`).

The cursor, the marks and the first needed entry are in the head of the changelog. Spark commits the head in one version
with the entries that were written and removed, so a crash leaves all of a batch or nothing of it, and an attempt that
does not commit moves nothing. A reader checks that each entry names the one before it, so a missing entry is an error
and never a store with holes. `test_slot_state.py` shows the size
(`test_the_changelog_stays_in_proportion_to_the_store`) and the crash
(`test_an_attempt_that_does_not_commit_leaves_nothing_behind`), `test_working_copy.py` the restore
(`test_a_lost_copy_is_rebuilt`), and `test_changelog.py` the holes (`test_a_missing_entry_is_named`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

MIN_BYTES = 16 << 10
STRETCHES = 1_024
MARKS = 8


class SpanStart(NamedTuple):
    """A mark: where the roll was when it began the span of entry `seq`."""

    lap: int
    key: bytes
    seq: int


class Roll(NamedTuple):
    """Where the rolling snapshot is in the store.

    The next span begins at the stored key `cursor`. `lap` counts how often it has come to the end of the store, and
    `since` the bytes of spans after the last of its `marks`. About every eighth of a lap has one.
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
        # more marks would let entries go sooner, but the head, which each batch writes, holds all of them
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


def find_least_span(store_bytes: int) -> int:
    """Bytes of a span beside a small delta. A larger delta has a span of its own size.

    As much as the delta: then the spans of a lap are no more than a store, and the deltas beside them neither. A store
    that only grows may stay ahead of the roll, but then all its deltas together are no more than itself. At least a
    1,024th of the store, so small deltas do not pile up more than about as many entries.
    """
    return max(store_bytes // STRETCHES, MIN_BYTES)
