"""Typical slips are named exactly, and one click puts the whole corrected text there, which then works."""

from __future__ import annotations

import pytest

from designer.expressions import check
from designer.schemas import BOOLEAN, INTEGER
from tests.designer.expressions.sample import SCOPE, UNKNOWN, refusal


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("dep_delay == 60", "dep_delay = 60"),
        ("dep_delay == 60 && carrier == 'UA'", "dep_delay = 60 AND carrier = 'UA'"),
        ("dep_delay>60&&late", "dep_delay>60 AND late"),
        ("late || dep_delay > 60", "late OR dep_delay > 60"),
        ("late ||dep_delay > 60", "late OR dep_delay > 60"),
        ("late||late||late", "late OR late OR late"),
        ('carrier = "UA"', "carrier = 'UA'"),
        ('carrier = "O\'Hare"', "carrier = 'O\\'Hare'"),
        ("\"carrier\" = 'UA'", "carrier = 'UA'"),
        ('"end" > 1', "`end` > 1"),
        ("!late", "NOT late"),
        ("late\u2028AND\x0bid = 'a\x0b'", "late AND id = 'a\x0b'"),
        ("late AND !(dep_delay > 1)", "late AND NOT (dep_delay > 1)"),
        ("if(!late, 1, 2) = 1", "if(NOT late, 1, 2) = 1"),
        ("dep_delay != null", "dep_delay IS NOT NULL"),
        ("dep_delay = NULL", "dep_delay IS NULL"),
        ("dep_delay = None", "dep_delay IS NULL"),
        ("(dep_delay + 1) <> NULL", "(dep_delay + 1) IS NOT NULL"),
        ("NULL = dep_delay", "dep_delay IS NULL"),
        ("late AND dep_delay = NULL", "late AND dep_delay IS NULL"),
        ("dep_delay is None", "dep_delay is NULL"),
        ("coalesce(late, None)", "coalesce(late, NULL)"),
        ("(dep_delay > 60", "(dep_delay > 60)"),
        ("upper(trim(carrier = 'UA'", "upper(trim(carrier = 'UA'))"),
        ("dep_delay > 60)", "dep_delay > 60"),
        ("CASE WHEN late THEN TRUE", "CASE WHEN late THEN TRUE END"),
        ("dep_delay > 60;", "dep_delay > 60"),
        ("dep_delay == 60;", "dep_delay = 60"),
        ("dep_delay := 60", "dep_delay = 60"),
        ("dep_delay === 60", "dep_delay = 60"),
        ("dep_delay !== 60", "dep_delay <> 60"),
        ("1 < dep_delay < 60", "1 < dep_delay AND dep_delay < 60"),
        ("carrier = 5", "carrier = '5'"),
        ("dep_delay > '60'", "dep_delay > 60"),
        ("late = 'true'", "late = TRUE"),
        ("late = 1", "late = TRUE"),
        ("carrier < dep_delay", "CAST(carrier AS DOUBLE) < dep_delay"),
        ("carrier + 'x' = 'UAx'", "carrier || 'x' = 'UAx'"),
        ("dep_delay IN [1, 2]", "dep_delay IN (1, 2)"),
        ("carrier RLIKE '\\d'", "carrier RLIKE r'\\d'"),
        ("carrier = ‘UA’", "carrier = 'UA'"),
        ("carrier = 'UA", "carrier = 'UA'"),
        ("dep_delay > 60 -- late", "dep_delay > 60"),
        ("dep_delay /* min */ > 60", "dep_delay > 60"),
        ("lenght(carrier) > 1", "length(carrier) > 1"),
        ("toUpper(carrier) = 'UA'", "upper(carrier) = 'UA'"),
        ("now > 5", "timestamp > 5"),
    ],
)
def test_one_click_mends_the_slip(text: str, fixed: str) -> None:
    error = refusal(text)

    assert error.fix is not None
    assert error.fix.replacement == fixed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dep_delay == 60", "Use one `=` for equality, not `==`."),
        ("late && late", "Use `AND` for both conditions, not `&&`."),
        ("late || late", "`||` joins texts; use `OR` for either condition."),
        ("dep_delay = null", "A comparison with NULL by `=` is never true."),
        ("dep_delay > 60;", "`;` is not needed here."),
        ("(late", "`(` is not closed."),
        ("late)", "`)` has no opening bracket."),
        ("tags[0)", "`)` does not close `[`; expected `]`."),
        ("dep_delay >", "The expression ends too early; expected a value."),
        ("CASE late THEN 1 END", "`THEN` is not allowed here; expected WHEN."),
        ("dep_delay BETWEEN 1 OR 2", "`OR` is not allowed here; expected AND."),
        ("late ? 1 : 2", "`?` is not allowed here."),
        ("round(1, 2, 3)", "`round` takes 1 to 2 arguments, not 3."),
        ("upper()", "`upper` takes 1 argument, not 0."),
        ("lower(dep_delay)", "The `text` of lower is a string; `dep_delay` is an integer."),
        ("dep_delay AND late", "AND needs conditions, but `dep_delay` is an integer."),
        ("carrier * 2", "`*` computes with numbers; `carrier` is a string."),
        ("amount div 2", "DIV divides integers and decimals; `amount` is a double."),
        ("if(late, 1, 'x')", "CASE must give one type, but `1` is an integer and `'x'` is a string."),
        ("address = address", "`address` is a struct, which cannot be compared."),
        (
            "CAST(id AS TIMESTAMP)",
            "A value cannot be cast to `TIMESTAMP`. Types to cast to are BOOLEAN, BIGINT, DOUBLE, DECIMAL(10, 2), "
            "STRING and BINARY.",
        ),
        ("sum(dep_delay)", "`sum` works on many records, but an expression uses one record."),
        ("lenght(carrier)", "There is no function `lenght`. Did you mean `length`?"),
        ("rand()", "There is no function `rand`. The same record must always give the same result."),
        ("current_timestamp()", "An expression cannot ask the clock."),
        ("carrier.upper()", "`upper` is called with a dot, but functions cannot follow a dot here."),
        ("99999999999999999999 > 1", "99999999999999999999 does not fit into 64 bits."),
        ("`upper`(carrier)", "Write the name of a function without quotes."),
        ("", "The expression is empty."),
    ],
)
def test_the_message_says_what_is_wrong(text: str, message: str) -> None:
    assert refusal(text).message == message


def test_words_of_python_that_are_sql_s_too_just_work() -> None:
    assert check("late and not (dep_delay > 1 or late is not null) and True", SCOPE).type == BOOLEAN


def test_a_value_of_another_type_than_wanted_is_named() -> None:
    error = refusal("dep_delay", returns=BOOLEAN)

    assert error.message == "This gives an integer; expected a boolean."
    assert refusal("'x'", returns=INTEGER).message == "This gives a string; expected an integer."


def test_double_quotes_are_refused_even_where_nothing_is_known() -> None:
    error = refusal('carrier = "UA"', UNKNOWN)

    assert error.fix is not None
    assert error.fix.replacement == "carrier = 'UA'"


def test_an_error_points_at_its_place() -> None:
    text = "late AND upper(carrier) = 5"

    error = refusal(text)

    assert error.span is not None
    assert text[slice(*error.span)] == "upper(carrier) = 5"
