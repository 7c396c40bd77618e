"""Texts for people keep the rules of style that a machine can check.

`exceptions.json` says how often a page, or the texts of a room, still break one. It only shrinks: fix a text, then run
`python -m tests.docs.prose`.
"""

import json

import pytest

from tests.docs.pages import ROOT
from tests.docs.prose import EXCEPTIONS, counted, forbidden, long_sentences

ALLOWED: dict[str, dict[str, int]] = json.loads(EXCEPTIONS.read_text())


@pytest.fixture(scope="module")
def now() -> dict[str, dict[str, int]]:
    return counted()


@pytest.mark.parametrize("rule", ["forbidden words", "long sentences"])
def test_no_place_breaks_a_rule_more_often_than_before(rule: str, now: dict[str, dict[str, int]]):
    worse = {
        place: f"{count} {rule}, allowed {ALLOWED[rule].get(place, 0)}"
        for place, count in now[rule].items()
        if count > ALLOWED[rule].get(place, 0)
    }

    assert not worse, "`python -m tests.docs.prose` lists them"


def test_a_forbidden_idiom_is_found_and_its_plain_twin_is_not():
    assert forbidden("Whoever mends it starts anew. It is no JSON.") == ["Whoever", "mends", "anew", "It is no "]
    assert not forbidden("It is no longer valid. Recommend a fix.")


def test_a_long_sentence_is_found_outside_of_tables():
    long = "word " * 21

    assert long_sentences(f"# {long}\n\n| {long} |\n\n- {long}.\n- {long[:30]}.") == [f"{long}."]


def test_the_glossary_is_short_enough_to_be_read():
    rows = [line for line in (ROOT / "docs" / "glossary.md").read_text().splitlines() if line.startswith("| ")]
    words = [line for line in rows if not line.startswith("| word |")]

    assert 20 < len(words) <= 40
