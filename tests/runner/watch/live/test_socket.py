"""The websocket of a job, against real Redis and Postgres."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
import redis
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.db import connections
from django.test import Client

from designer.projects.services import create_topology, create_version
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job
from runner.watch.live.events import make_progress_event
from runner.watch.live.messages import Point, Snapshot, StatusChanged
from runner.watch.live.outbox import LiveOutbox, LiveUpdate, get_outbox
from runner.watch.live.snapshot import make_key, read_clock
from tests.patience import PATIENCE_SECONDS
from tests.runner.watch.described import assert_described
from webapp.accounts.models import User
from webapp.asgi import application  # before a connection is made: it lets them be shared

NUMBERS = {"nodes": {"late": {"in": 1}}, "sources": {}, "batch": {}, "state": {"rows": 0, "bytes": 0}}


@pytest.fixture
def job(user: User, redis_url: str) -> Job:
    version = create_version(topology=create_topology(name="Flight delays", by=user), by=user)
    cluster = Cluster.objects.create(name="local", bootstrap_servers="127.0.0.1:9092")
    return Job.objects.create(
        name="flight-delays",
        application_id="flight-delays",
        topology=version.topology,
        version=version,
        cluster=cluster,
        created_by_id=user.pk,
        updated_by_id=user.pk,
    )


@pytest.fixture
def redis_client(redis_url: str) -> redis.Redis:
    return redis.Redis.from_url(redis_url)


def update(job: Job, records: int) -> LiveUpdate:
    numbers: Any = NUMBERS | {"at": read_clock(), "records_in": records}
    return LiveUpdate(job.id, make_progress_event({"records_in": records}), numbers)


@asynccontextmanager
async def socket(
    job_id: int, client: Client | None, origin: str = "http://localhost"
) -> AsyncIterator[ApplicationCommunicator]:
    """A browser's connection to the whole application: origin and login are checked as for anyone."""
    headers = [(b"origin", origin.encode()), (b"host", b"localhost")]
    if client is not None:
        headers.append((b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()))
    scope = {
        "type": "websocket",
        "path": f"/ws/jobs/{job_id}/",
        "headers": headers,
        "subprotocols": [],
        "query_string": b"",
    }
    communicator = ApplicationCommunicator(application, scope)
    await communicator.send_input({"type": "websocket.connect"})
    try:
        yield communicator
    finally:
        await communicator.send_input({"type": "websocket.disconnect", "code": 1000})
        await communicator.wait(PATIENCE_SECONDS)
        await sync_to_async(connections.close_all)()


async def answer(communicator: ApplicationCommunicator, seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
    found: dict[str, Any] = await communicator.receive_output(seconds)
    return found


async def next_event(communicator: ApplicationCommunicator) -> dict[str, Any]:
    """What the page is told next, once it is let in."""
    message = await answer(communicator)
    if message["type"] == "websocket.accept":
        message = await answer(communicator)
    found: dict[str, Any] = json.loads(message["text"])
    return found


async def test_the_snapshot_comes_first_then_events_that_follow_it(job: Job, client: Client) -> None:
    first = LiveOutbox()
    first.post(update(job, 10))
    await sync_to_async(first.close)(PATIENCE_SECONDS)
    async with socket(job.id, client) as communicator:
        snapshot = await next_event(communicator)
        (await sync_to_async(get_outbox)()).post(update(job, 20))
        event = await next_event(communicator)

    assert (snapshot["type"], snapshot["status"]) == ("snapshot", "starting")
    assert (snapshot["numbers"]["records_in"], snapshot["is_stale"]) == (10, False)
    assert (event["type"], event["numbers"]["records_in"]) == ("job.progressed", 20)
    assert event["sequence"] == snapshot["sequence"] + 1


async def test_a_gap_is_healed_over_http_and_by_the_socket_itself(
    job: Job, client: Client, redis_client: redis.Redis
) -> None:
    async with socket(job.id, client) as communicator:
        seen = await next_event(communicator)

        redis_client.flushall()  # forgets who watches, the numbers and the sequence
        get_outbox().post(update(job, 30))
        healed = await next_event(communicator)

    state = (await sync_to_async(client.get)(f"/api/jobs/{job.id}/live")).json()
    assert healed["type"] == "snapshot"
    assert healed["sequence"] > seen["sequence"] + 1
    assert healed["numbers"]["records_in"] == 30
    assert (state["sequence"], state["numbers"]) == (healed["sequence"], healed["numbers"])


async def test_numbers_that_are_no_longer_renewed_are_marked_stale(
    job: Job, client: Client, redis_client: redis.Redis
) -> None:
    old = NUMBERS | {"at": read_clock() - 60_000, "records_in": 5}
    redis_client.hset(make_key(job.id), mapping={"numbers": json.dumps(old), "sequence": 7})

    async with socket(job.id, client) as communicator:
        snapshot = await next_event(communicator)

    assert snapshot["is_stale"]
    assert snapshot["age_ms"] >= 60_000


async def test_a_change_of_status_reaches_the_socket(job: Job, client: Client, user: User) -> None:
    from runner.control.jobs.services import stop

    async with socket(job.id, client) as communicator:
        await next_event(communicator)

        await sync_to_async(stop)(job=job, by=user)
        event = await next_event(communicator)

    assert (event["type"], event["status"], event["desired"]) == ("run.status_changed", "stopped", "stopped")
    assert_described(event, by=StatusChanged)


async def test_without_a_login_the_socket_is_closed(job: Job) -> None:
    async with socket(job.id, None) as communicator:
        await answer(communicator)

        assert (await answer(communicator))["code"] == 4401


async def test_a_job_that_does_not_exist_closes_the_socket(job: Job, client: Client) -> None:
    async with socket(job.id + 1, client) as communicator:
        await answer(communicator)

        assert (await answer(communicator))["code"] == 4404


async def test_a_page_of_another_origin_cannot_listen(job: Job, client: Client) -> None:
    async with socket(job.id, client, origin="http://evil.example") as communicator:
        assert (await answer(communicator))["type"] == "websocket.close"


def test_without_redis_the_state_is_still_told_and_nobody_waits(
    job: Job, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")
    lonely = LiveOutbox()
    try:
        lonely.post(update(job, 1))
        state = client.get(f"/api/jobs/{job.id}/live").json()
    finally:
        lonely.close()

    assert (state["status"], state["numbers"], state["is_stale"]) == ("starting", None, True)
    assert_described(state, by=Snapshot)


def test_history_holds_points_of_the_last_hour(job: Job, client: Client) -> None:
    box = LiveOutbox()
    for records in range(3):
        numbers: Any = NUMBERS | {"at": read_clock(), "records_in": records}
        point = dict.fromkeys(Point.__annotations__, 0) | {"at": read_clock(), "rate": records}
        box.post(LiveUpdate(job.id, make_progress_event({}), numbers, cast(Point, point)))
    box.close()

    points = client.get(f"/api/jobs/{job.id}/history").json()

    assert [point["rate"] for point in points][-3:] == [0, 1, 2]
