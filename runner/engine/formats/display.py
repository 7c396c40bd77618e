"""Values for people to look at, with all their digits and with bytes marked as such."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from typing import Any

from designer.expressions.casts import write_double
from designer.values import exact_json
from designer.values.exact_json import JsonNumber
from designer.values.schemas import ANY, Kind, Type
from designer.values.tuples import UnionValue

MARK = "base64:"
"""Before what stands for bytes, wherever a value is shown."""


def show(value: Any) -> Any:
    """A value as `exact_json` writes it: bytes as a text, `base64:` and their base64, NaN and infinite numbers as the
    texts Java writes, and a value of a union as itself."""
    match value:
        case str() | int() | None:
            return value
        case bytes():
            return mark(value)
        case float() if not math.isfinite(value) and type(value) is not JsonNumber:
            return write_double(value)
        case UnionValue(_, content):
            return show(content)
        case dict():
            return {name: show(content) for name, content in value.items()}
        case list() | tuple():
            return [show(content) for content in value]
        case _:
            return value


def write_shown(value: Any) -> str:
    """A value as JSON text: what people read, and what crosses between processes without losing a digit."""
    return exact_json.dumps(show(value)).decode()


def mark(data: bytes) -> str:
    return MARK + b64encode(data).decode()


def to_bytes(text: str) -> bytes:
    """The bytes that a text stands for, with the mark or without; raises ValueError."""
    return b64decode(text.removeprefix(MARK), validate=True)


def read_shown(value: Any, type_: Type) -> Any:
    """The value of a type that a JSON value stands for: texts where the type holds bytes become these.

    Raises ValueError if such a text is no base64.
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
