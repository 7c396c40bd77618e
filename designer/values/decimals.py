"""Exact decimal numbers as in SQL: `decimal(precision, scale)`.

A value of such a type is a `decimal.Decimal` with `scale` digits after the point, even if they are zeros. So equal
values of one type have the same bytes. There is no negative zero.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import lru_cache

from designer.values.schemas import Kind, Type

MAX_PRECISION = 38
"""Maximum digits of a decimal: as many as Spark's and Avro's readers take."""
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,9})?")
"""The form of a number in a text."""


@lru_cache(maxsize=1_024)
def make_fit(precision: int, scale: int, rounding: str | None = None) -> Callable[[Decimal], Decimal]:
    """A function that gives a number the digits of `decimal(precision, scale)`.

    It raises InvalidOperation if the number is too large, and Inexact where digits would be lost and no `rounding`
    (one of `decimal`'s names) is given.

    >>> make_fit(4, 2)(Decimal("1.5"))
    Decimal('1.50')
    """
    traps = [InvalidOperation] if rounding else [InvalidOperation, Inexact]
    context = Context(prec=precision, rounding=rounding, traps=traps)
    quantize, last = context.quantize, Decimal((0, (1,), -scale))

    def fit(number: Decimal) -> Decimal:
        rounded_number = quantize(number, last)
        return rounded_number if rounded_number else abs(rounded_number)

    return fit


def write_digits(number: Decimal) -> str:
    """The number in JSON and in text: all digits, no exponent."""
    return f"{number:f}"


def is_decimal(number: Decimal) -> bool:
    """Whether a decimal type can hold the number."""
    _, coefficient, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        return False
    return exponent >= -MAX_PRECISION and len(coefficient) + max(exponent, 0) <= MAX_PRECISION


def is_sound(type_: Type) -> bool:
    """Whether a type's precision and scale are valid for its kind."""
    if type_.kind is not Kind.DECIMAL:
        return type_.precision == type_.scale == 0
    return 0 < type_.precision <= MAX_PRECISION and 0 <= type_.scale <= type_.precision


def takes(wide: Type, type_: Type) -> bool:
    """Whether every value of `type_` fits into `wide` if both are decimals. True for other kinds."""
    return wide.scale >= type_.scale and wide.precision - wide.scale >= type_.precision - type_.scale
