"""Connections to Postgres: requests share them, and one that Postgres has closed is replaced."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import httpx
import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client

from tests.conftest import database_url
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


def end_connections() -> int:
    """Ends those of all others, as a new start of Postgres does."""
    with psycopg.connect(database_url()) as own:
        found = own.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    return int(found[0])


@pytest.fixture(autouse=True)
def only_those_of_requests() -> None:
    """Earlier tests may have left many in the pool of this process."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # Postgres has one


def client(session: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=application, client=("127.0.0.1", 1))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", cookies={"sessionid": session})


async def test_requests_share_connections_and_give_them_back(no_collector: None) -> None:
    session = await signed_in()
    before = await connections()
    async with client(session) as page:
        answers = [await page.get("/api/jobs") for _ in range(20)]

    assert {answer.status_code for answer in answers} == {200}
    assert await connections() <= before + 1


async def test_no_request_meets_a_connection_that_postgres_has_closed() -> None:
    """However many the pool holds."""
    async with client(await signed_in()) as page:
        await asyncio.gather(*(page.get("/api/jobs") for _ in range(30)))
        assert end_connections() > 4
        answers = [await page.get("/api/jobs") for _ in range(3)]

    assert {answer.status_code for answer in answers} == {200}
