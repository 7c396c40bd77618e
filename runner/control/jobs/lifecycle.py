"""The one function that moves runs along the table of legal moves, and the signals that it sends."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now
from django.dispatch import Signal

from runner.control.jobs.models import Run
from runner.control.jobs.statuses import LIVE, MOVES, Status, make_step
from runner.spark.events import LostExecutor

LEASE = timedelta(seconds=20)
"""How long a run may work after its supervisor last renewed it. `RunSupervisor.keep_lease` has the protocol."""

status_changed = Signal()
"""The status of a job or its run changed: `job_id`. Sent after the commit."""
run_started = Signal()
"""A supervisor's child works: `run`, and `ask`, which sends the child an order that it answers with an event."""
event_received = Signal()
"""A child sent an event: `run`, and its `event`, one of `runner.spark.events`."""
at_work = Signal()
"""The agent of a host is running: `host`."""
run_ended = Signal()
"""A supervisor finished its run. Last numbers may be written."""


def move(run: Run, to: Status, **why: Any) -> bool:
    """Move `run` to status `to`, and write `why` beside it (failure, stop_reason, …).

    False if the table does not allow it from the run's real status: another process was first.
    """
    came_from = [status for status, moves in MOVES.items() if to in moves]
    if not MOVES[to]:
        why["ended_at"] = Now()
    # one conditional update: of two processes that move a run at once, Postgres lets one through
    rows = Run.objects.filter(id=run.id, generation=run.generation, status__in=came_from)
    if not rows.update(status=to, **why):
        return False
    with suppress(Run.DoesNotExist):  # it ended, and was deleted with its job, at this moment
        run.refresh_from_db()
    send_after_commit(run.job_id)
    return True


def take_step(run: Run, name: str, at: int) -> bool:
    """Record a step in the start of a live run."""
    steps = [*run.steps, make_step(name, at)]
    if not Run.objects.filter(id=run.id, pid=run.pid, status__in=LIVE).update(steps=steps):
        return False
    run.steps = steps
    send_after_commit(run.job_id)
    return True


def note_lost(run: Run, losses: list[LostExecutor]) -> bool:
    """Record the executors that a live run has lost."""
    if not Run.objects.filter(id=run.id, pid=run.pid, status__in=LIVE).update(lost_executors=losses):
        return False
    send_after_commit(run.job_id)
    return True


def send_after_commit(job_id: int) -> None:
    """Tell the listeners that a job's status changed."""
    transaction.on_commit(lambda: status_changed.send_robust(sender=None, job_id=job_id))


def claim(run: Run, **process: Any) -> bool:
    """Make a process (boot_id, pid, start_ticks) the owner of a run without an owner."""
    # `pid=None`: after a restart of its agent a run may have two supervisors, and Postgres lets one take it
    rows = Run.objects.filter(id=run.id, generation=run.generation, status=Status.STARTING, pid=None)
    row_count = rows.update(lease_until=Now() + LEASE, started_at=Now(), **process)
    run.refresh_from_db()
    return bool(row_count)


def renew(run: Run, **beside: Any) -> bool:
    """Prolong the lease in Postgres time. False if the run is no longer ours."""
    # Postgres' clock alone: clocks of hosts differ, and may jump
    rows = Run.objects.filter(id=run.id, generation=run.generation, pid=run.pid, status__in=LIVE)
    return bool(rows.update(lease_until=Now() + LEASE, **beside))


def find_stop_reason(run: Run) -> str | None:
    """Why a live run should stop, or "" if it should not. None if the run is over, or no longer ours.

    Plain SQL, because each supervisor asks once a second, and Django takes longer to write this query than Postgres to
    answer it.
    """
    statement = f"SELECT stop_reason FROM {Run._meta.db_table} WHERE id = %s AND pid = %s AND status = ANY(%s)"
    with connection.cursor() as cursor:
        cursor.execute(statement, [run.id, run.pid, list(LIVE)])
        row = cursor.fetchone()
    return None if row is None else str(row[0])
