"""Periodic tasks go on, whatever happens to the clock of the host."""

from __future__ import annotations

from datetime import timedelta

from celery.beat import ScheduleEntry
from django.conf import settings

from runner.steady_clock import read_steady_time
from runner.watch.redis_client import get_redis
from webapp.beat import MOST_WAITING, Scheduler
from webapp.celery import app
from webapp.periodic import Every


def test_all_tasks_are_due_by_a_clock_that_nobody_can_set() -> None:
    assert all(isinstance(each["schedule"], Every) for each in settings.CELERY_BEAT_SCHEDULE.values())


def test_a_task_is_due_when_its_time_is_over() -> None:
    every = Every(5.0)

    assert every.is_due(read_steady_time() - timedelta(seconds=6)) == (True, 5.0)
    is_due, seconds = every.is_due(read_steady_time() - timedelta(seconds=1))
    assert not is_due
    assert 3.5 < seconds < 4.1


def test_a_task_whose_last_run_was_noted_by_a_later_clock_is_due_at_once() -> None:
    assert Every(5.0).is_due(read_steady_time() + timedelta(days=1)).is_due


def test_beat_orders_tasks_by_the_same_clock() -> None:
    entry = ScheduleEntry("look", "alerts.look", schedule=Every(5.0), app=app)

    assert entry.default_now() - read_steady_time() < timedelta(seconds=1)


def test_no_task_is_asked_for_while_no_worker_takes_those_before(redis_url: str) -> None:
    queue, waiting = get_redis(1.0), app.conf.task_default_queue
    queue.delete(waiting)
    queue.rpush(waiting, *["a task"] * MOST_WAITING)
    scheduler = Scheduler(app=app, lazy=True)
    entry = ScheduleEntry("look", "alerts.look", schedule=Every(5.0), app=app)

    with app.connection_for_write(settings.REDIS_URL) as connection, app.amqp.Producer(connection) as producer:
        scheduler.apply_async(entry, producer, advance=False)
        assert queue.llen(waiting) == MOST_WAITING
        queue.ltrim(waiting, 0, 0)
        scheduler.apply_async(entry, producer, advance=False)

    assert queue.llen(waiting) == 2
    queue.delete(waiting)
