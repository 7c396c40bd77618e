"""The periodic task that sends lineage to a collector."""

from __future__ import annotations

import logging
import time
from datetime import timedelta

from celery import shared_task
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from designer.refusals import Refusal
from runner.control.jobs.models import Run
from runner.control.jobs.statuses import LIVE
from runner.watch.lineage.models import SentEvent

log = logging.getLogger(__name__)
KEPT = timedelta(days=1)
"""How long a run's end is offered to a collector that does not take it."""

FAILING_SECONDS = 15.0
"""After this time no further event is tried once one was not taken. One try may take 40 s, and the task has 60."""


@shared_task(name="lineage.send", ignore_result=True, expires=10, acks_late=False, time_limit=60)
def send() -> None:
    """Sends what the collector does not know yet of each run.

    A run's event counts as sent after the collector took it. So a crash between the two sends it again, and none is
    lost: OpenLineage's collectors take the same event of the same run id twice.
    """
    if settings.OPENLINEAGE:
        _send_due()


def _send_due() -> None:
    from openlineage.client import OpenLineageClient
    from openlineage.client.event_v2 import RunState

    from runner.watch.lineage.events import find_state, make_event

    recent = Q(status__in=LIVE) | Q(ended_at__gt=timezone.now() - KEPT)
    runs = Run.objects.filter(recent).select_related("job__cluster", "job__topology", "cluster", "version")
    sent = set(SentEvent.objects.filter(run__in=runs).values_list("run_id", "state"))
    client: OpenLineageClient | None = None
    began = time.monotonic()
    for run in runs.order_by("id"):
        states = [find_state(run)]
        if states[0] not in (None, RunState.START) and run.has_come_up():
            states.insert(0, RunState.START)  # it ended before its start was sent
        for state in states:
            if state is None or (run.id, state.value) in sent:
                continue
            at = run.started_at if state is RunState.START else run.ended_at
            try:
                event = make_event(run, state, at or timezone.now(), settings.OPENLINEAGE_NAMESPACE)
            except Refusal as refusal:  # of one topology alone: the others go on
                log.warning("The lineage of %s is not known: %s", run, refusal.message)
                continue
            try:
                client = client or OpenLineageClient()
                client.emit(event)
            except Exception as error:  # of any transport: the next beat tries again
                log.warning("The collector of OpenLineage did not take %s of %s: %s", state.value, run, error)
                if time.monotonic() - began > FAILING_SECONDS:  # it is probably away
                    return
                break  # other runs do not wait for an event that it never takes
            SentEvent.objects.get_or_create(run=run, state=state.value)
