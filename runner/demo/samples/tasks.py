"""Celery's part: workers play sample data, one cycle a task, and take away what users remove."""

from __future__ import annotations

import logging

from celery import shared_task
from django.db.models import Q
from django.db.models.functions import Now

from designer.refusals import Refusal
from runner.control.jobs.tasks import send_in_thread
from runner.demo.samples import playing
from runner.demo.samples.models import SampleData

log = logging.getLogger(__name__)


@shared_task(name="samples.play", ignore_result=True, expires=10, acks_late=False, time_limit=60)
def play(data_id: int) -> None:
    """Write one cycle of records, and ask for the next."""
    try:
        if playing.write_next_cycle(data_id):
            play.apply_async((data_id,), countdown=playing.CYCLE_SECONDS, retry=False)
    except Refusal as refusal:
        log.warning("Sample data %s waits for the next beat: %s", data_id, refusal)


@shared_task(name="samples.remove", ignore_result=True, expires=5, acks_late=False, time_limit=60)
def remove(data_id: int) -> None:
    """Take away what is left of removed sample data."""
    try:
        playing.remove(data_id)
    except Refusal as refusal:
        log.warning("Sample data %s is not removed yet: %s", data_id, refusal)


@shared_task(name="samples.carry_on", ignore_result=True, expires=5, acks_late=False, time_limit=60)
def carry_on() -> None:
    """Ask for every unfinished one, so that neither a lost message nor a killed worker matters."""
    is_due = Q(plays_until__gt=Now(), next_at__lte=Now())
    for data in SampleData.objects.filter(is_due | Q(removed_by__isnull=False)).only("id", "removed_by"):
        ask(data)


def ask(data: SampleData) -> None:
    """Ask for the next step. If Redis is away, the next beat does it."""
    task = play if data.removed_by_id is None else remove
    send_in_thread(task, data.id, otherwise=f"sample data {data.id} waits for the next beat")
