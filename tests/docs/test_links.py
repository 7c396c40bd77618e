"""Every link and every path of code that a page names leads somewhere."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import LINK, PAGES, ROOT, anchor_of, without_code
from webapp.docs.reference import GENERATED_PAGES

CODE = re.compile(r"`([^`\n]+)`")
ROOMS = ("designer", "runner", "webapp", "frontend", "tests", "docs", "docker", "requirements")
PATH = re.compile(rf"(?:{'|'.join(ROOMS)})(?:/[\w./-]*|[\w.]+\.py)|[\w-]+\.md")


def test_a_page_is_found():
    assert ROOT / "README.md" in PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path):
    broken = [link for link in LINK.findall(without_code(page)) if not _leads_somewhere(page, link)]

    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_of_code_exist(page: Path):
    missing = [path for path in CODE.findall(page.read_text()) if PATH.fullmatch(path) and not _exists(page, path)]

    assert not missing


@pytest.mark.parametrize(
    ("link", "leads"),
    [("README.md", True), ("README.md#read-on", True), ("README.md#none", False), ("none.md", False)],
)
def test_a_broken_link_is_found(link: str, leads: bool):
    assert _leads_somewhere(ROOT / "CONTRIBUTING.md", link) is leads


def test_the_index_lists_every_how_to():
    links = LINK.findall((ROOT / "docs/index.md").read_text())
    how_to = sorted(f"how-to/{page.name}" for page in (ROOT / "docs/how-to").glob("*.md"))

    assert how_to
    assert [page for page in how_to if page not in links] == []


def _leads_somewhere(page: Path, link: str) -> bool:
    if link.startswith(("https:", "http:", "mailto:")):
        return True
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if target in GENERATED_PAGES and "docs" in page.parts:
        return True
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in _anchors(target))


def _exists(page: Path, path: str) -> bool:
    return (ROOT / path).exists() or (page.parent / path).exists()


@cache
def _anchors(page: Path) -> set[str]:
    return {anchor_of(heading) for heading in re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_conflict_is_left(page: Path):
    assert not re.search(r"^(?:<{7}|>{7}) ", page.read_text(), re.MULTILINE)
