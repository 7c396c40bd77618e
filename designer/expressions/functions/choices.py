"""Choices between values, mostly about nulls. The lazy ones are forms: they compute only the chosen value."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from designer.expressions.functions.table import function, register_form
from designer.values.exact_json import JsonNumber
from designer.values.tuples import UnionValue

TYPE_NAMES = {int: "bigint", float: "double", Decimal: "decimal", str: "string", bytes: "binary", bool: "boolean"}
TYPE_NAMES |= {JsonNumber: "double", list: "array", dict: "struct", UnionValue: "union"}

register_form(
    "coalesce(values: T...) -> T?",
    """The first value that is not null.
    coalesce(NULL, 2, 3) = 2
    coalesce(NULL, NULL) IS NULL""",
)
register_form(
    "nvl(value: T, otherwise: T) -> T?",
    """The value, or the other value if it is null.
    nvl(NULL, 'none') = 'none'""",
    "ifnull",
)
register_form(
    "nvl2(value: any, present: T, absent: T) -> T?",
    """The second value if the first is not null, otherwise the third.
    nvl2(NULL, 1, 2) = 2
    nvl2('x', 1, 2) = 1""",
)
register_form(
    "if(condition: boolean, then: T, else: T) -> T?",
    """One of two values; a null condition counts as false.
    if(1 < 2, 'yes', 'no') = 'yes'
    if(NULL, 'yes', 'no') = 'no'""",
)
register_form(
    "isnull(value: any) -> boolean",
    """True if the value is null.
    isnull(NULL)
    NOT isnull(0)""",
)
register_form(
    "isnotnull(value: any) -> boolean",
    """True if the value is not null.
    isnotnull('')""",
)
register_form(
    "equal_null(left: C, right: C) -> boolean",
    """True if both are equal or both are null, like <=>.
    equal_null(NULL, NULL)
    NOT equal_null(1, NULL)""",
)


@function("nullif(value: C, unwanted: C) -> C?", takes_nulls=True)
def nullif(value: Any, other: Any) -> Any:
    """Null if the two are equal, otherwise the first.
    nullif(0, 0) IS NULL
    nullif(3, 0) = 3
    nullif(3, NULL) = 3
    """
    return None if value == other else value


@function("greatest(values: C...) -> C?", takes_nulls=True)
def greatest(*values: Any) -> Any:
    """The largest value; nulls are ignored. NaN is larger than all numbers.
    greatest(3, 10, NULL) = 10
    greatest('a', 'b') = 'b'
    isnan(greatest(1, sqrt(-1), 2))
    """
    present = [value for value in values if value is not None]
    return max([value for value in present if value != value] or present, default=None)


@function("least(values: C...) -> C?", takes_nulls=True)
def least(*values: Any) -> Any:
    """The smallest value; nulls are ignored. NaN is larger than all numbers.
    least(3, 10, NULL) = 3
    least(sqrt(-1), 3, 2) = 2
    """
    present = [value for value in values if value is not None]
    return min([value for value in present if value == value] or present, default=None)


@function("isnan(number: number) -> boolean", takes_nulls=True)
def isnan(number: float | None) -> bool:
    """True if the value is the double NaN.
    isnan(CAST('NaN' AS DOUBLE))
    NOT isnan(NULL)
    """
    return number is not None and math.isnan(number)


@function("nanvl(number: number, otherwise: number) -> double")
def nanvl(number: float, otherwise: float) -> float:
    """The first number, or the other one if the first is NaN.
    nanvl(sqrt(-1), 0) = 0.0
    """
    return float(otherwise if math.isnan(number) else number)


@function("typeof(value: any) -> string", takes_nulls=True)
def typeof(value: Any) -> str:
    """The type of the value: bigint, double, decimal(3,1), string, boolean, array, struct, or void for null.
    typeof(CAST(1 AS DECIMAL(10, 2))) = 'decimal(10,2)'
    typeof('a') = 'string'
    typeof(CAST(1 AS BIGINT)) = 'bigint'
    typeof(union_value('int', 7)) = 'union'
    typeof(NULL) = 'void'
    """
    return TYPE_NAMES.get(type(value), "void")
