"""Values for people to read, with all their digits and with bytes marked as bytes."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from typing import Any

from designer.expressions.casts import write_double
from designer.values import exact_json
from designer.values.exact_json import MAX_DEPTH, JsonNumber
from designer.values.schemas import ANY, Kind, Type
from designer.values.tuples import UnionValue

MARK = "base64:"
"""Prefix of shown bytes."""

BELOW = "…"
"""Stands for what is nested deeper than `MAX_DEPTH` levels. Only code makes such values."""


def show(value: Any, depth: int = MAX_DEPTH) -> Any:
    """A value in the form that `exact_json` writes: bytes as `base64:` and their base64, NaN and infinite numbers as
    Java's texts, values of a union as themselves. Of more than `depth` levels only those are shown."""
    match value:
        case str() | int() | None:
            return value
        case bytes():
            return mark(value)
        case float() if not math.isfinite(value) and type(value) is not JsonNumber:
            return write_double(value)
        case UnionValue(_, content):
            return show(content, depth)
        case dict() | list() | tuple() if depth == 0:
            return BELOW
        case dict():
            return {name: show(content, depth - 1) for name, content in value.items()}
        case list() | tuple():
            return [show(content, depth - 1) for content in value]
        case _:
            return value


def write_shown(value: Any) -> str:
    """A value as JSON text, for people and for transfer between processes. It loses no digit."""
    return exact_json.dumps(show(value)).decode()


def mark(data: bytes) -> str:
    return MARK + b64encode(data).decode()


def show_bytes(data: bytes | None) -> str | None:
    """Bytes as the text that they hold in UTF-8, else as `base64:` and their base64."""
    if data is None:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return mark(data)
    return mark(data) if any(sign < " " and sign not in "\t\n\r" for sign in text) else text


def to_bytes(text: str) -> bytes:
    """The bytes that a text represents, with or without the mark. Raises ValueError."""
    return b64decode(text.removeprefix(MARK), validate=True)


def read_shown(value: Any, type_: Type) -> Any:
    """The value of a type that a JSON value represents. Texts become bytes where the type holds bytes.

    Raises ValueError if such a text is not base64.
    """
    match value:
        case str() if type_.kind is Kind.BYTES:
            return to_bytes(value)
        case dict() if type_.item is not None:
            return {name: read_shown(each, type_.item) for name, each in value.items()}
        case dict() if type_.fields:
            types = {field.name: field.type for field in type_.fields}
            return {name: read_shown(each, types.get(name, ANY)) for name, each in value.items()}
        case list() if type_.item is not None:
            return [read_shown(each, type_.item) for each in value]
        case _:
            return value
