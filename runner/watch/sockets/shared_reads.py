"""Reads that many websockets request at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from channels.db import database_sync_to_async

Key = TypeVar("Key")
T = TypeVar("T")


class SharedRead(Generic[Key, T]):
    """Reads in the thread of the database. Callers who ask before a read has begun share its result.

    Otherwise 400 sockets of one job would keep that thread from all others, even for seconds after they left.
    """

    def __init__(self, read: Callable[[Key], T]) -> None:
        self.read = read
        self.waiting: dict[Key, asyncio.Task[T]] = {}

    async def __call__(self, key: Key) -> T:
        task = self.waiting.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            task = self.waiting[key] = asyncio.create_task(database_sync_to_async(self._start)(key))
            task.add_done_callback(_take_error)
        return await asyncio.shield(task)

    def _start(self, key: Key) -> T:
        self.waiting.pop(key, None)
        return self.read(key)


def _take_error(task: asyncio.Task[T]) -> None:
    """The callers may have left: then no one else sees the error."""
    if not task.cancelled():
        task.exception()
