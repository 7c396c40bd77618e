"""Finds what style forbids in prose. `python -m tests.docs.prose` lists it."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import PAGES, ROOT, without_code, without_fences
from webapp.docs.reference import make_pages

FORBIDDEN = re.compile(
    r"\b(?:anew|mend(?:s|ed|ing)?|whoever|whom|as they come|tells? no|called so|it is no (?!longer\b|more\b)"
    r"|has it no more)\b",
    re.IGNORECASE,
)
TRANSLATED = (
    r"go(?:es|ing)? on|went on|wh(?:at|ich) (?:became|becomes|came) of|came of it|for ever|at hand|all the same"
    r"|(?:is|are|be|was|were) told|tells? of|(?:stands?|stood) (?:in|on|with|at|under|beside|behind|against|above)"
    r"|(?:lies|lie|lay) (?:in|on|with|at|under|beside)|is at work|of now|(?:some|no|every|any)body"
    r"|(?:carry|carries|carried|carrying) (?:it |them )?out|(?:writes|wrote|written) (?:it |them )?down"
    r"|in (?:the )?place of|(?:none|null|nothing|raises \w+) where|behind (?:a |the )?(?:shuffles?|repartition|point)"
)
"""What reads translated."""
HABITS = re.compile(rf"\b(?:{TRANSLATED})\b", re.IGNORECASE)
NO_NOUN = re.compile(r"(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)\w+", re.IGNORECASE)
CODE = re.compile(r"`[^`]*`")
MAX_WORDS = 20
SENTENCE_END = re.compile(r"(?<=[.!?:;])[)\"”*]*\s+")
IS_SENTENCE = re.compile(r"[A-Z`].*[.!?][)\"”*]*", re.DOTALL)
PLACEHOLDER = "X"
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)
JOIN = re.compile(r"([\"`])\s*\+\s*\1")
VALUE = re.compile(r"\$?\{[^{}]*\}")
BROWSER_TEXT = re.compile(r'"([^"\n]*)"|`([^`]*)`|>\s*((?:[A-Z]|\{[^{}]*\})(?:[^<>{}=;]|\{[^{}]*\})*)\s*<')
"""A string, a template, or the text of an element."""


def forbidden(text: str) -> list[str]:
    """The forbidden words and idioms of a text.

    >>> forbidden("Start the job anew")
    ['anew']
    """
    return FORBIDDEN.findall(text)


def habits(text: str) -> list[str]:
    """The phrases of a text that read translated.

    >>> habits("The job goes on.")
    ['goes on']
    """
    return HABITS.findall(text)


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


def python_texts(source: str) -> Iterator[str]:
    """The strings of a module that are not docstrings; a placeholder stands for each value of a template."""
    nodes = list(ast.walk(ast.parse(source)))
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    parts |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else PLACEHOLDER for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield VALUE.sub(PLACEHOLDER, node.value)


def python_comments(source: str) -> Iterator[str]:
    """The docstrings and comments of a module, without examples and code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield re.sub(r"^ *>>>.*?(?:\n *\n|\Z)", "", CODE.sub("", node.value.value), flags=re.DOTALL | re.MULTILINE)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield CODE.sub("", token.string)


def browser_comments(source: str) -> Iterator[str]:
    """The comments in a file of the page, without code."""
    return (CODE.sub("", found[0]) for found in COMMENT.finditer(source))


def comments(place: str, source: str) -> Iterator[str]:
    """What a file of code says to those who read it."""
    if place.endswith(".py"):
        return python_comments(source)
    return browser_comments(source) if place.startswith("frontend/") else iter(())


def browser_texts(source: str) -> Iterator[str]:
    """The strings, templates and texts of elements in a file of the page."""
    for found in BROWSER_TEXT.finditer(JOIN.sub("", COMMENT.sub("", source))):
        yield " ".join(VALUE.sub(PLACEHOLDER, next(filter(None, found.groups()), "")).split())


def sources() -> Iterator[tuple[str, str, list[str]]]:
    """Each file of code: its place, its text with comments, and the strings that people may read on screen."""
    for room in ("designer", "runner", "webapp"):
        for file in sorted((ROOT / room).rglob("*.py")):
            if file.parent.name == "migrations":
                continue
            yield _place(file), (source := file.read_text()), list(python_texts(source))
    for file in sorted((ROOT / "frontend/src").rglob("*.ts*")):
        if ".test." not in file.name and file.name != "schema.d.ts":
            yield _place(file), (source := file.read_text()), list(browser_texts(source))
    yield "Makefile", (ROOT / "Makefile").read_text(), []


def pages() -> Iterator[tuple[str, str]]:
    """Each page: those of the project, and those made from the code with each cell of a table as a paragraph."""
    for page in PAGES:
        yield _place(page), without_code(page)
    for name, text in make_pages().items():
        yield name, re.sub(r"(?<!\\)\|", "\n\n", without_fences(text))


def breaches() -> Iterator[str]:
    """Each breach of a rule: the file, the rule, and the word or sentence."""
    for place, text in pages():
        yield from (f"{place}: forbidden word: {word}" for word in forbidden(text))
        yield from (f"{place}: reads translated: {words}" for words in habits(CODE.sub("", text)))
        yield from (f"{place}: long sentence: {sentence}" for sentence in long_sentences(text))
    for place, source, shown in sources():
        yield from (f"{place}: forbidden word: {word}" for word in forbidden(source))
        # most files have none of the phrases: to find their comments takes ten times as long
        for text in comments(place, source) if HABITS.search(source) else ():
            yield from (f"{place}: comment reads translated: {words}" for words in HABITS.findall(text))
        for text in shown:
            yield from (f"{place}: name what it must be, not “{words}”" for words in NO_NOUN.findall(text))
            yield from (f"{place}: reads translated: {words}" for words in habits(text) if " " in text)
            if IS_SENTENCE.fullmatch(text.strip()):
                yield from (f"{place}: long sentence: {sentence}" for sentence in long_sentences(text))


def _place(file: Path) -> str:
    return str(file.relative_to(ROOT))


if __name__ == "__main__":
    import django

    django.setup()
    for breach in breaches():
        print(breach)
