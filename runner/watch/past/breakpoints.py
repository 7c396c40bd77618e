"""Sets breakpoints, and looks for them in new batches."""

from __future__ import annotations

import logging
from time import monotonic

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet

from designer.projects.code_permission import refuse_code
from designer.projects.permissions import refuse_work
from designer.projects.roles import EDITOR
from designer.refusals import Conflict, NotFound, Refusal
from runner.control.jobs.models import Job
from runner.spark.past.batches import make_condition
from runner.watch.breakpoints.models import Breakpoint
from runner.watch.past.kept import KeptPast
from runner.watch.past.searching import find_hits, take_oldest
from runner.watch.proving.pins import pin

log = logging.getLogger(__name__)

MAX_OF_JOB = 10
"""Most breakpoints of one job that are looked for."""
LOOK_SECONDS = 10.0
"""Longest time of one look at all breakpoints, but for its last part."""


def set_breakpoint(*, job: Job, by: AbstractUser, node: str, port: str, condition: str, alerts: bool) -> Breakpoint:
    """Has a condition looked for in each batch that a job commits from now on.

    Raises Conflict, NotFound, QueryRefused, CodeNotPermitted.
    """
    past = KeptPast.of(job)
    refuse_code(past.plan.read_graph(), by)
    make_condition(past.program, node, port, condition)
    if _find_watched().filter(job=job).count() >= MAX_OF_JOB:
        raise Conflict(f"{MAX_OF_JOB} breakpoints of {job} are watched.", "Remove one that you no longer need.")
    newest = past.log.read()[-1:]
    return Breakpoint.objects.create(
        job=job,
        node=node,
        port=port,
        condition=condition,
        alerts=alerts,
        by_id=by.pk,
        epoch=past.plan.epoch,
        looked_at=newest[0].number if newest else -1,
    )


def remove_breakpoint(*, job: Job, breakpoint_id: int) -> None:
    """No longer looks for a condition, and ends its alert. Its pin stays. Raises NotFound."""
    deleted, _ = Breakpoint.objects.filter(job=job, id=breakpoint_id).delete()
    if not deleted:
        raise NotFound(f"{job} has no breakpoint {breakpoint_id}.", "List its breakpoints.")


def look() -> None:
    """Looks for all breakpoints in the batches since the last look. Without breakpoints it is one question to Postgres.

    1. Execute the oldest batches again in which a breakpoint was not looked for, over the state before them.
    2. After a hit, pin its batch. Then note the hit: a process that ends in between pins the batch again.
    3. Without a hit, note how far it was looked for.

    The job and its run are not asked: a look reads manifests, the records from Kafka, and the working copies.
    """
    deadline = monotonic() + LOOK_SECONDS
    for each in _find_watched().select_related("job__cluster", "job__version", "by").order_by("looked_at"):
        if monotonic() > deadline:
            return
        try:
            _look_for(each, deadline)
        except Conflict as refusal:  # the job waits for a start, or its state is on another host
            log.info("%s was not looked for: %s", each, refusal.message)
        except Refusal as refusal:
            if refusal.status == 503:  # too many trials at a time: the next look goes on
                continue
            # not `save`, which raises an error if somebody has removed the breakpoint meanwhile
            failure = f"{refusal.message} {refusal.hint}".strip()[:500]
            Breakpoint.objects.filter(id=each.id).update(failure=failure)


def _look_for(breakpoint_: Breakpoint, deadline: float) -> None:
    refuse_work(breakpoint_.by_id, EDITOR, [("job_id", breakpoint_.job_id)])
    past = KeptPast.of(breakpoint_.job)
    if past.plan.epoch != breakpoint_.epoch:
        breakpoint_.epoch, breakpoint_.looked_at = past.plan.epoch, -1
    while monotonic() < deadline:
        manifests = [each for each in past.log.read(breakpoint_.looked_at) if each.number > breakpoint_.looked_at]
        chunk = take_oldest(past, manifests)
        if not chunk:
            return
        at = breakpoint_.node, breakpoint_.port, breakpoint_.condition
        hits = find_hits(past, chunk, breakpoint_.by, *at)
        if hits:
            hit = hits[-1]
            note = f"`{breakpoint_.condition}` at {breakpoint_.node}"[:200]
            pin(job=breakpoint_.job, batch=hit["batch"], by=breakpoint_.by, note=note, record=hit["origin"])  # 2
            breakpoint_.hit = hit
        breakpoint_.looked_at = chunk[0].number  # 3
        Breakpoint.objects.filter(id=breakpoint_.id).update(
            hit=breakpoint_.hit, looked_at=breakpoint_.looked_at, epoch=breakpoint_.epoch
        )
        if hits:
            return


def _find_watched() -> QuerySet[Breakpoint]:
    return Breakpoint.objects.filter(hit__isnull=True, failure="")
