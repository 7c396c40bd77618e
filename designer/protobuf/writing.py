"""The Protobuf schema of a type: for values that have none yet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from designer.protobuf.types import MICROS, UNSIGNED
from designer.text import to_type_name
from designer.values.schemas import Kind, Type

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TIMESTAMP = "google.protobuf.Timestamp"
SCALARS = {
    Kind.BOOLEAN: "bool",
    Kind.INTEGER: "int64",
    Kind.DOUBLE: "double",
    Kind.STRING: "string",
    Kind.BYTES: "bytes",
}


def write_schema(type_: Type, name: str) -> str | None:
    """The text of a schema whose message of that name takes all values of the type.

    Fields may be absent, which is how Protobuf writes null; items of lists may not. None if Protobuf has no such type:
    a value that is no struct, a decimal with digits after the point, a list of lists, and a value of unknown type or
    of one of several.

    >>> order = Type.from_json({"kind": "struct", "fields": [{"name": "id", "type": {"kind": "integer"}}]})
    >>> print(write_schema(order, "Order"))
    syntax = "proto3";
    <BLANKLINE>
    message Order {
      optional int64 id = 1;
    }
    """
    if type_.kind is not Kind.STRUCT:
        return None
    try:
        lines = list(_write_message(type_, name, ""))
    except _NotInProtobuf:
        return None
    imports = [f'import "{TIMESTAMP.replace(".", "/").lower()}.proto";', ""] if TIMESTAMP in "".join(lines) else []
    return "\n".join(['syntax = "proto3";', "", *imports, *lines])


class _NotInProtobuf(Exception):
    """Protobuf has no such type."""


def _write_message(type_: Type, name: str, indent: str) -> Iterator[str]:
    inner = indent + "  "
    yield f"{indent}message {name} {{"
    for number, field in enumerate(type_.fields, 1):
        if not NAME.fullmatch(field.name):
            raise _NotInProtobuf
        nested = to_type_name(field.name)
        item = field.type.item if field.type.kind in (Kind.LIST, Kind.MAP) else field.type
        if item is None:
            raise _NotInProtobuf
        if item.kind is Kind.STRUCT:
            yield from _write_message(item, nested, inner)
        word = nested if item.kind is Kind.STRUCT else _find_scalar(item)
        before = {Kind.LIST: f"repeated {word}", Kind.MAP: f"map<string, {word}>"}.get(
            field.type.kind, f"optional {word}"
        )
        yield f"{inner}{before} {field.name} = {number};"
    yield f"{indent}}}"


def _find_scalar(type_: Type) -> str:
    if type_ == MICROS:
        return TIMESTAMP
    word = "uint64" if type_ == UNSIGNED else SCALARS.get(type_.kind)
    if word is None:
        raise _NotInProtobuf
    return word
