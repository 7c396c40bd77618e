"""The types that each format writes, for the checks and the defaults.

The runner has the formats themselves, bytes to values and back. Here are only their names. All but json and those with
a schema are Kafka's own serializers, so that any of its consumers reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from designer import avro, json_schema, protobuf
from designer.issues import SchemaNotRead
from designer.values.decimals import takes
from designer.values.logical import has_same_unit
from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    FormatSchema,
    Kind,
    SchemaText,
    Side,
    Type,
)

NATURAL: Mapping[str, Type] = {
    "json": ANY,
    "string": STRING,
    "long": INTEGER,
    "integer": INTEGER,
    "double": DOUBLE,
    "boolean": BOOLEAN,
    "bytes": BYTES,
    "none": ANY,
    "avro": ANY,
    "protobuf": ANY,
    "json_schema": ANY,
}
"""The type that a format reads without further information."""


class SchemaFormat(Protocol):
    """A format whose types come from a schema. `message` is the name of a Protobuf message."""

    def read_type(self, text: str, message: str = "") -> Type:
        """The type of the values. Raises SchemaNotRead."""

    def find_mismatch(self, writer: str, reader: str, message: str = "", *, all_fit: bool = False) -> str | None:
        """Why no record of one schema becomes one of the other, without a final full stop. Raises SchemaNotRead.

        With `all_fit`, why it is not known that every record does.
        """

    def inline_references(self, schema: SchemaText) -> str:
        """The schema as one text, with everything that it refers to."""

    def write_schema(self, type_: Type, name: str) -> str | None:
        """The text of a schema that takes all values of the type, with a record of that name. None: there is none."""


SCHEMA_FORMATS: Mapping[str, SchemaFormat] = {"avro": avro, "protobuf": protobuf, "json_schema": json_schema}
FORMATS_BY_KIND: Mapping[str, str] = {"AVRO": "avro", "PROTOBUF": "protobuf", "JSON": "json_schema"}
"""The format of a registry's kind of schema."""
SCHEMA_NAMES: Mapping[str, str] = {"avro": "Avro schema", "protobuf": "Protobuf schema", "json_schema": "JSON Schema"}

LONG_DIGITS = 19
"""Digits of the largest integer."""
_ALL = frozenset(Kind)
_TAKES: Mapping[str, frozenset[Kind]] = {
    name: _ALL if type_.kind is Kind.ANY else frozenset({type_.kind, Kind.ANY}) for name, type_ in NATURAL.items()
}
_FITTING: Mapping[Kind, str] = {Kind.STRING: "string", Kind.INTEGER: "long", Kind.BYTES: "bytes"}


def find_schema_format(kind: str) -> SchemaFormat | None:
    """The format of a registry's kind of schema. None if its records are not read."""
    return SCHEMA_FORMATS.get(FORMATS_BY_KIND.get(kind, ""))


def inline_references(schema: SchemaText) -> str:
    """The schema of a registry as one text, with everything that it refers to."""
    schema_format = find_schema_format(schema.kind)
    return schema.text if schema_format is None else schema_format.inline_references(schema)


def fits(side: Side) -> bool:
    """Whether the format can write values of the type. A value of type ANY is judged record by record."""
    if side.format in SCHEMA_FORMATS:
        return side.schema is not None and find_misfit_of(side) is None
    return side.type.kind in _TAKES[side.format]


def write_schema(side: Side, name: str) -> str | None:
    """A schema with a record of that name for all values of the side. None if its format has no such schema."""
    text = SCHEMA_FORMATS[side.format].write_schema(side.type, name)
    try:
        return text if text is not None and fits(Side(side.format, side.type, FormatSchema(text))) else None
    except SchemaNotRead:  # such as two fields that are one in Protobuf's JSON
        return None


def choose_format(type_: Type) -> str:
    """The default format of a type: text as string, integers as long, bytes as bytes, all else JSON."""
    return _FITTING.get(type_.kind, "json")


def choose_side(type_: Type, choice: Side | str | None = None) -> Side:
    """A side of that type, in the format of another side or the chosen one. If that does not fit, in the type's own.

    The format none fits all types, and leaves nothing: it is for a topic, never passed on.
    """
    likely = choice if isinstance(choice, Side) else Side(choice or "none", type_)
    side = Side(likely.format, type_, likely.schema)
    if side.format == "json_schema" and side.type != likely.type:
        return Side("json", type_)  # a changed value is valid by its schema only by chance
    return side if side.format != "none" and fits(side) else Side(choose_format(type_), type_)


def find_misfit_of(side: Side) -> tuple[str, Type, Type] | None:
    """A place at which the side's schema does not take values of its type: the path, both types."""
    assert side.schema is not None
    schema = SCHEMA_FORMATS[side.format].read_type(side.schema.text, side.schema.message)
    return find_json_misfit(schema, side.type) if side.format == "json_schema" else find_misfit(schema, side.type)


@lru_cache(maxsize=64)
def find_json_misfit(schema: Type, type_: Type) -> tuple[str, Type, Type] | None:
    """Return the first place where values of a type are always of another JSON type than a JSON Schema takes, or None.

    Like `find_misfit`, but the schema itself judges each record, so all else may fit.
    """
    numbers, objects, texts = (
        {Kind.DOUBLE, Kind.DECIMAL, Kind.INTEGER},
        {Kind.MAP, Kind.STRUCT},
        {Kind.STRING, Kind.BYTES},
    )
    if {schema.kind, type_.kind} & {Kind.ANY, Kind.UNION}:
        return None
    if not any({schema.kind, type_.kind} <= kinds for kinds in (numbers, objects, texts, {schema.kind})):
        return "", schema, type_
    if schema.item is not None and type_.item is not None:
        return _add_to_path("[]", find_json_misfit(schema.item, type_.item))
    both = (
        (field.name, inner, field.type) for field in type_.fields if (inner := schema.field(field.name)) is not None
    )
    misfits = (_add_to_path(name, find_json_misfit(inner, written)) for name, inner, written in both)
    return next((each for each in misfits if each is not None), None)


@lru_cache(maxsize=64)
def find_misfit(schema: Type, type_: Type) -> tuple[str, Type, Type] | None:
    """A place at which an Avro schema of that type does not take values of the other: the path, both types.

    Records take the same fields, in any order. Bytes are accepted for decimals as their written form.
    """
    if Kind.ANY in (schema.kind, type_.kind) or (schema.kind is Kind.DOUBLE and type_.kind is Kind.INTEGER):
        return None
    if schema.kind is Kind.UNION:
        return None if _holds_options(schema, type_) else ("", schema, type_)
    if schema.kind is Kind.DECIMAL and type_.kind is Kind.BYTES:
        return None
    if schema.kind is Kind.DECIMAL and type_.kind is Kind.INTEGER and schema.precision - schema.scale >= LONG_DIGITS:
        return None
    if schema.kind is not type_.kind or not takes(schema, type_) or not has_same_unit(schema, type_):
        return "", schema, type_
    if schema.item is not None and type_.item is not None:
        return _add_to_path("[]", find_misfit(schema.item, type_.item))
    fields = {field.name: field.type for field in type_.fields}
    schema_fields = {field.name: field.type for field in schema.fields}
    if fields.keys() != schema_fields.keys():
        return "", schema, type_
    misfits = (_add_to_path(name, find_misfit(schema_fields[name], fields[name])) for name in schema_fields)
    return next((each for each in misfits if each is not None), None)


def _add_to_path(name: str, misfit: tuple[str, Type, Type] | None) -> tuple[str, Type, Type] | None:
    if misfit is None:
        return None
    path, schema, type_ = misfit
    return f"{name}{path}" if path[:1] in ("", "[") else f"{name}.{path}", schema, type_


def _holds_options(schema: Type, type_: Type) -> bool:
    """Each value finds its option: one of the same name in a union, else any that takes it."""
    if type_.kind is Kind.UNION:
        return all(
            (option := schema.field(field.name)) is not None and find_misfit(option, field.type) is None
            for field in type_.fields
        )
    return any(find_misfit(option.type, type_) is None for option in schema.fields)
