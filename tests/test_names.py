"""Functions and methods are named by what they do: no single participle such as `shown` is the name of one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
IRREGULAR = re.compile(
    "asked|begun|bought|brought|built|caught|chosen|cut|drawn|found|given|gone|heard|held|hidden|kept|known|laid|left|"
    "made|meant|read|said|seen|sent|shown|sold|split|spread|stood|struck|taken|taught|thought|told|understood|won|written"
)
VERBS = frozenset({"cut", "embed", "feed", "need", "read", "seed", "speed", "split", "spread"})
"""Verbs that end or look like a participle."""
WORDS_OF_SQL = frozenset({"designer/expressions/functions/strings.py: left"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def participles(text: str) -> Iterator[str]:
    """The names of functions that are one participle. A property may be: `job.is_new`, `plan.changed`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, FUNCTIONS):
            name = node.name.strip("_")
            is_property = any("property" in ast.unparse(each) for each in node.decorator_list)
            is_participle = IRREGULAR.fullmatch(name) or (name.endswith("ed") and "_" not in name)
            if is_participle and not is_property and name not in VERBS:
                yield node.name


def test_no_function_is_named_by_a_participle():
    files = (path for room in ("webapp", "designer", "runner") for path in (ROOT / room).rglob("*.py"))

    found = {f"{path.relative_to(ROOT)}: {name}" for path in files for name in participles(path.read_text())}

    assert found == WORDS_OF_SQL


def test_the_check_finds_participles():
    functions = "def shown(): ...\nasync def told(): ...\ndef _parsed(): ...\n"
    others = "def read(): ...\n@property\ndef done(self): ...\n"

    assert list(participles(functions + others)) == ["shown", "told", "_parsed"]
