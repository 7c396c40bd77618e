"""The websocket of one job: the whole state first, then events; healed when Redis lost some."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import orjson
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from runner.jobs.models import Job
from runner.live import snapshot
from runner.live.events import group

LOOK_SECONDS = 2.0
LOGIN_SECONDS = 30.0
LARGEST_FRAME = 65_536
NOT_SIGNED_IN, NO_SUCH_JOB, TOO_LARGE = 4401, 4404, 4413


class JobConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Sends a snapshot, then every event newer than it. Every two seconds it looks whether one was missed."""

    async def connect(self) -> None:
        self.watch: asyncio.Task[None] | None = None
        self.sequence, self.stale, self.heard_at = 0, False, 0.0
        self.job_id = int(self.scope["url_route"]["kwargs"]["job_id"])
        await self.accept()
        if not await self._signed_in():
            await self.close(NOT_SIGNED_IN)
            return
        await self._join()
        if await self._send_snapshot():
            self.watch = asyncio.create_task(self._watch())

    async def disconnect(self, code: int) -> None:
        if self.watch is not None:
            self.watch.cancel()
        with contextlib.suppress(OSError):
            await self.channel_layer.group_discard(group(self.job_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is expected of a viewer; whoever sends a lot is sent away."""
        if len(text_data or bytes_data or "") > LARGEST_FRAME:
            await self.close(TOO_LARGE)

    async def live_event(self, message: dict[str, Any]) -> None:
        """An event from the group; one that the snapshot already holds is left out."""
        event = orjson.loads(message["event"])
        if event["sequence"] > self.sequence:
            self.sequence, self.stale, self.heard_at = event["sequence"], False, time.monotonic()
            await self.send(text_data=message["event"])

    async def _watch(self) -> None:
        """A lost message, a flushed Redis, numbers gone old, a login that ended: each is seen here."""
        waited = 0.0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            waited += LOOK_SECONDS
            if waited >= LOGIN_SECONDS:
                waited = 0.0
                if not await self._signed_in():
                    await self.close(NOT_SIGNED_IN)
                    return
            if time.monotonic() - self.heard_at < LOOK_SECONDS:
                continue
            await self._join()
            state = await self._read()
            if state is None:
                await self.close(NO_SUCH_JOB)
                return
            if state["sequence"] > self.sequence or state["stale"] != self.stale:
                await self._show(state)

    async def _send_snapshot(self) -> bool:
        state = await self._read()
        if state is None:
            await self.close(NO_SUCH_JOB)
            return False
        await self._show(state)
        return True

    async def _show(self, state: dict[str, Any]) -> None:
        self.sequence, self.stale = max(state["sequence"], self.sequence), state["stale"]
        await self.send(text_data=orjson.dumps(state).decode())

    async def _join(self) -> None:
        """Joining again costs little, and brings back what a flushed Redis forgot."""
        with contextlib.suppress(OSError):
            await self.channel_layer.group_add(group(self.job_id), self.channel_name)

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _read(self) -> dict[str, Any] | None:
        job = Job.objects.filter(id=self.job_id).first()
        return snapshot.read(job) if job else None

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _signed_in(self) -> bool:
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            return False
        session = self.scope.get("session")
        user.refresh_from_db(fields=["is_active"])
        return user.is_active and (session is None or session.exists(session.session_key))
