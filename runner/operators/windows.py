"""Windows of record time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class TimeWindows(NamedTuple):
    """Windows [start, start + size) that start at multiples of `advance_ms` since the epoch (TimeWindows)."""

    size_ms: int
    advance_ms: int
    grace_ms: int

    @property
    def overlap(self) -> bool:
        """Whether a record may belong to several windows: hopping, not tumbling."""
        return self.advance_ms < self.size_ms

    def starts(self, timestamp: int) -> Sequence[int]:
        """The starts of the windows of a record, ascending; there are none before the epoch."""
        advance = self.advance_ms
        last = timestamp - timestamp % advance
        if advance == self.size_ms:
            return (last,)
        first = max(0, timestamp - self.size_ms + advance)
        return range(first - first % advance, last + 1, advance)
