"""The headers of a record as they are in a row: JSON text of a list of keys and values in base64. None: no headers."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any

import orjson

Header = tuple[str, bytes | None]
"""The key and the value of a header."""


def read_headers(text: str | None) -> list[Header]:
    """Return the headers of a row, in order.

    >>> read_headers('[{"key": "trace", "value": "YWJj"}, {"key": "retried"}]')
    [('trace', b'abc'), ('retried', None)]
    """
    if not text:
        return []
    return [
        (each["key"], None if (value := each.get("value")) is None else b64decode(value)) for each in orjson.loads(text)
    ]


def write_headers(headers: Iterable[Header] | None) -> str | None:
    """Return headers as they are in a row. None and an empty list are the same.

    >>> write_headers([("trace", b"abc"), ("retried", None)])
    '[{"key":"trace","value":"YWJj"},{"key":"retried","value":null}]'
    """
    if not headers:
        return None
    entries = [{"key": key, "value": None if value is None else b64encode(value).decode()} for key, value in headers]
    return orjson.dumps(entries).decode() if entries else None


def read_headers_as_text(text: str | None) -> list[Any]:
    """Return the headers of a row in the form of expressions: objects whose `value` is text or None.

    A value that is not UTF-8 gets replacement characters.
    """
    return [
        {"key": key, "value": None if value is None else value.decode(errors="replace")}
        for key, value in read_headers(text)
    ]


def add_headers(present: str | None, more: dict[str, str]) -> str:
    """Return the headers of a row followed by others, whose values are text."""
    entries = orjson.loads(present) if present else []
    entries += [{"key": key, "value": b64encode(value.encode()).decode()} for key, value in more.items()]
    return orjson.dumps(entries).decode()
