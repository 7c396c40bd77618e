"""docs/semantics.md, the page of what differs: a test or a case shows each difference, and all cases are counted."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from designer.topology.catalogue import get_catalogue
from tests.conformance.kept import CASES
from tests.conformance.product.translation import why_alone
from tests.docs.pages import LINK, anchor_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "semantics.md").read_text()
SECTIONS = [section.partition("\n") for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]]
DIFFERENCES = {heading: text.partition("\n## ")[0] for heading, _, text in SECTIONS}
PARTS = ("\n- **Example:** ", "- **Kafka Streams", "\n- **Streamwright")
NAMES = {case["name"] for case in CASES}


def shown_by(text: str) -> list[str]:
    """The tests and cases that the text of a difference names.

    Example: ``Shown by: `tests/x.py::test_y`, `random_z` `` names two.
    """
    found = re.search(r"^Shown by: (.+)$", text, re.MULTILINE)
    return re.findall(r"`([^`]+)`", found[1]) if found else []


def is_there(name: str) -> bool:
    """Whether a test (`file::function`) or a conformance case of that name exists."""
    file, colons, function = name.partition("::")
    return function in _functions(ROOT / file) if colons else name in NAMES


@cache
def _functions(file: Path) -> set[str]:
    body = ast.parse(file.read_text()).body if file.is_file() else []
    return {each.name for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_each_row_of_the_page_is_a_section():
    assert len(DIFFERENCES) == len(SECTIONS) > 50
    assert "| example |" not in PAGE


@pytest.mark.parametrize("heading", DIFFERENCES)
def test_a_difference_says_what_each_does_with_an_example(heading: str):
    assert [part for part in PARTS if part not in DIFFERENCES[heading]] == []


@pytest.mark.parametrize("heading", DIFFERENCES)
def test_a_difference_is_shown_by_tests_or_cases_that_exist(heading: str):
    names = shown_by(DIFFERENCES[heading])

    assert names
    assert [name for name in names if not is_there(name)] == []


@pytest.mark.parametrize(
    "name", [f"tests/{file}::test_nothing" for file in ("conformance/kept.py", "x.py")] + ["random_x"]
)
def test_a_name_of_nothing_is_found(name: str):
    assert not is_there(name)


def test_every_operator_and_every_difference_is_in_the_tables_at_the_top():
    top = PAGE.partition("\n## Find your operator\n")[2].partition("\n## ")[0]
    operators = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.+?) \|", top, re.MULTILINE)))
    linked = {link.removeprefix("#") for link in LINK.findall(top)}

    assert get_catalogue()
    assert get_catalogue().keys() - set(operators) == set()
    assert [heading for heading in DIFFERENCES if anchor_of(heading) not in linked] == []


def test_the_cases_are_counted():
    alone = sum(1 for case in CASES if why_alone(case))

    assert f"{len(CASES)} cases answered by Kafka Streams" in PAGE
    assert f"except {alone} that count bytes or read their own output" in PAGE
