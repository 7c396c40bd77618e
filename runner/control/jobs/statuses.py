"""The statuses of a run with the table of legal moves, the steps of its start, and its continuation."""

from __future__ import annotations

import time
from typing import Any

from django.db import models


class Status(models.TextChoices):
    STARTING = "starting"
    RESTORING = "restoring"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"


MOVES: dict[Status, frozenset[Status]] = {
    Status.STARTING: frozenset({Status.RESTORING, Status.RUNNING, Status.STOPPING, Status.FAILED}),
    Status.RESTORING: frozenset({Status.RUNNING, Status.STOPPING, Status.FAILED}),
    Status.RUNNING: frozenset({Status.STOPPING, Status.FAILED}),
    Status.STOPPING: frozenset({Status.STOPPED, Status.FAILED}),
    Status.STOPPED: frozenset(),
    Status.FAILED: frozenset(),
}
LIVE = tuple(status for status, moves in MOVES.items() if moves)


class Step(models.TextChoices):
    """What a start goes through, in this order; `restoring` only where tables are loaded first.

    `moving` only where the job comes from another place.

    Where Kafka is silent, a start waits for it and comes to its session a second time.
    """

    SESSION = "session"
    KAFKA = "kafka"
    MOVING = "moving"
    RESTORING = "restoring"
    FIRST_BATCH = "first_batch"
    RUNNING = "running"


class StopReason(models.TextChoices):
    """Why a run was asked to stop; empty if no one asked."""

    NONE = ""
    STOPPED = "stopped"
    REDEPLOYED = "redeployed"
    AGENT_LEFT = "agent left"
    HOST_DRAINED = "host drained"


class Act(models.TextChoices):
    """What someone did to a job."""

    DEPLOY = "deploy"
    RESTART = "restart"
    STOP = "stop"
    KILL = "kill"
    DELETE = "delete"
    REDRIVE = "redrive"
    STOP_REDRIVE = "stop redrive"


class OnState(models.TextChoices):
    """What happens to state that a changed version cannot keep, of offsets that are gone (`skip_lost`), and of a
    checkpoint that is damaged (`repair`, `rebuild`).
    """

    KEEP = "keep"
    FRESH_FROM_EARLIEST = "fresh_from_earliest"
    FRESH_FROM_NOW = "fresh_from_now"
    SKIP_LOST = "skip_lost"
    REPAIR = "repair"
    REBUILD = "rebuild"


def make_step(name: str, at: int | None = None) -> dict[str, Any]:
    """A step in its stored form, with its start (ms since 1970, by default now)."""
    return {"step": Step(name).value, "at": time.time_ns() // 1_000_000 if at is None else at}
