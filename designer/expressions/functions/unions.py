"""Unions of several types, as Avro has them. The names are DuckDB's."""

from __future__ import annotations

from typing import Any

from designer.expressions.functions.table import function
from designer.values import UnionValue


@function("union_value(type: tag, value: any) -> any", takes_nulls=True)
def union_value(tag: str, value: Any) -> UnionValue | None:
    """A value of a union, of the type that Avro's name says, for a sink whose schema has that union there.
    union_extract(union_value('long', 7), 'long') = 7
    """
    return None if value is None else UnionValue(tag, value)


@function("union_tag(value: union) -> string")
def union_tag(value: UnionValue) -> str:
    """Which type a value of a union has, by Avro's name for it, such as 'int', 'string' or 'shop.Order'.
    union_tag(union_value('int', 7)) = 'int'
    """
    return value.tag


@function("union_extract(value: union, type: tag) -> any?")
def union_extract(value: UnionValue, tag: str) -> Any:
    """The value of a union taken as one of its types, by Avro's name for it; null where it has another type.
    union_extract(union_value('int', 7), 'int') + 1 = 8
    """
    return value.value if value.tag == tag else None
