"""Hostile addresses and messages of websockets end in a close or an answer, never in a traceback of the server."""

from __future__ import annotations

import asyncio
import logging

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job
from tests.runner.watch.live.page import page

MESSAGES = ["", "{", "[" * 5_000, "null", '{"type": {}}', '{"type": "pause"}', '{"type": "resume"}']
ADDRESSES = [
    "/ws/jobs/{job}/log/?run=" + "9" * 5_000,
    "/ws/jobs/{job}/log/?run=99999999999999999999",
    "/ws/jobs/{job}/log/?run=\u0663",
    "/ws/jobs/{job}/log/?run=%ff%fe",
    "/ws/jobs/{job}/log/?run=-1&run=",
    "/ws/jobs/999999999999999/",
    "/ws/jobs/{job}/dead-letters/?node=" + "n" * 20_000,
    "/ws/clusters/orders/topics/a b/",
    "/ws/clusters/orders/topics/\n/",
    "/ws/clusters/orders/topics/../",
    "/ws/clusters/orders/topics/" + "t" * 249 + "/?decoded&key_format=x&value_format=avro",
    "/ws/clusters/no such/topics/a/",
    "/ws/clusters/lost/topics/a/",
    "/ws/clusters/lost/topics/a/?decoded",
    "/ws/nothing/",
]


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: ascii(address)[:60])
def test_no_socket_ends_in_a_traceback(
    address: str, client: Client, job: Job, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    Cluster.objects.create(name="lost", bootstrap_servers="127.0.0.1:9", secrets={"sasl.password": "not sealed"})

    async def attack() -> None:
        async with page(address.format(job=job.pk), client) as attacker:
            for text in MESSAGES:
                await attacker.socket.send_input({"type": "websocket.receive", "text": text})
            await attacker.socket.send_input({"type": "websocket.receive", "bytes": b"\xff" * 10})
            await asyncio.sleep(0.3)

    async_to_sync(attack)()

    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR or each.exc_info] == []
