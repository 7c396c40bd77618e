"""Connections to Postgres: a request gives its own back when it ends, not when garbage is collected."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import httpx
import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client

from tests.patience import PATIENCE_SECONDS
from tests.people import person
from webapp.asgi import application

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@sync_to_async
def signed_in() -> str:
    client = Client()
    client.force_login(person("ada"))
    connection.close()
    return str(client.cookies["sessionid"].value)


@sync_to_async
def connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        found = int(cursor.fetchone()[0])
    connection.close()
    return found


async def test_requests_leave_no_connection_behind(no_collector: None) -> None:
    session = await signed_in()
    before = await connections()
    transport = httpx.ASGITransport(app=application, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", cookies={"sessionid": session}
    ) as page:
        answers = [await page.get("/api/jobs") for _ in range(20)]

    assert {answer.status_code for answer in answers} == {200}
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await connections() > before:  # Postgres notices a moment later that one is closed
            await asyncio.sleep(0.05)
