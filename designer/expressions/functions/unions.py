"""Unions of several types, as in Avro. The names are DuckDB's."""

from __future__ import annotations

from typing import Any

from designer.expressions.functions.table import function
from designer.values.tuples import UnionValue


@function("union_value(type: tag, value: any) -> any", takes_nulls=True)
def union_value(tag: str, value: Any) -> UnionValue | None:
    """A value of a union, of the type with this Avro name, for a sink whose schema has that union.
    union_extract(union_value('long', 7), 'long') = 7
    """
    return None if value is None else UnionValue(tag, value)


@function("union_tag(value: union) -> string")
def union_tag(value: UnionValue) -> str:
    """The Avro name of the type of a union's value, such as 'int', 'string' or 'shop.Order'.
    union_tag(union_value('int', 7)) = 'int'
    """
    return value.tag


@function("union_extract(value: union, type: tag) -> any?")
def union_extract(value: UnionValue, tag: str) -> Any:
    """The value of a union as the type with this Avro name; null if it has another type.
    union_extract(union_value('int', 7), 'int') + 1 = 8
    """
    return value.value if value.tag == tag else None
