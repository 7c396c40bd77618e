"""The numbers of a job over days, for charts and as CSV."""

from __future__ import annotations

import csv
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Schema

from designer.projects.roles import VIEWER
from designer.projects.routing import Router
from runner.control.jobs.services import get_job
from runner.watch.history.services import Range, read_lines

router = Router(tags=["live"])


class RunStartOut(Schema):
    """A start of a run: when, and why."""

    at: datetime
    text: str


class LinesOut(Schema):
    """Lines by name, a value for each of the times `at`; null if nothing is known. `before`: a day earlier."""

    step: int
    at: list[datetime]
    lines: dict[str, list[float | None]]
    before: dict[str, list[float | None]] | None
    marks: list[RunStartOut]


@router.get(
    "/jobs/{job_id}/metrics",
    needs=VIEWER,
    response=LinesOut,
    summary="Numbers of a job or of one of its nodes, for an hour up to a week",
)
def job_metrics(
    request: HttpRequest, job_id: int, span: Range = "hour", node: str = "", has_before: bool = False
) -> LinesOut:
    history = read_lines(get_job(job_id), span, node, timezone.now(), has_before=has_before)
    marks = [RunStartOut(at=mark.at, text=mark.text) for mark in history.marks]
    return LinesOut(step=history.step, at=history.at, lines=history.lines, before=history.before, marks=marks)


@router.get("/jobs/{job_id}/metrics.csv", needs=VIEWER, summary="Get the numbers of a job or node as CSV")
def job_metrics_csv(request: HttpRequest, job_id: int, span: Range = "hour", node: str = "") -> HttpResponse:
    job = get_job(job_id)
    history = read_lines(job, span, node, timezone.now(), has_before=False)
    name = "-".join(filter(None, (job.application_id, span)))
    answer = HttpResponse(
        content_type="text/csv", headers={"Content-Disposition": f'attachment; filename="{name}.csv"'}
    )
    writer = csv.writer(answer)
    writer.writerow(["time", *history.lines])
    for place, at in enumerate(history.at):
        values = [line[place] for line in history.lines.values()]
        writer.writerow([at.isoformat(), *("" if value is None else value for value in values)])
    return answer
