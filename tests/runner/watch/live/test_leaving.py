"""A browser that leaves without a word, and a Redis that goes away, while a websocket is open."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from channels.layers import channel_layers
from channels_redis.core import RedisChannelLayer

from runner.watch.live.consumers import JobConsumer

SCOPE = {"type": "websocket", "path": "/ws/jobs/1/", "user": None, "url_route": {"kwargs": {"job_id": "1"}}}


@pytest.fixture(autouse=True)
def no_redis() -> Iterator[None]:
    """Nothing listens where Channels looks for Redis."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        before = channel_layers.set("default", RedisChannelLayer(hosts=[f"redis://127.0.0.1:{bound.getsockname()[1]}"]))
        yield
    channel_layers.backends.pop("default") if before is None else channel_layers.set("default", before)


@pytest.mark.parametrize("last", ["websocket.accept", "websocket.close"])
async def test_a_socket_whose_browser_left_ends_without_a_traceback(last: str) -> None:
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    heard.put_nowait({"type": "websocket.connect"})
    tried = []

    async def send(message: dict[str, Any]) -> None:
        """As uvicorn does: from one moment on, whatever is sent raises ClientDisconnected, an OSError."""
        tried.append(message["type"])
        if last in tried:
            heard.put_nowait({"type": "websocket.disconnect", "code": 1006})
            raise OSError

    await JobConsumer.as_asgi()(SCOPE, heard.get, send)

    assert last in tried


async def test_a_socket_is_closed_where_redis_does_not_answer() -> None:
    said: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    await JobConsumer.as_asgi()(SCOPE, asyncio.Queue().get, send)

    assert said == [{"type": "websocket.close", "code": 1011}]
