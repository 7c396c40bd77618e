"""Errors that nobody foresaw: live numbers go on after them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from runner.control.jobs.models import Job
from runner.watch.live import snapshot
from runner.watch.live.events import make_progress_event
from runner.watch.live.outbox import LiveOutbox, LiveUpdate
from runner.watch.live.reporter import repeat
from tests.patience import wait_until


def test_an_error_does_not_end_what_is_repeated_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    stopping, calls = threading.Event(), list[int]()

    def act() -> None:
        calls.append(len(calls))
        if len(calls) == 4:
            stopping.set()
        elif len(calls) < 4:
            raise KeyError("orders")

    repeat(act, stopping, 0.0, "The lag is not known")

    assert calls == [0, 1, 2, 3]
    assert [record.getMessage() for record in caplog.records] == ["The lag is not known: 'orders'"]


def test_an_update_that_cannot_be_written_does_not_end_the_others(job: Job, redis_url: str) -> None:
    outbox = LiveOutbox()
    unwritable: Any = {"nodes": {}, "sources": {}, "at": 2**70}  # it has 64 bits
    numbers: Any = {"nodes": {}, "sources": {}, "at": 1}

    outbox.post(LiveUpdate(job.id, make_progress_event({}), unwritable))
    outbox.post(LiveUpdate(job.id, make_progress_event({}), numbers))
    wait_until(lambda: snapshot.read(job)["numbers"] == numbers)
    outbox.close()
