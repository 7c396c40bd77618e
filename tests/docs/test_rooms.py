"""The first page of each room, its package docstring, leads to everything in it."""

import ast
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PACKAGES = sorted(
    file.parent
    for room in ("designer", "runner", "webapp")
    for file in (ROOT / room).rglob("__init__.py")
    if not {"migrations", "management"} & set(file.relative_to(ROOT).parts)
)


def missing(package: Path) -> list[str]:
    """The sub-packages that the docstring of a package does not name."""
    page = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
    return [inner.name for inner in PACKAGES if inner.parent == package and f"`{inner.name}" not in page]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: str(package.relative_to(ROOT)))
def test_the_docstring_of_a_room_names_each_room_in_it(package: Path):
    assert ast.get_docstring(ast.parse((package / "__init__.py").read_text()))
    assert missing(package) == []


def test_a_room_without_a_name_on_the_first_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "__init__.py").write_text('"""Two rooms.\n\n- `one`: the first.\n"""\n')
    monkeypatch.setattr("tests.docs.test_rooms.PACKAGES", [tmp_path / "one", tmp_path / "two"])

    assert missing(tmp_path) == ["two"]
