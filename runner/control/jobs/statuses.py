"""The statuses of a run with the table of legal moves, the steps of its start, and its continuation."""

from __future__ import annotations

import time

from django.db import models
from typing_extensions import TypedDict


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
    """The steps of a start, in order. The job's page shows each with its duration.

    A start has the step `kafka` only while Kafka does not answer; then it takes `session` a second time. It has
    `moving` only if the job's checkpoint is copied from another place, and `restoring` only if tables are loaded first.
    """

    SESSION = "session"
    KAFKA = "kafka"
    MOVING = "moving"
    RESTORING = "restoring"
    FIRST_BATCH = "first_batch"
    RUNNING = "running"


class StopReason(models.TextChoices):
    """Why a run was asked to stop. Empty: nobody asked."""

    NONE = ""
    STOPPED = "stopped"
    REDEPLOYED = "redeployed"
    AGENT_LEFT = "agent left"
    HOST_DRAINED = "host drained"


class Act(models.TextChoices):
    """What someone did to a job."""

    DEPLOY = "deploy"
    CUT_OVER = "cut over"
    BACK = "back"
    CORRECT = "correct"
    RESTART = "restart"
    STOP = "stop"
    KILL = "kill"
    DELETE = "delete"
    REDRIVE = "redrive"
    STOP_REDRIVE = "stop redrive"


class OnState(models.TextChoices):
    """How a job goes on where it cannot simply keep its state. `preview.CHOICES` says what each one loses or repeats.

    `fresh_*` answers state that a changed version cannot keep, `skip_lost` answers records that Kafka has deleted, and
    `repair` and `rebuild` answer a damaged checkpoint.
    """

    KEEP = "keep"
    FRESH_FROM_EARLIEST = "fresh_from_earliest"
    FRESH_FROM_NOW = "fresh_from_now"
    SKIP_LOST = "skip_lost"
    REPAIR = "repair"
    REBUILD = "rebuild"


class StartStep(TypedDict):
    """A step of a start; `at` is when it began, ms since 1970."""

    step: Step
    at: int


def make_step(name: str, at: int | None = None) -> StartStep:
    """Return a step as `Run.steps` stores it. By default it begins now."""
    return {"step": Step(name), "at": time.time_ns() // 1_000_000 if at is None else at}
