"""From live points in Redis to rows in Postgres, and over HTTP."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from runner.control.jobs.models import Job, Run
from runner.watch.history.models import HistoryRow, Step
from runner.watch.history.rows import make_row
from runner.watch.history.services import RETENTION, keep
from runner.watch.live.numbers import Numbers
from runner.watch.live.snapshot import make_history_key, make_key, make_point
from runner.watch.redis_client import get_redis

pytestmark = pytest.mark.services
NOW = datetime.now(UTC).replace(second=5, microsecond=0)


def live(job: Job, minutes: int, rate: float = 100) -> None:
    """A job that has reported for so long, as supervisors store it."""
    redis = get_redis(1.0)
    end = int(NOW.timestamp() * 1_000)
    begun = Numbers(["late"], ["flights"], end)
    begun.latency_ms = 250
    numbers = begun.to_json(end) | {"run": 1, "generation": 1}
    redis.hset(
        make_key(job.id),
        mapping={"numbers": orjson.dumps(numbers | {"at": int(datetime.now(UTC).timestamp() * 1_000)})},
    )
    for at in range(end - minutes * 60_000, end, 2_000):
        redis.rpush(make_history_key(job.id), orjson.dumps(make_point(numbers | {"at": at, "rate": rate})))


@pytest.fixture(autouse=True)
def empty(job: Job, redis_url: str) -> None:
    get_redis(1.0).delete(make_key(job.id), make_history_key(job.id))


def test_each_minute_that_is_over_is_kept_once(job: Job) -> None:
    live(job, 5)

    keep(NOW)
    keep(NOW)

    rows = HistoryRow.objects.filter(job=job, step=Step.MINUTE).order_by("at")
    assert rows.count() == 5, "the minute that runs is not over"
    assert {row.values["rate"] for row in rows} == {100}
    assert [row.values["counts"] is not None for row in rows] == [False] * (rows.count() - 1) + [True]


def test_ten_minutes_are_kept_when_they_are_over_and_old_rows_go(job: Job) -> None:
    live(job, 25)
    old = NOW - RETENTION[Step.MINUTE] - timedelta(minutes=1)
    HistoryRow.objects.create(job=job, step=Step.MINUTE, at=old, values={})

    keep(NOW)

    tens = HistoryRow.objects.filter(job=job, step=Step.TEN_MINUTES)
    assert tens.count() in (2, 3)
    assert all(row.at.minute % 10 == 0 and row.values["looks"] <= 300 for row in tens)
    assert not HistoryRow.objects.filter(at=old).exists()


def test_a_week_of_a_job_has_few_rows() -> None:
    assert sum(kept.total_seconds() / step for step, kept in RETENTION.items()) < 3_100


def test_a_chart_has_lines_marks_and_the_day_before(client: Client, job: Job, run_of: Callable[..., Run]) -> None:
    live(job, 5)
    keep(NOW)
    row = HistoryRow.objects.filter(step=Step.MINUTE).latest("at")
    HistoryRow.objects.create(job=job, step=Step.MINUTE, at=row.at - timedelta(days=1), values=row.values | {"rate": 7})
    first = run_of()
    Run.objects.filter(id=run_of().id).update(revision=2)

    found = client.get(f"/api/jobs/{job.id}/metrics?span=hour&has_before=true").json()

    assert (found["step"], len(found["at"]), len(found["lines"]["rate"])) == (60, 60, 60)
    assert 100 in found["lines"]["rate"] and max(filter(None, found["lines"]["latency_p95_ms"])) >= 250
    assert 7 in found["before"]["rate"]
    assert [mark["text"] for mark in found["marks"]] == [f"Version {first.version.number} deployed", "Restarted"]
    assert "dropped_per_s" in client.get(f"/api/jobs/{job.id}/metrics?span=week&node=late").json()["lines"]
    assert client.get(f"/api/jobs/{job.id}/metrics?span=year").status_code == 422


def test_the_csv_has_a_line_for_each_step(client: Client, job: Job) -> None:
    live(job, 3)
    keep(NOW)

    answer = client.get(f"/api/jobs/{job.id}/metrics.csv?span=hour")

    head, *lines = answer.content.decode().splitlines()
    assert head.startswith("time,rate,lag,")
    assert len(lines) == 60 and any(line.split(",")[1] == "100.0" for line in lines)
    assert answer["Content-Disposition"] == f'attachment; filename="{job.application_id}-hour.csv"'


def test_without_numbers_nothing_is_kept(job: Job) -> None:
    keep(NOW)

    assert not HistoryRow.objects.exists()


def test_minutes_that_a_beat_missed_are_kept_later(job: Job) -> None:
    live(job, 20)
    keep(NOW - timedelta(minutes=15))
    before = HistoryRow.objects.filter(step=Step.MINUTE).count()

    keep(NOW)

    assert before < HistoryRow.objects.filter(step=Step.MINUTE).count() >= 19


def test_more_jobs_take_no_more_queries(job: Job) -> None:
    def count_queries(*jobs: Job) -> int:
        HistoryRow.objects.all().delete()
        for each in jobs:
            live(each, 3)
            ten_minutes_ago = NOW - timedelta(minutes=NOW.minute % 10 + 10, seconds=NOW.second)
            HistoryRow.objects.create(job=each, step=Step.TEN_MINUTES, at=ten_minutes_ago, values={})
        with CaptureQueriesContext(connection) as queries:
            keep(NOW)
        return len(queries)

    others = [Job.objects.get(id=job.id) for _ in range(4)]
    alone = count_queries(job)
    for number, other in enumerate(others):
        other.pk, other.name, other.application_id = None, f"{job.name}-{number}", f"{job.name}-{number}"
        other.save()
        get_redis(1.0).delete(make_key(other.id), make_history_key(other.id))
    together = count_queries(job, *others)

    assert together == alone
    assert HistoryRow.objects.filter(step=Step.MINUTE).count() == 5 * 3


def test_rows_from_before_the_clock_was_set_back_stay_until_their_time_comes_again(job: Job) -> None:
    minute = NOW.replace(second=0)
    for ahead in range(-60, 60):
        at, nothing = minute + timedelta(minutes=ahead), make_row([], None)
        HistoryRow.objects.create(job=job, step=Step.MINUTE, at=at, values=nothing)
    live(job, 5)

    keep(NOW - timedelta(minutes=5))  # the clock says this now
    keep(NOW - timedelta(minutes=3))  # a beat is missed
    for left in (2, 1, 0):
        keep(NOW - timedelta(minutes=left))

    rows = HistoryRow.objects.filter(job=job, step=Step.MINUTE).order_by("at")
    looks = {(row.at - minute) // timedelta(minutes=1): row.values["looks"] for row in rows}
    assert [at for at, seen in looks.items() if seen] == [-5, -4, -3, -2, -1]
    assert [at for at, seen in looks.items() if not seen] == [*range(-60, -5), *range(2, 60)]
