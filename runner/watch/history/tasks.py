"""The periodic tasks that store numbers."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from runner.watch.history import services


@shared_task(name="history.keep", ignore_result=True, expires=30, acks_late=False, time_limit=60)
def keep() -> None:
    """Store the numbers of finished minutes."""
    services.keep(timezone.now())
