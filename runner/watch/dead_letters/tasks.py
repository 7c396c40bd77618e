"""Celery's part: a redrive continues in slices, so that each worker also does other work."""

from __future__ import annotations

from celery import shared_task

from runner.control.jobs.tasks import send_in_thread
from runner.watch.dead_letters import carrying
from runner.watch.dead_letters.models import Redrive, RedriveStatus


@shared_task(name="letters.carry_on", ignore_result=True, expires=30, acks_late=False, time_limit=120)
def send_dead_letters(redrive_id: int) -> None:
    """Send letters for some seconds. Another turn sends the rest."""
    if carrying.send_dead_letters(redrive_id):
        ask(redrive_id)


@shared_task(name="letters.carry_on_all", ignore_result=True, expires=5, acks_late=False, time_limit=60)
def ask_all() -> None:
    """Ask for every unfinished redrive, so that neither a lost message nor a killed worker matters."""
    for redrive_id in Redrive.objects.filter(status=RedriveStatus.RUNNING).values_list("id", flat=True):
        ask(redrive_id)


def ask(redrive_id: int) -> None:
    """Ask for the next turn. If Redis is away, the next beat does it."""
    send_in_thread(send_dead_letters, redrive_id, otherwise=f"redrive {redrive_id} waits for the next beat")
