"""Texts for people keep the rules of style that a machine can check. `python -m tests.docs.prose` lists breaches."""

from tests.docs.pages import ROOT
from tests.docs.prose import breaches, forbidden, long_sentences


def test_no_text_breaks_a_rule():
    found = list(breaches())

    assert not found, "\n".join(found)


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
