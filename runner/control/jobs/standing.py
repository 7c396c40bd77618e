"""How a job stands, in one value: what is wanted, what is so, and why not."""

from __future__ import annotations

from typing import Any

from runner.control.jobs.models import Job


def standing(job: Job) -> dict[str, Any]:
    """The job's status with its newest run; `failure` is that run's, `problem` the job's."""
    run = job.last_run()
    return {
        "job": job.id,
        "status": job.status(),
        "desired": job.desired,
        "blocked": job.blocked,
        "problem": job.problem,
        "version": job.version_id,
        "running_version": run.version_id if run else None,
        "epoch": job.epoch,
        "run": run.id if run else None,
        "generation": run.generation if run else None,
        "stop_reason": run.stop_reason if run else "",
        "steps": run.steps if run else [],
        "failure": run.failure if run else None,
        "start_after": run.start_after.isoformat() if run and run.status == "starting" else None,
        "started_at": run.started_at.isoformat() if run and run.started_at else None,
        "ended_at": run.ended_at.isoformat() if run and run.ended_at else None,
    }
