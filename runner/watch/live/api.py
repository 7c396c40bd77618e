"""Live numbers over HTTP: the same state the websocket begins with, for healing a gap and for charts.

The schemas describe these answers and do not check them, as with the websocket.
"""

from __future__ import annotations

from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse

from designer.projects.permissions import find_projects_seen
from designer.projects.requests import get_user
from designer.projects.roles import ANY_ACCOUNT, VIEWER
from designer.projects.routing import Router
from runner.control.jobs.models import Job
from runner.control.jobs.services import get_job
from runner.watch.live import snapshot
from runner.watch.live.messages import Point, Snapshot

router = Router(tags=["live"])


@router.get("/live", needs=ANY_ACCOUNT, response=list[Snapshot], summary="The live state of every job")
def live_jobs(request: HttpRequest) -> HttpResponse:
    jobs = Job.objects.filter(topology__project__in=find_projects_seen(get_user(request)))
    return _send_unchecked(snapshot.read_all(list(jobs.order_by("name"))))


@router.get(
    "/jobs/{job_id}/live",
    needs=VIEWER,
    response=Snapshot,
    summary="The live state of one job, as the websocket's snapshot",
)
def live_job(request: HttpRequest, job_id: int) -> HttpResponse:
    return _send_unchecked(snapshot.read(get_job(job_id)))


@router.get(
    "/jobs/{job_id}/history",
    needs=VIEWER,
    response=list[Point],
    summary="Throughput, lag and latency of the last hour, a point every 2 s",
)
def job_history(request: HttpRequest, job_id: int) -> HttpResponse:
    return _send_unchecked(snapshot.read_history(get_job(job_id).id))


def _send_unchecked(answer: Any) -> HttpResponse:
    return HttpResponse(orjson.dumps(answer), content_type="application/json")
