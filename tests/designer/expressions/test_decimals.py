"""Decimals have the types and the digits that Spark gives them; `spark_decimals.json` holds what Spark answered."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from designer.expressions import ExpressionError, RecordError, check, compile_expression
from designer.expressions.casts import to_string
from designer.expressions.types import describe
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Kind, Type, decimal, struct
from tests.designer.expressions.spark_decimals import FILE

ORDER = struct(amount=decimal(10, 2), rate=decimal(4, 3), count=INTEGER, weight=DOUBLE, note=STRING)
TYPED = Scope({"value": ORDER}, spread="value")
UNKNOWN = Scope({"value": ANY}, spread="value")
RECORD = {"amount": Decimal("12.50"), "rate": Decimal("0.125"), "count": 3, "weight": 0.5, "note": "7.5"}
SPARK_NAMES = {Kind.INTEGER: "bigint"}


def compute(text: str, value: Any = RECORD, scope: Scope = TYPED) -> Any:
    return compile_expression(check(text, scope), ("value",), node="n", field="f")(value)


def answered(text: str) -> list[str | None]:
    """What we give, as Spark writes it."""
    try:
        checked = check(text, Scope({}))
        found = compile_expression(checked, (), node="n", field="f")()
    except (ExpressionError, RecordError):
        return ["error", None]
    return [SPARK_NAMES.get(checked.type.kind, describe(checked.type)), None if found is None else to_string(found)]


def is_meant(text: str, spark: list[Any], ours: list[Any]) -> bool:
    """Whether Spark gives something else for a reason that we do not share."""
    if spark[0] == "error":  # it rounds 38 digits with a sign to 37, and refuses the remainder of a long quotient
        return "-(" in text or "abs(" in text or " % " in text or "pmod(" in text
    if ours[0] == "error":  # it lets 64 bits overflow, and makes null of NaN
        return " div " in text or "NaN" in text
    if spark[0] == "double":  # the digits of an older Java are not always the fewest
        return float(spark[1]) == float(ours[1])
    return text.startswith("to_json") and json.loads(spark[1]) == json.loads(ours[1])  # it writes 1E-7


def test_types_and_digits_are_those_of_spark():
    cases = json.loads(FILE.read_text())

    other = [(text, spark, ours) for text, *spark in cases if (ours := answered(text)) != spark]

    assert len(cases) > 2_000
    assert [each for each in other if not is_meant(*each)] == []
    assert len(other) < 40


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("0.1BD + 0.2BD", "0.3"),
        ("amount * rate", "1.56250"),
        ("amount * 1.1", "13.750"),
        ("amount * -1.1", "-13.750"),
        ("1e2BD + 0", "100"),
        ("-1.50e1BD", "-15.0"),
        ("amount / count", "4.16666666666666666666667"),
        ("amount % 5", "2.50"),
        ("-amount", "-12.50"),
        ("round(amount * rate, 2)", "1.56"),
        ("bround(amount, 0)", "12"),
        ("ceil(amount)", "13"),
        ("coalesce(NULL, amount, 0)", "12.50"),
        ("CAST(note AS DECIMAL(10, 2)) + amount", "20.00"),
        ("CAST(1.005 AS DECIMAL(10, 2))", "1.01"),
        ("if(amount > 12, amount, 0.0)", "12.50"),
    ],
)
def test_decimals_are_computed_exactly(text: str, digits: str):
    found = compute(text)

    assert type(found) is Decimal
    assert str(found) == digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("amount = 12.5", True),
        ("amount > count AND amount < 12.51", True),
        ("amount BETWEEN 12.49 AND 12.50", True),
        ("amount IN (1, 12.5)", True),
        ("rate = weight / 4", True),
        ("amount * weight", 6.25),
        ("amount div 5", 2),
        ("1e0 * amount", 12.5),
        ("sqrt(amount * 2)", 5.0),
        ("'costs ' || amount", "costs 12.50"),
        ("CAST(amount AS BIGINT)", 12),
        ("CAST(12345678901234567.89BD AS STRING)", "12345678901234567.89"),
        ("to_json(named_struct('a', amount))", '{"a":12.50}'),
        ("TRY_CAST('x' AS DECIMAL(4, 2))", None),
        ("format_number(1234567.125BD, 2)", "1,234,567.12"),
        ("typeof(amount)", "decimal(10,2)"),
    ],
)
def test_decimals_go_together_with_other_values(text: str, expected: Any):
    assert compute(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("amount / 0", "Division by zero"),
        ("CAST(amount AS DECIMAL(3, 2))", r"12.50 is not a number that DECIMAL\(3, 2\) holds; TRY_CAST\(… AS DECIM"),
        ("CAST('x' AS DECIMAL(3, 2))", "'x' is not a number that"),
        ("99999999999999999999999999999999999999BD + count", r"does not fit into decimal\(38,0\)"),
        ("CAST(1e19BD AS BIGINT)", "does not fit into 64 bits"),
    ],
)
def test_what_does_not_fit_is_an_error_of_the_record(text: str, message: str):
    with pytest.raises(RecordError, match=message):
        compute(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "CAST(amount AS DECIMAL(39, 0))",
            "A decimal has a precision from 1 to 38 and a scale from 0 to its precision.",
        ),
        (
            "CAST(amount AS DECIMAL(2, 3))",
            "A decimal has a precision from 1 to 38 and a scale from 0 to its precision.",
        ),
        ("CAST(amount AS STRING(3))", "STRING has no size."),
        ("1e38BD", "1e38BD has more than 38 digits."),
        (
            "round(amount, count)",
            "The `digits` of round must be a number, because they set the type of a rounded decimal.",
        ),
        ("amount = note", "`amount` is a decimal(10,2) and `note` is a string; they cannot be compared."),
        ("substring(note, amount)", "The `start` of substring is an integer; `amount` is a decimal(10,2)."),
    ],
)
def test_a_misuse_of_decimals_is_pointed_out(text: str, message: str):
    with pytest.raises(ExpressionError) as refused:
        check(text, TYPED)

    assert message in refused.value.issue.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("amount + rate", Decimal("12.625")),
        ("amount * 99999999999999999999.99BD", Decimal("1249999999999999999999.8750")),
        ("amount - rate", Decimal("12.375")),
        ("amount - weight", 12.0),
        ("amount % 5", Decimal("2.50")),
        ("-amount", Decimal("-12.50")),
        ("abs(-amount)", Decimal("12.50")),
        ("round(amount)", Decimal("13")),
        ("amount / 5", 2.5),
        ("amount > 12 AND amount = 12.5", True),
        ("rate * 4 = weight", True),
        ("amount IN (count, 12.5)", True),
        ("amount BETWEEN count AND 12.5", True),
        ("CAST(amount AS DECIMAL(5, 1))", Decimal("12.5")),
        ("typeof(amount)", "decimal"),
    ],
)
def test_decimals_of_unknown_type_keep_their_digits(text: str, expected: Any):
    found = compute(text, scope=UNKNOWN)

    assert found == expected
    assert type(found) is type(expected)


def test_numbers_with_a_point_are_doubles_as_ever_where_no_decimal_is_near():
    assert check("1.5 + 2", TYPED).type == DOUBLE
    assert check("weight * 1.5", TYPED).type == DOUBLE
    assert check("coalesce(count, 1.5)", TYPED).type == DOUBLE


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("array(amount, rate)", Type(Kind.LIST, item=decimal(11, 3))),
        ("map('a', amount, 'b', 1)", Type(Kind.MAP, item=decimal(12, 2))),
        ("if(TRUE, array(amount), array(amount * 2))", Type(Kind.LIST, item=decimal(12, 2))),
    ],
)
def test_lists_and_maps_hold_decimals(text: str, held: Type):
    assert check(text, TYPED).type == held


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("round(amount, 1000000)", Decimal("12.50")),
        ("round(amount, 1)", Decimal("12.5")),
        ("bround(amount, -1000000)", Decimal(0)),
        ("round(amount, -1)", Decimal("1E+1")),
    ],
)
def test_a_decimal_of_unknown_type_is_rounded_to_digits_that_it_has(text: str, expected: Decimal) -> None:
    assert compute(text, scope=UNKNOWN).as_tuple() == expected.as_tuple()


def test_try_divide_of_a_decimal_of_unknown_type_gives_a_double() -> None:
    for text in ("try_divide(amount, count)", "try_divide(amount, weight)", "try_divide(weight, amount)"):
        assert type(compute(text, scope=UNKNOWN)) is float
