"""Wakes the agents through Postgres (LISTEN and NOTIFY) when a run waits for them.

A notification that is lost costs half a second: an agent looks at its runs in each tick anyway.
"""

from __future__ import annotations

from django.db import connection

CHANNEL = "streamwright_runs"


def notify_agents() -> None:
    """Let every agent look at its runs immediately after the commit."""
    with connection.cursor() as cursor:
        cursor.execute(f"NOTIFY {CHANNEL}")


def wait(seconds: float) -> None:
    """Wait this long, or until there is work."""
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    for _ in connection.connection.notifies(timeout=seconds, stop_after=1):
        return
