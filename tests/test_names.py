"""Functions are named by what they do, and booleans as facts (`is_new`, `keeps_order`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IRREGULAR = re.compile(
    "asked|beaten|began|begun|bought|brought|built|caught|chosen|cut|drawn|found|gave|given|gone|heard|held|hidden|kept|"
    "known|laid|left|lost|made|meant|misread|overlaid|read|rebuilt|said|seen|sent|shown|sold|split|spread|stood|struck|"
    "taken|taught|thought|told|took|understood|unread|unshown|won|written"
)
VERBS = frozenset({"bring", "cut", "embed", "exceed", "feed", "misread", "need", "read", "seed", "split", "spread"})
"""Verbs that end or look like a participle."""
NO_VERBS = re.compile(
    "after|again|ahead|alike|all|alone|anything|away|bad|bare|before|behind|below|beside|between|both|by|common|"
    "either|exactly|finite|first|full|greatest|if|impatient|in|inner|inside|intact|itself|last|later|latest|"
    "least|missing|never|new|newest|next|no|not|nothing|now|odd|old|oldest|once|one|only|optional|original|other|"
    "our|out|over|partial|past|patiently|plain|promptly|raw|readable|recent|right|same|short|silent|since|"
    "slowest|something|the|then|this|together|too|undecodable|unlike|unlikely|unless|unmakeable|unreachable|"
    "unreadable|unusable|usual|well|what|where|who|whole|whom|whose|why|wider|within|wrong"
)
"""Words that start no name of a function: it says neither what it does nor what it gives."""
FACTS = re.compile(r"(is|are|has|had|can|could|may|must|should|will|was|were|[a-z]{2,}s)(_|$)")
"""What the name of a boolean starts with: an auxiliary, or a verb in the third person such as `keeps`."""
NO_FACTS = frozenset({"as", "always", "clusters", "duplicates", "parents", "this", "updates"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
FILES = [path for room in ("webapp", "designer", "runner") for path in (ROOT / room).rglob("*.py")]
WIRE = frozenset({"BaseModel", "BaseSettings", "Schema", "TypedDict"})
LIBRARY = frozenset({"alias", "close", "daemon", "exist_ok", "missing_ok", "once", "parents", "recursive", "reverse"})
"""Names of parameters that Python, or a library whose method is overridden, gives the same thing."""
PUBLIC = frozenset(
    {
        "additionalProperties",
        "ahead",
        "as_text",
        "before",
        "bypassed",
        "ended",
        "header",
        "loop",
        "retriable",
        "value",
    }
)
"""Names that are stored in graphs, schemas and failures, or that users write: options of commands and queries."""
VISITORS = {"check.py": ("between", "in_"), "emit.py": ("between", "in_", "not_"), "parse.py": ("between", "in_")}
"""Methods that are found by the name of a node of the tree."""
EXCEPTIONS = frozenset(
    {
        "designer/checks/edges.py: no_cycles",  # a check is a claim
        "runner/engine/stores/of_code/key_value.py: all",  # Kafka Streams' own name
        "runner/engine/stores/of_code/windows.py: all",
        "runner/spark/session/daemon.py: readable",  # a method of io.RawIOBase
        *(f"designer/expressions/{file}: {name}" for file, names in VISITORS.items() for name in names),
        *(f"designer/expressions/java/emit.py: {name}" for name in VISITORS["emit.py"]),
    }
)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All but properties, validators, which are claims as checks are, and what SQL or a library named."""
    for node in ast.walk(tree):
        decorators = " ".join(ast.unparse(each) for each in getattr(node, "decorator_list", ()))
        if isinstance(node, FUNCTIONS) and not re.search(r"property|validator\b|^function\(", decorators):
            yield node


def misnamed(text: str) -> Iterator[str]:
    """The names of functions that start with a participle, or another word that is no verb."""
    for node in functions(ast.parse(text)):
        first = node.name.strip("_").partition("_")[0]
        is_participle = IRREGULAR.fullmatch(first) or first.endswith(("ed", "ing"))
        if not node.name.startswith("__") and ((is_participle and first not in VERBS) or NO_VERBS.fullmatch(first)):
            yield node.name


def booleans(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is annotated as a boolean: parameters, properties and attributes, each with the class that holds it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if (
                    isinstance(each, ast.AnnAssign)
                    and isinstance(each.target, ast.Name)
                    and is_boolean(each.annotation)
                ):
                    yield node.name, each.target.id
        elif isinstance(node, FUNCTIONS):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            yield from (("", each.arg) for each in arguments if is_boolean(each.annotation))
            if is_boolean(node.returns) and any("property" in ast.unparse(each) for each in node.decorator_list):
                yield "", node.name


def is_boolean(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) in ("bool", "bool | None", "ClassVar[bool]")


def is_fact(name: str) -> bool:
    return bool(FACTS.match(name.strip("_"))) and name.strip("_").partition("_")[0] not in NO_FACTS


def read_bases(trees: list[ast.Module]) -> dict[str, set[str]]:
    """The names of the bases of each class, by its own."""
    found: dict[str, set[str]] = {}
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        found.setdefault(node.name, set()).update(ast.unparse(each).rpartition(".")[2] for each in node.bases)
    return found


def is_on_wire(name: str, bases: dict[str, set[str]]) -> bool:
    """Whether a class is one of those whose fields are JSON, a form or a variable: others know their names."""
    return name in WIRE or any(is_on_wire(each, bases) for each in bases.get(name, ()))


def test_functions_are_verbs():
    found = {f"{path.relative_to(ROOT)}: {name}" for path in FILES for name in misnamed(path.read_text())}

    assert found == EXCEPTIONS


def test_booleans_read_as_facts():
    trees = {path: ast.parse(path.read_text()) for path in FILES}
    bases = read_bases(list(trees.values()))
    held = {(path, *each) for path, tree in trees.items() for each in booleans(tree)}
    wire = {name for _, of, name in held if is_on_wire(of, bases)}

    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path, _, name in held
        if not is_fact(name) and name not in wire | LIBRARY | PUBLIC
    }

    assert not found


def test_the_check_finds_what_is_no_verb():
    wrong = "def shown(): ...\nasync def told_so(): ...\ndef _parsing(): ...\ndef whole(): ...\n"
    right = "def read(): ...\ndef show(): ...\n@property\ndef done(self): ...\n"

    assert list(misnamed(wrong + right)) == ["shown", "told_so", "_parsing", "whole"]


@pytest.mark.parametrize("name", ["stateful", "updates", "as_pods"])
def test_the_check_finds_what_is_no_fact(name: str):
    parts = f"class A:\n    {name}: bool\ndef f({name}: bool): ...\n@property\ndef {name}(self) -> bool: ...\n"

    assert [each for _, each in booleans(ast.parse(parts)) if not is_fact(each)] == [name] * 3
