"""Integers of 64 bits as in Java: overflow is a fault, division rounds towards zero."""

from __future__ import annotations

import math
from typing import Any, TypeVar

from designer.expressions.errors import Fault
from designer.values.longs import MAX_LONG, MIN_LONG

Number = TypeVar("Number", int, float)


def raise_overflow(*_: object) -> Any:
    raise Fault("The result does not fit into 64 bits.")


def check_64_bits(number: Number) -> Number:
    """The number. An integer must fit. Raises Fault."""
    if type(number) is int and not MIN_LONG <= number <= MAX_LONG:
        raise_overflow()
    return number


def refuse_nan(number: Number) -> Number:
    """The number, if an integer can be made of it. Raises Fault."""
    if number != number:
        raise Fault("NaN has no integer; nanvl(…, 0) gives another number instead.")
    return number


def divide_whole(number: int, divisor: int) -> int:
    """`div`: towards zero, as in Java."""
    if divisor == 0:
        raise ZeroDivisionError
    whole = abs(number) // abs(divisor)
    return check_64_bits(whole if (number < 0) == (divisor < 0) else -whole)


def find_remainder(number: Any, divisor: Any) -> Any:
    """`%`: with the sign of the number, as in Java."""
    if divisor == 0:
        raise ZeroDivisionError
    if type(number) is int and type(divisor) is int:
        rest = abs(number) % abs(divisor)
        return -rest if number < 0 else rest
    return math.nan if math.isinf(number) else math.fmod(number, divisor)
