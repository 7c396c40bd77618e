"""Postgres' clock, by which leases and beats are written and judged: whether it was set a short while ago.

Set forward, all leases are over at once, and all hosts are silent, though their runs work. Set back, those of a dead
host last for as long as the step. So nothing is judged until living hosts have written theirs again.
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
    """Compares Postgres' clock with the monotonic one of this process, from look to look."""

    def __init__(self) -> None:
        self.last: tuple[datetime, float] | None = None
        self.set_at = -math.inf

    def was_set(self) -> bool:
        """Whether it was set a short while ago, as far as this process has looked."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            at, now = cursor.fetchone()[0], time.monotonic()
        if self.last is not None and abs(at - self.last[0] - timedelta(seconds=now - self.last[1])) > STEP:
            self.set_at = now
        self.last = at, now
        return now - self.set_at < SETTLE_SECONDS


database_clock = DatabaseClock()
