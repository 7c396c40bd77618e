"""Begins the next run of a job, asks a run to stop, and fails the runs of lost hosts. Every write of these is here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import takewhile
from typing import cast

from django.db import transaction
from django.db.models import F, Max, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import Now, RowNumber

from runner.control.codes import ControlCode
from runner.control.jobs import hosts, restart_policy
from runner.control.jobs.cut_overs import go_back_if_not_begun, note_start
from runner.control.jobs.database_clock import database_clock
from runner.control.jobs.lifecycle import LEASE, move, send_after_commit
from runner.control.jobs.models import CutOver, Desired, Job, Run
from runner.control.jobs.notify import notify_agents
from runner.control.jobs.statuses import LIVE, OnState, Status, Step, StopReason, make_step
from runner.plan import Plan
from runner.spark.events import FailureCause

MARGIN = timedelta(seconds=5)
"""How long after its lease a supervisor on a host without an agent may still be ending its run."""
KEPT_RUNS = 100
"""The newest runs of each job stay as they are: pages list so many, and the restart policy reads the last of them."""
KEPT_DAYS = timedelta(days=9)
"""Younger runs stay, without their plans: the charts of a job mark the starts of the last week and the day before."""
FORGOTTEN_AT_ONCE = 1_000
MAX_DELAY = timedelta(seconds=2 * restart_policy.MAX_SECONDS)
"""No run waits longer for its start."""


def ask_to_stop(run: Run, reason: StopReason) -> None:
    """Ask the supervisor of a run to finish its batch and end. It looks each second. The first reason stays."""
    Run.objects.filter(id=run.id, stop_reason="", status__in=LIVE).update(stop_reason=reason)


def ask_to_kill(run: Run) -> None:
    """Ask the agent of its host to kill a run, as a crash would. The job continues with the next run."""
    Run.objects.filter(id=run.id, status__in=LIVE).update(kill_asked=True)
    notify_agents()


def give_up_lost() -> None:
    """Fail the runs of lost hosts, so that another host takes their jobs over.

    0. While Postgres' clock was set a moment ago, nothing is judged. What dead hosts wrote by the later time is taken
       back to now, so that it ends as usual.
    1. A host counts as lost once its agent was silent for ten seconds (`hosts.SILENCE`). Its runs may still work.
    2. Wait until the lease of each run is over, and some seconds more. By then its supervisor has killed the child, or
       the child has stopped by itself. A run that no process has taken needs no wait.
    3. Move the run to failed. From here on no supervisor can claim or renew it.
    4. `start_again` begins the next run on a host that sees the checkpoint (`hosts.choose_next_host`). Without one the
       job waits for its host.
    5. The new run fences the writers of the old one before it reads the marker or the checkpoint (`Writer.open`).

    Each host and each worker does 1 to 4, and any of them may die in between: the rows in Postgres say how far it is,
    and only one can move a run or begin the next one. If the lost host lives after all, cut off from Postgres, 2 keeps
    it from beginning a batch and 5 from committing one. `test_hosts.py` shows it
    (`test_the_job_of_a_host_that_is_gone_goes_on_at_another_when_its_lease_is_over`,
    `test_a_job_whose_checkpoint_only_its_host_has_waits_for_it`), and `tests/soak/hosts.py` cuts off and kills hosts.
    """
    if database_clock.was_set():  # 0
        hosts.take_back_beats()
        Run.objects.filter(status__in=LIVE, pid__isnull=False, lease_until__gt=Now() + LEASE).update(
            lease_until=Now() + LEASE
        )
        Run.objects.filter(status__in=LIVE, pid=None, start_after__gt=Now() + MAX_DELAY).update(start_after=Now())
        return
    lost_runs = Run.objects.filter(status__in=LIVE).exclude(host__in=hosts.find_living_hosts().values("name"))  # 1
    for run in lost_runs.filter(Q(pid=None) | Q(lease_until__lt=Now() - MARGIN)).select_related("job"):  # 2
        if run.stop_reason:
            end_unstarted(run)
        move(run, Status.FAILED, failure=_make_failure_of_host(run))  # 3


def end_unstarted(run: Run) -> None:
    """Ends a run that no process ever took and that was asked to stop."""
    rows = Run.objects.filter(id=run.id, pid=None, status__in=(Status.STARTING, Status.STOPPING))
    if rows.update(status=Status.STOPPING):  # no supervisor can claim it now
        move(run, Status.STOPPED)


@transaction.atomic
def start(job: Job, plan: Plan, host: str, seconds: float = 0.0) -> Run | None:
    """Create the next run of a job, which the agent of `host` starts in `seconds`.

    Return None if it is no longer wanted: the job was stopped, changed, blocked or deleted meanwhile, or has a live
    run.
    """
    # a plan was made for `job` as it was read, perhaps seconds ago: only the locked row says whether it is still wanted
    locked_job = Job.objects.select_for_update().filter(id=job.id).first()
    if locked_job is None or not _wants_a_run(locked_job, job.revision):
        return None
    note_start(locked_job, plan, locked_job.find_last_run())
    locked_job.generation += 1
    locked_job.epoch, locked_job.tasks = plan.epoch, plan.tasks
    # the choice of a user is for this run alone: a restart by itself must never empty state again
    locked_job.problem, locked_job.on_state = None, OnState.KEEP
    locked_job.save(update_fields=["generation", "epoch", "tasks", "problem", "on_state"])
    run = Run.objects.create(
        job=locked_job,
        version_id=locked_job.version_id,
        revision=locked_job.revision,
        generation=locked_job.generation,
        epoch=plan.epoch,
        cluster_id=locked_job.cluster_id,
        spark_id=locked_job.spark_id,
        plan=plan.model_copy(update={"generation": locked_job.generation}).to_stored(),
        host=host,
        start_after=Now() + timedelta(seconds=seconds),
        # never null, so a run whose agent dies before it starts a supervisor is given up like any other
        lease_until=Now() + timedelta(seconds=seconds + 60),
        steps=[make_step(Step.SESSION)],
    )
    run.refresh_from_db()
    send_after_commit(locked_job.id)
    notify_agents()
    return run


@transaction.atomic
def start_again(last: Run, host: str) -> Run | None:
    """Create the run after `last` with the same plan. It waits first if the last one failed (`restart_policy`), and
    reads smaller batches if that may help.

    If the policy gives up, so does the job (`give_up`). Needs neither Celery nor Redis nor Kafka, so a job comes back
    while these are down.
    """
    job = Job.objects.select_for_update().annotate(now=Now()).filter(id=last.job_id).first()
    # an agent's `last` may be old: it is followed only while it is the newest run of the newest request
    if (
        job is None
        or job.revision != last.revision
        or job.generation != last.generation
        or not _wants_a_run(job, last.revision)
    ):
        return None
    now, failed_runs = job.now, list_failed_runs(job)  # by the clock that wrote when they failed
    # a user who kills a run wants the next one at once, however often
    fell = last.status == Status.FAILED and not last.kill_asked
    reason = restart_policy.give_up(failed_runs, now) if fell else None
    if reason is not None:
        give_up(job, {**failed_runs[0].failure, "given_up": reason})
        return None
    delay, plan = 0.0, last.read_current_plan()
    if fell:
        delay = restart_policy.choose_delay_seconds(failed_runs, now)
        plan = plan.model_copy(update={"batch_divisor": restart_policy.choose_batch_divisor(failed_runs)})
    return start(job, plan, host, delay)


def give_up(job: Job, problem: Mapping[str, object]) -> None:
    """Begin no further run for the newest request: the version before a cut over runs again, or the job is blocked."""
    if not go_back_if_not_begun(job, problem):
        block(job, problem)


def block(job: Job, problem: Mapping[str, object]) -> None:
    """Let the job have no run until a user deploys or restarts it. `problem` says why."""
    Job.objects.filter(id=job.id, revision=job.revision).update(blocked=True, problem=problem)
    send_after_commit(job.id)


def forget_old_runs() -> None:
    """Remove the plans of old runs, and the runs themselves, as far as nobody reads them any more.

    A run of a job that fails for an hour is one of hundreds, each with a whole plan. All of these stay as they are:

    1. The newest runs of each job (`KEPT_RUNS`): for pages, the restart policy and agents.
    2. The newest run of each request of an epoch that goes on or that a cut over names, and of the request before the
       newest one. All runs of a request have the same plan, so kept batches find here what executed them
       (`KeptPast.with_plan`), and a cut over that did not begin what ran before it (`cut_overs.go_back_if_not_begun`).
    3. Runs that a cut over names: the way back takes their plans.
    4. The first run of a job, which says what it has adopted.

    Of the others, the plan goes. A run goes once it is too old for the charts (`KEPT_DAYS`), unless it is the newest of
    its request that has started, or that has committed a batch: these say that an epoch has begun. The run before the
    oldest one in the charts stays, because it says why that was started. Agents remove the logs of runs that are gone.
    """
    for job in Job.objects.filter(generation__gt=KEPT_RUNS):
        _forget_runs_of(job)


def _forget_runs_of(job: Job) -> None:
    runs = Run.objects.filter(job=job)
    of_cut_overs = CutOver.objects.filter(job=job).values_list("kept", "takes_over")
    named = runs.filter(id__in={run for pair in of_cut_overs for run in pair if run is not None})
    of_epochs = runs.filter(epoch__in={job.epoch, *named.values_list("epoch", flat=True)})
    earlier = runs.exclude(revision=job.revision).aggregate(newest=Max("generation"))["newest"]
    newest = _find_newest(of_epochs) | ({earlier} if earlier else set())
    committed, started = of_epochs.filter(last_batch__isnull=False), of_epochs.filter(started_at__isnull=False)
    needed = _find_newest(committed) | _find_newest(started)
    old = runs.filter(generation__gt=1, generation__lte=job.generation - KEPT_RUNS).exclude(status__in=LIVE)
    old = old.exclude(generation__in=newest | set(named.values_list("generation", flat=True)))
    old.exclude(plan={}).update(plan={})
    before = runs.filter(created_at__lt=Now() - KEPT_DAYS).aggregate(newest=Max("generation"))["newest"] or 0
    gone = old.filter(generation__lt=before).exclude(generation__in=needed)
    while ids := list(gone.values_list("id", flat=True)[:FORGOTTEN_AT_ONCE]):
        Run.objects.filter(id__in=ids).only("id").delete()


def _find_newest(runs: QuerySet[Run]) -> set[int]:
    """The generation of the newest of these runs for each request."""
    return set(runs.values("revision").annotate(newest=Max("generation")).values_list("newest", flat=True))


def _make_failure_of_host(run: Run) -> FailureCause:
    return {
        "code": ControlCode.HOST_LOST,
        "message": f"The host `{run.host}` no longer has an agent, and the run's lease expired.",
        "hint": "Another host continues the job if all hosts see its checkpoint.",
        "node": None,
        "batch": run.last_batch,
        "offsets": run.offsets,
        "traceback": "",
        "retriable": True,
    }


def _wants_a_run(job: Job, revision: int) -> bool:
    is_wanted = job.desired == Desired.RUNNING and job.revision == revision and not job.blocked
    return is_wanted and job.find_live_run() is None


def find_last_runs(jobs: Iterable[Job], *, has_plans: bool = True) -> dict[int, Run]:
    """Return the newest run of each job by the id of the job, with one query. A job without a run is left out.

    A plan takes a millisecond to read: who needs none leaves them out.
    """
    jobs_by_id = {job.id: job for job in jobs}
    newest = Run.objects.filter(job=OuterRef("pk")).order_by("-generation").values("pk")[:1]
    ids = Job.objects.filter(id__in=jobs_by_id).values_list(Subquery(newest), flat=True)
    found = Run.objects.filter(id__in=ids)
    runs = {run.job_id: run for run in (found if has_plans else found.defer("plan"))}
    for job_id, run in runs.items():
        run.job = jobs_by_id[job_id]
    return runs


def find_batch_divisors(runs: Iterable[Run]) -> dict[int, int]:
    """Return the `Plan.batch_divisor` of each run by its id, with one query, which reads no whole plan."""
    found = Run.objects.filter(id__in=[run.id for run in runs])
    return {run: divisor or 1 for run, divisor in found.values_list("id", "plan__batch_divisor")}


def list_failed_runs(job: Job) -> list[restart_policy.FailedRun]:
    """Return the failed runs since the last one that ended in order, newest first.

    Only those since the user's last deploy or restart count. Runs that a user killed do not, nor does a live one.
    """
    return list_all_failed_runs([job])[job.id]


def list_all_failed_runs(jobs: Sequence[Job]) -> dict[int, list[restart_policy.FailedRun]]:
    """Return what `list_failed_runs` returns for each of several jobs, by the id of the job, with two queries."""
    place = Window(RowNumber(), partition_by="job", order_by=F("generation").desc())
    ended = Run.objects.filter(job__in=jobs, revision=F("job__revision"), kill_asked=False).exclude(status__in=LIVE)
    newest = ended.annotate(place=place).filter(place__lte=restart_policy.MAX_FAILURES + restart_policy.SAME_BATCH)
    runs = list(newest.defer("plan").order_by("-generation")) if jobs else []
    divisors = find_batch_divisors(runs) if runs else {}
    return {job.id: _judge([run for run in runs if run.job_id == job.id], divisors) for job in jobs}


def _judge(runs: Iterable[Run], divisors: Mapping[int, int]) -> list[restart_policy.FailedRun]:
    """Return the failures among the ended runs of a request that no success follows. Newest first, both."""
    failures = list(takewhile(lambda run: run.status == Status.FAILED, runs))
    failed_runs: list[restart_policy.FailedRun] = []
    furthest = -1
    for run in reversed(failures):
        batch = -1 if run.last_batch is None else run.last_batch
        failed_runs.insert(
            0,
            restart_policy.FailedRun(
                run.ended_at or run.created_at,
                cast(restart_policy.StoredFailure, run.failure or {}),
                made_progress=batch > furthest,
                came_up=run.has_come_up(),
                batch_divisor=divisors[run.id],
            ),
        )
        furthest = max(furthest, batch)
    return failed_runs
