"""Ends of topics at some times. They say since when the records of a batch can have waited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.spark.source.reading import Range

MAX_LOOKS = 256


class Look(NamedTuple):
    """The ends of all partitions, by topic, not before `at` (ms of the monotonic clock)."""

    at: int
    ends: Mapping[str, Sequence[int]]


# Latency starts at the last look that missed the records: record times are often of another day, and the previous
# batch may be hours old.
class Looks:
    """Looks that came before the unread records, oldest first."""

    def __init__(self) -> None:
        self.looks: list[Look] = []

    def note(self, at: int, ends: Mapping[str, Sequence[int]]) -> None:
        """Keeps the first and the last of equal looks. If there are too many, every second older one goes."""
        if len(self.looks) > 1 and self.looks[-2].ends == self.looks[-1].ends == ends:
            self.looks.pop()
        self.looks.append(Look(at, {topic: list(offsets) for topic, offsets in ends.items()}))
        if len(self.looks) > MAX_LOOKS:
            half = MAX_LOOKS // 2
            self.looks = [*self.looks[:half:2], *self.looks[half:]]

    def find_since(self, ranges: Sequence[Range]) -> int | None:
        """The time of the last look that found none of these records, or of the first look.

        Earlier looks are forgotten: records that are read later came later.
        """
        if not ranges or not self.looks:
            return None
        last = next((n for n in range(len(self.looks) - 1, 0, -1) if _is_before(self.looks[n], ranges)), 0)
        self.looks = self.looks[last:]
        return self.looks[0].at


def _is_before(look: Look, ranges: Sequence[Range]) -> bool:
    return all(_find_end(look, each) <= each.start for each in ranges)


def _find_end(look: Look, share: Range) -> int:
    ends = look.ends.get(share.topic, ())
    return ends[share.partition] if share.partition < len(ends) else 0
