"""Sends to Redis and the websockets from its own thread, so that no one waits for Redis."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import threading
from typing import NamedTuple

import orjson
from channels.layers import get_channel_layer
from django.conf import settings
from redis import asyncio as redis
from redis.exceptions import RedisError

from runner.watch.live.events import GroupMessage, LiveEvent, name_group
from runner.watch.live.messages import Point, RunNumbers
from runner.watch.live.snapshot import KEEP_SECONDS, POINTS, PUBLISH, make_history_key, make_key, read_clock

log = logging.getLogger(__name__)
ROOM = 200


class LiveUpdate(NamedTuple):
    """An event of a job. `numbers` replace the stored ones, `point` is added to the history."""

    job_id: int
    event: LiveEvent
    numbers: RunNumbers | None = None
    point: Point | None = None


class LiveOutbox:
    """Sends updates in order. Without Redis they are lost. Viewers notice the gap and recover."""

    def __init__(self) -> None:
        self.updates: asyncio.Queue[LiveUpdate | None] = asyncio.Queue(ROOM)
        self.silent = False
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, daemon=True, name="live-outbox")
        self.thread.start()
        atexit.register(self.close)

    def post(self, update: LiveUpdate | None) -> None:
        """Queue an update for sending. None ends the outbox."""
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self._put, update)

    def close(self, seconds: float = 2.0) -> None:
        """Send the remaining updates, for at most this long."""
        self.post(None)
        self.thread.join(seconds)

    def _put(self, update: LiveUpdate | None) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self.updates.put_nowait(update)

    def _run(self) -> None:
        self.loop.run_until_complete(self._send_all())

    async def _send_all(self) -> None:
        client = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1.0, socket_connect_timeout=1.0)
        while (update := await self.updates.get()) is not None:
            try:
                await send(client, update)
                self.silent = False
            except (RedisError, OSError) as error:
                self._note_loss(error)
            except Exception:  # this update is lost, but not those that follow
                log.exception("An update of job %s was not sent", update.job_id)
        await client.aclose()

    def _note_loss(self, error: Exception) -> None:
        if not self.silent:
            log.warning("Redis does not answer (%s); live numbers are not shown until it does", error)
        self.silent = True


async def send(client: redis.Redis, update: LiveUpdate) -> None:
    """Store the state under the next sequence number, then inform the watchers."""
    numbers = orjson.dumps(update.numbers) if update.numbers is not None else b""
    sequence = await client.eval(PUBLISH, 1, make_key(update.job_id), read_clock(), numbers, KEEP_SECONDS)
    if update.point is not None:
        history = make_history_key(update.job_id)
        await client.rpush(history, orjson.dumps(update.point))
        await client.ltrim(history, -POINTS, -1)
        await client.expire(history, KEEP_SECONDS)
    layer = get_channel_layer()
    event = {**update.event, "sequence": sequence}
    message = GroupMessage(type="live.event", event=orjson.dumps(event).decode())
    await layer.group_send(name_group(update.job_id), message)


_outbox: tuple[int, LiveOutbox] | None = None


def get_outbox() -> LiveOutbox:
    """This process's outbox. A forked process gets its own."""
    global _outbox
    if _outbox is None or _outbox[0] != os.getpid() or not _outbox[1].thread.is_alive():
        _outbox = (os.getpid(), LiveOutbox())
    return _outbox[1]
