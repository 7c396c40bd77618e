"""The times of batches. They are names of batches too, so each is later than the one before."""

from __future__ import annotations

import time
from collections.abc import Callable

BEHIND = 0.9
"""How fast batch time passes while it is ahead of the clock, so that the clock catches up with it."""


class BatchClock:
    """Reads the time of day, and does not go back with it.

    If the clock is set back, punctuators, idle times and times to live go on, a little slower, until it has caught up.
    In Kafka Streams, punctuators of the wall clock stand still meanwhile. Spark records the time of each batch, so a
    batch that is executed again has the same one.
    """

    def __init__(
        self, read_wall: Callable[[], float] = time.time, read_monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.read_wall = read_wall
        self.read_monotonic = read_monotonic
        self.last, self.since = -1, 0.0
        """The time of the last batch, and when it was read or first seen, in seconds of the monotonic clock."""
        self.newest, self.newest_at = -1, 0.0
        """The same of the newest time that was read. There may be no batch of it."""

    def read(self, last: int) -> int:
        """The time of the next batch (ms since 1970), after that of the last one."""
        now = self.read_monotonic()
        if self.last != last:
            self.last, self.since = last, self.newest_at if self.newest == last else now
        passed_ms = int((now - self.since) * 1_000 * BEHIND)
        self.newest, self.newest_at = max(int(self.read_wall() * 1_000), last + 1 + passed_ms), now
        return self.newest
