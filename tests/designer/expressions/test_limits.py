"""An expression is at most so long, so deep and so large; that is found out before anything is built."""

from __future__ import annotations

import pytest

from designer.expressions import check
from designer.values.schemas import BOOLEAN
from tests.designer.expressions.sample import SCOPE, compute, refusal


def test_text_has_at_most_4096_characters() -> None:
    longest = "late" + " " * 4_092

    assert check(longest, SCOPE).type == BOOLEAN
    assert refusal(longest + " ").message == "The expression has 4,097 characters; at most 4,096 are allowed."


def test_a_megabyte_is_refused_by_its_length() -> None:
    assert "1,000,000 characters" in refusal("x" * 1_000_000).message


def test_a_text_in_quotes_is_one_word_of_the_700_allowed() -> None:
    long = "'" + "a, " * 600 + "'"
    names = ", ".join(["carrier"] * 350)

    assert check(f"carrier = {long} OR carrier = r{long}", SCOPE).type == BOOLEAN
    assert "701 words and signs; at most 700" in refusal(f"{names} +carrier").message


@pytest.mark.parametrize(
    "nested",
    [
        lambda n: "(" * n + "1" + ")" * n,
        lambda n: "abs(" * n + "1" + ")" * n,
        lambda n: "NOT " * n + "late",
        lambda n: "- " * n + "1",
        lambda n: "CASE WHEN late THEN " * n + "1" + " END" * n,
        lambda n: "[" * n + "1" + "]" * n,
        lambda n: "address" + ".a" * n,
        lambda n: "tags" + "[0]" * n,
        lambda n: "1" + " + 1" * n,
        lambda n: "1" + " = 1" * n,
        lambda n: "1" + " IS NULL" * n,
    ],
)
def test_deep_nesting_is_refused_whatever_it_is_made_of(nested: object) -> None:
    assert callable(nested)
    for depth in (40, 250, 480):
        refusal(nested(depth))


def test_what_is_just_deep_enough_works() -> None:
    assert compute("(" * 32 + "1" + ")" * 32) == 1
    assert compute("abs(" * 31 + "-1" + ")" * 31) == 1
    assert compute("NOT " * 31 + "late") is False
    assert compute("1" + " + 1" * 31) == 32


def test_a_wide_condition_is_no_deep_one() -> None:
    assert compute(" OR ".join(f"id = 'f{i}'" for i in range(99))) is True
    assert compute(" || ".join(["id"] * 100)) == "f1" * 100


def test_an_expression_has_at_most_300_parts() -> None:
    assert compute(f"dep_delay IN ({', '.join(map(str, range(298)))})") is True
    assert refusal(f"dep_delay IN ({', '.join(map(str, range(299)))})").message == (
        "The expression has more than 300 parts."
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x" * 4_097, None),
        ("x " * 701, None),
        (f"array({', '.join(['1'] * 299)}, tags)", "tags"),
        ("(" * 33 + "1" + ")" * 33, "("),
        ("NOT " * 33 + "late", "NOT"),
        ("id" + ".a" * 40, "id" + ".a" * 8),
    ],
)
def test_what_is_over_a_limit_is_to_be_split_where_that_shows(text: str, place: str | None) -> None:
    error = refusal(text)

    assert error.hint == "Split it over several nodes."
    assert (error.span and text[slice(*error.span)]) == place
