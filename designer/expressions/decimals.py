"""Arithmetic of decimals: precision and scale as in Spark SQL, exact, halves rounded away from zero, overflow a fault.

The rules of types are those of Spark's BinaryArithmetic.resultDecimalType, DecimalType.adjustPrecisionScale
(`spark.sql.decimalOperations.allowPrecisionLoss` on, its default) and DecimalPrecisionTypeCoercion; the digits those of
its Decimal, which rounds products to 38 digits and quotients to 38 after the point before it fits them to the type.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from designer.expressions.arithmetic import raise_overflow
from designer.expressions.errors import Fault
from designer.values.decimals import MAX_PRECISION, make_fit
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import Kind, Type, decimal

LONG = decimal(20)
"""Type that fits every integer."""
INT = decimal(10)
"""Type that fits an integer literal of 32 bits."""
MIN_SCALE = 6
"""Minimum digits after the point in a result that does not fit into 38 as a whole."""

EXACT = Context(prec=200, rounding=ROUND_HALF_UP, traps=[InvalidOperation])
"""Enough precision for sums and quotients of any two decimals."""
ROUNDING = Context(prec=MAX_PRECISION, rounding=ROUND_HALF_UP, traps=[InvalidOperation])
LAST = Decimal((0, (1,), -MAX_PRECISION))

Run = Callable[..., Any]


def find_type(number: Decimal) -> Type:
    """The smallest type for a number as written. Its precision may be too large."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    scale = max(-exponent, 0)
    return decimal(max(len(digits) + max(exponent, 0), scale, 1), scale)


def find_result_type(op: str, left: Type, right: Type) -> Type:
    """The type of `left op right`, op one of + - * / %, both decimals."""
    scale = max(left.scale, right.scale)
    wholes = left.precision - left.scale, right.precision - right.scale
    match op:
        case "+" | "-":
            return _fit_digits(max(wholes) + 1, scale)
        case "*":
            return _fit_digits(sum(wholes) + 1, left.scale + right.scale)
        case "/":
            return _fit_digits(wholes[0] + right.scale, max(MIN_SCALE, left.scale + right.precision + 1))
        case _:
            return _fit_digits(min(wholes), scale)


def find_wider(one: Type, other: Type) -> Type:
    """The type for values of both, as in CASE: if 38 digits are too few, digits after the point are dropped."""
    scale = max(one.scale, other.scale)
    whole = max(one.precision - one.scale, other.precision - other.scale)
    excess = max(whole + scale - MAX_PRECISION, 0)
    return decimal(whole + scale - excess, max(scale - excess, 0))


def round_type(type_: Type, digits: int) -> Type:
    """The type of `round(number, digits)`, which may carry into one more digit."""
    whole = type_.precision - type_.scale + 1
    if digits < 0:
        return decimal(min(max(whole, 1 - digits), MAX_PRECISION))
    scale = min(type_.scale, digits)
    return decimal(min(whole + scale, MAX_PRECISION), scale)


def find_whole_type(type_: Type) -> Type:
    """The type of `ceil` and `floor`."""
    return (
        decimal(type_.precision) if type_.scale == 0 else decimal(min(type_.precision - type_.scale + 1, MAX_PRECISION))
    )


@lru_cache(maxsize=1_024)
def make_operation(op: str, type_: Type) -> Run:
    """The function that computes `left op right` as a value of the type. Operands are Decimals or integers."""
    fit = make_fitter(type_)
    if op in ("+", "-"):
        run: Run = EXACT.add if op == "+" else EXACT.subtract
        return run if type_.precision < MAX_PRECISION else lambda left, right: fit(run(left, right))
    if op == "*":
        multiply = ROUNDING.multiply
        return lambda left, right: fit(multiply(left, right))
    return lambda left, right: fit((divide if op == "/" else find_remainder)(left, right))


@lru_cache(maxsize=1_024)
def make_fitter(type_: Type, rounding: str = ROUND_HALF_UP) -> Callable[[Decimal | int], Decimal]:
    """A function that converts a number to the type. Raises Fault if it is too large."""
    fit, words = make_fit(type_.precision, type_.scale, rounding), f"decimal({type_.precision},{type_.scale})"

    def fit_number(number: Decimal | int) -> Decimal:
        try:
            return fit(number)  # type: ignore[arg-type]  # a context takes integers, too
        except InvalidOperation:
            raise Fault(f"The result does not fit into {words}.") from None

    return fit_number


@lru_cache(maxsize=1_024)
def make_round(type_: Type, digits: int, how: str) -> Callable[[Decimal], Decimal]:
    """The function for `round(number, digits)` with results of the type."""
    fit = make_fitter(type_, how)
    if digits >= 0:
        return fit
    unit = Decimal((0, (1,), -digits))
    return lambda number: fit(number.quantize(unit, how, EXACT))


@lru_cache(maxsize=1_024)
def make_pmod(type_: Type) -> Run:
    """The function for `pmod`."""
    fit = make_fitter(type_)

    def pmod(number: Decimal | int, divisor: Decimal | int) -> Decimal:
        left = find_remainder(number, divisor)
        return fit(find_remainder(EXACT.add(left, divisor), divisor) if left < 0 else left)

    return pmod


@lru_cache(maxsize=1_024)
def make_try_divide(type_: Type) -> Run:
    """The function for `try_divide`."""
    run = make_operation("/", type_)

    def try_divide(number: Decimal | int, divisor: Decimal | int) -> Decimal | None:
        try:
            return run(number, divisor) if divisor else None
        except Fault:
            return None

    return try_divide


def negate(number: Decimal) -> Decimal:
    return number.copy_negate() if number else number


def divide(number: Decimal | int, divisor: Decimal | int) -> Decimal:
    if not divisor:
        raise ZeroDivisionError
    return EXACT.quantize(EXACT.divide(number, divisor), LAST)


def find_remainder(number: Decimal | int, divisor: Decimal | int) -> Decimal:
    if not divisor:
        raise ZeroDivisionError
    return EXACT.remainder(number, divisor)


def divide_whole(number: Decimal | int, divisor: Decimal | int) -> int:
    """`div`: towards zero, an integer of 64 bits."""
    if not divisor:
        raise ZeroDivisionError
    return to_64_bits(EXACT.divide_int(number, divisor))


def to_64_bits(number: Decimal) -> int:
    """The integer without the digits after the point. Raises Fault."""
    if number.adjusted() > 18 or not MIN_LONG <= (whole := int(number)) <= MAX_LONG:
        raise_overflow()
    return whole


def _fit_digits(whole: int, scale: int) -> Type:
    """A type with these digits before and after the point. If they are too many, some after the point are dropped."""
    if whole + scale > MAX_PRECISION:
        scale = max(MAX_PRECISION - whole, min(scale, MIN_SCALE))
        return decimal(MAX_PRECISION, scale)
    return decimal(whole + scale, scale)


def as_operand(type_: Type, literal: int | None = None) -> Type:
    """The decimal type of an operand in arithmetic: an integer literal has its written digits."""
    if type_.kind is Kind.DECIMAL:
        return type_
    return LONG if literal is None else decimal(len(str(abs(literal))))
