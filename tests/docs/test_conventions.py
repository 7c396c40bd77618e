"""Every convention of the canvas names a test that exists."""

import re

from tests.docs.pages import ROOT

ROW = re.compile(r"^\| (?P<convention>.+)\. \| `(?P<file>[^`]+)`: `?(?P<test>[^`|]+?)`? \|$")
CONVENTIONS = [found for line in (ROOT / "docs/conventions.md").read_text().splitlines() if (found := ROW.match(line))]


def is_there(file: str, test: str) -> bool:
    text = (ROOT / file).read_text()
    return f"def {test}(" in text if file.endswith(".py") else f'("{test}"' in text


def test_each_of_sixty_conventions_names_a_test_that_exists():
    missing = [row["convention"] for row in CONVENTIONS if not is_there(row["file"], row["test"])]

    assert len({row["convention"] for row in CONVENTIONS}) >= 60
    assert missing == []


def test_a_test_that_is_not_there_is_missed():
    assert not is_there("tests/docs/test_conventions.py", "test_of_nothing")
    assert not is_there("frontend/src/editor/layout/tidy.test.ts", "lays out nothing")
