"""Receives events of jobs and runs, and passes them to the outbox. It never delays or breaks the sender."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from runner.control.jobs.lifecycle import event_received, run_ended, status_changed
from runner.control.jobs.models import Job, Run
from runner.spark.events import Event
from runner.watch.live.events import make_status_event
from runner.watch.live.outbox import LiveUpdate, get_outbox
from runner.watch.live.reporter import Reporter

_reporters: dict[int, Reporter] = {}


@receiver(status_changed)
def on_status_changed(job_id: int, **_: Any) -> None:
    if (job := Job.objects.filter(id=job_id).first()) is not None:
        get_outbox().post(LiveUpdate(job_id, make_status_event(job)))


@receiver(event_received)
def on_event(run: Run, event: Event, **_: Any) -> None:
    if run.id not in _reporters:
        _reporters[run.id] = Reporter(run, get_outbox())
    _reporters[run.id].hear(event)


@receiver(run_ended)
def on_run_ended(run: Run, **_: Any) -> None:
    reporter = _reporters.pop(run.id, None)
    if reporter is not None:
        reporter.close()
