"""An Avro schema with resolved names. Each part knows its type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    Field,
    Kind,
    Type,
    decimal,
    map_of,
    struct,
)

PRIMITIVES: Mapping[str, Type] = {
    "null": ANY,
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
    """A union of these options. One option besides null makes a nullable type of it."""

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
        return Type(Kind.UNION, fields=tags) if tags else NULL.type


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
    def by_name(self) -> Mapping[str, RecordField]:
        """The field for each name and alias. A name comes before an alias, and an earlier field before a later one."""
        by_alias = {alias: each for each in reversed(self.fields) for alias in each.aliases}
        return by_alias | {each.name: each for each in self.fields}

    @cached_property
    def type(self) -> Type:
        return Type(Kind.STRUCT, fields=tuple(Field(field.name, field.of.type) for field in self.fields))


@dataclass(eq=False)
class Reference:
    """A record inside itself, by its name. Types are finite, so its values are of unknown type."""

    name: str
    found: Record | None = field(default=None, repr=False)
    """None until the record has been parsed."""
    type = ANY

    @property
    def record(self) -> Record:
        assert self.found is not None
        return self.found


Part = Primitive | FixedType | Enum | Array | Map | Union | Record | Reference
NamedType = FixedType | Enum | Record


def resolve_reference(part: Part) -> Part:
    """The record that a part stands for, or the part itself."""
    return part.record if isinstance(part, Reference) else part


def is_bounded(part: Part) -> bool:
    """Whether the size and depth of a value follow from the number of its bytes: no list of items that take none, and
    no record inside itself."""
    waiting, seen = [part], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        match part:
            case Reference():
                return False
            case Array(items=items):
                if takes_no_bytes(items):
                    return False
                waiting.append(items)
            case Map(values=values):
                waiting.append(values)
            case Union(options=options):
                waiting += options
            case Record(fields=fields):
                waiting += [member.of for member in fields]
    return True


def takes_no_bytes(part: Part) -> bool:
    """Whether values of the part are written as nothing, so that a list of a million takes a few bytes."""
    match part:
        case FixedType(size=size):
            return size == 0
        case Record(fields=fields):
            return all(takes_no_bytes(member.of) for member in fields)
        case _:
            return part is NULL
