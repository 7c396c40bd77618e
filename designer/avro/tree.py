"""An Avro schema with resolved names. Each part knows its type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from designer.values.schemas import BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Field, Kind, Type, decimal, map_of, struct

PRIMITIVES: Mapping[str, Type] = {
    "null": Type(Kind.ANY),
    "boolean": BOOLEAN,
    "int": INTEGER,
    "long": INTEGER,
    "float": DOUBLE,
    "double": DOUBLE,
    "string": STRING,
    "bytes": BYTES,
}
DURATION = struct(months=INTEGER, days=INTEGER, milliseconds=INTEGER)


class Logical(NamedTuple):
    """A logical type that is valid in its place."""

    name: str
    precision: int = 0
    scale: int = 0

    def of(self, type_: Type) -> Type:
        """The type of values with the base type `type_`."""
        match self.name:
            case "decimal":
                return decimal(self.precision, self.scale)
            case "uuid":
                return Type(Kind.STRING, logical=self.name)
            case "duration":
                return Type(Kind.STRUCT, fields=DURATION.fields, logical=self.name)
            case _:
                return Type(type_.kind, logical=self.name)


@dataclass(frozen=True, eq=False)
class Primitive:
    name: str
    logical: Logical | None = None

    @cached_property
    def type(self) -> Type:
        type_ = PRIMITIVES[self.name]
        return type_ if self.logical is None else self.logical.of(type_)


NULL = Primitive("null")


@dataclass(frozen=True, eq=False)
class FixedType:
    name: str
    size: int
    logical: Logical | None = None
    aliases: tuple[str, ...] = ()

    @cached_property
    def type(self) -> Type:
        return BYTES if self.logical is None else self.logical.of(BYTES)


@dataclass(frozen=True, eq=False)
class Enum:
    name: str
    symbols: tuple[str, ...]
    default: str | None = None
    aliases: tuple[str, ...] = ()
    type = STRING


@dataclass(frozen=True, eq=False)
class Array:
    items: Part
    name = "array"

    @cached_property
    def type(self) -> Type:
        return Type(Kind.LIST, item=self.items.type)


@dataclass(frozen=True, eq=False)
class Map:
    values: Part
    name = "map"

    @cached_property
    def type(self) -> Type:
        return map_of(self.values.type)


@dataclass(frozen=True, eq=False)
class Union:
    """One of its options, perhaps including null. With one option besides null it is just nullable."""

    options: tuple[Part, ...]
    name = "union"

    @cached_property
    def only(self) -> Part | None:
        """The one option besides null. None if there are several."""
        present = [option for option in self.options if option is not NULL]
        return present[0] if len(present) == 1 else None

    @cached_property
    def type(self) -> Type:
        if self.only is not None:
            return self.only.type
        tags = tuple(Field(option.name, option.type) for option in self.options if option is not NULL)
        return Type(Kind.UNION, fields=tags)


class RecordField(NamedTuple):
    """`default` is a JSON value, as in the schema."""

    name: str
    of: Part
    has_default: bool = False
    default: Any = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Record:
    name: str
    fields: tuple[RecordField, ...]
    aliases: tuple[str, ...] = ()

    @cached_property
    def type(self) -> Type:
        return Type(Kind.STRUCT, fields=tuple(Field(field.name, field.of.type) for field in self.fields))


Part = Primitive | FixedType | Enum | Array | Map | Union | Record
NamedType = FixedType | Enum | Record
