"""Avro schemas as a user pastes them: what is understood of them, and the types they stand for.

Records are structs, arrays lists, maps maps, enums text, bytes and fixed bytes; a union with null is a nullable type,
as every type here is. A logical type is what it is written as: timestamps are long, decimals bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from designer.forms import wrong
from designer.schemas import BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Kind, Type, map_of
from designer.schemas import Field as Member

PRIMITIVES: Mapping[str, Type] = {
    "boolean": BOOLEAN,
    "int": INTEGER,
    "long": INTEGER,
    "float": DOUBLE,
    "double": DOUBLE,
    "string": STRING,
    "bytes": BYTES,
}
COMPLEX = ("record", "enum", "fixed", "array", "map")
DEEPEST = 64
LONGEST = 100_000
"""Characters of a schema, at most."""


class SchemaNotRead(ValueError):
    """A text is no Avro schema, or one of a kind that is not read here; `hint` says what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@lru_cache(maxsize=256)
def type_of(text: str) -> Type:
    """The type of what an Avro schema describes; raises SchemaNotRead."""
    try:
        schema = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise SchemaNotRead(
            f"The schema is no JSON: {error}.", "Paste an Avro schema, the text of an .avsc."
        ) from error
    return _Reading().type(schema, "", "The schema")


def _checked(text: str) -> str:
    try:
        type_of(text)
    except SchemaNotRead as error:
        raise wrong("avro.schema", error.message, error.hint) from error
    return text


AvroText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=LONGEST),
    AfterValidator(_checked),
    Field(json_schema_extra={"format": "avro-schema"}),
]


class _Reading:
    """Goes through one schema; remembers the named types it met. One that is still open has None."""

    def __init__(self) -> None:
        self.named: dict[str, Type | None] = {}
        self.depth = 0

    def type(self, schema: Any, namespace: str, at: str) -> Type:
        self.depth += 1
        if self.depth > DEEPEST:
            raise SchemaNotRead(f"{at} nests deeper than {DEEPEST} types.", "Read the values as bytes.")
        found = self._type(schema, namespace, at)
        self.depth -= 1
        return found

    def _type(self, schema: Any, namespace: str, at: str) -> Type:
        match schema:
            case str():
                return self._by_name(schema, namespace, at)
            case list():
                return self._union(schema, namespace, at)
            case {"type": "record" | "error", "name": str(), "fields": list(fields)}:
                return self._record(schema, fields, namespace, at)
            case {"type": "enum", "name": str(), "symbols": list()}:
                return self._remember(schema, namespace, STRING)
            case {"type": "fixed", "name": str(), "size": int(size)} if size > 0:
                return self._remember(schema, namespace, BYTES)
            case {"type": "array", "items": items}:
                return Type(Kind.LIST, item=self.type(items, namespace, f"The items of {_lower(at)}"))
            case {"type": "map", "values": values}:
                return map_of(self.type(values, namespace, f"The values of {_lower(at)}"))
            case {"type": str() | dict() | list() as inner} if inner not in COMPLEX:
                return self.type(inner, namespace, at)
            case _:
                raise SchemaNotRead(f"{at} is no Avro type: {json.dumps(schema)[:80]}.", "Correct the schema.")

    def _by_name(self, name: str, namespace: str, at: str) -> Type:
        if name in PRIMITIVES:
            return PRIMITIVES[name]
        full = name if "." in name or f"{namespace}.{name}" not in self.named else f"{namespace}.{name}"
        if full not in self.named:
            raise SchemaNotRead(f"{at} has the type `{name[:80]}`, which the schema does not define.", "Define it.")
        found = self.named[full]
        if found is None:
            raise SchemaNotRead(f"{at} has the type `{name[:80]}`, which contains itself.", "Read the values as bytes.")
        return found

    def _union(self, options: list[Any], namespace: str, at: str) -> Type:
        present = [option for option in options if option != "null"]
        if len(present) != 1:
            raise SchemaNotRead(
                f"{at} is a union of {len(present)} types.", "Unions of one type and null are read; else choose bytes."
            )
        return self.type(present[0], namespace, at)

    def _record(self, schema: Mapping[str, Any], fields: list[Any], namespace: str, at: str) -> Type:
        name, inner = _full_name(schema, namespace)
        self.named[name] = None
        members = tuple(self._member(field, inner, name) for field in fields)
        if not members or len({member.name for member in members}) < len(members):
            raise SchemaNotRead(f"The record {name} has no fields, or one twice.", "Correct the schema.")
        made = Type(Kind.STRUCT, fields=members)
        self.named[name] = made
        return made

    def _member(self, field: Any, namespace: str, record: str) -> Member:
        match field:
            case {"name": str(name), "type": held} if name:
                return Member(name, self.type(held, namespace, f"Field `{name[:80]}` of {record[:80]}"))
            case _:
                raise SchemaNotRead(f"A field of {record[:80]} has no name or no type.", "Correct the schema.")

    def _remember(self, schema: Mapping[str, Any], namespace: str, held: Type) -> Type:
        self.named[_full_name(schema, namespace)[0]] = held
        return held


def _full_name(schema: Mapping[str, Any], namespace: str) -> tuple[str, str]:
    """A named type's full name, and the namespace of what stands inside it."""
    name: str = schema["name"]
    if "." in name:
        return name, name.rpartition(".")[0]
    inner = str(schema.get("namespace") or namespace)
    return (f"{inner}.{name}" if inner else name), inner


def _lower(at: str) -> str:
    return at[0].lower() + at[1:]
