"""Notices that the clock of Postgres was set, by which leases of runs and beats of hosts are written and judged.

If it was set forward, all leases seem to be over and all hosts seem to be silent, although their runs work. If it was
set back, the lease of a dead host lasts longer by as much. So nothing is judged until living hosts have written their
leases and beats again.
"""

from __future__ import annotations

import math
import time
from datetime import datetime, timedelta

from django.db import connection

STEP = timedelta(seconds=5)
SETTLE_SECONDS = 15.0
"""Longer than it takes a supervisor to renew its lease, and an agent to beat."""


class DatabaseClock:
    """Compares the clock of Postgres with the monotonic clock of this process, from one look to the next."""

    def __init__(self) -> None:
        self.last: tuple[datetime, float] | None = None
        self.set_at = -math.inf

    def was_set(self) -> bool:
        """Return whether it was set within `SETTLE_SECONDS`. The first look of a process cannot know, and says no.

        A look that Postgres answers late cannot tell either, and says yes: nothing is judged before the next one.
        """
        asked = time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            at, now = cursor.fetchone()[0], time.monotonic()
        if now - asked > STEP.total_seconds():
            return True
        if self.last is not None and abs(at - self.last[0] - timedelta(seconds=now - self.last[1])) > STEP:
            self.set_at = now
        self.last = at, now
        return now - self.set_at < SETTLE_SECONDS


database_clock = DatabaseClock()
