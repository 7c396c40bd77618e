"""Integers have 64 bits and say when they are too small; `/` gives a double; types mix as in Spark."""

from __future__ import annotations

from typing import Any

import pytest

from designer.expressions import RecordError, check
from designer.values.longs import MAX_LONG
from designer.values.schemas import DOUBLE, INTEGER
from tests.designer.expressions.sample import SCOPE, compute


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3.5),
        ("-7 div 2", -3),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("-7.5 % 2", -1.5),
        ("1 + 0.5", 1.5),
        ("-(-3)", 3),
        ("10 - 4 - 3", 3),
        ("1e3", 1000.0),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775807 - 1", MAX_LONG - 1),
    ],
)
def test_arithmetic_is_spark_s(text: str, expected: Any) -> None:
    result = compute(text)

    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    "text",
    [
        *("9223372036854775807 + 1", "-9223372036854775808 - 1", "9223372036854775807 * 2", "-(-9223372036854775808)"),
        *("-9223372036854775808 div -1", "abs(-9223372036854775808)", "ceil(1e30)", "CAST(1e19 AS BIGINT)"),
        *("distance + 9223372036854775807", "CAST('9223372036854775808' AS BIGINT)"),
    ],
)
def test_what_does_not_fit_into_64_bits_is_a_record_error(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        compute(text)

    assert "64 bits" in caught.value.message
    assert (caught.value.node, caught.value.field) == ("late", "predicate")


@pytest.mark.parametrize("text", ["1 / 0", "1 div 0", "1 % 0", "1.0 / 0.0", "mod(1, 0)", "pmod(1, 0)", "amount / 0"])
def test_a_division_by_zero_is_a_record_error(text: str) -> None:
    with pytest.raises(RecordError, match="Division by zero"):
        compute(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CAST(' 42 ' AS BIGINT)", 42),
        ("CAST(-1.9 AS BIGINT)", -1),
        ("CAST('1e3' AS DOUBLE)", 1000.0),
        ("CAST(1 AS DOUBLE)", 1.0),
        ("CAST(TRUE AS INT)", 1),
        ("CAST('yes' AS BOOLEAN)", True),
        ("CAST(0 AS BOOLEAN)", False),
        ("CAST(1.0 AS STRING)", "1.0"),
        ("CAST(1e10 AS STRING)", "1.0E10"),
        ("CAST(0.0001234 AS STRING)", "1.234E-4"),
        ("CAST(123456.789 AS STRING)", "123456.789"),
        ("CAST(TRUE AS STRING)", "true"),
        ("TRY_CAST('x' AS BIGINT)", None),
        ("TRY_CAST('1_000' AS BIGINT)", None),
        ("TRY_CAST('٣' AS BIGINT)", None),
    ],
)
def test_cast_is_spark_s(text: str, expected: Any) -> None:
    assert compute(text) == expected


@pytest.mark.parametrize("text", ["CAST('x' AS BIGINT)", "CAST('' AS DOUBLE)", "CAST('perhaps' AS BOOLEAN)"])
def test_a_bad_cast_is_a_record_error_that_names_try_cast(text: str) -> None:
    with pytest.raises(RecordError, match="TRY_CAST"):
        compute(text)


@pytest.mark.parametrize("text", ["ceil({})", "floor({})", "timestamp_seconds({})"])
def test_an_integer_of_nan_is_a_record_error_that_names_nanvl(text: str) -> None:
    with pytest.raises(RecordError, match="nanvl"):
        compute(text.format("CAST('NaN' AS DOUBLE)"))


def test_branches_of_integer_and_double_give_doubles() -> None:
    for text in ("if(late, 1, 2.5)", "coalesce(dep_delay, 0.5)", "greatest(1, 0.5)", "nullif(1, 2.5)"):
        assert check(text, SCOPE).type == DOUBLE
        assert type(compute(text)) is float
    assert check("dep_delay + 1", SCOPE).type == INTEGER


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("parse_json('[14.7600]')[0] * 2", 29.52),
        ("parse_json('14.7600') = 14.76", True),
        ("parse_json('0.99999999999999999') = 1.0", False),
        ("parse_json('0.99999999999999999') < 1", True),
        ("parse_json('23958446825181076828') = parse_json('23958446825181076829')", False),
        ("parse_json('23958446825181076828') IN (parse_json('23958446825181076828'), 1)", True),
        ("parse_json('1e400') > 1", True),
        ("CAST(parse_json('14.7600') AS STRING)", "14.7600"),
        ("concat('', parse_json('23958446825181076828'))", "23958446825181076828"),
        ("CAST(parse_json('23958446825181076828') AS DOUBLE)", 2.3958446825181076828e19),
        ("CAST(parse_json('9007199254740992.9999999999') AS BIGINT)", 2**53),
        ("TRY_CAST(parse_json('23958446825181076828') AS BIGINT)", None),
        ("typeof(parse_json('14.7600'))", "double"),
        ("to_json(parse_json('[14.7600, 23958446825181076828]'))", "[14.7600,23958446825181076828]"),
        ("get_json_object('{\"a\": 1.50}', '$.a')", "1.50"),
    ],
)
def test_numbers_of_unknown_type_are_compared_and_written_with_all_digits(expression: str, expected: Any) -> None:
    result = compute(expression)

    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize("expression", ["{} + 1", "{} * 0.5", "abs({})", "CAST({} AS BIGINT)"])
def test_arithmetic_with_an_integer_beyond_64_bits_is_a_record_error(expression: str) -> None:
    with pytest.raises(RecordError, match="64 bits"):
        compute(expression.format("parse_json('23958446825181076828')"))
