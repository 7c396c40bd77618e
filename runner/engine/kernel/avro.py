"""Readers and writers of Avro as the kernel takes them: steps without names to look up and without schemas to compare.

Schema resolution stays here: fields by name and alias, promotions, defaults, symbols that only the writer has. Each
schema that records may be written with gives one reader, which is already resolved to the schema of the side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designer.avro import parse
from designer.avro.defaults import read_default
from designer.avro.resolution import find_field, find_mismatch, find_option
from designer.avro.tree import (
    NULL,
    Array,
    Enum,
    FixedType,
    Map,
    Part,
    Primitive,
    Record,
    RecordField,
    Union,
    is_bounded,
)
from designer.issues import SchemaNotRead
from designer.values.schemas import RegistrySchemas, SchemaId, Side
from runner.engine.kernel.expressions import NotInKernel
from runner.engine.kernel.framing import list_writers, write_frame

Json = Any
PROMOTIONS: Mapping[tuple[str, str], str] = {
    ("int", "float"): "int_as_double",
    ("int", "double"): "int_as_double",
    ("long", "float"): "long_as_double",
    ("long", "double"): "long_as_double",
    ("string", "bytes"): "text_as_bytes",
    ("bytes", "string"): "text",
    ("int", "long"): "int",
    ("float", "double"): "float",
}
PRIMITIVES = {name: name for name in ("null", "boolean", "int", "long", "float", "double", "bytes")}
PRIMITIVES |= {"string": "text"}


def write_codec(side: Side, schemas: RegistrySchemas, header: str) -> Json:
    """The bytes of a side in Avro. `header` is the name of the record header that may hold the id, or empty.

    Raises NotInKernel if the kernel cannot read what the side's own schema wrote. Records of another schema that it
    cannot read are left to the Python engine.
    """
    assert side.schema is not None
    schema = side.schema
    own = parse(schema.text)
    if not is_bounded(own):
        raise NotInKernel("Avro of records inside themselves")
    by_text: dict[str, int] = {schema.text: 0}
    readers = [_read(own, own)]
    ids = dict[SchemaId, int]()
    for number, text in list_writers(side, schemas):
        if text not in by_text:
            try:
                readers.append(_read_other(text, own))
            except NotInKernel:
                continue
            by_text[text] = len(readers) - 1
        ids[number] = by_text[text]
    frame = write_frame(schema, header, ids)
    return {"format": "avro", **frame, "readers": readers, "writer": _write(own)}


def _read_other(text: str, own: Part) -> Json:
    try:
        writer = parse(text)
    except SchemaNotRead as error:
        raise NotInKernel("such a schema") from error
    if not is_bounded(writer) or find_mismatch(writer, own) is not None:
        raise NotInKernel("such a schema")
    return _read(writer, own)


def _read(writer: Part, reader: Part) -> Json:
    """How to read what one schema wrote as a value of another, as `make_reader` of the Python engine does."""
    if isinstance(writer, Union):
        return ["union", [_read_option(option, reader) for option in writer.options]]
    if isinstance(reader, Union):
        if reader.only is None:
            raise NotInKernel("Avro's unions of several types")
        option = find_option(reader, writer)
        assert option is not None
        return _read(writer, option)
    match writer, reader:
        case Primitive(), Primitive():
            if (digits := _find_digits(reader)) is not None:
                return [*digits, None]
            return [PROMOTIONS.get((writer.name, reader.name)) or PRIMITIVES[writer.name]]
        case FixedType(), FixedType():
            return _read_fixed(reader)
        case Enum(), Enum():
            return ["enum", [each if each in reader.symbols else reader.default for each in writer.symbols]]
        case Array(), Array():
            return ["list", _read(writer.items, reader.items)]
        case Map(), Map():
            return ["map", _read(writer.values, reader.values)]
        case Record(), Record():
            return _read_record(writer, reader)
    raise AssertionError(f"{writer.name} is not read as {reader.name}")


def _read_option(option: Part, reader: Part) -> Json:
    """How to read an option of a union, or None if no record with it can be read."""
    if option is NULL:
        return ["null"] if isinstance(reader, Union) and NULL in reader.options else None
    return _read(option, reader) if find_mismatch(option, reader) is None else None


def _find_digits(part: Primitive | FixedType) -> Json:
    """The decimal type of a part, if it has one."""
    logical = part.logical
    return ["decimal", logical.precision, logical.scale] if logical is not None and logical.name == "decimal" else None


def _read_fixed(part: FixedType) -> Json:
    if part.logical is None:
        return ["fixed", part.size]
    if (digits := _find_digits(part)) is not None:
        return [*digits, part.size]
    return [part.logical.name]


def _read_record(writer: Record, reader: Record) -> Json:
    """The fields as they are written, each with its name in the result, and the order of the result if it is another.

    An item of the order is the place of a written field, or a field's name with its default.
    """
    fields = list[Json]()
    place_of = dict[str, int]()
    for field in writer.fields:
        into = find_field(reader, field.name)
        if into is None:
            fields.append([None, _read(field.of, field.of)])
        else:
            place_of[into.name] = len(fields)
            fields.append([into.name, _read(field.of, into.of)])
    order = [
        place_of[field.name] if field.name in place_of else [field.name, _plain(read_default(field))]
        for field in reader.fields
    ]
    return ["record", fields, None if order == list(range(len(fields))) else order]


def _write(part: Part) -> Json:
    match part:
        case Primitive(name=name):
            if (digits := _find_digits(part)) is not None:
                return [*digits, None]
            return [PRIMITIVES[name]]
        case FixedType():
            return _read_fixed(part)
        case Enum(symbols=symbols):
            return ["enum", list(symbols)]
        case Array(items=items):
            return ["list", _write(items)]
        case Map(values=values):
            return ["map", _write(values)]
        case Union(options=options, only=only):
            if only is None:
                raise NotInKernel("Avro's unions of several types")
            return ["nullable", options.index(NULL) if NULL in options else None, options.index(only), _write(only)]
        case Record(fields=fields):
            return ["record", [[field.name, _write(field.of), _find_missing(field)] for field in fields]]
    raise NotInKernel("Avro of records inside themselves")


def _find_missing(field: RecordField) -> Json:
    """What is written for a field that a value lacks: its default, else null."""
    try:
        return _plain(read_default(field))
    except ValueError:
        return None


def _plain(default: Any) -> Json:
    """A default that JSON holds as it is. Raises NotInKernel for others, such as bytes."""
    match default:
        case None | bool() | int() | str():
            return default
        case float() if default - default == 0:
            return default
        case list():
            return [_plain(each) for each in default]
        case dict():
            return {name: _plain(each) for name, each in default.items()}
    raise NotInKernel("such a default in Avro")
