"""Every refusal marks its place, says what is wrong and what to write, and offers a click where that corrects it."""

from __future__ import annotations

from pathlib import Path

import pytest

from designer.expressions import check
from designer.expressions.errors import ExpressionError
from designer.values.schemas import BOOLEAN, INTEGER
from tests.designer.expressions.sample import SCOPE, UNKNOWN, refusal, told

REFUSALS = Path(__file__).with_name("refusals.txt").read_text().rstrip("\n").split("\n\n")
MARKS = str.maketrans("", "", "«»")


def text_of(block: str) -> str:
    return block.partition("\n")[0].translate(MARKS)


@pytest.mark.parametrize("block", REFUSALS, ids=text_of)
def test_a_refusal_says_where_what_and_what_next(block: str) -> None:
    assert told(text_of(block)) == block


@pytest.mark.parametrize("block", [block for block in REFUSALS if "\n  [" in block], ids=text_of)
def test_what_a_click_writes_is_not_refused_for_the_same_again(block: str) -> None:
    error = refusal(text_of(block))

    assert error.fix is not None
    assert message_of(error.fix.replacement) != error.message


def message_of(text: str) -> str | None:
    try:
        check(text, SCOPE)
    except ExpressionError as error:
        return error.issue.message
    return None


def test_blanks_that_nobody_sees_are_replaced_outside_of_texts() -> None:
    assert told("late\u2028AND\x0bid = 'a\x0b'") == (
        "late«\u2028»AND\x0bid = 'a\x0b'\n"
        "  The character U+2028, which is invisible, is between words.\n"
        "  Replace it with a space.\n"
        "  [Write a space] late AND id = 'a\x0b'"
    )


def test_a_text_that_says_nothing_or_cannot_be_split_into_words_has_no_place() -> None:
    empty = "The expression is empty.\n  Write an expression such as `amount > 10`."

    assert (told(""), told(" \n")) == (f"\n  {empty}", f" \n\n  {empty}")
    assert told("late /* x") == "late /* x\n  The expression cannot be read.\n  Check its quotes."


def test_words_of_python_that_are_sql_s_too_just_work() -> None:
    assert check("late and not (dep_delay > 1 or late is not null) and True", SCOPE).type == BOOLEAN


def test_a_value_of_another_type_than_wanted_is_named() -> None:
    assert told("dep_delay", returns=BOOLEAN) == (
        "«dep_delay»\n  This gives an integer; expected a boolean.\n"
        "  Compare it with a value, for example `dep_delay = …`."
    )
    assert told("'x'", returns=INTEGER) == "«'x'»\n  This gives a string; expected an integer.\n  Use CAST."


def test_double_quotes_are_refused_even_where_nothing_is_known() -> None:
    error = refusal('carrier = "UA"', UNKNOWN)

    assert error.fix is not None
    assert error.fix.replacement == "carrier = 'UA'"
