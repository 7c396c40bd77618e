"""Celery's part in jobs: short tasks that may be repeated.

It does no harm if one is lost, late or doubled: each looks at Postgres first, and Celery's beat asks for it again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from typing import Any

from celery import shared_task
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from runner.control.jobs import clearing, cut_overs
from runner.control.jobs.models import Job
from runner.control.jobs.reconciling import find_jobs_with_due_step, reconcile_job, take_due_step
from runner.control.jobs.runs import forget_old_runs, give_up_lost

log = logging.getLogger(__name__)


# Late tasks expire and lost ones are not repeated: the beat asks again, so nothing piles up behind an outage of Redis.
@shared_task(name="jobs.reconcile", ignore_result=True, expires=30, acks_late=False, time_limit=60)
def reconcile(job_id: int) -> None:
    """Bring one job to its wanted state."""
    reconcile_job(job_id)


@shared_task(name="jobs.reconcile_all", ignore_result=True, expires=5, acks_late=False, time_limit=60)
def reconcile_all() -> None:
    """Bring every job to its wanted state, so that a lost message does not matter."""
    give_up_lost()
    for job_id in find_jobs_with_due_step():
        try:
            take_due_step(job_id)
        except Exception:
            log.exception("Job %s could not be reconciled; the next beat tries again", job_id)


@shared_task(name="jobs.forget_runs", ignore_result=True, acks_late=False, time_limit=300)
def forget_runs() -> None:
    """Remove what nobody reads of old runs."""
    forget_old_runs()


@shared_task(name="jobs.clear_away", ignore_result=True, acks_late=False, time_limit=60)
def clear_away(application_id: str, epoch: int, runs: list[int], cluster: str) -> None:
    """Remove the remains of a job's older epochs, and a deleted job's remains on the broker."""
    clearing.clear_away(application_id, epoch, runs, cluster)


def ask(job_id: int, *, daemon: bool = False) -> threading.Thread:
    """Ask for a reconcile soon, without waiting for Redis. If Redis is away, the next beat does it.

    An ending process sends it first, unless the thread is a `daemon`.
    """
    return send_in_thread(reconcile, job_id, daemon=daemon, otherwise=f"job {job_id} waits for the next beat")


def ask_to_clear(application_id: str, epoch: int, runs: Iterable[int], cluster: str) -> threading.Thread:
    """Ask a worker to remove what a job has left. Does not wait for Redis. If Redis does not answer, the files stay."""
    stays = f"what {application_id} left in checkpoints, state and logs stays there"
    return send_in_thread(clear_away, application_id, epoch, list(runs), cluster, otherwise=stays)


def clear_expired() -> None:
    """Remove the checkpoints of versions that can no longer take over again, here and in Hadoop file systems."""
    for job in Job.objects.filter(cut_overs__keep_until__lt=Now()).select_related("cluster").distinct():
        if cut_overs.has_written(job, job.epoch):
            clearing.clear_here(job.application_id, job.epoch - 1)
            if clearing.find_remote_roots():
                ask_to_clear(job.application_id, job.epoch - 1, [], job.cluster.name)


def send_in_thread(task: Any, *arguments: Any, otherwise: str, daemon: bool = False) -> threading.Thread:
    """Give a task to the workers without waiting for Redis. If it is away, logs `otherwise`."""
    sending = threading.Thread(target=_send, args=(task, arguments, otherwise), daemon=daemon, name="ask")
    sending.start()
    return sending


def _send(task: Any, arguments: tuple[Any, ...], otherwise: str) -> None:
    try:
        task.apply_async(arguments, retry=False)
    except OperationalError as error:
        log.warning("Redis does not answer (%s); %s", error, otherwise)
