"""Lets Postgres control a running feed. Without Postgres, the feed keeps its last settings."""

from __future__ import annotations

import logging
import time

from django.db import DatabaseError, InterfaceError, connection

from runner.demo.samples import services
from runner.demo.samples.pace import WantedPace

log = logging.getLogger(__name__)
PATIENCE_SECONDS = 5.0
"""Seconds without requests to a Postgres that did not answer."""


class PostgresControl:
    """Reports the feed's progress, and receives the users' wishes. `rate` is the feed's start value, if any."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self.again_at = 0.0
        self.silent = False

    def __call__(self, flight_count: int, broken_count: int) -> WantedPace | None:
        """The present wishes. None if Postgres did not receive `flight_count` and `broken_count`."""
        if time.monotonic() < self.again_at:
            return None
        try:
            pace = services.note_progress(flight_count=flight_count, broken_count=broken_count, rate=self.rate)
        except (DatabaseError, InterfaceError) as error:
            self._note_loss(error)
            return None
        self.rate, self.silent = None, False
        return pace

    def _note_loss(self, error: Exception) -> None:
        if not self.silent:
            log.warning(
                "Postgres does not answer (%s); the feed continues uncontrolled", str(error).strip().split("\n")[0]
            )
        self.silent = True
        self.again_at = time.monotonic() + PATIENCE_SECONDS
        connection.close()
