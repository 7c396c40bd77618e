"""Arithmetic beyond the operators. Doubles behave like Java's: no error, but infinity and NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

from designer.expressions.arithmetic import check_64_bits, find_remainder, refuse_nan
from designer.expressions.functions.limits import check_length
from designer.expressions.functions.table import function, register_form
from designer.values.decimals import MAX_PRECISION

WIDE = Context(prec=800)

register_form("mod(number: number, divisor: number) -> number", "The remainder of a division, as %.\nmod(-7, 3) = -1")


@function("abs(number: number) -> number")
def absolute(number: float | Decimal) -> float | Decimal:
    """The number without its sign.
    abs(-3) = 3
    """
    return number.copy_abs() if isinstance(number, Decimal) else check_64_bits(abs(number))


@function("sign(number: number) -> double", "signum")
def sign(number: float) -> float:
    """-1.0, 0.0 or 1.0 by the sign of the number.
    sign(-40) = -1.0
    """
    return math.copysign(1.0, number) if number else 0.0


@function("ceil(number: number) -> integer", "ceiling")
def ceil(number: float) -> int:
    """The smallest integer that is not below the number.
    ceil(-0.1) = 0
    ceil(5.2) = 6
    """
    return int(check_64_bits(math.ceil(refuse_nan(number))))


@function("floor(number: number) -> integer")
def floor(number: float) -> int:
    """The largest integer that is not above the number.
    floor(-0.1) = -1
    """
    return int(check_64_bits(math.floor(refuse_nan(number))))


@function("round(number: number, [digits: integer]) -> number")
def round_half_up(number: float | Decimal, digits: int = 0) -> float | Decimal:
    """Rounds to the given digits after the point, halves away from zero.
    round(2.5) = 3.0
    round(-2.345, 2) = -2.35
    round(125, -1) = 130
    """
    return _round(number, digits, ROUND_HALF_UP)


@function("bround(number: number, [digits: integer]) -> number")
def round_half_even(number: float | Decimal, digits: int = 0) -> float | Decimal:
    """Rounds to the given digits after the point, halves to the even neighbour.
    bround(2.5) = 2.0
    bround(25, -1) = 20
    """
    return _round(number, digits, ROUND_HALF_EVEN)


def _round(number: float | Decimal, digits: int, how: str) -> float | Decimal:
    if isinstance(number, Decimal):
        _, _, exponent = number.as_tuple()
        if isinstance(exponent, int) and digits >= -exponent:
            return number
        return Decimal(0) if digits < -MAX_PRECISION else _round_to_digits(number, digits, how)
    if isinstance(number, int):
        if digits >= 0:
            return number
        return 0 if digits < -19 else check_64_bits(int(_round_to_digits(Decimal(number), digits, how)))
    if not math.isfinite(number) or digits > 340:
        return number
    return 0.0 if digits < -310 else float(_round_to_digits(Decimal(repr(number)), digits, how))


def _round_to_digits(number: Decimal, digits: int, how: str) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-digits), rounding=how, context=WIDE)


@function("format_number(number: number, digits: integer) -> string?")
def format_number(number: float, digits: int) -> str | None:
    """The number as text with the given digits after the point and commas between thousands; null for negative digits.
    format_number(1234567.891, 2) = '1,234,567.89'
    format_number(0, 2) = '0.00'
    format_number(5, -1) IS NULL
    """
    if digits < 0:
        return None
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "∞" if number > 0 else "-∞"
    check_length(digits)
    return f"{Decimal(number):,.{digits}f}"


@function("pmod(number: number, divisor: number) -> number")
def positive_remainder(number: float, divisor: float) -> float:
    """The remainder of a division; for a positive divisor it is never negative.
    pmod(-7, 3) = 2
    """
    left: float = find_remainder(number, divisor)
    whole: float = find_remainder(left + divisor, divisor) if left < 0 else left
    return whole


@function("try_divide(number: number, divisor: number) -> double?")
def try_divide(number: float | Decimal, divisor: float | Decimal) -> float | None:
    """The quotient, or null if the divisor is zero.
    try_divide(1, 4) = 0.25
    try_divide(1, 0) IS NULL
    """
    if not divisor:
        return None
    if isinstance(number, Decimal) or isinstance(divisor, Decimal):
        return float(number) / float(divisor)
    return number / divisor


@function("pow(base: number, exponent: number) -> double", "power")
def power(base: float, exponent: float) -> float:
    """The base to the power of the exponent.
    pow(2, 10) = 1024.0
    """
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        return math.inf if base == 0 else math.nan


@function("exp(number: number) -> double")
def exponential(number: float) -> float:
    """e to the power of the number.
    exp(0) = 1.0
    """
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


@function("ln(number: number) -> double?")
def natural_logarithm(number: float) -> float | None:
    """The natural logarithm; null for zero and below.
    ln(1) = 0.0
    ln(0) IS NULL
    """
    return math.log(number) if number > 0 or number != number else None


@function("log10(number: number) -> double?")
def decimal_logarithm(number: float) -> float | None:
    """The logarithm to base 10; null for zero and below.
    log10(1000) = 3.0
    """
    return math.log10(number) if number > 0 or number != number else None


@function("log2(number: number) -> double?")
def binary_logarithm(number: float) -> float | None:
    """The logarithm to base 2; null for zero and below.
    log2(8) = 3.0
    """
    return math.log2(number) if number > 0 or number != number else None


@function("sqrt(number: number) -> double")
def square_root(number: float) -> float:
    """The square root; NaN below zero.
    sqrt(9) = 3.0
    """
    return math.nan if number < 0 else math.sqrt(number)


@function("pi() -> double")
def pi() -> float:
    """The ratio of a circle's circumference to its diameter.
    round(pi(), 4) = 3.1416
    """
    return math.pi


@function("atan2(y: number, x: number) -> double")
def arc_tangent_2(y: float, x: float) -> float:
    """The angle of the point (x, y), in radians.
    atan2(0, 1) = 0.0
    """
    return math.atan2(y, x)


def _with_nan_for_errors(run: Callable[[float], float]) -> Callable[[float], float]:
    def run_or_nan(number: float) -> float:
        try:
            return run(number)
        except ValueError:
            return math.nan

    return run_or_nan


def _register_angle(name: str, run: Callable[[float], float], doc: str) -> None:
    quiet = _with_nan_for_errors(run)
    quiet.__doc__ = doc
    function(f"{name}(number: number) -> double")(quiet)


_register_angle("sin", math.sin, "The sine of an angle in radians.\nsin(0) = 0.0")
_register_angle("cos", math.cos, "The cosine of an angle in radians.\ncos(0) = 1.0")
_register_angle("tan", math.tan, "The tangent of an angle in radians.\ntan(0) = 0.0")
_register_angle("asin", math.asin, "The angle with this sine, in radians.\nasin(0) = 0.0")
_register_angle("acos", math.acos, "The angle with this cosine, in radians.\nacos(1) = 0.0")
_register_angle("atan", math.atan, "The angle with this tangent, in radians.\natan(0) = 0.0")
_register_angle("radians", math.radians, "Degrees as radians.\nradians(180) = pi()")
_register_angle("degrees", math.degrees, "Radians as degrees.\ndegrees(pi()) = 180.0")
