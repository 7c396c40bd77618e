"""Chooses the times of batches. A time also names its batch, so each one is later than the one before."""

from __future__ import annotations

import time
from collections.abc import Callable

BEHIND = 0.5
"""The share of its speed at which batch time passes while it is ahead of the clock.

If it were slower, punctuators would hardly be called. If it were faster, times of batches would be wrong for longer:
after a clock that was a day ahead, it is two days.
"""


class BatchClock:
    """Reads the time of day, but never goes back.

    After the clock was set back, batch time passes at half its speed until the clock has caught up. So punctuators,
    idle times and times to live continue. In Kafka Streams, punctuators of the wall clock stand still meanwhile. Spark
    records the time of each batch, so a batch that is executed again has the same one.
    """

    def __init__(
        self, read_wall: Callable[[], float] = time.time, read_monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.read_wall = read_wall
        self.read_monotonic = read_monotonic
        self.last = -1
        """The time of the last batch (ms since 1970)."""
        self.last_at = 0.0
        """When that time was read, or first seen after a start, in seconds of the monotonic clock."""
        self.newest, self.newest_at = -1, 0.0
        """The newest time that was read, and when. Spark may not have made a batch of it."""

    def read(self, last: int) -> int:
        """Return the time of the next batch, given that of the last one (both in ms since 1970)."""
        now = self.read_monotonic()
        if self.last != last:
            self.last, self.last_at = last, self.newest_at if self.newest == last else now
        passed_ms = int((now - self.last_at) * 1_000 * BEHIND)
        self.newest, self.newest_at = max(int(self.read_wall() * 1_000), last + 1 + passed_ms), now
        return self.newest
