"""Finds what style forbids in prose. `python -m tests.docs.prose` lists it, and writes exceptions.json."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import PAGES, ROOT, without_code

FORBIDDEN = re.compile(
    r"\b(?:anew|mend(?:s|ed|ing)?|whoever|whom|as they come|tells? no|it is no (?!longer\b|more\b)|has it no more)\b",
    re.IGNORECASE,
)
MAX_WORDS = 20
EXCEPTIONS = Path(__file__).with_name("exceptions.json")
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


def breaches() -> Iterator[tuple[str, Path, str]]:
    """Each breach of a rule: the rule, the file, and the word or sentence."""
    for file, text in shown_texts():
        for word in forbidden(text):
            yield "forbidden words", file, word
    for page in PAGES:
        for sentence in long_sentences(without_code(page)):
            yield "long sentences", page, sentence


def counted() -> dict[str, dict[str, int]]:
    """How often each page, and each room of code, breaks a rule. Rooms, so that a moved file changes nothing."""
    counts: dict[str, Counter[str]] = {"forbidden words": Counter(), "long sentences": Counter()}
    for rule, file, _ in breaches():
        counts[rule][_place(file)] += 1
    return {rule: dict(sorted(places.items())) for rule, places in counts.items()}


def _place(file: Path) -> str:
    parts = file.relative_to(ROOT).parts
    return "/".join(parts) if file.suffix == ".md" else parts[0]


if __name__ == "__main__":
    for rule, file, text in breaches():
        print(f"{file.relative_to(ROOT)}: {rule}: {text}")
    EXCEPTIONS.write_text(json.dumps(counted(), indent=2) + "\n")
