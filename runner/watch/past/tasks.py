"""The periodic task that looks for breakpoints."""

from __future__ import annotations

from celery import shared_task

from runner.watch.breakpoints.models import Breakpoint


@shared_task(name="breakpoints.look", ignore_result=True, expires=5, acks_late=False, time_limit=120)
def look() -> None:
    """Look for all breakpoints in the batches since the last look."""
    if Breakpoint.objects.filter(hit__isnull=True, failure="").exists():
        from runner.watch.past import breakpoints  # only here: it brings Spark's packages

        breakpoints.look()
