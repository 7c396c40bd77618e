"""Redis for the packages of watch: shared connections that no thread closes under another."""

from __future__ import annotations

from functools import cache

import redis
from django.conf import settings


def get_redis(seconds: float) -> redis.Redis:
    """A client whose commands may take this many seconds.

    Each call makes a light client over one shared pool. A client with its own pool would close it at its end. Two
    threads that start at once would make two: one ends while its connections are in use.

    Example: `get_redis(1.0).hgetall("streamwright:live:7")`.
    """
    return redis.Redis(connection_pool=_make_pool(settings.REDIS_URL, seconds))


@cache
def _make_pool(url: str, seconds: float) -> redis.ConnectionPool:
    return redis.ConnectionPool.from_url(url, socket_timeout=seconds, socket_connect_timeout=1.0)
