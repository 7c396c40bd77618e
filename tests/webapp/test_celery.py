"""What Celery logs when Redis goes away: a line with the reason, since it tries again by itself."""

from __future__ import annotations

import logging

import pytest
from redis.exceptions import ConnectionError as RedisIsAway

import webapp.celery  # noqa: F401  (it sets up the loggers)

CONSUMER = logging.getLogger("celery.worker.consumer.consumer")


def test_a_redis_that_goes_away_is_told_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise RedisIsAway("Connection closed by server.")
    except RedisIsAway:
        CONSUMER.warning("Connection lost.\nTrying again", exc_info=True)

    assert caplog.messages == ["Connection lost. (Connection closed by server.)"]
    assert "Traceback" not in caplog.text


def test_any_other_error_keeps_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("ours")
    except ValueError:
        CONSUMER.warning("Something is wrong", exc_info=True)

    assert "Traceback" in caplog.text


@pytest.mark.parametrize("name", ["celery.beat", "celery.worker.strategy", "celery.app.trace"])
def test_a_task_that_goes_well_is_not_logged(name: str) -> None:
    assert not logging.getLogger(name).isEnabledFor(logging.INFO)
    assert logging.getLogger(name).isEnabledFor(logging.WARNING)
