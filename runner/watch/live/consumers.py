"""The websocket of one job: the whole state first, then events. It recovers if Redis loses some."""

from __future__ import annotations

import asyncio
import contextlib
import time

import orjson
from redis.exceptions import RedisError

from designer.projects.roles import VIEWER
from runner.control.jobs.services import get_job
from runner.watch.live import snapshot
from runner.watch.live.events import GroupMessage, name_group
from runner.watch.live.messages import Snapshot
from runner.watch.sockets.shared_reads import SharedRead
from runner.watch.sockets.viewer import Viewer

LOOK_SECONDS = 2.0
read: SharedRead[int, Snapshot] = SharedRead(lambda job_id: snapshot.read(get_job(job_id)))
"""The state of a job, by its id."""


class JobConsumer(Viewer):
    """Sends a snapshot, then every newer event. Every two seconds it checks whether one was missed."""

    address = "/ws/jobs/{job_id}/"
    needs = VIEWER

    @property
    def job_id(self) -> int:
        return int(self.arguments["job_id"])

    async def begin(self) -> None:
        self.sequence, self.stale, self.heard_at = 0, False, 0.0
        await self._join()
        await self._show(await read(self.job_id))
        self.work(self._watch())

    async def disconnect(self, code: int) -> None:
        with contextlib.suppress(OSError, RedisError):
            await self.channel_layer.group_discard(name_group(self.job_id), self.channel_name)

    async def live_event(self, message: GroupMessage) -> None:
        """An event from the group. Skips events that the snapshot already includes."""
        event = orjson.loads(message["event"])
        if event["sequence"] > self.sequence:
            self.sequence, self.stale, self.heard_at = event["sequence"], False, time.monotonic()
            await self.send(text_data=message["event"])

    async def _watch(self) -> None:
        """Notices a lost message, a flushed Redis, and numbers that have become old."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if time.monotonic() - self.heard_at < LOOK_SECONDS:
                continue
            await self._join()
            state = await read(self.job_id)
            if state["sequence"] > self.sequence or state["is_stale"] != self.stale:
                await self._show(state)

    async def _show(self, state: Snapshot) -> None:
        self.sequence, self.stale = max(state["sequence"], self.sequence), state["is_stale"]
        await self.tell(state)

    async def _join(self) -> None:
        """Joining again is cheap, and restores the group after a flush of Redis."""
        with contextlib.suppress(OSError, RedisError):
            await self.channel_layer.group_add(name_group(self.job_id), self.channel_name)
