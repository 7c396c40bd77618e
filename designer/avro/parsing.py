"""Parses Avro schemas. Each error names the path of the part that cannot be parsed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from designer.avro.logical import read_logical
from designer.avro.text import load
from designer.avro.tree import (
    NULL,
    PRIMITIVES,
    Array,
    Enum,
    FixedType,
    Map,
    NamedType,
    Part,
    Primitive,
    Record,
    RecordField,
    Reference,
    Union,
)
from designer.issues import SchemaNotRead
from designer.messages import IssueCode
from designer.values.schemas import MAX_SCHEMA_CHARACTERS

COMPLEX = ("record", "error", "enum", "fixed", "array", "map")
MAX_DEPTH = 64
MAX_FIXED_SIZE = 1_048_576
"""Maximum number of bytes in a fixed."""


@lru_cache(maxsize=32)
def parse(text: str) -> Part:
    """The schema in a JSON text. Raises SchemaNotRead.

    Few are cached, because a hostile one has thousands of parts.
    """
    if len(text) > MAX_SCHEMA_CHARACTERS:
        raise SchemaNotRead(IssueCode.SCHEMA_TOO_LARGE, {"max_characters": MAX_SCHEMA_CHARACTERS})
    try:
        schema = load(text)
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, json.JSONDecodeError) else None
        why = "a number has too many digits" if why is None and isinstance(error, ValueError) else why
        raise SchemaNotRead(IssueCode.AVRO_NOT_JSON, {"why": why}) from error
    return _Parser().part(schema, "", "", 1)


class _Parser:
    """Parses one schema, and remembers its named types. A record that is not complete stands there as `Reference`.

    `path` is the place of a part, as in `lines[].price`. `namespace` belongs to names without dots.
    """

    def __init__(self) -> None:
        self.named_types: dict[str, NamedType | Reference] = {}

    def part(self, schema: Any, namespace: str, path: str, depth: int) -> Part:
        if depth > MAX_DEPTH:
            raise SchemaNotRead(IssueCode.AVRO_TOO_DEEP, {"path": path or None, "max_depth": MAX_DEPTH})
        match schema:
            case str():
                return self._find_by_name(schema, namespace, path)
            case list():
                return self._read_union(schema, namespace, path, depth)
            case {"type": "record" | "error", "name": str(), "fields": list(fields)}:
                return self._read_record(schema, fields, namespace, path, depth)
            case {"type": "enum", "name": str(), "symbols": list(symbols)}:
                return self._read_enum(schema, symbols, namespace, path)
            case {"type": "fixed", "name": str(), "size": int(size)} if (
                type(size) is int and 0 <= size <= MAX_FIXED_SIZE
            ):
                name, inner = self._read_name(schema, namespace, path)
                return self._find_named(
                    FixedType(name, size, read_logical(schema, "fixed", size), _read_aliases(schema, inner))
                )
            case {"type": "array", "items": items}:
                return Array(self.part(items, namespace, f"{path}[]", depth + 1))
            case {"type": "map", "values": values}:
                return Map(self.part(values, namespace, f"{path}{{}}", depth + 1))
            case {"type": str(name)} if name in PRIMITIVES:
                logical = read_logical(schema, name)
                return NULL if name == "null" else Primitive(name, logical)
            case {"type": str() | dict() | list() as inner} if inner not in COMPLEX:
                return self.part(inner, namespace, path, depth + 1)
            case _:
                raise SchemaNotRead(IssueCode.AVRO_NO_TYPE, {"path": path or None, "json": json.dumps(schema)[:80]})

    def _find_by_name(self, name: str, namespace: str, path: str) -> Part:
        if name in PRIMITIVES:
            return NULL if name == "null" else Primitive(name)
        full = name if "." in name or f"{namespace}.{name}" not in self.named_types else f"{namespace}.{name}"
        if full not in self.named_types:
            raise SchemaNotRead(IssueCode.AVRO_UNDEFINED, {"path": path or None, "type": name[:80]})
        return self.named_types[full]

    def _read_union(self, options: list[Any], namespace: str, path: str, depth: int) -> Part:
        parts = tuple(self.part(option, namespace, path, depth + 1) for option in options)
        if any(isinstance(part, Union) for part in parts):
            raise SchemaNotRead(IssueCode.AVRO_UNION_HELD, {"path": path or None})
        for name, count in Counter(part.name for part in parts).items():
            if count > 1:
                raise SchemaNotRead(IssueCode.AVRO_UNION_TWICE, {"path": path or None, "type": name})
        return Union(parts)

    def _read_record(self, schema: Mapping[str, Any], fields: list[Any], namespace: str, path: str, depth: int) -> Part:
        name, inner = self._read_name(schema, namespace, path)
        reference = self.named_types[name] = Reference(name)
        members = tuple(self._read_field(field, inner, name, path, depth) for field in fields)
        if len({member.name for member in members}) < len(members):
            raise SchemaNotRead(IssueCode.AVRO_RECORD, {"record": name[:80]})
        reference.found = Record(name, members, _read_aliases(schema, inner))
        return self._find_named(reference.found)

    def _read_field(self, field: Any, namespace: str, record: str, path: str, depth: int) -> RecordField:
        match field:
            case {"name": str(name), "type": type_} if name:
                at = f"{path}.{name[:80]}" if path else name[:80]
                part, aliases = self.part(type_, namespace, at, depth + 1), _keep_texts(field.get("aliases"))
                return RecordField(name, part, "default" in field, field.get("default"), aliases)
            case _:
                raise SchemaNotRead(IssueCode.AVRO_FIELD, {"record": record[:80]})

    def _read_enum(self, schema: Mapping[str, Any], symbols: list[Any], namespace: str, path: str) -> Part:
        name, inner = self._read_name(schema, namespace, path)
        names = _keep_texts(symbols)
        if len(set(names)) < len(symbols):
            raise SchemaNotRead(IssueCode.AVRO_ENUM, {"enum": name[:80]})
        default = schema.get("default")
        return self._find_named(Enum(name, names, default if default in names else None, _read_aliases(schema, inner)))

    def _read_name(self, schema: Mapping[str, Any], namespace: str, path: str) -> tuple[str, str]:
        """A named type's full name, and the namespace for names inside it."""
        name: str = schema["name"]
        own = schema.get("namespace")
        inner = name.rpartition(".")[0] if "." in name else own if isinstance(own, str) else namespace
        full = name if "." in name or not inner else f"{inner}.{name}"
        if not name or full in self.named_types or full in PRIMITIVES:
            raise SchemaNotRead(IssueCode.AVRO_NAME, {"path": path or None, "type": full[:80]})
        return full, inner

    def _find_named(self, part: NamedType) -> NamedType:
        self.named_types[part.name] = part
        return part


def _keep_texts(value: Any) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _read_aliases(schema: Mapping[str, Any], namespace: str) -> tuple[str, ...]:
    """Full names. A name without dots is in the namespace of the type."""
    plain = _keep_texts(schema.get("aliases"))
    return tuple(each if "." in each or not namespace else f"{namespace}.{each}" for each in plain)
