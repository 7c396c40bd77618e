"""Values that cross between the engine and code of users: copies, so that neither sees what the other changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.schemas import Kind, Type
from designer.values import Windowed
from runner.engine.codecs import holds_bytes
from runner.formats.types import GREATEST, LEAST, enforcer

FLAT = frozenset({str, int, float, bool, bytes, type(None)})
"""What nobody can change."""
AS_IT_IS = frozenset({float, bool, bytes, type(None)})
EXPECTED = "expected null, true or false, a 64-bit integer, a float, text, bytes, a list or a dict with text as names"


class NotPlain(TypeError):
    """A value that no record can hold."""


def copied(value: Any) -> Any:
    """A copy of a value of the engine."""
    kind = type(value)
    if kind is dict:
        return {name: each if type(each) in FLAT else copied(each) for name, each in value.items()}
    if kind is list:
        return [each if type(each) in FLAT else copied(each) for each in value]
    return value._replace(key=copied(value.key)) if kind is Windowed else value


def plain(value: Any) -> Any:
    """A copy of a value of a user; raises NotPlain where a record cannot hold it. A tuple becomes a list."""
    kind = type(value)
    if kind in AS_IT_IS:
        return value
    if kind is str:
        if not value.isascii():
            _well_formed(value)
        return value
    if kind is int:
        if not LEAST <= value <= GREATEST:
            raise NotPlain(f"{value} does not fit into 64 bits.")
        return value
    if kind is dict:
        return {_name(name): each if type(each) in AS_IT_IS else plain(each) for name, each in value.items()}
    if kind is list or kind is tuple:
        return [each if type(each) in AS_IT_IS else plain(each) for each in value]
    raise NotPlain(f"A record cannot hold a {kind.__name__}; {EXPECTED}.")


def fitted(held: Type) -> Callable[[Any], Any]:
    """Makes values of users plain and sees to it that they are of a type (DecodeError where not)."""
    if held.kind is Kind.BYTES:
        return _bytes
    enforce = None if holds_bytes(held) else enforcer(held)
    if enforce is None:
        return plain
    check = enforce
    return lambda value: check(plain(value), "")


def _bytes(value: Any) -> Any:
    if value is not None and type(value) is not bytes:
        raise NotPlain(f"It is {type(value).__name__}; expected bytes.")
    return value


def _name(name: Any) -> str:
    if type(name) is not str:
        raise NotPlain(f"A name in a dict is {name!r:.40}; {EXPECTED}.")
    if not name.isascii():
        _well_formed(name)
    return name


def _well_formed(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotPlain("A text holds half a surrogate pair, which UTF-8 cannot write.") from error
