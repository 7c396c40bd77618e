"""The lives of runs: one table of legal moves, and the one function that makes them."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import models, transaction
from django.db.models.functions import Now
from django.dispatch import Signal

if TYPE_CHECKING:
    from runner.control.jobs.models import Run

LEASE = timedelta(seconds=20)


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

moved = Signal()
"""A job, or a run of it, stands differently: `job_id`. Sent after the commit."""
began = Signal()
"""A drive has a child at work: `run`, and `ask`, which hands the child an order that it answers with an event."""
told = Signal()
"""A child said something: `run`, and its `event` as in the contract of `python -m runner.spark`."""
ended = Signal()
"""A drive is done with its run: last numbers may be written."""


def move(run: Run, to: Status, **why: Any) -> bool:
    """Take `run` to status `to`, with `why` written beside it (failure, stop_reason, …).

    False when the table does not allow it from where the run really stands: somebody else was first.
    """
    came_from = [status for status, moves in MOVES.items() if to in moves]
    if not MOVES[to]:
        why["ended_at"] = Now()
    rows = type(run).objects.filter(id=run.id, generation=run.generation, status__in=came_from)
    if not rows.update(status=to, **why):
        return False
    with suppress(type(run).DoesNotExist):  # it ended, and was deleted with its job, in this moment
        run.refresh_from_db()
    tell_after_commit(run.job_id)
    return True


class Step(models.TextChoices):
    """What a start goes through, in this order; `restoring` only where tables are loaded first.

    Where Kafka is silent, a start waits for it and comes to its session a second time.
    """

    SESSION = "session"
    KAFKA = "kafka"
    RESTORING = "restoring"
    FIRST_BATCH = "first_batch"
    RUNNING = "running"


def step(name: str, at: int | None = None) -> dict[str, Any]:
    """A step as runs keep it, with when it began (ms since 1970; now when not given)."""
    return {"step": Step(name).value, "at": time.time_ns() // 1_000_000 if at is None else at}


def take_step(run: Run, name: str, at: int) -> bool:
    """Write down that the start of a live run came to a step."""
    steps = [*run.steps, step(name, at)]
    if not type(run).objects.filter(id=run.id, pid=run.pid, status__in=LIVE).update(steps=steps):
        return False
    run.steps = steps
    tell_after_commit(run.job_id)
    return True


def tell_after_commit(job_id: int) -> None:
    """Tell the listeners that a job's status changed."""
    transaction.on_commit(lambda: moved.send_robust(sender=None, job_id=job_id))


def claim(run: Run, **process: Any) -> bool:
    """Make a process (boot_id, pid, start_ticks) the owner of a run nobody owns yet."""
    rows = type(run).objects.filter(id=run.id, generation=run.generation, status=Status.STARTING, pid=None)
    claimed = rows.update(lease_until=Now() + LEASE, started_at=Now(), **process)
    run.refresh_from_db()
    return bool(claimed)


def renew(run: Run, **beside: Any) -> bool:
    """Prolong the lease on Postgres time; False when the run is no longer ours."""
    rows = type(run).objects.filter(id=run.id, generation=run.generation, pid=run.pid, status__in=LIVE)
    return bool(rows.update(lease_until=Now() + LEASE, **beside))
