"""Slows down guessing of passwords: so many tries a minute for one address and name."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest

TRIES_A_MINUTE = 5


def too_many_tries(request: HttpRequest, username: str) -> bool:
    key = f"login:{request.META.get('REMOTE_ADDR', '')}:{username.lower()[:150]}"
    cache.add(key, 0, timeout=60)
    return cache.incr(key) > TRIES_A_MINUTE
