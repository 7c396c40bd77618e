"""Stores a job's numbers, and reads them for a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Literal, NamedTuple

from django.db.models import Max

from runner.control.jobs.models import Job, Run
from runner.control.jobs.reconciling import lock_alone
from runner.watch.history.models import HistoryRow, Step
from runner.watch.history.rows import Line, Row, count_nodes, make_job_lines, make_node_lines, make_row, merge
from runner.watch.live import snapshot
from runner.watch.live.messages import Point

LOCK = 0x53_5A
DAY = timedelta(days=1)
RETENTION = {Step.MINUTE: timedelta(hours=32), Step.TEN_MINUTES: timedelta(days=8, hours=1)}
"""Long enough for the day before the longest range with these steps."""
Range = Literal["hour", "six_hours", "day", "week"]
RANGES: dict[Range, tuple[timedelta, Step]] = {
    "hour": (timedelta(hours=1), Step.MINUTE),
    "six_hours": (timedelta(hours=6), Step.MINUTE),
    "day": (DAY, Step.TEN_MINUTES),
    "week": (timedelta(days=7), Step.TEN_MINUTES),
}


class Mark(NamedTuple):
    """An event of the job."""

    at: datetime
    text: str


class Lines(NamedTuple):
    """Numbers by name, on a time axis of even steps. `before` are those of a day earlier, if requested."""

    step: int
    at: list[datetime]
    lines: dict[str, Line]
    before: dict[str, Line] | None
    marks: list[Mark]


def keep(now: datetime) -> None:
    """Record each finished minute, and each ten. Delete old rows. Only one process at a time does it."""
    with lock_alone(0, LOCK) as mine:
        if not mine:
            return
        for step in Step:
            _make_room(step, now)
        jobs = list(Job.objects.all())
        _keep_minutes(jobs, now)
        _keep_ten_minutes(jobs, now)
        for step, retention in RETENTION.items():
            HistoryRow.objects.filter(step=step, at__lt=now - retention).delete()


def read_lines(job: Job, span: Range, node: str, now: datetime, *, has_before: bool) -> Lines:
    """The lines of a job, or of one of its nodes, up to now."""
    length, step = RANGES[span]
    end = _round_down(now, step)
    at = [end - length + timedelta(seconds=step * place) for place in range(int(length.total_seconds()) // step)]
    before = _read(job, step, [each - DAY for each in at], node) if has_before else None
    return Lines(step, at, _read(job, step, at, node), before, list(_read_marks(job, at[0])))


def _read(job: Job, step: Step, at: Sequence[datetime], node: str) -> dict[str, Line]:
    history_rows = HistoryRow.objects.filter(job=job, step=step, at__gte=at[0], at__lte=at[-1])
    rows: dict[datetime, Row] = dict(history_rows.values_list("at", "values"))
    ordered_rows = [rows.get(each) for each in at]
    return make_node_lines(ordered_rows, node) if node else make_job_lines(ordered_rows)


def _make_room(step: Step, now: datetime) -> None:
    """Delete the rows of the step that is not over yet, and of the next one, in case that a beat is missed.

    They are from before the clock was set back, and would keep out the rows to come. Later rows stay until their time
    comes again: they are right if the clock is set forward before that.
    """
    running = _round_down(now, step)
    HistoryRow.objects.filter(step=step, at__gte=running, at__lt=running + timedelta(seconds=2 * step)).delete()


def _find_newest(step: Step, now: datetime) -> dict[int, datetime]:
    rows = HistoryRow.objects.filter(step=step, at__lte=now).values_list("job")
    return dict(rows.annotate(newest=Max("at")))


def _keep_minutes(jobs: Sequence[Job], now: datetime) -> None:
    """From the points of the last hour, so that a missed beat leaves no gap."""
    over, newest = _round_down(now, Step.MINUTE), _find_newest(Step.MINUTE, now)
    minutes = {job: found for job in jobs if (found := _read_minutes(job, newest.get(job.id), over))}
    rows = list[HistoryRow]()
    for (job, found), state in zip(minutes.items(), snapshot.read_all(list(minutes)), strict=True):
        numbers, (last, _) = state["numbers"], found[-1]
        counts = None if numbers is None or state["is_stale"] else count_nodes(numbers)
        for at, points in found:
            values = make_row(points, counts if at == last else None)
            rows.append(HistoryRow(job=job, step=Step.MINUTE, at=at, values=values))
    _write(rows)


def _read_minutes(job: Job, newest: datetime | None, over: datetime) -> list[tuple[datetime, list[Point]]]:
    """The points of each minute after the newest row, oldest first."""
    points = snapshot.read_history(job.id)
    groups = groupby(points, lambda point: _round_down(_make_time(point["at"]), Step.MINUTE))
    return [(at, list(group)) for at, group in groups if at < over and (newest is None or at > newest)]


def _keep_ten_minutes(jobs: Sequence[Job], now: datetime) -> None:
    """From the rows of minutes. Only jobs with newer ones since their last ten minutes are asked for."""
    over, length = _round_down(now, Step.TEN_MINUTES), timedelta(seconds=Step.TEN_MINUTES)
    minutes, newest = _find_newest(Step.MINUTE, now), _find_newest(Step.TEN_MINUTES, now)
    rows = list[HistoryRow]()
    for job in jobs:
        since = newest[job.id] + length if job.id in newest else now - RETENTION[Step.MINUTE]
        if job.id not in minutes or minutes[job.id] < since or since >= over:
            continue
        of_job = HistoryRow.objects.filter(job=job, step=Step.MINUTE, at__gte=since, at__lt=over).order_by("at")
        groups = groupby(of_job.values_list("at", "values"), lambda row: _round_down(row[0], Step.TEN_MINUTES))
        for at, group in groups:
            values = merge([values for _, values in group])
            rows.append(HistoryRow(job=job, step=Step.TEN_MINUTES, at=at, values=values))
    _write(rows)


def _write(rows: Sequence[HistoryRow]) -> None:
    HistoryRow.objects.bulk_create(rows, ignore_conflicts=True)


def _read_marks(job: Job, since: datetime) -> Iterator[Mark]:
    """The starts of its runs: by a deploy, by a user, or automatic ones after an unrequested end."""
    members = ("created_at", "status", "revision", "generation", "version__number")  # a plan is large
    runs = job.runs.select_related("version").only(*members).order_by("generation")
    before = runs.filter(created_at__lt=since).last()
    for run in runs.filter(created_at__gte=since):
        yield Mark(run.created_at, _describe_start(before, run))
        before = run


def _describe_start(before: Run | None, run: Run) -> str:
    if before is None or before.version_id != run.version_id:
        return f"Version {run.version.number} deployed"
    if before.revision != run.revision:
        return "Restarted"
    return "Failed and restarted" if before.status == "failed" else "Started again"


def _round_down(at: datetime, step: Step) -> datetime:
    return datetime.fromtimestamp(at.timestamp() // step * step, UTC)


def _make_time(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1_000, UTC)
