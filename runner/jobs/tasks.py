"""Celery's part: short idempotent commands. A lost, late or doubled one is harmless; beat repeats them."""

from __future__ import annotations

import logging
import threading

from celery import shared_task
from kombu.exceptions import OperationalError

from runner.jobs.models import Job
from runner.jobs.reconciling import reconcile_job

log = logging.getLogger(__name__)


@shared_task(ignore_result=True, expires=30, acks_late=False, time_limit=60)
def reconcile(job_id: int) -> None:
    """Make what should be so of one job."""
    reconcile_job(job_id)


@shared_task(ignore_result=True, expires=5, acks_late=False, time_limit=60)
def reconcile_all() -> None:
    """The same for every job, so that no lost message matters."""
    for job_id in Job.objects.order_by("id").values_list("id", flat=True):
        try:
            reconcile_job(job_id)
        except Exception:
            log.exception("Job %s could not be reconciled; the next beat tries again", job_id)


def ask(job_id: int, *, daemon: bool = False) -> threading.Thread:
    """Ask for a reconcile soon, without waiting for Redis. If it is away, the next beat that gets through does it.

    A process that ends sends it first, unless the thread is a `daemon`.
    """
    sending = threading.Thread(target=_send, args=(job_id,), daemon=daemon, name="ask")
    sending.start()
    return sending


def _send(job_id: int) -> None:
    try:
        reconcile.apply_async((job_id,), retry=False)
    except OperationalError as error:
        log.warning("Redis does not answer (%s); job %s waits for the next beat", error, job_id)
