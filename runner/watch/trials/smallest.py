"""Makes records of real traffic fit for a test case: the fewest that show something, without private values."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from runner.engine.trial import Line

T = TypeVar("T")
KEY = "key"
"""Among the names of private fields, the key of a record."""
Show = Callable[[Sequence[list[T]]], Sequence[bool]]
"""Says of each of several parts whether it still shows what a test case is about."""


def shrink(items: Sequence[T], shows: Show[T]) -> list[T]:
    """Leaves out items as long as the others still show it, until no single one can be left out.

    It asks about all parts of one size at once, as few questions as it can (delta debugging: Zeller and Hildebrandt,
    Simplifying and Isolating Failure-Inducing Input, 2002). The order of items stays. `items` must show it.

    >>> shrink(range(8), lambda parts: [{2, 5} <= {*part} for part in parts])
    [2, 5]
    """
    left, count = list(items), 2
    while len(left) > 1:
        size = math.ceil(len(left) / count)
        chunks = [left[at : at + size] for at in range(0, len(left), size)]
        rests = [[each for other in chunks if other is not chunk for each in other] for chunk in chunks]
        parts = [*chunks, *rests] if len(chunks) > 2 else chunks  # of two parts, each is the rest of the other
        found = next((part for part, is_shown in zip(parts, shows(parts), strict=True) if is_shown), None)
        if found is not None:
            count = 2 if found in chunks else max(2, count - 1)
            left = found
        elif size == 1:
            break
        else:
            count = min(len(left), 2 * count)
    return left


def mask_records(records: Sequence[Line], private: Collection[str], salt: str) -> list[Line]:
    """The records with another value in each private field, of the same type. Equal values stay equal.

    `private` are names of fields at any depth; `key` is the record's key. Texts that stand in a private field are
    replaced wherever they stand alone, and numbers also in keys, so that joins still find their rows. Null, true and
    false stay.
    """
    texts, numbers = set[str](), set[Any]()
    for record in records:
        for value in _list_private(record, private):
            if isinstance(value, str):
                texts.add(value)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                numbers.add(value)

    def replace(value: Any, *, is_private: bool, is_key: bool = False) -> Any:
        if isinstance(value, Mapping):
            return {name: replace(part, is_private=is_private or name in private) for name, part in value.items()}
        if isinstance(value, list):
            return [replace(part, is_private=is_private) for part in value]
        if isinstance(value, str):
            return mask(value, salt) if is_private or value in texts else value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return mask(value, salt) if is_private or (is_key and value in numbers) else value
        return value

    return [
        {
            **record,
            "key": replace(record["key"], is_private=KEY in private, is_key=True),
            "value": replace(record["value"], is_private=False),
        }
        for record in records
    ]


def mask(value: str | float, salt: str) -> str | int | float:
    """Another value of the same type, always the same one for a value. Numbers keep their sign and their digits.

    >>> mask("ann@example.org", "a"), len(str(mask(-1234, "a")))
    ('masked-d4fcbcd7', 5)
    """
    digest = blake2b(repr(value).encode(), key=salt.encode()[:64], digest_size=8)
    if isinstance(value, str):
        return f"masked-{digest.hexdigest()[:8]}"
    draw = int.from_bytes(digest.digest(), "big")
    if isinstance(value, int):
        digits = len(str(abs(value)))
        least, end = int("1".ljust(digits, "0")) if digits > 1 else 0, int("1".ljust(digits + 1, "0"))
        masked = least + draw % (end - least)
        return -masked if value < 0 else masked
    if not math.isfinite(value) or value == 0.0:
        return value
    whole = 10.0 ** math.floor(math.log10(abs(value)))
    decimals = len(repr(value).partition(".")[2])
    return math.copysign(round(whole * (1 + 9 * (draw % 10**6) / 10**6), min(decimals, 12)), value)


def _list_private(record: Line, private: Collection[str]) -> Iterator[Any]:
    if KEY in private:
        yield from _list_scalars(record["key"])
    yield from _list_private_fields(record["value"], private)


def _list_private_fields(value: Any, private: Collection[str]) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _list_scalars(part) if name in private else _list_private_fields(part, private)
    elif isinstance(value, list):
        for part in value:
            yield from _list_private_fields(part, private)


def _list_scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _list_scalars(part)
    elif isinstance(value, list):
        for part in value:
            yield from _list_scalars(part)
    else:
        yield value


def list_scalars(records: Sequence[Mapping[str, Any]]) -> list[Any]:
    """All keys and values of fields in records, each once: a row of a table that they need has one of them as key."""
    found = (each for record in records for part in (record["key"], record["value"]) for each in _list_scalars(part))
    return list(dict.fromkeys(each for each in found if isinstance(each, str | int | float)))
