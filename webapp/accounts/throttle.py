"""Slows down guessing of passwords: limits tries per minute for one name, for one address, and in all.

The address is that of the connection. A proxy's word for it counts only if TRUSTED_PROXIES names the proxy.
"""

from __future__ import annotations

import hashlib
from ipaddress import IPv6Address, ip_address, ip_network

from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal

MAX_TRIES = {"name and address": 5, "address": 20, "name": 30, "all": 600}
"""Tries per minute. A name allows many: otherwise strangers could lock its owner out."""
MINUTE = 60


class TooManyTries(Refusal):
    code = RefusalCode.LOGIN_TOO_MANY
    status = 429

    def __init__(self) -> None:
        super().__init__("Too many attempts in one minute.", "Wait a minute, then try again.")


class CannotCount(Refusal):
    """Without Redis no one counts the tries, so none are allowed."""

    code = RefusalCode.LOGIN_UNAVAILABLE
    status = 503

    def __init__(self) -> None:
        super().__init__("You cannot sign in right now, because Redis does not answer.", "Try again in a minute.")


def count_try(request: HttpRequest, username: str | None = None) -> None:
    """Counts a try to sign in, under a name unless the provider asks for it. Raises TooManyTries and CannotCount."""
    address = _find_network(request.META.get("REMOTE_ADDR", ""))
    places = {"address": address, "all": ""}
    if username is not None:
        name = username.lower()[:150]
        places |= {"name and address": f"{address} {name}", "name": name}
    try:
        counts = {place: _count_tries(f"{place}: {what}") for place, what in places.items()}
    except RedisError as error:
        raise CannotCount from error
    if any(count > MAX_TRIES[place] for place, count in counts.items()):
        raise TooManyTries


def _count_tries(what: str) -> int:
    """Number of tries in the minute since the first."""
    key = f"login:{hashlib.sha256(what.encode(errors='replace')).hexdigest()}"
    cache.add(key, 0, timeout=MINUTE)
    try:
        return cache.incr(key)
    except ValueError:  # its minute has ended meanwhile
        return 1


def _find_network(address: str) -> str:
    """The address itself, or for IPv6 its network of 64 bits, which belongs to one customer."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) else address
