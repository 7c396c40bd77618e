"""The way out to Redis and the websockets: a thread of its own, so that nobody ever waits for Redis."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import queue
import threading
from typing import Any, NamedTuple

import orjson
from channels.layers import get_channel_layer
from django.conf import settings
from redis import asyncio as redis
from redis.exceptions import RedisError

from runner.live.events import group
from runner.live.snapshot import KEEP_SECONDS, POINTS, PUBLISH, history_key, key, now_ms

log = logging.getLogger(__name__)
ROOM = 200


class Letter(NamedTuple):
    """An event of a job; `numbers` replace those kept, `point` is added to the history."""

    job_id: int
    event: dict[str, Any]
    numbers: dict[str, Any] | None = None
    point: dict[str, Any] | None = None


class Outbox:
    """Sends letters in order. Without Redis they are lost, which viewers see as a gap and heal."""

    def __init__(self) -> None:
        self.letters: queue.Queue[Letter | None] = queue.Queue(ROOM)
        self.silent = False
        self.thread = threading.Thread(target=lambda: asyncio.run(self._send_all()), daemon=True, name="live-outbox")
        self.thread.start()
        atexit.register(self.close)

    def post(self, letter: Letter) -> None:
        try:
            self.letters.put_nowait(letter)
        except queue.Full:
            return

    def close(self, seconds: float = 2.0) -> None:
        """Send what is left, for at most so long."""
        self.post_end()
        self.thread.join(seconds)

    def post_end(self) -> None:
        try:
            self.letters.put_nowait(None)
        except queue.Full:
            return

    async def _send_all(self) -> None:
        client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1.0, socket_connect_timeout=1.0)
        loop = asyncio.get_running_loop()
        while (letter := await loop.run_in_executor(None, self.letters.get)) is not None:
            try:
                await send(client, letter)
                self.silent = False
            except (RedisError, OSError) as error:
                self._lost(error)
        await client.aclose()

    def _lost(self, error: Exception) -> None:
        if not self.silent:
            log.warning("Redis does not answer (%s); live numbers are not shown until it does", error)
        self.silent = True


async def send(client: redis.Redis, letter: Letter) -> None:
    """Keep the state under the next sequence number, then tell whoever watches."""
    numbers = orjson.dumps(letter.numbers) if letter.numbers is not None else b""
    sequence = await client.eval(PUBLISH, 1, key(letter.job_id), now_ms(), numbers, KEEP_SECONDS)
    if letter.point is not None:
        history = history_key(letter.job_id)
        await client.rpush(history, orjson.dumps(letter.point))
        await client.ltrim(history, -POINTS, -1)
        await client.expire(history, KEEP_SECONDS)
    layer = get_channel_layer()
    event = letter.event | {"sequence": sequence}
    await layer.group_send(group(letter.job_id), {"type": "live.event", "event": orjson.dumps(event).decode()})


_outbox: tuple[int, Outbox] | None = None


def outbox() -> Outbox:
    """This process's outbox; a forked process gets its own."""
    global _outbox
    if _outbox is None or _outbox[0] != os.getpid() or not _outbox[1].thread.is_alive():
        _outbox = (os.getpid(), Outbox())
    return _outbox[1]
