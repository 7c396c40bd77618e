"""The catalogue of messages: each code is used, with exactly the arguments that its sentences name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from designer.messages import LISTED, IssueCode, SharedIssueCode, fill, list_arguments
from designer.projects.presentation import CODES_OF_PAGE
from runner.control.clusters.issue_codes import ClusterIssueCode
from runner.engine.issue_codes import OperatorIssueCode

ROOT = Path(__file__).parents[2]
USE_OF_PAGE = re.compile(r'"(\w+\.\w+)",(?: args:)? \{([^}]*)\}')
PAGE = {
    file: (ROOT / "frontend/src" / file).read_text() for file in ("editor/edges/connecting.ts", "api/checkResult.ts")
}
SAID = ("Issue", "ExpressionError", "SchemaNotRead")
"""What takes a code with its arguments."""
CARRIERS = ("designer/issues.py", "designer/expressions/errors.py")
"""Where the last two make their issue."""
TABLES = ("designer/expressions/lexis.py", "designer/expressions/check.py", "designer/expressions/forms.py")
"""Where codes stand that are raised elsewhere: all get the same arguments, and each names some of them."""
CODES: dict[str, SharedIssueCode] = LISTED.codes
BY_NAME = {code.name: code for code in CODES.values()}
Use = tuple[str, str, frozenset[str]]
"""Where a code is used, its name, and the arguments given."""


def uses_in(place: str, source: str) -> Iterator[Use]:
    """Each `Issue(IssueCode.NAME, {"argument": …})` of a module; of an error of an expression or a schema, too."""
    for call in ast.walk(ast.parse(source)):
        match call:
            case ast.Call(func=ast.Name(name), args=[ast.Attribute(ast.Name(enum), code), *others]) if (
                name in SAID and enum.endswith("IssueCode")
            ):
                given = others[0].keys if others and isinstance(others[0], ast.Dict) else []
                yield place, code, frozenset(ast.literal_eval(key) for key in given if key is not None)
            case ast.Call(func=ast.Name("Issue")) if place not in CARRIERS:
                pytest.fail(f"{place}:{call.lineno}: write Issue(IssueCode.…, {{…}}), with the enum of its room")


@cache
def uses() -> frozenset[Use]:
    return frozenset(find_uses())


def find_uses() -> Iterator[Use]:
    for room in ("designer", "runner"):
        for file in sorted((ROOT / room).rglob("*.py")):
            yield from uses_in(str(file.relative_to(ROOT)), file.read_text())
    names = {code.value: code.name for code in CODES.values()}
    for place, source in PAGE.items():
        for code, given in USE_OF_PAGE.findall(source):
            yield place, names[code], frozenset(re.findall(r"(?:^|,)\s*(\w+)", given))


def names_of(code: SharedIssueCode) -> frozenset[str]:
    return frozenset().union(*map(list_arguments, (*code.message, *code.hint)))


def test_each_use_gives_the_arguments_that_the_sentences_name():
    wrong = [use for use in uses() if use[2] != names_of(BY_NAME[use[1]])]

    assert wrong == []


def test_each_room_names_the_codes_that_it_gives():
    rooms = {"designer": IssueCode, "runner/engine": OperatorIssueCode, "runner/control": ClusterIssueCode}
    foreign = {
        (place, name)
        for place, name, _ in uses()
        for room, enum in rooms.items()
        if place.startswith(room) and not isinstance(BY_NAME[name], (enum, IssueCode))
    }

    assert foreign == set()
    assert len(BY_NAME) == len(CODES) == sum(map(len, rooms.values()))


def test_each_code_is_used():
    used = {name for _, name, _ in uses()}
    in_tables = {name for file in TABLES for name in re.findall(r"IssueCode\.(\w+)", (ROOT / file).read_text())}

    assert BY_NAME.keys() - used - in_tables == {"UNKNOWN"}
    assert {code.name for code in CODES_OF_PAGE} == {
        name for place, name, _ in uses() if place == "editor/edges/connecting.ts"
    }


def test_a_sentence_that_page_words_has_one_wording():
    assert [code for code in CODES_OF_PAGE if len(code.message) + len(code.hint) > 2] == []


def test_the_last_wording_needs_no_argument_that_may_be_missing():
    assert fill(("Did you mean `{meant}`?", "Choose {one}."), {"meant": "to", "one": "x"}) == "Did you mean `to`?"
    assert fill(("Did you mean `{meant}`?", "Choose {one}."), {"meant": None, "one": "x"}) == "Choose x."
    with pytest.raises(KeyError, match="one"):
        fill(("Did you mean `{meant}`?", "Choose {one}."), {"meant": None})


def test_a_code_of_another_version_is_read_as_unknown():
    codes = TypeAdapter(SharedIssueCode)

    assert codes.validate_python("expression.wrong") is IssueCode.UNKNOWN
    assert codes.validate_python("text.chain") is IssueCode.TEXT_CHAIN


def test_a_use_is_read_with_its_arguments():
    source = 'Issue(OperatorIssueCode.N_MISSING, {"function": 1}, field="n")\nIssue(IssueCode.CODE_OFF)'

    assert list(uses_in("x", source)) == [
        ("x", "N_MISSING", frozenset({"function"})),
        ("x", "CODE_OFF", frozenset()),
    ]
