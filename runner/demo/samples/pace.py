"""The rate of a feed and other wishes for it: plain values, no Django."""

from __future__ import annotations

import math
from dataclasses import dataclass

START_RATE = 500.0
"""Flights a second until a user wants another rate."""


@dataclass(frozen=True)
class WantedPace:
    """The present wishes for a feed. `rate` is in flights a second (0: at full speed)."""

    rate: float
    is_paused: bool = False
    broken_count: int = 0
    """Broken records to write at once, even while paused."""


class Pace:
    """Says when the next flight may go. Times are `time.monotonic()` seconds.

    Time counts from the first flight on. A late flight is made up for, but not a pause or another rate.
    """

    def __init__(self, rate: float) -> None:
        self.rate, self.is_paused = rate, False
        self.began: float | None = None
        self.flight_count = 0

    def change(self, rate: float, is_paused: bool, now: float) -> None:
        """Continue like this from now on."""
        if (rate, is_paused) != (self.rate, self.is_paused):
            self.rate, self.is_paused = rate, is_paused
            self.began, self.flight_count = now, 0

    def wait(self, now: float) -> float:
        """Seconds until the next flight may go: 0 or less if it is due, infinite while paused."""
        if self.is_paused:
            return math.inf
        if self.began is None:
            self.began = now
        return self.began + self.flight_count / self.rate - now if self.rate else 0.0
