"""A sentence is written once: one that the page shows and the server sends comes from the server."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MIN_WORDS = 6
"""Shorter ones are labels, and may well stand on both sides."""
ON_BOTH_SIDES = {
    "kafka does not end it by itself": "behind a time, which the page shows as its user's clock does",
}
"""Sentences with the reason."""
QUOTED = re.compile(r'"([^"\n]*)"|`([^`]*)`')
BETWEEN_TAGS = re.compile(r">([^<>{}]*)(?=[<{])")


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text as plain words, so that another sign or letter makes no other sentence."""
    for sentence in re.split(r"(?<=[.!?;:])\s+", re.sub(r"\s+", " ", text)):
        words = re.sub(r"[^\w ]", "", sentence).lower().split()
        if len(words) >= MIN_WORDS:
            yield " ".join(words)


def find_in_python(source: str) -> set[str]:
    """Of strings; a docstring is read by no user."""
    tree = ast.parse(source)
    comments = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        _join(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in comments
    ]
    return {sentence for text in texts for sentence in split_sentences(text)}


def _join(node: ast.JoinedStr | ast.Constant) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(
        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else " " for part in node.values
    )


def find_in_typescript(source: str) -> set[str]:
    code = re.sub(r"(?<!:)//[^\n]*", "", re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL))
    texts = [*("".join(parts) for parts in QUOTED.findall(code)), *BETWEEN_TAGS.findall(code)]
    return {sentence for text in texts for sentence in split_sentences(re.sub(r"\$\{[^}]*\}", " ", text))}


def list_modules() -> Iterable[Path]:
    return (file for room in ("designer", "runner", "webapp") for file in (ROOT / room).rglob("*.py"))


def list_page_files() -> Iterator[Path]:
    for file in (ROOT / "frontend/src").rglob("*.ts*"):
        if ".test." not in file.name and file.name not in ("samples.ts", "schema.d.ts"):
            yield file


def test_no_sentence_stands_both_on_the_page_and_in_the_server() -> None:
    ours = {sentence for file in list_modules() for sentence in find_in_python(file.read_text())}
    twice = {
        sentence: str(file.relative_to(ROOT))
        for file in list_page_files()
        for sentence in find_in_typescript(file.read_text()) & ours
    }

    assert {sentence: where for sentence, where in twice.items() if sentence not in ON_BOTH_SIDES} == {}
    assert twice.keys() >= ON_BOTH_SIDES.keys()


@pytest.mark.parametrize(
    "source",
    [
        'const WORDS = "The job is not running, so ask later.";',
        "const words = `${name}: The job is not running, so ask later.`;",
        "<p>\n  The job is not running,\n  so ask later. <b>Now</b>\n</p>",
        '<Notice title="Stop. The job is not running, so ask later." />',
    ],
)
def test_a_sentence_of_the_page_is_found(source: str) -> None:
    theirs = find_in_python('raise Conflict(f"{name} stops. The job is not running, so ask later.", "Wait.")')

    assert find_in_typescript(source) & theirs == {"the job is not running so ask later"}


def test_comments_and_docstrings_are_no_sentences_of_a_user() -> None:
    assert (
        find_in_typescript("/** The job is not running, so ask later. */\n// The job is not running, so ask later.")
        == set()
    )
    assert find_in_python('def ask():\n    """The job is not running, so ask later."""') == set()
