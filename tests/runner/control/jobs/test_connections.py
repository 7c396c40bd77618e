"""An agent keeps its connection to Postgres, and makes another one when Postgres has ended it."""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from runner.control.jobs.models import AgentHost

from .conftest import AgentProcess, eventually

OF_THE_AGENT = "FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()"


def test_an_agent_asks_on_one_connection(agent: AgentProcess) -> None:
    first = connected()
    began = await_beats(3)

    assert connected() == first
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid) {OF_THE_AGENT}")

    assert await_beats(3) > began
    assert connected() != first


def connected() -> int:
    """The process of Postgres that the agent has while it rests."""

    def find() -> list[int]:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pid {OF_THE_AGENT}")
            return [pid for (pid,) in cursor.fetchall()]

    (pid,) = eventually(find, "the agent to rest")
    return int(pid)


def await_beats(count: int) -> datetime:
    """The time of the last of the next beats."""
    for _ in range(count):
        before = AgentHost.objects.get().beat_at
        eventually(AgentHost.objects.filter(beat_at__gt=before).exists, "a beat")
    return AgentHost.objects.get().beat_at
