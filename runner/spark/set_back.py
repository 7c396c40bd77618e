"""Notices that the clock of the host was set back.

Spark waits for the time of day at which its next batch is due. After the clock was set back by an hour, a query begins
no batch for an hour. So the run ends after its batch, and the next one takes the time from the clock as it is then.
"""

from __future__ import annotations

import time
from collections.abc import Callable

STEP_SECONDS = 1.0
"""A smaller step only delays a batch by as much."""


class SetBack:
    """Compares the clock of the host with the monotonic clock, from one look to the next."""

    def __init__(
        self, read_wall: Callable[[], float] = time.time, read_monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._read_wall = read_wall
        self._read_monotonic = read_monotonic
        self._difference = self._read_difference()
        self.is_noticed = False

    def look(self) -> bool:
        """Return whether the clock was set back since the run began."""
        before, self._difference = self._difference, self._read_difference()
        self.is_noticed = self.is_noticed or self._difference < before - STEP_SECONDS
        return self.is_noticed

    def _read_difference(self) -> float:
        return self._read_wall() - self._read_monotonic()
