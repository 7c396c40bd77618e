"""Brings one job to its wanted state: starts the missing run, or asks the wrong one to stop. Short and repeatable."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.models import Exists, OuterRef, Q

from designer.refusals import Refusal
from runner.control.clusters.models import Cluster
from runner.control.jobs import hosts
from runner.control.jobs.cut_overs import find_taken_over
from runner.control.jobs.models import Desired, Job, Run
from runner.control.jobs.plans.epochs import commit, take_over
from runner.control.jobs.plans.facts import collect_facts
from runner.control.jobs.plans.planner import make_plan
from runner.control.jobs.runs import ask_to_stop, give_up, give_up_lost, start, start_again
from runner.control.jobs.statuses import LIVE, Act, StopReason
from runner.control.jobs.targets import Target
from runner.kafka import KafkaUnreachable
from runner.spark.failures import DiskBroken

log = logging.getLogger(__name__)
LOCK = 0x53_57  # our own number space among Postgres' advisory locks


def reconcile_job(job_id: int) -> None:
    """Look once at a job, and take the one step that is due. Does nothing while another process looks at it."""
    give_up_lost()
    take_due_step(job_id)


def find_jobs_with_due_step() -> list[int]:
    """The ids of jobs that want a run, or whose run nobody wants, oldest first. Finds them all with one query."""
    live = Run.objects.filter(job=OuterRef("pk"), status__in=LIVE)
    wants_run = Q(desired=Desired.RUNNING, blocked=False) & ~Exists(live)
    is_unwanted = Exists(live.filter(stop_reason="").exclude(revision=OuterRef("revision")))
    is_stopped = Q(desired=Desired.STOPPED) & Exists(live.filter(stop_reason=""))
    jobs = Job.objects.filter(wants_run | is_unwanted | is_stopped)
    return list(jobs.order_by("id").values_list("id", flat=True))


def take_due_step(job_id: int) -> None:
    """Take the job's next step towards its wanted state, after the caller has given up the runs of lost hosts."""
    with lock_alone(job_id) as mine:
        job = Job.objects.select_related("version", "cluster", "spark").filter(id=job_id).first() if mine else None
        if job is not None:
            _reconcile(job)


@contextmanager
def lock_alone(job_id: int, space: int = LOCK) -> Iterator[bool]:
    """Take Postgres' advisory lock of a job, and yield whether it was free. `space` keeps kinds of locks apart."""
    # of the session, not of a transaction: a deploy takes seconds, and a transaction would hold back vacuum meanwhile.
    # Postgres frees it with the connection if this process dies
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [space, job_id])
        mine: bool = cursor.fetchone()[0]
        try:
            yield mine
        finally:
            if mine:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [space, job_id])


def _reconcile(job: Job) -> None:
    live = job.find_live_run()
    if live is not None:  # its supervisor ends it after a batch, and a later look starts the next one
        _stop_if_unwanted(job, live)
    elif job.desired == Desired.RUNNING and not job.blocked:
        _run(job)


def _stop_if_unwanted(job: Job, run: Run) -> None:
    """Asks a live run to stop if no one wants it."""
    if job.desired == Desired.STOPPED:
        ask_to_stop(run, StopReason.STOPPED)
    elif run.revision != job.revision:
        ask_to_stop(run, StopReason.REDEPLOYED)


def _run(job: Job) -> None:
    """Starts the next run of a job: with the plan of the last one if the user has asked for nothing since."""
    last = job.find_last_run()
    try:
        if last is not None and last.revision == job.revision:
            start_again(last, hosts.choose_next_host(last))
        else:
            _start_asked(job, last)
    except Refusal as refusal:
        _note_refusal(job, refusal)


def _start_asked(job: Job, last: Run | None) -> None:
    """Starts the first run of the user's newest request: of a way back, or of a deploy."""
    _refuse_silent(job.cluster)
    taken = find_taken_over(job)
    if last is not None and taken is not None and taken.takes_over is not None and taken.takes_over.epoch != last.epoch:
        start(job, take_over(job, taken, last), hosts.choose_next_host(last))
    else:
        _deploy(job, last)


def _refuse_silent(cluster: Cluster) -> None:
    """Raises KafkaUnreachable while a cluster is known not to answer.

    Each question to it would take seconds. Together, the jobs that wait for it would hold up those of other clusters.
    """
    if cluster.silent_since is not None:
        raise KafkaUnreachable(cluster.silence["why"], cluster.silence["hint"])


def _deploy(job: Job, last: Run | None) -> None:
    """Facts → plan → commit → start. Only `commit` changes anything outside Postgres."""
    # a restart keeps the schemas of its sinks, so that it needs no registry
    facts = collect_facts(job.version, Target.of(job), is_deploy=job.find_last_start() != Act.RESTART)
    next_plan = make_plan(facts)
    plan = commit(job, facts, next_plan)
    start(job, plan, hosts.choose_next_host(last))


def _note_refusal(job: Job, refusal: Refusal) -> None:
    """The next beat retries after an outage. A problem that a user must fix blocks the job. So does a broken disk."""
    if refusal.status == 503 and refusal.code != DiskBroken.code:
        Job.objects.filter(id=job.id, revision=job.revision).update(problem=refusal.to_json())
        log.warning("%s: %s", job, refusal.message)
    else:
        give_up(job, refusal.to_json())
