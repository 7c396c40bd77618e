"""Celery's beat, which asks for periodic tasks only while workers take them."""

from __future__ import annotations

from typing import Any

from celery.beat import PersistentScheduler
from redis.exceptions import RedisError

from runner.watch.redis_client import get_redis

MOST_WAITING = 200
"""Tasks of more than two minutes. All but the newest have expired."""
SOCKET_SECONDS = 1.0


class Scheduler(PersistentScheduler):
    """Asks for no task while the queue is full, because no worker lives: in two days its messages would fill Redis."""

    def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **options: Any) -> Any:
        """Send a task. Returns None if the queue is full."""
        if self._count_waiting() < MOST_WAITING:
            return super().apply_async(entry, producer=producer, advance=advance, **options)
        return None

    def _count_waiting(self) -> int:
        try:
            return int(get_redis(SOCKET_SECONDS).llen(self.app.conf.task_default_queue))
        except RedisError:
            return 0  # to send the task fails, too, which Celery logs
