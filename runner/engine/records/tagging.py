"""Bytes and exact numbers in JSON that keeps their kinds, under a name that no one gives a field.

Bytes are `{"\\u0000": "<base64>"}`, the decimal 1.50 is `{"\\u0000": ["1.50"]}`, and a number of a JSON text is
`{"\\u0000": ["1.50", "json"]}`, an integer beyond 64 bits `{"\\u0000": ["18446744073709551616", "integer"]}`.
The int 7 of a union is `{"\\u0000": ["int", 7, "union"]}`.
A value of more levels than JSON's writer takes is `{"\\u0000": [["…", "…"], "parts"]}`: it is cut into parts, which
stand for each other by their place, as in `{"\\u0000": [1, "part"]}`. Code that wraps its own last result makes such.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

from designer.values.exact_json import MAX_INTEGER, MIN_INTEGER, JsonNumber
from designer.values.tuples import UnionValue

NAME = "\0"
TAG = rb'"\u0000"'
"""Text in JSON with such a member. It may also be there by chance: then tagging changes nothing."""


NO_PARTS: Mapping[int, Any] = MappingProxyType({})
PART_DEPTH = 64
"""Number of levels in a part. Tags add up to two for each level of a union, and orjson writes 254."""


class Part(NamedTuple):
    """Stands for the part at that place."""

    place: int


def tag_deep(value: Any) -> Any:
    """A value of any depth, cut into parts and tagged."""
    parts = [value]
    tagged_parts = []
    for part in parts:  # `_cut` appends to it
        tagged_parts.append(tag_value(_cut(part, PART_DEPTH, parts)))
    return {NAME: [tagged_parts, "parts"]}


def _cut(value: Any, depth: int, parts: list[Any]) -> Any:
    """The value with a `Part` for everything below that depth, which is appended to the parts."""
    kind = type(value)
    if kind not in (dict, list, tuple, UnionValue):
        return value
    if depth == 0:
        parts.append(value)
        return Part(len(parts) - 1)
    if kind is dict:
        return {name: _cut(each, depth - 1, parts) for name, each in value.items()}
    if kind is UnionValue:
        return UnionValue(value.tag, _cut(value.value, depth - 1, parts))
    return [_cut(each, depth - 1, parts) for each in value]


def _join_parts(tagged_parts: list[Any]) -> Any:
    """The value that was cut. Each part stands only for later ones."""
    values: dict[int, Any] = {}
    for place in reversed(range(len(tagged_parts))):
        values[place] = untag_value(tagged_parts[place], values)
    return values[0]


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
        case Part(place):
            return {NAME: [place, "part"]}
        case dict():
            members = {name: tag_value(each) for name, each in value.items()}
            return {NAME: members} if members.keys() == {NAME} else members
        case list() | tuple():
            return [tag_value(each) for each in value]
        case None | str() | int() | float():
            return value
        case _:
            raise TypeError(f"JSON cannot hold {type(value).__name__}")


def untag_value(value: Any, parts: Mapping[int, Any] = NO_PARTS) -> Any:
    """The value that was tagged. `parts` are those that may be named in it, by their place."""
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
            return UnionValue(tag, untag_value(content, parts))
        case {"\0": [list(tagged_parts), "parts"]} if len(value) == 1:
            return _join_parts(tagged_parts)
        case {"\0": [int(place), "part"]} if len(value) == 1:
            return parts[place]
        case {"\0": dict(inner)} if len(value) == 1:
            return {name: untag_value(each, parts) for name, each in inner.items()}
        case dict():
            return {name: untag_value(each, parts) for name, each in value.items()}
        case list():
            return [untag_value(each, parts) for each in value]
        case _:
            return value
