"""Types in expressions: their names, their compatibility, and the types of CAST."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from designer.expressions import decimals
from designer.expressions.errors import ExpressionError, Span
from designer.messages import IssueCode
from designer.values.decimals import MAX_PRECISION, is_sound
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
    without_names,
)

NUMBERS = (Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL)
SCALARS = (Kind.BOOLEAN, *NUMBERS, Kind.STRING, Kind.BYTES)

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
DECIMALS = ("DECIMAL", "NUMERIC", "DEC")
OTHER_TYPES = {
    "TINYINT": "BIGINT",
    "SMALLINT": "BIGINT",
    "FLOAT": "DOUBLE",
    "REAL": "DOUBLE",
    "NUMBER": "DOUBLE or DECIMAL(10, 2)",
    "BIGDECIMAL": "DECIMAL(10, 2)",
    "TEXT": "STRING",
    "VARCHAR": "STRING",
    "CHAR": "STRING",
    "STR": "STRING",
    "BOOL": "BOOLEAN",
    "BYTES": "BINARY",
    "VARBINARY": "BINARY",
}


def find_type(name: str, sizes: Sequence[str], span: Span) -> Type:
    """The type to cast to. DECIMAL alone is DECIMAL(10, 0), as in Spark. Raises ExpressionError."""
    if name.upper() in DECIMALS:
        type_ = decimal(*[int(each) if each.isdecimal() and len(each) < 4 else -1 for each in sizes or ("10",)][:2])
        if len(sizes) <= 2 and is_sound(type_):
            return type_
        raise ExpressionError(IssueCode.TEXT_DECIMAL_SIZE, {"max_precision": MAX_PRECISION}, span)
    target = CAST_NAMES.get(name.upper())
    if target is None:
        raise describe_unknown_type(name, span)
    if sizes:
        raise ExpressionError(IssueCode.TEXT_SIZE, {"type": name.upper()}, span)
    return target


def name_in_sql(type_: Type) -> str:
    """The type's name in CAST."""
    if type_.kind is Kind.DECIMAL:
        return f"DECIMAL({type_.precision}, {type_.scale})"
    return next((name for name, of in CAST_NAMES.items() if of == type_ and name != "INT"), type_.kind.value.upper())


def describe_unknown_type(name: str, span: Span) -> ExpressionError:
    types = "BOOLEAN, BIGINT, DOUBLE, DECIMAL(10, 2), STRING and BINARY"
    if name.upper() in ("TIMESTAMP", "DATE"):
        return ExpressionError(IssueCode.TEXT_TYPE_OF_TIME, {"time": name, "types": types}, span)
    instead = OTHER_TYPES.get(name.upper())
    return ExpressionError(IssueCode.TEXT_TYPE_UNKNOWN, {"type": name[:40], "types": types, "instead": instead}, span)


def describe(type_: Type) -> str:
    """`list of string`, `map of integer`, `struct`, `decimal(10,2)`, and `value of unknown type` for ANY."""
    if type_.kind is Kind.DECIMAL:
        return f"decimal({type_.precision},{type_.scale})"
    if type_.logical is not None:
        return f"{type_.kind.value} ({type_.logical})"
    if type_.kind is Kind.UNION:
        return f"union of {', '.join(field.name for field in type_.fields)}"
    if type_.kind is Kind.LIST and type_.item is not None and type_.item.kind is not Kind.ANY:
        return f"list of {describe(type_.item)}"
    if type_.kind is Kind.MAP and type_.item is not None and type_.item.kind is not Kind.ANY:
        return f"map of {describe(type_.item)}"
    return "value of unknown type" if type_.kind is Kind.ANY else type_.kind.value


def with_article(type_: Type) -> str:
    """The type with its article: `an integer`, `a string`."""
    words = describe(type_)
    return ("an " if words[0] in "aeio" else "a ") + words


def find_tag(type_: Type) -> str | None:
    """The name of a union's type to extract, if an operator does not take the whole."""
    return type_.fields[0].name if type_.kind is Kind.UNION and type_.fields else None


def is_number(type_: Type) -> bool:
    return type_.kind in NUMBERS


def find_common_type(types: Iterable[Type]) -> Type | None:
    """The common type of all. ANY if one is ANY. None if there is none.

    Integers are widened to decimals, and both to doubles.
    """
    common_type: Type | None = None
    for type_ in types:
        common_type = type_ if common_type is None else _join(common_type, type_)
        if common_type is None:
            return None
    return common_type or ANY


@lru_cache(maxsize=4_096)
def _join(one: Type, other: Type) -> Type | None:
    if one == other:
        return one
    if ANY in (one, other):
        return ANY
    if one.logical != other.logical and without_names(one) == without_names(other):
        return without_names(one)
    if is_number(one) and is_number(other):
        return (
            DOUBLE
            if DOUBLE in (one, other)
            else decimals.find_wider(decimals.as_operand(one), decimals.as_operand(other))
        )
    if one.kind is other.kind and one.kind in (Kind.LIST, Kind.MAP):
        mine, theirs = one.item or ANY, other.item or ANY
        item = _join(mine, theirs)
        return None if item is None or _converts(item, mine, theirs) else Type(one.kind, item=item)
    if one.kind is other.kind is Kind.STRUCT:
        return _join_structs(one, other)
    return None


def _join_structs(one: Type, other: Type) -> Type | None:
    if [field.name for field in one.fields] != [field.name for field in other.fields]:
        return None
    fields = []
    for mine, theirs in zip(one.fields, other.fields, strict=True):
        type_ = _join(mine.type, theirs.type)
        if type_ is None or _converts(type_, mine.type, theirs.type):
            return None
        fields.append(Field(mine.name, type_))
    return Type(Kind.STRUCT, fields=tuple(fields))


def _converts(target: Type, *types: Type) -> bool:
    """Whether a value would have to change for the common type. The contents of lists, maps and structs never do."""
    return is_number(target) and any((each.kind, each.scale) != (target.kind, target.scale) for each in types)
