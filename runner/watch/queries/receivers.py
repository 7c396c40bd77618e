"""Connects a supervisor's mailbox to the signals of its run. It never delays or breaks the sender."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.dispatch import receiver

from runner.control.jobs.lifecycle import event_received, run_ended, run_started
from runner.control.jobs.models import Run
from runner.spark.events import Event, Question
from runner.watch.queries.mailbox import Mailbox, of_run

_mailboxes: dict[int, Mailbox] = {}


@receiver(run_started)
def on_run_started(run: Run, ask: Callable[[Question], None], **_: Any) -> None:
    _mailboxes[run.id] = Mailbox(of_run(run.id), ask)


@receiver(event_received)
def on_event(run: Run, event: Event, **_: Any) -> None:
    if event["type"] == "answer" and (mailbox := _mailboxes.get(run.id)) is not None:
        mailbox.post(event)


@receiver(run_ended)
def on_run_ended(run: Run, **_: Any) -> None:
    if (mailbox := _mailboxes.pop(run.id, None)) is not None:
        mailbox.close()
