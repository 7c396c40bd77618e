"""Functions are named by what they do, and booleans as facts (`is_new`, `keeps_order`)."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IRREGULAR = re.compile(
    "asked|beaten|began|begun|bought|brought|built|caught|chosen|cut|drawn|found|gave|given|gone|heard|held|hidden|kept|"
    "known|laid|left|lost|made|meant|misread|overlaid|read|rebuilt|said|seen|sent|shown|sold|split|spread|stood|struck|"
    "taken|taught|thought|told|took|understood|unread|unshown|won|written"
)
PARTICIPLES = frozenset(json.loads((ROOT / "tests/participles.json").read_text()))
"""Those that do not end in "ed"; the page's linter has the same."""
NOUNS = frozenset({"bed", "embed", "exceed", "feed", "need", "seed", "speed", "spread"})
"""Nouns that end alike, and verbs of callbacks."""
WITHOUT_NOUN = frozenset({"as", "before", "by", "for", "from", "in", "of", "on", "since", "to", "with"})
"""What follows a participle that has no noun: `written_by`. A moment such as `created_at` is one."""
STANDARD = {
    "Windowed": "Kafka Streams' name of a key with its window",
    "windowed_by": "the file of the operator windowedBy",
    "expected": "a member of stored test cases",
    "Desired": "a member of jobs",
    "when_expired": "what is called at that time",
    "ended": "a signal, which says what happened",
    "moved": "a signal",
    "told": "a signal",
}
"""Participles that others named, or that say when something is called."""
NAMED_BY_OTHERS = {
    "_when_expired": "what is called at that time",
    "dropped_by": "a member of the numbers of a node",
    "required": "a word of JSON Schema",
    "updated_by_id": "Django's, of the field `updated_by`",
}
"""Variables and attributes that are participles all the same."""
NAMED_BY_JAVA = {
    "expected": "JUnit's word",
    "untyped": "an adjective: a serde of values that may be anything",
    "windowed": "a serde of Kafka Streams' `Windowed`",
}
"""Names in exported programs that are participles all the same."""
JAVA = re.compile(
    r"\b(?:[A-Z]\w*(?:<[^;(){}]*>)?|boolean|byte|char|double|float|int|long|short|var)(?:\[\])*\s+([a-z]\w*)\s*[=;,:()]"
)
"""A declaration in Java, and the name that it gives to a variable or a method."""
PAGE = re.compile(r"^(?:export )?(?:default )?(?:async )?(?:function\*? |const (?=[^\n]*(?: =>| =$)))([a-z]\w*)", re.M)
"""A function of a file of the page, and a constant that may be one."""
VERBS = frozenset({"cut", "embed", "exceed", "feed", "misread", "need", "read", "seed", "split", "spread"})
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
PREPOSITIONS = frozenset({"as", "at", "from", "of", "on", "to", "with", "without"})
"""How a name begins that says what a value is made of, or made into: `to_double`, `with_digits`."""
DECLARED = re.compile(r"property|validator\b|contextmanager|receiver\(|overload|router\.|require_|^function\(")
"""Decorators of what is read as a value, of routes, which the API calls by their names, of receivers, and of the
functions of expressions, which SQL named."""
GIVEN = re.compile("__|_.*_$")
"""Names that Python and its Enum ask for: `__init__`, `_missing_`."""
FACTS = re.compile(r"(is|are|has|had|can|could|may|must|should|will|was|were|[a-z]{2,}s)(_|$)")
"""What the name of a boolean starts with: an auxiliary, or a verb in the third person such as `keeps`."""
WIRE_FACTS = re.compile("(is|has|may)_")
"""The same in JSON: `may` begins the name of a right."""
NO_FACTS = frozenset({"as", "always", "clusters", "duplicates", "parents", "this", "updates"})
BOOLEAN = re.compile(r"(?:(?:Annotated|ClassVar|NotRequired)\[)*bool(?: \| None)?(?:[],].*)?")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
FILES = [path for room in ("webapp", "designer", "runner") for path in (ROOT / room).rglob("*.py")]
WIRE = frozenset({"BaseModel", "Schema", "TypedDict"})
LIBRARY = frozenset({"alias", "close", "daemon", "exist_ok", "missing_ok", "once", "parents", "recursive", "reverse"})
"""Names of parameters that Python, or a library whose method is overridden, gives the same thing."""
STORED = {
    "arrival_order": "a member of the plans of runs",
    "header": "says in a schema, which drafts keep, that a registry wrote the bytes",
    "bypassed": "a member of nodes in stored graphs",
    "edited": "a member of what events of jobs keep",
    "retriable": "a member of failures, which runs keep",
    "again": "a member of lost executors, which runs keep",
    "cache": "a setting in the plans of runs",
    "shared_shuffles": "a setting in the plans of runs",
    "create_if_missing": "a field of a form, and graphs keep forms",
    "duplicates": "a field of a form; Kafka Streams' retainDuplicates",
    "eager": "a field of a form",
    "keep": "a field of a form",
    "load_first": "a field of a form",
}
"""Names of booleans in JSON that was stored earlier, with what keeps them."""
PUBLIC = {
    "additionalProperties": "a word of JSON Schema",
    "ahead": "an option of `manage.py drive`",
    "allow_python": "STREAMWRIGHT_ALLOW_PYTHON",
    "as_text": "an option of a query",
    "descending": "an option of a query, and runs of the version before are asked with it",
    "loop": "an option of `manage.py feed`",
    "standby": "STREAMWRIGHT_STANDBY",
    "value": "what IS of an expression compares with",
}
"""Other names of booleans that users write, or that others gave."""
VISITORS = {"check.py": ("between", "in_"), "emit.py": ("between", "in_", "not_"), "parse.py": ("between", "in_")}
"""Methods that are found by the name of a node of the tree."""
EXCEPTIONS = frozenset(
    {
        "runner/engine/stores/of_code/key_value.py: all",  # Kafka Streams' own name
        "runner/engine/stores/of_code/windows.py: all",
        "runner/spark/session/daemon.py: readable",  # a method of io.RawIOBase
        *(f"designer/expressions/{file}: {name}" for file, names in VISITORS.items() for name in names),
        *(f"designer/expressions/java/emit.py: {name}" for name in VISITORS["emit.py"]),
    }
)

PHRASES = frozenset(
    {
        "designer/expressions/functions/table.py: function",  # a decorator that reads as what it declares
        "designer/values/exact_json.py: dumps",  # json's own names
        "designer/values/exact_json.py: loads",
        "designer/values/schemas.py: decimal",  # a type, written as SQL writes it
        "designer/values/schemas.py: struct",
        "runner/engine/tasks/place.py: makes_processor",  # its TypeGuard is a boolean
        "runner/watch/why/answering.py: _are",  # words of a sentence by how many there are
        "runner/watch/why/answering.py: _were",
    }
)
"""Functions that start with no verb."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All but properties, validators and checks, which are claims, and what SQL or Python named."""
    for node in ast.walk(tree):
        decorators = " ".join(ast.unparse(each) for each in getattr(node, "decorator_list", ()))
        has_reason = re.search(r"property|validator\b|^function\(", decorators)
        if isinstance(node, FUNCTIONS) and not (has_reason or GIVEN.match(node.name) or is_claim(node)):
            yield node


def misnamed(tree: ast.AST) -> Iterator[str]:
    """The names of functions that start with a participle, or another word that is no verb."""
    for node in functions(tree):
        first = node.name.strip("_").partition("_")[0]
        is_participle = IRREGULAR.fullmatch(first) or first.endswith(("ed", "ing"))
        if (is_participle and first not in VERBS) or NO_VERBS.fullmatch(first):
            yield node.name


def not_by_verbs(tree: ast.Module, verbs: Collection[str]) -> Iterator[str]:
    """The names of functions and private methods that start with none of the verbs; booleans are facts instead.

    Public methods may be nouns: operators, stores and Spark's sources declare with them what others ask for.
    """
    methods = (each for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for each in node.body)
    private = (each for each in methods if isinstance(each, FUNCTIONS) and each.name.startswith("_"))
    for node in [*(each for each in tree.body if isinstance(each, FUNCTIONS)), *private]:
        decorators = " ".join(ast.unparse(each) for each in node.decorator_list)
        first = node.name.strip("_").partition("_")[0]
        has_verb = first in verbs or first in PREPOSITIONS
        has_reason = GIVEN.match(node.name) or DECLARED.search(decorators) or is_boolean(node.returns) or is_claim(node)
        if not (has_verb or has_reason):
            yield node.name


def is_claim(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is a check of a topology, whose name says what should hold: `no_cycles`."""
    return len(node.args.args) == 1 and ast.unparse(node.args) == "view: GraphView"


def booleans(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is annotated as a boolean: fields with the class that holds them, and parameters, properties and constants
    of classes with none.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                if (
                    isinstance(each, ast.AnnAssign)
                    and isinstance(each.target, ast.Name)
                    and is_boolean(each.annotation)
                ):
                    yield "" if "ClassVar" in ast.unparse(each.annotation) else node.name, each.target.id
        elif isinstance(node, FUNCTIONS):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            yield from (("", each.arg) for each in arguments if is_boolean(each.annotation))
            if is_boolean(node.returns) and any("property" in ast.unparse(each) for each in node.decorator_list):
                yield "", node.name


def is_boolean(annotation: ast.expr | None) -> bool:
    if annotation is None or isinstance(annotation, ast.Name):
        return annotation is not None and annotation.id == "bool"  # the others cost ten times as much
    return bool(BOOLEAN.fullmatch(ast.unparse(annotation)))


def is_fact(name: str, facts: re.Pattern[str] = FACTS) -> bool:
    return bool(facts.match(name.strip("_"))) and name.strip("_").partition("_")[0] not in NO_FACTS


def lacks_noun(name: str) -> bool:
    """Whether it ends with a participle, or has one before a preposition: it says of nothing what happened."""
    parts = re.findall("[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    words = [each.lower() for each in parts]
    return any(
        (word in PARTICIPLES or (word.endswith("ed") and word not in NOUNS)) and after in {"", *WITHOUT_NOUN}
        for word, after in pairwise([*words, ""])
    )


def values(tree: ast.Module) -> Iterator[str]:
    """The names of constants and of parameters that are no booleans."""
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (each.id for each in targets if isinstance(each, ast.Name))
    for node in (each for each in ast.walk(tree) if isinstance(each, FUNCTIONS)):
        arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        yield from (each.arg for each in arguments if not is_boolean(each.annotation))


def variables(node: ast.AST, holder: str = "") -> Iterator[tuple[str, str]]:
    """The names of variables, fields and properties, each with the class that declares it; `.` for `x.y = 1`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from variables(child, child.name)
        elif isinstance(child, FUNCTIONS):
            if any("property" in ast.unparse(each) for each in child.decorator_list):
                yield holder, child.name
            yield from variables(child)
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield holder, child.id
        else:
            if isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
                yield ".", child.attr
            yield from variables(child, holder)


def read_bases(trees: list[ast.Module]) -> dict[str, set[str]]:
    """The names of the bases of each class, by its own."""
    found: dict[str, set[str]] = {}
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        found.setdefault(node.name, set()).update(ast.unparse(each).rpartition(".")[2] for each in node.bases)
    return found


def is_on_wire(name: str, bases: dict[str, set[str]]) -> bool:
    """Whether the fields of a class are JSON: others know their names."""
    return derives(name, WIRE, bases)


def derives(name: str, roots: Collection[str], bases: dict[str, set[str]]) -> bool:
    """Whether a class is one of `roots` or has one among its bases; several classes may share a name."""
    found: set[str] = set()
    unread = {name}
    while unread:
        found |= unread
        unread = {base for each in unread for base in bases.get(each, ())} - found
    return not found.isdisjoint(roots)


def test_functions_are_verbs():
    found = {f"{path.relative_to(ROOT)}: {name}" for path in FILES for name in misnamed(tree_of(path))}

    assert found == EXCEPTIONS


def test_functions_start_with_a_verb():
    """A verb that none started with before gets a line in verbs.txt."""
    verbs = (ROOT / "tests/verbs.txt").read_text().split()
    files = [path for path in FILES if "migrations" not in path.parts]

    found = {f"{path.relative_to(ROOT)}: {name}" for path in files for name in not_by_verbs(tree_of(path), verbs)}

    assert found == PHRASES


def test_each_verb_of_the_list_is_used():
    """A verb leaves the list with the last function that started with it."""
    files = [path for path in FILES if "migrations" not in path.parts]
    names = {name for path in files for name in not_by_verbs(tree_of(path), ())}
    page = [path for folder in ("src", "tools") for path in (ROOT / "frontend" / folder).rglob("*.ts*")]
    names |= {name for path in page if ".test." not in path.name for name in PAGE.findall(path.read_text())}

    verbs = (ROOT / "tests/verbs.txt").read_text().split()
    assert set(verbs) - {re.split("_|[A-Z0-9]", name.strip("_"))[0] for name in names} == set()


def test_names_say_what_a_thing_is():
    """Refusals, and events in JSON, are named after what happened."""
    trees = {path: tree_of(path) for path in FILES if "migrations" not in path.parts}
    bases = read_bases(list(trees.values()))
    classes = {node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    found = {name for name in classes if not derives(name, {*WIRE, "Exception"}, bases)}
    found |= {
        re.sub("(In|Out)$", "", name) for name in classes if re.search("(In|Out)$", name) and is_on_wire(name, bases)
    }
    found |= {path.stem for path in trees} | {name for tree in trees.values() for name in values(tree)}

    assert {name for name in found if lacks_noun(name) and not is_fact(name)} == STANDARD.keys()


def test_variables_and_attributes_say_what_they_hold():
    """Those of JSON and of tables are stored, or others know them."""
    trees = {path: tree_of(path) for path in FILES if "migrations" not in path.parts}
    bases = read_bases(list(trees.values()))
    held = {each for tree in trees.values() for each in variables(tree)}
    stored = {name for holder, name in held if derives(holder, {*WIRE, "Model"}, bases)}
    named = {name for holder, name in held if name.islower() and (not holder or name not in stored)}

    found = {name for name in named if lacks_noun(name) and not is_fact(name)}
    assert found - STANDARD.keys() == NAMED_BY_OTHERS.keys()


def test_names_in_exported_programs_say_what_they_hold():
    files = (ROOT / "runner/programs/java").rglob("*.java")
    declared_names = {match[1] for file in files for match in JAVA.finditer(file.read_text())}

    participles = {name for name in declared_names if lacks_noun(name) and not is_fact(re.sub("[A-Z]", "_", name))}
    assert participles == NAMED_BY_JAVA.keys()


def test_booleans_read_as_facts():
    trees = {path: tree_of(path) for path in FILES}
    bases = read_bases(list(trees.values()))
    held = {(path, *each) for path, tree in trees.items() for each in booleans(tree)}
    wrong = {
        name: f"{path.relative_to(ROOT)}: {name}"
        for path, of, name in held
        if not is_fact(name, WIRE_FACTS if is_on_wire(of, bases) else FACTS) and name not in LIBRARY
    }

    assert not [where for name, where in wrong.items() if name not in STORED.keys() | PUBLIC.keys()]
    assert wrong.keys() >= STORED.keys() | PUBLIC.keys(), "an exception that no name needs"


def test_the_check_finds_what_is_no_verb():
    wrong = "def shown(): ...\nasync def told_so(): ...\ndef _parsing(): ...\ndef whole(): ...\n"
    right = "def read(): ...\ndef show(): ...\n@property\ndef done(self): ...\n"

    assert list(misnamed(ast.parse(wrong + right))) == ["shown", "told_so", "_parsing", "whole"]


def test_the_check_finds_a_noun():
    wrong = "def rows(): ...\nasync def key_of(): ...\nclass A:\n    def _text(self): ...\n"
    right = "def read(): ...\ndef of_rows(): ...\ndef reads() -> bool: ...\nclass B:\n    def rows(self): ...\n"
    right += "@function('md5()')\ndef md5(): ...\nclass C(Enum):\n    def _missing_(cls): ...\n"
    right += "def edges_fit(view: GraphView) -> Iterator[Issue]: ...\n"

    assert list(not_by_verbs(ast.parse(wrong + right), ["read"])) == ["rows", "key_of", "_text"]


@pytest.mark.parametrize("name", ["told", "WRITTEN", "heldBy", "kept_for_days", "MAX_SHOWN", "Checked"])
def test_the_check_finds_what_lacks_a_noun(name: str):
    assert lacks_noun(name)
    assert not any(map(lacks_noun, ["kept_days", "CheckedExpression", "created_at", "need", "MAX_SHOWN_ROWS"]))


def test_the_check_finds_variables_and_attributes():
    text = (
        "class A:\n    b: int\n    @property\n    def c(self): ...\n    def f(self):\n        d = self.e = 1\ng = 2\n"
    )

    assert [*variables(ast.parse(text))] == [("A", "b"), ("A", "c"), ("", "d"), (".", "e"), ("", "g")]


@pytest.mark.parametrize("name", ["stateful", "updates", "as_pods"])
def test_the_check_finds_what_is_no_fact(name: str):
    parts = f"class A:\n    {name}: bool\ndef f({name}: bool): ...\n@property\ndef {name}(self) -> bool: ...\n"

    assert [each for _, each in booleans(ast.parse(parts)) if not is_fact(each)] == [name] * 3


@pytest.mark.parametrize("annotation", ["bool", "bool | None", "NotRequired[bool]", "Annotated[bool, Field(True)]"])
def test_the_check_finds_what_is_no_fact_in_json(annotation: str):
    (field,) = booleans(ast.parse(f"class A(Schema):\n    waits: {annotation}\n"))

    assert field == ("A", "waits") and is_on_wire("A", {"A": {"Schema"}})
    assert is_fact("waits") and not is_fact("waits", WIRE_FACTS)
