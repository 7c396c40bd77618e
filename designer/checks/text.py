"""Common phrases of messages."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def join_names(names: Iterable[str], last: str = "or") -> str:
    """`a`, `b` or `c`"""
    return join_things((f"`{name}`" for name in names), last)


def join_things(things: Iterable[str], last: str = "or") -> str:
    """a KStream, a KTable or a GlobalKTable"""
    *before, end = list(things) or [""]
    return f" {last} ".join(filter(None, (", ".join(before), end)))


def guess(name: str, names: Iterable[str]) -> str | None:
    """The known name that the user probably meant."""
    return next(iter(get_close_matches(name.lower(), list(names), n=1)), None)


def with_article(thing: str) -> str:
    """`a KTable`, `an operator`"""
    return f"{'an' if thing[:1].lower() in 'aeio' else 'a'} {thing}"
