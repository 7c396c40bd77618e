from decimal import ROUND_HALF_UP, Decimal, Inexact, InvalidOperation

import pytest

from designer.topology.forms import check_type
from designer.values.decimals import is_decimal, make_fit, takes
from designer.values.schemas import DOUBLE, INTEGER, STRING, Kind, Type, decimal, is_alike, struct


def test_a_decimal_keeps_its_precision_and_scale_in_json():
    price = struct(price=decimal(10, 2), id=INTEGER)

    assert Type.from_json(price.to_json()) == price
    assert decimal(10, 2).to_json() == {"kind": "decimal", "precision": 10, "scale": 2}
    assert INTEGER.to_json() == {"kind": "integer"}


@pytest.mark.parametrize("precision", [10.0, True, "10", None])
def test_digits_are_counted_in_integers(precision: object):
    with pytest.raises(ValueError, match="`precision` is not an integer"):
        Type.from_json({"kind": "decimal", "precision": precision, "scale": 0})


@pytest.mark.parametrize(
    "held", [decimal(0), decimal(39), decimal(4, 5), decimal(4, -1), Type(Kind.DECIMAL), Type(Kind.DOUBLE, scale=2)]
)
def test_a_precision_and_a_scale_that_sql_does_not_know_are_refused(held: Type):
    with pytest.raises(ValueError, match="precision from 1 to 38"):
        check_type(struct(price=held))


def test_decimals_are_alike_where_equal_values_have_the_same_digits():
    assert is_alike(decimal(10, 2), decimal(12, 2))
    assert not is_alike(decimal(10, 2), decimal(10, 3))
    assert not is_alike(decimal(10, 2), DOUBLE)
    assert not is_alike(decimal(10), STRING)


def test_a_value_has_the_digits_of_its_scale():
    fit = make_fit(4, 2)

    assert [str(fit(Decimal(text))) for text in ("1.5", "-3", "12.340", "-0.0")] == ["1.50", "-3.00", "12.34", "0.00"]


def test_what_does_not_fit_is_an_error_and_only_a_rounding_loses_digits():
    with pytest.raises(InvalidOperation):
        make_fit(4, 2)(Decimal("100"))
    with pytest.raises(Inexact):
        make_fit(4, 2)(Decimal("1.234"))
    with pytest.raises(InvalidOperation):
        make_fit(4, 2, ROUND_HALF_UP)(Decimal("99.995"))

    assert make_fit(4, 2, ROUND_HALF_UP)(Decimal("-1.235")) == Decimal("-1.24")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("1.5", True),
        ("1e37", True),
        ("1e38", False),
        ("1e-38", True),
        ("1e-39", False),
        ("NaN", False),
        ("-inf", False),
    ],
)
def test_a_decimal_of_python_has_a_type_or_not(text: str, is_one: bool):
    assert is_decimal(Decimal(text)) is is_one


def test_a_wider_decimal_takes_a_narrower_one():
    assert takes(decimal(12, 2), decimal(10, 2))
    assert takes(decimal(12, 4), decimal(10, 2))
    assert not takes(decimal(10, 4), decimal(10, 2))
    assert not takes(decimal(12, 1), decimal(10, 2))
