"""What CAST makes of each kind of value, by Spark's rules, and how it names a value that it cannot take."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest

from designer.expressions.casts import make_cast, to_boolean, to_bytes, to_double, to_integer, to_string
from designer.expressions.errors import Fault
from designer.values.exact_json import JsonNumber
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Type, decimal
from designer.values.tuples import UnionValue


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (True, 1),
        (False, 0),
        (MAX_LONG, MAX_LONG),
        (MIN_LONG, MIN_LONG),
        (-2.9, -2),
        (float(MIN_LONG), MIN_LONG),
        (JsonNumber("12.9"), 12),
        (JsonNumber(f"{MAX_LONG}"), MAX_LONG),
        (JsonNumber(f"{MIN_LONG}"), MIN_LONG),
        (Decimal("-12.9"), -12),
        (Decimal(MIN_LONG), MIN_LONG),
        (" +7 ", 7),
        (f"{MAX_LONG}", MAX_LONG),
        (f"{MIN_LONG}", MIN_LONG),
    ],
)
def test_an_integer_has_64_bits_and_no_digits_behind_the_point(value: Any, whole: int) -> None:
    assert (to_integer(value), type(to_integer(value))) == (whole, int)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (MAX_LONG + 1, "9223372036854775808"),
        (MIN_LONG - 1, "-9223372036854775809"),
        (2.0**63, "9.223372036854776e+18"),
        (math.nan, "nan"),
        (JsonNumber(f"{MAX_LONG + 1}"), "9"),
        (f"{MAX_LONG + 1}", "'9223372036854775808'"),
        (f"{MIN_LONG - 1}", "'-9223372036854775809'"),
        ("1.5", "'1.5'"),
        ("x" * 80, f"'{'x' * 59}"),
        (b"1", "A value of bytes"),
        ([1], "A list"),
        ({}, "A struct or map"),
        (UnionValue("int", 1), "A union"),
    ],
)
def test_what_is_no_integer_of_64_bits_is_named(value: Any, shown: str) -> None:
    with pytest.raises(Fault) as raised:
        to_integer(value)

    assert str(raised.value).startswith(shown)
    assert str(raised.value).endswith(" is not an integer of 64 bits; TRY_CAST(… AS BIGINT) gives null instead.")


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, 7.0),
        (True, 1.0),
        (Decimal("1.5"), 1.5),
        (JsonNumber("1.50"), 1.5),
        (" 1.5e3 ", 1500.0),
        ("-.5", -0.5),
        ("5.", 5.0),
        (" -Infinity", -math.inf),
        ("INF", math.inf),
        ("+inf", math.inf),
    ],
)
def test_a_double_is_the_nearest_one(value: Any, number: float) -> None:
    assert repr(to_double(value)) == repr(number)
    assert math.isnan(to_double("NaN"))


@pytest.mark.parametrize(
    ("value", "truth"),
    [
        *((word, True) for word in ("t", " TRUE ", "y", "yes", "1")),
        *((word, False) for word in ("f", "False", "n", "no", "0")),
        (0, False),
        (2, True),
        (0.0, False),
        (Decimal("0.0"), False),
        (JsonNumber("0.1"), True),
        (False, False),
    ],
)
def test_a_boolean_is_a_word_or_whether_a_number_is_not_zero(value: Any, truth: bool) -> None:
    assert to_boolean(value) is truth


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (-7, "-7"),
        (1.0, "1.0"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (5e-324, "4.9E-324"),
        (-5e-324, "-4.9E-324"),
        (1e-323, "9.9E-324"),
        (2e-323, "2.0E-323"),
        (1e23, "1.0E23"),
        (2e-3, "0.002"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-1.25e-10, "-1.25E-10"),
        (-0.0, "-0.0"),
        (0.0, "0.0"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (Decimal("1E+2"), "100"),
        (Decimal("1.50"), "1.50"),
        (JsonNumber("1.50"), "1.50"),
        ("é".encode(), "é"),
    ],
)
def test_a_text_has_the_digits_that_java_writes(value: Any, text: str) -> None:
    assert to_string(value) == text


@pytest.mark.parametrize(("value", "found"), [("é", b"\xc3\xa9"), (b"\xff", b"\xff")])
def test_bytes_are_those_of_utf_8(value: Any, found: bytes) -> None:
    assert to_bytes(value) == found


@pytest.mark.parametrize(
    ("value", "digits"),
    [
        (Decimal("1.005"), "1.01"),
        (-7, "-7.00"),
        (True, "1.00"),
        (0.1, "0.10"),
        (JsonNumber("1.005"), "1.01"),
        (" 12.345 ", "12.35"),
        ("-1e2", "-100.00"),
        (999.994, "999.99"),
    ],
)
def test_a_decimal_is_rounded_half_up_to_its_scale(value: Any, digits: str) -> None:
    assert str(make_cast(decimal(5, 2), is_safe=False)(value)) == digits


@pytest.mark.parametrize(
    ("to", "value", "message"),
    [
        (DOUBLE, "one", "'one' is not a number; TRY_CAST(… AS DOUBLE) gives null instead."),
        (DOUBLE, 10**400, f"1{'0' * 59} is not a number; TRY_CAST(… AS DOUBLE) gives null instead."),
        (DOUBLE, [1], "A list is not a number; TRY_CAST(… AS DOUBLE) gives null instead."),
        (BOOLEAN, "maybe", "'maybe' is not true or false; TRY_CAST(… AS BOOLEAN) gives null instead."),
        (BOOLEAN, b"1", "A value of bytes is not true or false; TRY_CAST(… AS BOOLEAN) gives null instead."),
        (STRING, {}, "A struct or map is not a text; TRY_CAST(… AS STRING) gives null instead."),
        (STRING, b"a\xff", "The bytes are not UTF-8 text: invalid start byte at byte 1; hex(…) shows any bytes."),
        (BYTES, 7, "7 is not a text or bytes; TRY_CAST(… AS BINARY) gives null instead."),
        (
            BYTES,
            Decimal("1." + "3" * 70),
            f"1.{'3' * 58} is not a text or bytes; TRY_CAST(… AS BINARY) gives null instead.",
        ),
        (
            decimal(5, 2),
            1000,
            "1000 is not a number that DECIMAL(5, 2) holds; TRY_CAST(… AS DECIMAL(5, 2)) gives null instead.",
        ),
        (
            decimal(5, 2),
            "0x1",
            "'0x1' is not a number that DECIMAL(5, 2) holds; TRY_CAST(… AS DECIMAL(5, 2)) gives null instead.",
        ),
        (
            decimal(5, 2),
            math.inf,
            "inf is not a number that DECIMAL(5, 2) holds; TRY_CAST(… AS DECIMAL(5, 2)) gives null instead.",
        ),
        (
            decimal(5, 2),
            None,
            "A value of another kind is not a number that DECIMAL(5, 2) holds; "
            "TRY_CAST(… AS DECIMAL(5, 2)) gives null instead.",
        ),
    ],
)
def test_a_value_that_cannot_be_cast_is_named_or_null(to: Type, value: Any, message: str) -> None:
    with pytest.raises(Fault) as raised:
        make_cast(to, is_safe=False)(value)

    assert str(raised.value) == message
    assert make_cast(to, is_safe=True)(value) is None


@pytest.mark.parametrize("to", [INTEGER, DOUBLE, BOOLEAN, STRING, BYTES, decimal(5, 2)])
def test_a_safe_cast_gives_what_the_cast_gives(to: Type) -> None:
    assert make_cast(to, is_safe=True)("1") == make_cast(to, is_safe=False)("1") is not None
