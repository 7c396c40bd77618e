"""The status of a job in one value: the wanted state, the actual state, and the reason for a difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from designer.projects.schemas import RefusalOut
from runner.control.jobs import restart_policy
from runner.control.jobs.models import Desired, Job, Run
from runner.control.jobs.runs import find_batch_divisors, find_last_runs, list_all_failed_runs
from runner.control.jobs.statuses import LIVE, StartStep, Status, Step, StopReason
from runner.spark.events import LostExecutor


class Cause(RefusalOut):
    """Why a run failed, or why a job cannot have one. `given_up` says why no run is tried any more.

    Causes that earlier versions kept may have other members, which the API leaves out.
    """

    batch: NotRequired[int | None]
    offsets: NotRequired[dict[str, list[int]] | None]
    traceback: NotRequired[str]
    retriable: NotRequired[bool]
    given_up: NotRequired[str]


class ExecutorLoss(LostExecutor):
    """A lost executor in words: `title` says which host lost it and why, `text` what that cost and the next step."""

    title: str
    text: str


class JobStatus(TypedDict):
    """What should happen to a job, what happens, and why these differ. Members from `run` on are of its newest run.

    Times are ISO 8601.
    """

    job: int
    status: Status
    desired: Desired
    is_blocked: Annotated[bool, Field(description="No run starts until a user deploys or restarts the job.")]
    problem: Annotated[Cause | None, Field(description="Why the job has no run, although it should.")]
    version: Annotated[int, Field(description="The version that should run.")]
    running_version: Annotated[int | None, Field(description="The version of the newest run.")]
    epoch: int
    run: int | None
    generation: Annotated[int | None, Field(description="The number of the run among those of the job.")]
    host: str
    stop_reason: StopReason
    steps: list[StartStep]
    lost_executors: list[ExecutorLoss]
    failure: Cause | None
    last_failure: Annotated[
        Cause | None,
        Field(
            description="Why the run before it failed. Null once this one has committed a batch, or found nothing to "
            "read."
        ),
    ]
    failed_runs: Annotated[
        int,
        Field(
            description="Number of runs that failed in a row without committing a batch. 0 once a run has come up. "
            "From two on, the job is failing."
        ),
    ]
    batch_divisor: Annotated[
        int,
        Field(
            description="The run reads batches of one part of so many of what the settings allow, because runs before "
            "it had no memory left, or were too slow to write a batch. 1: whole batches."
        ),
    ]
    start_after: Annotated[str | None, Field(description="When a starting run may begin. Null once it has begun.")]
    started_at: str | None
    ended_at: str | None


def find_job_status(job: Job) -> JobStatus:
    """The job's status with its newest run."""
    return find_job_statuses([job])[0]


def find_job_statuses(jobs: Sequence[Job]) -> list[JobStatus]:
    """The statuses of several jobs, in the same order, with the same few queries however many jobs fail.

    Only a job that tries again takes one more.
    """
    last_runs = find_last_runs(jobs, has_plans=False)
    divisors = find_batch_divisors(last_runs.values())
    failing = [job for job in jobs if job.id in last_runs and _may_fail(job, last_runs[job.id])]
    failed_runs = list_all_failed_runs(failing)

    def describe(job: Job) -> JobStatus:
        run = last_runs.get(job.id)
        in_a_row = restart_policy.count_in_a_row(failed_runs.get(job.id, []))
        return _describe_status(job, run, in_a_row, divisors.get(run.id, 1) if run else 1)

    return [describe(job) for job in jobs]


def _describe_status(job: Job, run: Run | None, failed_runs: int, batch_divisor: int) -> JobStatus:
    return {
        "job": job.id,
        "status": Status(job.find_status(run)),
        "desired": Desired(job.desired),
        "is_blocked": job.blocked,
        "problem": job.problem,
        "version": job.version_id,
        "running_version": run.version_id if run else None,
        "epoch": job.epoch,
        "run": run.id if run else None,
        "generation": run.generation if run else None,
        "host": run.host if run else "",
        "stop_reason": StopReason(run.stop_reason) if run else StopReason.NONE,
        "steps": run.steps if run else [],
        "lost_executors": [describe_loss(loss) for loss in run.lost_executors] if run else [],
        "failure": run.failure if run else None,
        "last_failure": _find_last_failure(run) if run else None,
        "failed_runs": failed_runs,
        "batch_divisor": batch_divisor,
        "start_after": run.start_after.isoformat() if run and run.status == "starting" else None,
        "started_at": run.started_at.isoformat() if run and run.started_at else None,
        "ended_at": run.ended_at.isoformat() if run and run.ended_at else None,
    }


def describe_loss(loss: LostExecutor) -> ExecutorLoss:
    title = f"Host {loss['host']} lost an executor: {loss['reason'].strip().rstrip('.')}."
    return {**loss, "title": title, "text": " ".join(filter(None, (_describe_cost(loss), loss["hint"])))}


def _describe_cost(loss: LostExecutor) -> str:
    batch, took = loss["batch"], loss["took_ms"]
    if batch is None:
        return "The next batch builds its state again."
    if took is None:
        return f"Spark is running batch {batch:,} again."
    did = f"Spark ran batch {batch:,} again" if loss["again"] else f"Batch {batch:,} built its state again"
    cost = "" if loss["cost_ms"] is None else f", {_describe_duration(loss['cost_ms'])} longer than usual"
    return f"{did}. It took {_describe_duration(took)}{cost}."


def _describe_duration(ms: int) -> str:
    return f"{ms} ms" if ms < 1_000 else f"{ms / 1_000:,.1f} s"


def _find_last_failure(run: Run) -> Cause | None:
    """Why the previous run failed, while this one retries. Not after a user's request."""
    tries = run.status in LIVE and not run.stop_reason and run.steps and run.steps[-1]["step"] != Step.RUNNING
    if not tries:
        return None
    before = run.job.runs.filter(generation=run.generation - 1, revision=run.revision, kill_asked=False).first()
    return before.failure if before else None


def _may_fail(job: Job, run: Run) -> bool:
    """Whether the failures before its newest run count: the job should run, and that run has not come up."""
    if job.desired != Desired.RUNNING or run.revision != job.revision or run.stop_reason:
        return False
    return not (run.status in LIVE and run.has_come_up())
