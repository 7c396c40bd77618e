"""Slows down guessing of passwords: limits failed tries per minute for a name from one address, and for a name.

Many people share the address of an office, so failures of one of them lock nobody else out. A name that many addresses
try is locked for addresses from which its owner has not signed in lately.

The address is that of the connection. A proxy's word for it counts only if TRUSTED_PROXIES names the proxy.
"""

from __future__ import annotations

import hashlib
from ipaddress import IPv6Address, ip_address, ip_network

from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from designer.refusals import Refusal
from webapp.codes import WebCode

MAX_TRIES = {
    "name and address": 5,
    "name": 30,
    "all": 600,
    "ways to the provider": 300,
    "reads of share links": 600,
    "unknown share links": 30,
}
"""Per minute. Sign-ins that succeed are taken back. The last three are of one address.

A page of a share link asks once in two seconds.
"""
MINUTE = 60
KNOWN_SECONDS = 30 * 24 * 3600
"""Time after a sign-in for which its address counts as one of the owner of the name."""


class TooManyTries(Refusal):
    code = WebCode.LOGIN_TOO_MANY
    status = 429

    def __init__(self) -> None:
        super().__init__("Too many attempts in one minute.", "Wait a minute, then try again.")


class CannotCount(Refusal):
    """Without Redis no one counts the tries, so none are allowed."""

    code = WebCode.LOGIN_UNAVAILABLE
    status = 503

    def __init__(self) -> None:
        super().__init__("You cannot sign in right now, because Redis does not answer.", "Try again in a minute.")


class TooManyReads(Refusal):
    code = WebCode.SHARED_TOO_MANY
    status = 429

    def __init__(self) -> None:
        super().__init__("Too many requests with share links in one minute.", "Wait a minute, then reload the page.")


class CannotCountReads(Refusal):
    """Without Redis no one counts the readers, so none are allowed."""

    code = WebCode.SHARED_UNAVAILABLE
    status = 503

    def __init__(self) -> None:
        super().__init__("Share links do not work right now, because Redis does not answer.", "Try again in a minute.")


def count_try(request: HttpRequest, username: str) -> None:
    """Counts a try to sign in under a name, until `take_back`. Raises TooManyTries and CannotCount.

    It counts before the password is checked, so that tries at once cannot pass the limit.
    """
    pair, name = _find_pair(request, username)
    try:
        counts = {place: _count(f"{place}: {what}") for place, what in _places(pair, name).items()}
        is_known = cache.get(_make_key(f"known: {pair}")) is not None
    except RedisError as error:
        raise CannotCount from error
    if any(count > MAX_TRIES[place] for place, count in counts.items() if not (is_known and place == "name")):
        raise TooManyTries


def take_back(request: HttpRequest, username: str) -> None:
    """A try was right: it counts no longer, and its address is known for the name."""
    pair, name = _find_pair(request, username)
    try:
        cache.delete(_make_key(f"name and address: {pair}"))
        for place in ("name", "all"):
            _add(f"{place}: {_places(pair, name)[place]}", -1)
        cache.set(_make_key(f"known: {pair}"), 1, KNOWN_SECONDS)
    except RedisError:  # the user is signed in, and the count ends with its minute
        return


def count_way_to_provider(request: HttpRequest) -> None:
    """Counts a visitor who is sent to the OpenID Connect provider. Raises TooManyTries and CannotCount."""
    try:
        if _is_too_often(request, "ways to the provider"):
            raise TooManyTries
    except RedisError as error:
        raise CannotCount from error


def count_read(request: HttpRequest, *, is_unknown: bool = False) -> None:
    """Counts a reader of a share link, or one whose link is unknown. Raises TooManyReads and CannotCountReads."""
    try:
        if _is_too_often(request, "unknown share links" if is_unknown else "reads of share links"):
            raise TooManyReads
    except RedisError as error:
        raise CannotCountReads from error


def _is_too_often(request: HttpRequest, place: str) -> bool:
    """Counts a request of an address, and returns whether they are too many."""
    return _count(f"{place}: {_find_network(request)}") > MAX_TRIES[place]


def _find_pair(request: HttpRequest, username: str) -> tuple[str, str]:
    name = username.lower()[:150]
    return f"{_find_network(request)} {name}", name


def _places(pair: str, name: str) -> dict[str, str]:
    return {"name and address": pair, "name": name, "all": ""}


def _make_key(what: str) -> str:
    return f"login:{hashlib.sha256(what.encode(errors='replace')).hexdigest()}"


def _count(what: str) -> int:
    """Number of tries in the minute since the first."""
    cache.add(_make_key(what), 0, timeout=MINUTE)
    return _add(what, 1)


def _add(what: str, number: int) -> int:
    try:
        return cache.incr(_make_key(what), number)
    except ValueError:  # its minute has ended meanwhile
        return 1


def _find_network(request: HttpRequest) -> str:
    """The address itself, or for IPv6 its network of 64 bits, which belongs to one customer."""
    address: str = request.META.get("REMOTE_ADDR", "")
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False)) if isinstance(ip, IPv6Address) else address
