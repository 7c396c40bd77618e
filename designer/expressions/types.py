"""What holds of types in expressions: their names, which of them go together, what CAST knows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from designer.expressions.errors import ExpressionError, Span
from designer.schemas import ANY, BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Field, Kind, Type

NUMBERS = (Kind.INTEGER, Kind.DOUBLE)
SCALARS = (Kind.BOOLEAN, Kind.INTEGER, Kind.DOUBLE, Kind.STRING, Kind.BYTES)

CAST_NAMES = {
    "BOOLEAN": BOOLEAN,
    "INT": INTEGER,
    "INTEGER": INTEGER,
    "BIGINT": INTEGER,
    "LONG": INTEGER,
    "DOUBLE": DOUBLE,
    "STRING": STRING,
    "BINARY": BYTES,
}
OTHER_TYPES = {
    "TINYINT": "BIGINT",
    "SMALLINT": "BIGINT",
    "FLOAT": "DOUBLE",
    "REAL": "DOUBLE",
    "DECIMAL": "DOUBLE",
    "NUMERIC": "DOUBLE",
    "NUMBER": "DOUBLE",
    "TEXT": "STRING",
    "VARCHAR": "STRING",
    "CHAR": "STRING",
    "STR": "STRING",
    "BOOL": "BOOLEAN",
    "BYTES": "BINARY",
    "VARBINARY": "BINARY",
}


def no_such_type(name: str, span: Span) -> ExpressionError:
    known = "BOOLEAN, BIGINT, DOUBLE, STRING and BINARY"
    if name.upper() in ("TIMESTAMP", "DATE"):
        hint = "Times are milliseconds here: to_timestamp_ms(text) reads one, date_format(ms, format) writes it."
    elif other := OTHER_TYPES.get(name.upper()):
        hint = f"Write {other}."
    else:
        hint = f"Types to cast to are {known}."
    return ExpressionError(f"A value cannot be cast to `{name[:40]}`; known are {known}.", hint, span)


def described(type_: Type) -> str:
    """`list of string`, `map of integer`, `struct`, `decimal(10,2)`, and `value of unknown type` for ANY."""
    if type_.kind is Kind.DECIMAL:
        return f"decimal({type_.precision},{type_.scale})"
    if type_.kind is Kind.LIST and type_.item is not None and type_.item.kind is not Kind.ANY:
        return f"list of {described(type_.item)}"
    if type_.kind is Kind.MAP and type_.item is not None and type_.item.kind is not Kind.ANY:
        return f"map of {described(type_.item)}"
    return "value of unknown type" if type_.kind is Kind.ANY else type_.kind.value


def article(type_: Type) -> str:
    """The type with its article: `an integer`, `a string`."""
    words = described(type_)
    return ("an " if words[0] in "aeio" else "a ") + words


def is_number(type_: Type) -> bool:
    return type_.kind in NUMBERS


def common(types: Iterable[Type]) -> Type | None:
    """The type that takes them all, integers widened to double; ANY where one is; None where there is none."""
    found: Type | None = None
    for type_ in types:
        found = type_ if found is None else _joined(found, type_)
        if found is None:
            return None
    return found or ANY


@lru_cache(maxsize=4_096)
def _joined(one: Type, other: Type) -> Type | None:
    if one == other:
        return one
    if ANY in (one, other):
        return ANY
    if is_number(one) and is_number(other):
        return DOUBLE
    if one.kind is other.kind and one.kind in (Kind.LIST, Kind.MAP):
        item = _joined(one.item or ANY, other.item or ANY)
        return None if item is None or item == DOUBLE else Type(one.kind, item=item)
    if one.kind is other.kind is Kind.STRUCT:
        return _joined_structs(one, other)
    return None


def _joined_structs(one: Type, other: Type) -> Type | None:
    if [field.name for field in one.fields] != [field.name for field in other.fields]:
        return None
    fields = []
    for mine, theirs in zip(one.fields, other.fields, strict=True):
        joined = _joined(mine.type, theirs.type)
        if joined is None or (joined == DOUBLE and mine.type != theirs.type):
            return None
        fields.append(Field(mine.name, joined))
    return Type(Kind.STRUCT, fields=tuple(fields))
