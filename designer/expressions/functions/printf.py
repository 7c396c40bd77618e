"""format_string and printf: java.util.Formatter's formats, as Spark has them. Numbers have 64 bits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any, NamedTuple

from designer.expressions.casts import name_kind, to_string
from designer.expressions.errors import Fault
from designer.expressions.functions.limits import check_length, check_text
from designer.expressions.functions.table import function

SPECIFIER = re.compile(r"%(?:(\d+)\$)?([-#+ 0,(]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])", re.ASCII)
CONVERSIONS = {"s": "any", "b": "any", "c": "integer", "d": "integer", "x": "integer", "o": "integer"}
CONVERSIONS |= {"f": "number", "e": "number", "n": "", "%": ""}
"""The supported conversions in lower case, and the kinds of their arguments."""
FLAGS = {"s": "-", "b": "-", "c": "-", "d": "-+ 0,(", "x": "-#0", "o": "-#0", "f": "-#+ 0,(", "e": "-#+ 0("}
EXACT = Context(prec=2_000, rounding=ROUND_HALF_UP)
UPPER = "SBCXE"


class Specifier(NamedTuple):
    """One `%…` of a format. `place` is the place of its argument, from 0."""

    conversion: str
    place: int
    flags: str = ""
    width: int = 0
    precision: int | None = None
    is_upper: bool = False


Format = tuple[str | Specifier, ...]


def read_format(text: str) -> Format:
    """The texts and specifiers of a format. Raises ValueError."""
    parts: list[str | Specifier] = []
    at = next_place = 0
    while (percent := text.find("%", at)) >= 0:
        parts.append(text[at:percent])
        match = SPECIFIER.match(text, percent)
        if match is None:
            raise ValueError(f"`{text[percent : percent + 10]}` is not a conversion such as %s, %d or %.2f")
        place, flags, width, precision, letter = match.groups()
        if place is not None and int(place) == 0:
            raise ValueError(f"`{match[0]}` names value 0; the first is 1, as in %1$s")
        conversion = letter.lower()
        if conversion not in CONVERSIONS or (letter != conversion and letter not in UPPER):
            raise ValueError(f"`%{letter}` is unknown; known are %s %d %f %e %x %o %c %b %n and %%")
        if conversion in ("n", "%"):
            parts.append("\n" if conversion == "n" else "%".rjust(int(width or 0)))
        else:
            _check_flags(match[0], conversion, flags, width, precision)
            parts.append(
                Specifier(
                    conversion,
                    int(place) - 1 if place else next_place,
                    flags,
                    check_width(int(width or 0)),
                    None if precision is None else check_width(int(precision)),
                    letter != conversion,
                )
            )
            next_place += not place
        at = match.end()
    return (*parts, text[at:])


def check_width(width: int) -> int:
    if width > 1_000:
        raise ValueError("a width or precision is at most 1000")
    return width


def _check_flags(written: str, conversion: str, flags: str, width: str | None, precision: str | None) -> None:
    odd = [flag for flag in flags if flag not in FLAGS[conversion] or flags.count(flag) > 1]
    if odd or {"-", "0"} <= set(flags) or {"+", " "} <= set(flags):
        raise ValueError(f"`{written}` has flags that %{conversion} does not take together")
    if width is None and ("-" in flags or "0" in flags):
        raise ValueError(f"`{written}` needs a width")
    if precision is not None and conversion in "dxoc":
        raise ValueError(f"`{written}` cannot have a precision")


@function("format_string(format: printf, [values: any...]) -> string", "printf", takes_nulls=True)
def format_string(format_: Format, *values: Any) -> str:
    """A text with the values in the places of %s, %d, %.2f and so on, as in Java. Null becomes `null`.
    format_string('%s has %d items', 'cart', 3) = 'cart has 3 items'
    format_string('%.2f|%5d|%-5s|%05d', 1.005, 42, 'ab', 42) = '1.01|   42|ab   |00042'
    """
    parts = [part if isinstance(part, str) else _write(part, values[part.place]) for part in format_]
    check_length(sum(map(len, parts)))
    return check_text("".join(parts))


def _write(specifier: Specifier, value: Any) -> str:
    if value is None:
        text = "false" if specifier.conversion == "b" else "null"
        text = text[: specifier.precision] if specifier.conversion in "sb" else text
        return _pad(specifier, text)
    return WRITERS[specifier.conversion](specifier, value)


def _pad(specifier: Specifier, text: str) -> str:
    if specifier.is_upper:
        text = text.upper()
    return text.ljust(specifier.width) if "-" in specifier.flags else text.rjust(specifier.width)


def _write_text(specifier: Specifier, value: Any) -> str:
    return _pad(specifier, to_string(value)[: specifier.precision])


def _write_boolean(specifier: Specifier, value: Any) -> str:
    return _pad(specifier, ("false" if value is False else "true")[: specifier.precision])


def _write_character(specifier: Specifier, value: Any) -> str:
    if type(value) is not int or not 0 <= value < 0x110000 or 0xD800 <= value < 0xE000:
        raise _make_mismatch(specifier, value)
    return _pad(specifier, chr(value))


def _write_integer(specifier: Specifier, value: Any) -> str:
    if type(value) is not int:
        raise _make_mismatch(specifier, value)
    return _sign(specifier, value < 0, _group(specifier, str(abs(value))))


def _write_bits(specifier: Specifier, value: Any) -> str:
    """Negative numbers as the unsigned ones with the same 64 bits."""
    if type(value) is not int:
        raise _make_mismatch(specifier, value)
    digits = f"{value % 2**64:{specifier.conversion}}"
    prefix = ("0x" if specifier.conversion == "x" else "0") if "#" in specifier.flags else ""
    if "0" in specifier.flags:
        digits = digits.zfill(specifier.width - len(prefix))
    return _pad(specifier, prefix + digits)


def _write_number(specifier: Specifier, value: Any) -> str:
    if type(value) in (bool, int) or not isinstance(value, float | Decimal):
        raise _make_mismatch(specifier, value)
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            return _pad(specifier, "NaN")
        return _pad(specifier, _put_sign(specifier, value < 0, "Infinity"))
    number = Decimal(repr(float(value))) if isinstance(value, float) else value
    precision = 6 if specifier.precision is None else specifier.precision
    write = _write_fixed if specifier.conversion == "f" else _write_scientific
    digits = write(abs(number), precision)
    if "#" in specifier.flags and "." not in digits:
        digits = digits.replace("e", ".e") if "e" in digits else f"{digits}."
    return _sign(specifier, number.is_signed(), _group(specifier, digits))


def _write_fixed(number: Decimal, precision: int) -> str:
    return f"{number.quantize(Decimal(1).scaleb(-precision), context=EXACT):f}"


def _write_scientific(number: Decimal, precision: int) -> str:
    if not number:
        return f"{'0.' + '0' * precision if precision else '0'}e+00"
    rounded = Context(prec=precision + 1, rounding=ROUND_HALF_UP).plus(number)
    exponent = rounded.adjusted()
    digits = "".join(map(str, rounded.as_tuple().digits)).ljust(precision + 1, "0")[: precision + 1]
    return f"{digits[0]}{'.' + digits[1:] if precision else ''}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def _group(specifier: Specifier, digits: str) -> str:
    if "," not in specifier.flags:
        return digits
    whole, point, rest = digits.partition(".")
    return f"{int(whole):,}{point}{rest}"


def _sign(specifier: Specifier, is_negative: bool, digits: str) -> str:
    if "0" in specifier.flags:
        digits = digits.zfill(specifier.width - len(_put_sign(specifier, is_negative, "")))
    return _pad(specifier, _put_sign(specifier, is_negative, digits))


def _put_sign(specifier: Specifier, is_negative: bool, digits: str) -> str:
    if is_negative:
        return f"({digits})" if "(" in specifier.flags else f"-{digits}"
    return f"+{digits}" if "+" in specifier.flags else f" {digits}" if " " in specifier.flags else digits


def _make_mismatch(specifier: Specifier, value: Any) -> Fault:
    expected = "an integer" if CONVERSIONS[specifier.conversion] == "integer" else "a double or decimal"
    return Fault(f"%{specifier.conversion} writes {expected}, not {name_kind(value)}.")


WRITERS: dict[str, Callable[[Specifier, Any], str]] = {
    "s": _write_text,
    "b": _write_boolean,
    "c": _write_character,
    "d": _write_integer,
    "x": _write_bits,
    "o": _write_bits,
    "f": _write_number,
    "e": _write_number,
}
