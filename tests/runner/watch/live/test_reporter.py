"""Errors that nobody foresaw: live numbers go on after them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from confluent_kafka import Producer

from runner.control.jobs.models import Job, Run
from runner.kafka import KafkaCluster
from runner.plan import JobSettings, Plan, TopicFacts
from runner.watch.live import snapshot
from runner.watch.live.events import make_progress_event
from runner.watch.live.outbox import LiveOutbox, LiveUpdate
from runner.watch.live.reporter import Reporter, repeat
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


def test_records_count_as_waiting_before_the_first_batch_of_a_job_is_committed(
    job: Job, run_of: Callable[..., Run], cluster: KafkaCluster, topic: str, redis_url: str
) -> None:
    created = cluster.create(topic, 2)
    producer = Producer({"bootstrap.servers": cluster.servers})
    for key in "abc":
        producer.produce(topic, key=key, partition=1)
    producer.flush()
    plan = Plan(
        application_id=job.application_id,
        epoch=1,
        generation=1,
        graph={"nodes": [], "edges": []},
        schemas={},
        tasks=[],
        slots=1,
        settings=JobSettings.model_validate({}),
        topics={topic: TopicFacts(id=created.id, partitions=2, start=[-2, -2])},
        marker_topic="markers",
        checkpoint="/none",
        state_dir="",
        shared_shuffles=True,
    )
    run = run_of()
    run.cluster, run.plan = job.cluster, plan.to_stored()
    outbox = LiveOutbox()

    reporter = Reporter(run, outbox)

    def is_waiting() -> bool:
        numbers = snapshot.read(job)["numbers"]
        return numbers is not None and numbers["lag"] == 3 and numbers["uncommitted_s"] > 0

    try:
        wait_until(is_waiting)
    finally:
        reporter.close()
        outbox.close()
