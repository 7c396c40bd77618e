"""Typical slips are named exactly, and one click puts the whole corrected text there, which then works."""

from __future__ import annotations

from designer.expressions import check
from designer.schemas import BOOLEAN, INTEGER
from tests.designer.expressions.sample import SCOPE, UNKNOWN, refusal


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
