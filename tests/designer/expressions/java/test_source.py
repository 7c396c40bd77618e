"""Java's source text: nothing that a user wrote leaves its literal, comment or name."""

import pytest

from designer.expressions.java import find_java_type, quote_text, write_comment
from designer.expressions.java.source import make_identifier
from designer.values.schemas import Kind, Type


@pytest.mark.parametrize(
    ("value", "literal"),
    [
        ('"', '"\\""'),
        ("\\u0022", '"\\\\u0022"'),
        ("a\nb\rc\td", '"a\\nb\\rc\\td"'),
        ("\x00\x7f1", '"\\000\\1771"'),
        ("Äpfel 😀", '"Äpfel 😀"'),
        ("\u2028\ud800", '"\\u2028\\ud800"'),
    ],
)
def test_literals_hold_any_text(value: str, literal: str):
    assert quote_text(value) == literal


def test_names_are_java_s_and_told_apart():
    assert make_identifier("late-flights") == "lateFlights"
    assert make_identifier("class") == "class_" and make_identifier("1st") == "n1st" and make_identifier("*/") == "it"
    assert make_identifier("a-b", {"aB", "aB2"}) == "aB3"
    assert make_identifier("sql", {"Sql"}, is_class=True) == "Sql2"


def test_a_comment_is_one_line_in_which_no_escape_is_read():
    assert write_comment("a\n  b\t\\u000a\u2028c") == "// a b \\\\u000a c"


def test_each_kind_of_value_has_a_class():
    classes = {kind: find_java_type(Type(kind)) for kind in Kind}

    assert (classes[Kind.UNION], classes[Kind.ANY]) == ("Sql.Union", "Object")
