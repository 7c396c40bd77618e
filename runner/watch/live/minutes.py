"""Growth of counters in the last minute. Pure: times are arguments, in ms since 1970."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

MINUTE_MS = 60_000
STEP_MS = 1_000
"""Marks closer together than this are joined: a minute has at most sixty."""


class LastMinute:
    """The totals of some counters, a mark a second.

    >>> minute = LastMinute(0)
    >>> minute.mark({"late": 7}, 30_000)
    >>> minute.growth({"late": 7}, 31_000), minute.growth({"late": 7}, 91_000)
    ({'late': 7}, {})
    """

    def __init__(self, now: int) -> None:
        self.marks: deque[tuple[int, Mapping[str, int]]] = deque([(now, {})])

    def mark(self, totals: Mapping[str, int], now: int) -> None:
        """Notes the present totals of the counters."""
        if now - self.marks[-1][0] >= STEP_MS:
            self.marks.append((now, dict(totals)))

    def growth(self, totals: Mapping[str, int], now: int) -> dict[str, int]:
        """The growth of each counter in the last minute, without those that did not change."""
        while len(self.marks) > 1 and self.marks[1][0] <= now - MINUTE_MS:
            self.marks.popleft()
        before = self.marks[0][1]
        return {name: total - before.get(name, 0) for name, total in totals.items() if total > before.get(name, 0)}
