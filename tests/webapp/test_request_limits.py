"""What stands before Django, on real sockets: who sends a body, how long it is, and how long it takes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import Client

from tests.patience import PATIENCE_SECONDS
from tests.people import person
from webapp import http_protocol, request_limits
from webapp.accounts import tokens
from webapp.accounts.models import User
from webapp.http_protocol import BoundedProtocol
from webapp.request_limits import MAX_BODY, MAX_FORM, RequestLimits

pytestmark = pytest.mark.django_db(transaction=True)

Exchange = Callable[..., Awaitable[tuple[int, Any]]]


async def lengths(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers with the length of the body."""
    message = await receive()
    assert message["more_body"] is False
    body = b"%d" % len(message["body"])
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def served() -> AsyncIterator[int]:
    """The port of a server behind the request limits."""
    config = uvicorn.Config(RequestLimits(lengths), port=0, http=BoundedProtocol, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running
        await sync_to_async(connections.close_all)()


async def is_ended(reader: asyncio.StreamReader) -> bool:
    """Whether the server ends the connection, though not all was read that was sent."""
    try:
        return await asyncio.wait_for(reader.read(), PATIENCE_SECONDS) == b""
    except ConnectionResetError:
        return True


async def exchange(path: str, *parts: bytes, headers: str = "", method: str = "POST") -> tuple[int, Any]:
    """Status and body of the answer to what was sent so far; the server ends the connection."""
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n".encode())
        for part in parts:
            writer.write(part)
        answer = await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split()[1]) if head else 0), json.loads(body or b"null")


@pytest.fixture
def cookie(client: Client) -> str:
    """The header of someone signed in."""
    client.force_login(person("ada"))
    return f"Cookie: sessionid={client.cookies['sessionid'].value}\r\n"


@pytest.mark.parametrize("forged", ["", "Cookie: sessionid=forged\r\n", 'Cookie: sessionid="a\\000"\r\n'])
async def test_a_stranger_is_refused_before_the_body_is_read(forged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "MAX_DROP_SECONDS", 0.1)

    status, refusal = await exchange("/api/topologies", headers=f"Transfer-Encoding: chunked\r\n{forged}")

    assert (status, refusal["code"]) in {(401, "not_signed_in"), (422, "request.unwritable")}


async def test_a_token_that_works_lets_a_body_in_and_no_other(cookie: str) -> None:
    _, text = await sync_to_async(tokens.create)(user=await User.objects.aget(username="ada"), name="ci", days=1)
    headers = "Connection: close\r\nContent-Length: 2\r\nAuthorization: Bearer {}\r\n"

    assert await exchange("/api/check", b"{}", headers=headers.format(text)) == (200, 2)
    assert (await exchange("/api/check", b"{}", headers=headers.format(text[:-1])))[0] == 401


async def test_a_body_that_says_that_it_is_too_long_is_refused_at_once(
    cookie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_limits, "MAX_DROP_SECONDS", 0.1)

    status, refusal = await exchange("/api/check", headers=f"Content-Length: {MAX_BODY + 1}\r\n{cookie}")

    assert (status, refusal["message"]) == (413, f"The request is larger than {MAX_BODY:,} bytes.")


@pytest.mark.parametrize(("path", "most"), [("/login", MAX_FORM), ("/api/check", MAX_BODY)])
async def test_a_body_that_turns_out_to_be_too_long_is_refused(cookie: str, path: str, most: int) -> None:
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    chunks = [chunk] * (most // 0x8000 + 1)

    status, refusal = await exchange(path, *chunks, b"0\r\n\r\n", headers=f"Transfer-Encoding: chunked\r\n{cookie}")

    assert (status, refusal["code"]) == (413, "request.too_much")


async def test_a_body_as_long_as_it_may_be_is_handed_on_whole(cookie: str) -> None:
    headers = f"Connection: close\r\nContent-Length: {MAX_BODY}\r\n{cookie}"

    assert await exchange("/api/check", b"x" * MAX_BODY, headers=headers) == (200, MAX_BODY)


async def test_files_are_refused(cookie: str) -> None:
    headers = f"Content-Type: multipart/form-data\r\nContent-Length: 3\r\n{cookie}"

    assert (await exchange("/api/check", b"abc", headers=headers))[0] == 415


async def test_a_body_that_does_not_arrive_is_ended(cookie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "MAX_BODY_SECONDS", 0.1)
    monkeypatch.setattr(request_limits, "MAX_DROP_SECONDS", 0.1)

    status, refusal = await exchange("/api/check", b"{", headers=f"Content-Length: 100\r\n{cookie}")

    assert (status, refusal["code"]) == (408, "request.too_slow")


@pytest.mark.parametrize("sent", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
async def test_a_request_that_is_half_sent_is_ended(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "MAX_HEADER_SECONDS", 0.1)
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)

        assert await is_ended(reader)
        writer.close()


async def test_headers_without_end_are_ended() -> None:
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-More: xxxxxxxxxx\r\n" * 10_000)

        assert await is_ended(reader)
        writer.close()


@pytest.mark.parametrize("path", ["/api/clusters/a%00b", "/api/topologies?name=%00"])
async def test_an_address_with_a_nul_is_refused(path: str) -> None:
    status, refusal = await exchange(path, headers="Connection: close\r\n", method="GET")

    assert (status, refusal["code"]) == (422, "request.unwritable")
