"""The Avro schema of a type: for values that have none yet."""

from __future__ import annotations

import json
import re
from typing import Any

from designer.avro.logical import FORMS_BY_NAME
from designer.text import to_type_name
from designer.values.schemas import Kind, Type

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PRIMITIVES = {
    Kind.BOOLEAN: "boolean",
    Kind.INTEGER: "long",
    Kind.DOUBLE: "double",
    Kind.STRING: "string",
    Kind.BYTES: "bytes",
}


def write_schema(type_: Type, name: str) -> str | None:
    """The text of a schema that takes all values of the type, with records of that name.

    Fields, items and values of maps may be null. None if Avro has no such type: a value of unknown type, one of
    several types, or a field whose name Avro does not allow.

    >>> order = Type.from_json({"kind": "struct", "fields": [{"name": "id", "type": {"kind": "integer"}}]})
    >>> print(write_schema(order, "Order"))
    {
      "type": "record",
      "name": "Order",
      "fields": [
        {"name": "id", "type": ["null", "long"], "default": null}
      ]
    }
    """
    try:
        schema = _write(type_, name, set())
    except _NotInAvro:
        return None
    if type_.kind is not Kind.STRUCT:
        return json.dumps(schema)
    fields = ",\n    ".join(map(json.dumps, schema["fields"]))
    return f'{{\n  "type": "record",\n  "name": "{schema["name"]}",\n  "fields": [\n    {fields}\n  ]\n}}'


class _NotInAvro(Exception):
    """Avro has no such type."""


def _write(type_: Type, name: str, names: set[str]) -> Any:
    match type_.kind:
        case Kind.DECIMAL:
            digits = {"precision": type_.precision, "scale": type_.scale}
            return {"type": "bytes", "logicalType": "decimal", **digits}
        case Kind.LIST if type_.item is not None:
            return {"type": "array", "items": _write_nullable(type_.item, name, names)}
        case Kind.MAP if type_.item is not None:
            return {"type": "map", "values": _write_nullable(type_.item, name, names)}
        case Kind.STRUCT:
            return _write_record(type_, name, names)
    base = PRIMITIVES.get(type_.kind)
    if base is None:
        raise _NotInAvro
    forms = FORMS_BY_NAME.get(type_.logical or "", ())
    form = next((each for each in ("int", base) if each in forms), None)
    return base if form is None else {"type": form, "logicalType": type_.logical}


def _write_record(type_: Type, name: str, names: set[str]) -> Any:
    if not all(NAME.fullmatch(field.name) for field in type_.fields):
        raise _NotInAvro
    own = name
    while own in names:
        own += "_"
    names.add(own)
    fields = [
        {
            "name": field.name,
            "type": _write_nullable(field.type, own + to_type_name(field.name), names),
            "default": None,
        }
        for field in type_.fields
    ]
    return {"type": "record", "name": own, "fields": fields}


def _write_nullable(type_: Type, name: str, names: set[str]) -> Any:
    return ["null", _write(type_, name, names)]
