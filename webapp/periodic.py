"""The times of periodic tasks, by a clock that nobody can set.

Celery's own schedules compare times of day. If the clock of a host is set back by an hour, its beat would send no task
for an hour: no alert would be looked at, and no job that has lost its host would go on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from celery.schedules import schedule

from runner.steady_clock import read_steady_time


class Every(schedule):
    """A schedule of so many seconds."""

    def __init__(
        self,
        run_every: float | timedelta | None = None,
        relative: bool = False,
        nowfun: Callable[[], datetime] | None = read_steady_time,
        app: Any = None,
    ) -> None:
        super().__init__(run_every, relative, nowfun, app)

    def remaining_estimate(self, last_run_at: datetime) -> timedelta:
        """The time until the next run. A last run from after now was noted by an earlier beat with another clock."""
        is_known = self.maybe_make_aware(last_run_at) <= self.maybe_make_aware(self.now())
        return super().remaining_estimate(last_run_at) if is_known else timedelta()
