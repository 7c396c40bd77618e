"""Live numbers over HTTP: the same state the websocket begins with, for healing a gap and for charts."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router

from runner.control.jobs.models import Job
from runner.control.jobs.services import job_of
from runner.watch.live import snapshot

router = Router(tags=["live"])


@router.get("/live", response=list[dict[str, Any]], summary="The live state of every job")
def live_jobs(request: HttpRequest) -> list[dict[str, Any]]:
    return [snapshot.read(job) for job in Job.objects.order_by("name")]


@router.get(
    "/jobs/{job_id}/live", response=dict[str, Any], summary="The live state of one job, as the websocket's snapshot"
)
def live_job(request: HttpRequest, job_id: int) -> dict[str, Any]:
    return snapshot.read(job_of(job_id))


@router.get(
    "/jobs/{job_id}/history",
    response=list[dict[str, Any]],
    summary="Throughput, lag and latency of the last hour, a point every 2 s",
)
def job_history(request: HttpRequest, job_id: int) -> list[dict[str, Any]]:
    return snapshot.history(job_of(job_id).id)
