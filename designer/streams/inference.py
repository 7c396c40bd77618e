"""The probable schema of a topic, from a sample of its records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designer.streams.topics import UNKNOWN
from designer.values import exact_json
from designer.values.exact_json import JsonNumber
from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    Field,
    Kind,
    Schema,
    Side,
    Type,
    map_of,
)
from designer.values.tuples import StructValue

MAX_DEPTH = 16
"""Values with deeper nesting are ANY."""
MAX_FIELDS = 500
"""Objects with more different members hold data in their names, so they are maps."""
MANY = 0.9
"""The share of a field's values that must have one type, so that the others count as errors."""
LONGS = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A field with sampled values of several kinds: the count of each, and the first misfit.

    `side` is key or value. `path` is `order.amount`, or empty for the whole. `type` is the result: the type of the
    majority, or ANY if no type has enough values.
    """

    side: Literal["key", "value"]
    path: str
    type: Type
    counts: Mapping[str, int]
    odd: Any


@dataclass(frozen=True, slots=True)
class InferredSchema:
    """The schema from a sample of a topic, and its doubts."""

    schema: Schema
    doubts: tuple[Doubt, ...]


def infer(samples: Iterable[tuple[bytes | None, bytes | None]]) -> Schema:
    """The formats and types of keys and values from a topic's (key, value) records.

    Misfits are ignored while most records fit: a topic may hold a few broken ones.
    """
    return infer_with_doubts(samples).schema


def infer_with_doubts(samples: Iterable[tuple[bytes | None, bytes | None]]) -> InferredSchema:
    """What `infer` returns, with the fields whose types the records leave in doubt."""
    pairs = list(samples)
    keys, values = _Side("key"), _Side("value")
    schema = Schema(
        key=keys.key([key for key, _ in pairs if key is not None]),
        value=values.value([value for _, value in pairs if value is not None]),
    )
    return InferredSchema(schema, (*keys.doubts, *values.doubts))


class _Side:
    """Looks at all keys or all values of a sample, and notes differences."""

    def __init__(self, name: Literal["key", "value"]) -> None:
        self.name = name
        self.doubts: list[Doubt] = []

    def key(self, contents: Sequence[bytes]) -> Side:
        """A key of digits is text, as string serializers write it. Only JSON syntax makes a key JSON."""
        if all(data[:1] in b'{["' for data in contents):
            return self.value(contents) if contents else UNKNOWN.key
        side = self.value(contents)
        if side.format != "json":
            return side
        self.doubts.clear()
        return Side("string", STRING)

    def value(self, contents: Sequence[bytes]) -> Side:
        if not contents:
            return UNKNOWN.value
        if (binary := _infer_binary(contents)) is not None:
            return binary
        values = [value for data in contents for value in _parse(data)]
        nested_values = [value for value in values if isinstance(value, dict | list)]
        if len(nested_values) * 2 > len(contents):
            self._note_others(contents, len(nested_values))
            return Side("json", self.merge_types(nested_values))
        if len(values) == len(contents):
            return Side("json", self.merge_types(values))
        return Side("string", STRING)

    def _note_others(self, contents: Sequence[bytes], depth: int) -> None:
        """Whole values that are neither objects nor lists, or not JSON at all."""
        others = [data for data in contents if data.strip()[:1] not in (b"{", b"[") or not _parse(data)]
        if others:
            counts = {"struct": depth, "something else": len(others)}
            self._note_doubt("", ANY, counts, others[0].decode(errors="replace"))

    def merge_types(self, values: Sequence[Any], path: str = "", depth: int = 0) -> Type:
        """The common type of the values. Nulls fit every type. If too many differ it is ANY."""
        present = [value for value in values if value is not None]
        kinds = [_find_kind(value) for value in present]
        if Kind.DOUBLE in kinds:
            kinds = [Kind.DOUBLE if kind is Kind.INTEGER else kind for kind in kinds]
        if not kinds or depth > MAX_DEPTH:
            return ANY
        counts = Counter(kinds)
        most, fits = counts.most_common(1)[0]
        many = [value for value, kind in zip(present, kinds, strict=True) if kind is most]
        type_ = self._of_kind(most, many, path, depth) if fits >= len(present) * MANY else ANY
        if len(counts) > 1:
            odd = next(value for value, kind in zip(present, kinds, strict=True) if kind is not most)
            self._note_doubt(path, type_, {kind.value: count for kind, count in counts.most_common()}, odd)
        return type_

    def _of_kind(self, kind: Kind, values: Sequence[Any], path: str, depth: int) -> Type:
        if kind is Kind.LIST:
            return Type(
                Kind.LIST, item=self.merge_types([item for value in values for item in value], f"{path}[]", depth + 1)
            )
        return self._merge_structs(values, path, depth) if kind is Kind.STRUCT else _SIMPLE[kind]

    def _merge_structs(self, objects: Sequence[StructValue], path: str, depth: int) -> Type:
        """Every member of any of the objects, in order of appearance, but for names that Postgres cannot store."""
        names = dict.fromkeys(name for each in objects for name in each if "\0" not in name)
        if len(names) > MAX_FIELDS:
            members = [member for each in objects for member in each.values()]
            return map_of(self.merge_types(members, f"{path}{{}}", depth + 1))
        dot = f"{path}." if path else ""
        fields = (
            Field(name, self.merge_types([each.get(name) for each in objects], dot + name, depth + 1)) for name in names
        )
        return Type(Kind.STRUCT, fields=tuple(fields))

    def _note_doubt(self, path: str, type_: Type, counts: Mapping[str, int], odd: Any) -> None:
        self.doubts.append(Doubt(self.name, path, type_, counts, odd))


def _infer_binary(contents: Sequence[bytes]) -> Side | None:
    """Kafka's serializers of numbers and booleans write one length. Content that is mostly not text is bytes.

    8 bytes may be a double as well: only a person knows.
    """
    texts = sum(map(_is_text, contents))
    if texts < len(contents):
        lengths = {len(data) for data in contents}
        if lengths == {8}:
            return Side("long", INTEGER)
        if lengths == {4}:
            return Side("integer", INTEGER)
        if set(contents) <= {b"\0", b"\1"}:
            return Side("boolean", BOOLEAN)
    return Side("bytes", BYTES) if texts * 2 < len(contents) else None


_SIMPLE = {each.kind: each for each in (BOOLEAN, INTEGER, DOUBLE, STRING, ANY)}
_KINDS: dict[type, Kind] = {
    bool: Kind.BOOLEAN,
    float: Kind.DOUBLE,
    str: Kind.STRING,
    list: Kind.LIST,
    dict: Kind.STRUCT,
}


def _find_kind(value: Any) -> Kind:
    if type(value) is int:
        return Kind.INTEGER if value in LONGS else Kind.ANY
    if type(value) is JsonNumber:
        return Kind.DOUBLE if math.isfinite(value) else Kind.ANY
    return _KINDS[type(value)]


def _parse(data: bytes) -> tuple[Any, ...]:
    """The JSON value of some bytes, or nothing."""
    try:
        return (exact_json.loads_document(data),)
    except ValueError:
        return ()


def _is_text(data: bytes) -> bool:
    try:
        return data.decode().replace("\n", "").replace("\t", "").replace("\r", "").isprintable()
    except UnicodeDecodeError:
        return False
