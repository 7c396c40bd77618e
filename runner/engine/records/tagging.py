"""Bytes and exact numbers in JSON that keeps their kinds, under a name that no one gives a field.

Bytes are `{"\\u0000": "<base64>"}`, the decimal 1.50 is `{"\\u0000": ["1.50"]}`, and a number of a JSON text is
`{"\\u0000": ["1.50", "json"]}`, an integer beyond 64 bits `{"\\u0000": ["18446744073709551616", "integer"]}`.
The int 7 of a union is `{"\\u0000": ["int", 7, "union"]}`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from decimal import Decimal
from typing import Any

from designer.values.exact_json import MAX_INTEGER, MIN_INTEGER, JsonNumber
from designer.values.tuples import UnionValue

NAME = "\0"
TAG = rb'"\u0000"'
"""Text in JSON with such a member. It may also be there by chance: then tagging changes nothing."""


def tag_value(value: Any) -> Any:
    """A value with its bytes, decimals, exact numbers and values of unions tagged.

    An object whose only member has the tag's name is put inside another.
    """
    match value:
        case bytes():
            return {NAME: b64encode(value).decode()}
        case Decimal():
            return {NAME: [str(value)]}
        case JsonNumber():
            return {NAME: [value.text, "json"]}
        case int() if not MIN_INTEGER <= value <= MAX_INTEGER:
            return {NAME: [str(value), "integer"]}
        case UnionValue(tag, content):
            return {NAME: [tag, tag_value(content), "union"]}
        case dict():
            members = {name: tag_value(each) for name, each in value.items()}
            return {NAME: members} if members.keys() == {NAME} else members
        case list() | tuple():
            return [tag_value(each) for each in value]
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"JSON cannot hold {type(value).__name__}")


def untag_value(value: Any) -> Any:
    """The value that was tagged."""
    match value:
        case {"\0": str(text)} if len(value) == 1:
            return b64decode(text)
        case {"\0": [str(text)]} if len(value) == 1:
            return Decimal(text)
        case {"\0": [str(text), "json"]} if len(value) == 1:
            return JsonNumber(text)
        case {"\0": [str(text), "integer"]} if len(value) == 1:
            return int(text)
        case {"\0": [str(tag), content, "union"]} if len(value) == 1:
            return UnionValue(tag, untag_value(content))
        case {"\0": dict(inner)} if len(value) == 1:
            return {name: untag_value(each) for name, each in inner.items()}
        case dict():
            return {name: untag_value(each) for name, each in value.items()}
        case list():
            return [untag_value(each) for each in value]
        case _:
            return value
