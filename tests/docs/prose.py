"""Finds what style forbids in prose. `python -m tests.docs.prose` lists it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import PAGES, ROOT, without_code

FORBIDDEN = re.compile(
    r"\b(?:anew|mend(?:s|ed|ing)?|whoever|whom|as they come|tells? no|it is no (?!longer\b|more\b)|has it no more)\b",
    re.IGNORECASE,
)
MAX_WORDS = 20
SENTENCE_END = re.compile(r"(?<=[.!?:;])[)\"”*]*\s+")
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def forbidden(text: str) -> list[str]:
    """The forbidden words and idioms of a text.

    >>> forbidden("Start the job anew")
    ['anew']
    """
    return FORBIDDEN.findall(text)


def sentences(page: str) -> Iterator[str]:
    """The sentences of a Markdown page without fenced blocks, outside of tables.

    >>> list(sentences("# Title\\n\\nOne two.\\nThree."))
    ['One two.', 'Three.']
    """
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)|(?<=^)#.*\n", page):
        lines = [line.strip() for line in block.splitlines() if not line.lstrip().startswith(("|", "#", "!", "<"))]
        text = re.sub(r"^(?:[-*]|\d+\.) ", "", " ".join(lines).strip())
        yield from (part for part in SENTENCE_END.split(text) if part)


def long_sentences(page: str) -> list[str]:
    """The sentences of a page that have more words than a sentence should."""
    return [sentence for sentence in sentences(page) if len(sentence.split()) > MAX_WORDS]


def shown_texts() -> Iterator[tuple[Path, str]]:
    """Each file with texts for people: pages, strings and docstrings of Python, the browser's code."""
    for page in PAGES:
        yield page, page.read_text()
    for room in ("designer", "runner", "webapp"):
        for file in sorted((ROOT / room).rglob("*.py")):
            source = file.read_text()
            if forbidden(source):
                yield file, "\n".join(_strings(source))
    for file in sorted((ROOT / "frontend/src").rglob("*.ts*")):
        if ".test." not in file.name and file.name != "schema.d.ts":
            yield file, COMMENT.sub("", file.read_text())


def _strings(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def breaches() -> Iterator[str]:
    """Each breach of a rule: the file, the rule, and the word or sentence."""
    for file, text in shown_texts():
        for word in forbidden(text):
            yield f"{file.relative_to(ROOT)}: forbidden word: {word}"
    for page in PAGES:
        for sentence in long_sentences(without_code(page)):
            yield f"{page.relative_to(ROOT)}: long sentence: {sentence}"


if __name__ == "__main__":
    for breach in breaches():
        print(breach)
