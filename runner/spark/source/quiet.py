"""Waits for records where there have been none for a while, so that Spark need not ask for them ten times a second.

Each question of Spark costs the run's JVM about three times as much as the look at Kafka that answers it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

QUIET_SECONDS = 10.0
"""Time without records after which the source waits. A run has started by then, which it sees by Spark's status."""
WAIT_SECONDS = 0.5
"""Longest time that Spark waits for an answer. A stop of the run may take that much longer."""
MIN_LOOK_SECONDS = 0.02


class Quiet:
    """The time since the last records, and the looks for the next ones.

    `look_ms` is the time between two looks. None: it never waits.
    """

    def __init__(self, look_ms: int | None) -> None:
        self.look_seconds = None if look_ms is None else max(MIN_LOOK_SECONDS, look_ms / 1_000)
        self.since = time.monotonic()

    def end(self) -> None:
        """Note that there were records."""
        self.since = time.monotonic()

    def list_looks(self, most_seconds: float) -> Iterator[int]:
        """Yield when each look is due, in ms of the monotonic clock, for at most so long. None unless it is quiet."""
        began = time.monotonic()
        if self.look_seconds is None or began - self.since < QUIET_SECONDS:
            return
        until = began + min(WAIT_SECONDS, most_seconds)
        while time.monotonic() + self.look_seconds <= until:
            time.sleep(self.look_seconds)
            yield int(time.monotonic() * 1_000)
