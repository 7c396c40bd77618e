"""Windows of record time with one length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from designer.values.schemas import WindowSpec


class TimeWindows(NamedTuple):
    """Windows [start, start + size) that start at multiples of `advance_ms` since the epoch (TimeWindows)."""

    size_ms: int
    advance_ms: int
    grace_ms: int

    @property
    def has_overlap(self) -> bool:
        """True if a record may belong to several windows: hopping, not tumbling."""
        return self.advance_ms < self.size_ms

    def starts(self, timestamp: int) -> Sequence[int]:
        """The starts of a record's windows, ascending. None is before the epoch."""
        advance = self.advance_ms
        last = timestamp - timestamp % advance
        if advance == self.size_ms:
            return (last,)
        first = max(0, timestamp - self.size_ms + advance)
        return range(first - first % advance, last + 1, advance)

    def bounds(self, timestamp: int) -> tuple[int, int]:
        """Start and end of a record's window, if windows do not overlap."""
        start = timestamp - timestamp % self.size_ms
        return start, start + self.size_ms

    def may_start(self, first: int, last: int) -> bool:
        """True if any of them starts from `first` to `last`."""
        return last - last % self.advance_ms >= first


class UnlimitedWindows(NamedTuple):
    """One window from `start_ms` to the end of time. Earlier records have none (UnlimitedWindows)."""

    size_ms: int
    start_ms: int
    grace_ms: int = 0
    has_overlap: bool = True

    def starts(self, timestamp: int) -> Sequence[int]:
        return (self.start_ms,) if timestamp >= self.start_ms else ()


def make_windows(spec: WindowSpec) -> TimeWindows | UnlimitedWindows:
    """The time windows of a windowed stream."""
    if spec.kind == "unlimited":
        return UnlimitedWindows(spec.length_ms, spec.start_ms)
    return TimeWindows(spec.size_ms, spec.advance_ms or spec.size_ms, spec.grace_ms)
