"""A signal from Postgres to the agents: there is work. A lost one only waits for the next tick."""

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
