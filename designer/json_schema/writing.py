"""The JSON Schema of a type: for values that have none yet."""

from __future__ import annotations

import json
from typing import Any

from designer.values.schemas import Kind, Type

WORDS = {
    Kind.BOOLEAN: "boolean",
    Kind.INTEGER: "integer",
    Kind.DOUBLE: "number",
    Kind.DECIMAL: "number",
    Kind.STRING: "string",
    Kind.BYTES: "string",
    Kind.LIST: "array",
    Kind.MAP: "object",
    Kind.STRUCT: "object",
}


def write_schema(type_: Type, name: str) -> str:
    """The text of a schema with that title that takes all values of the type. Its parts may be null.

    A value of unknown type, and one of several types, may be anything.

    >>> print(write_schema(Type(Kind.BOOLEAN), "Flag"))
    {
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "Flag",
      "type": "boolean"
    }
    """
    head = {"$schema": "http://json-schema.org/draft-07/schema#", "title": name}
    return json.dumps(head | _write(type_, is_nullable=False), indent=2, ensure_ascii=False)


def _write(type_: Type, *, is_nullable: bool = True) -> dict[str, Any]:
    word = WORDS.get(type_.kind)
    if word is None:
        return {}
    schema: dict[str, Any] = {"type": [word, "null"] if is_nullable else word}
    if type_.kind is Kind.LIST and type_.item is not None:
        schema["items"] = _write(type_.item)
    elif type_.kind is Kind.MAP and type_.item is not None:
        schema["additionalProperties"] = _write(type_.item)
    elif type_.kind is Kind.STRUCT:
        schema["properties"] = {field.name: _write(field.type) for field in type_.fields}
    return schema
