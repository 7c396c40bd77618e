"""Texts for people keep the rules of style that a machine can check. `python -m tests.docs.prose` lists breaches."""

from tests.docs.pages import ROOT
from tests.docs.prose import (
    HABITS,
    NO_NOUN,
    breaches,
    browser_texts,
    comments,
    forbidden,
    habits,
    long_sentences,
    python_texts,
)


def test_no_text_breaks_a_rule():
    found = list(breaches())

    assert not found, "\n".join(found)


def test_a_forbidden_idiom_is_found_and_its_plain_twin_is_not():
    assert forbidden("Whoever mends it starts anew. It is no JSON.") == ["Whoever", "mends", "anew", "It is no "]
    assert not forbidden("It is no longer valid. Recommend a fix.")


def test_a_phrase_that_reads_translated_is_found_and_its_plain_twin_is_not():
    text = "Nobody is told what became of it, as the file lies on S3 and the job goes on for ever."

    assert habits(text) == ["Nobody", "is told", "what became of", "lies on", "goes on", "for ever"]
    assert habits("Raises Conflict where it is carried out behind a shuffle.") == [
        "Raises Conflict where",
        "carried out",
        "behind a shuffle",
    ]
    assert not habits("The job continues forever. No user gets a message. The file is on S3. No one carries it.")


def test_comments_are_judged_and_code_in_them_is_not():
    python = '"""It goes on. `goes on` is code.\n\n>>> "lies on"\n"""\nx = 1  # it stands in a row\n'
    browser = '/** What became of it. */\nconst word = "goes on"; // it lies in a list\n'

    found = [
        [words for text in comments(place, source) for words in HABITS.findall(text)]
        for place, source in (("runner/one.py", python), ("frontend/src/one.ts", browser))
    ]

    assert found == [["goes on", "stands in"], ["What became of", "lies in"]]


def test_a_long_sentence_is_found_outside_of_tables():
    long = "word " * 21

    assert long_sentences(f"# {long}\n\n| {long} |\n\n- {long}.\n- {long[:30]}.") == [f"{long}."]


def test_strings_of_python_are_read_and_its_docstrings_are_not():
    source = 'def stop(job):\n    """A docstring."""\n    raise Refusal(f"Job `{job.name}` " "runs.", "Stop it.")'

    assert list(python_texts(source)) == ["Job `X` runs.", "Stop it."]


def test_texts_of_the_page_are_read_and_its_comments_are_not():
    source = """
        const hint = "Save it, " + "then deploy it."; // "A comment."
        return <p className="quiet">
          Job {job.name} runs.
        </p>;
    """

    assert list(browser_texts(source)) == ["Save it, then deploy it.", "quiet", "Job X runs."]


def test_a_text_says_what_a_thing_is_not_and_no_riddle():
    assert NO_NOUN.findall("The schema is no JSON, and these are no topics.") == ["is no JSON", "are no topics"]
    assert not NO_NOUN.findall("There is no topic. It is no longer there. It is not JSON.")


def test_the_glossary_is_short_enough_to_be_read():
    rows = [line for line in (ROOT / "docs" / "glossary.md").read_text().splitlines() if line.startswith("| ")]
    words = [line for line in rows if not line.startswith("| word |")]

    assert 20 < len(words) <= 40
