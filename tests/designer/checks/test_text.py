"""Turns of phrase that messages share."""

import pytest

from designer.checks.text import guess, join_names, join_things, with_article


@pytest.mark.parametrize(
    ("thing", "phrase"), [("operator", "an operator"), ("Input", "an Input"), ("KStream", "a KStream")]
)
def test_a_thing_gets_its_article(thing: str, phrase: str):
    assert with_article(thing) == phrase


def test_the_last_of_several_things_is_joined_by_a_word():
    assert join_things(["a", "b", "c"]) == "a, b or c"
    assert join_things(["a"]) == "a"
    assert join_things([]) == ""
    assert join_names(["a", "b"], "and") == "`a` and `b`"


def test_a_misspelt_name_is_guessed_whatever_its_case():
    assert guess("MAPVALUES", ["filter", "map_values"]) == "map_values"
    assert guess("elsewhere", ["filter", "map_values"]) is None
