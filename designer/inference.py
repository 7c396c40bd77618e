"""What a topic probably holds, from a sample of its records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from designer import exact_json
from designer.exact_json import JsonNumber
from designer.schemas import ANY, BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Field, Kind, Schema, Side, Type, map_of
from designer.topics import UNKNOWN

DEEPEST = 16
"""Values nested deeper than this are ANY."""
WIDEST = 500
"""Objects with more different members than this hold data in their names, so they are maps."""
LONGS = range(-(2**63), 2**63)


def infer(samples: Iterable[tuple[bytes | None, bytes | None]]) -> Schema:
    """The formats and types of keys and values, as (key, value) records of a topic show them.

    Records that do not fit are left out while most do: a topic may hold a few broken ones.
    """
    pairs = list(samples)
    keys = [key for key, _ in pairs if key is not None]
    values = [value for _, value in pairs if value is not None]
    return Schema(key=_key(keys), value=_value(values))


def _key(found: Sequence[bytes]) -> Side:
    """A key of digits is text, as string serializers write it; only what JSON alone writes makes a key JSON."""
    if all(data[:1] in b'{["' for data in found):
        return _value(found) if found else UNKNOWN.key
    side = _value(found)
    return Side("string", STRING) if side.format == "json" else side


def _value(found: Sequence[bytes]) -> Side:
    if not found:
        return UNKNOWN.value
    if (binary := _binary(found)) is not None:
        return binary
    parsed = [value for data in found for value in _parsed(data)]
    nested = [value for value in parsed if isinstance(value, dict | list)]
    if len(nested) * 2 > len(found):
        return Side("json", merged(nested))
    if len(parsed) == len(found):
        return Side("json", merged(parsed))
    return Side("string", STRING)


def _binary(found: Sequence[bytes]) -> Side | None:
    """What Kafka's serializers of numbers and booleans write all has one length; what is mostly no text is bytes.

    8 bytes may be a double as well: only a person can tell.
    """
    texts = sum(map(_is_text, found))
    if texts < len(found):
        lengths = {len(data) for data in found}
        if lengths == {8}:
            return Side("long", INTEGER)
        if lengths == {4}:
            return Side("integer", INTEGER)
        if set(found) <= {b"\0", b"\1"}:
            return Side("boolean", BOOLEAN)
    return Side("bytes", BYTES) if texts * 2 < len(found) else None


def merged(values: Sequence[Any], depth: int = 0) -> Type:
    """The one type that all values have; nulls fit every type, and where values disagree it is ANY."""
    present = [value for value in values if value is not None]
    kinds = {_kind(value) for value in present}
    if kinds == {Kind.INTEGER, Kind.DOUBLE}:
        return DOUBLE
    if len(kinds) != 1 or depth > DEEPEST:
        return ANY
    (kind,) = kinds
    if kind is Kind.LIST:
        return Type(Kind.LIST, item=merged([item for value in present for item in value], depth + 1))
    return _struct(present, depth) if kind is Kind.STRUCT else _SIMPLE[kind]


def _struct(objects: Sequence[dict[str, Any]], depth: int) -> Type:
    """Every member that any of the objects has, in order of appearance."""
    names = dict.fromkeys(name for each in objects for name in each)
    if len(names) > WIDEST:
        return map_of(merged([held for each in objects for held in each.values()], depth + 1))
    fields = (Field(name, merged([each.get(name) for each in objects], depth + 1)) for name in names)
    return Type(Kind.STRUCT, fields=tuple(fields))


_SIMPLE = {each.kind: each for each in (BOOLEAN, INTEGER, DOUBLE, STRING, ANY)}
_KINDS: dict[type, Kind] = {
    bool: Kind.BOOLEAN,
    float: Kind.DOUBLE,
    str: Kind.STRING,
    list: Kind.LIST,
    dict: Kind.STRUCT,
}


def _kind(value: Any) -> Kind:
    if type(value) is int:
        return Kind.INTEGER if value in LONGS else Kind.ANY
    if type(value) is JsonNumber:
        return Kind.DOUBLE if math.isfinite(value) else Kind.ANY
    return _KINDS[type(value)]


def _parsed(data: bytes) -> tuple[Any, ...]:
    """The JSON value of some bytes, or nothing."""
    try:
        return (exact_json.loads(data),)
    except ValueError:
        return ()


def _is_text(data: bytes) -> bool:
    try:
        return data.decode().replace("\n", "").replace("\t", "").replace("\r", "").isprintable()
    except UnicodeDecodeError:
        return False
