"""ARCHITECTURE.md leads a stranger to files that exist, and to texts that are in them."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.pages import ROOT

CODE = re.compile(r"(search for )?`([^`\n]+)`( in(?= `))?")
FILE = re.compile(r"[\w./-]+\.(?:py|tsx?|js|toml)")
ROOMS = ("designer", "runner", "webapp", "frontend/src", "tests", "docs")


def lost_steps(text: str) -> Iterator[str]:
    """The files that no one finds, and the texts that are not in their file."""
    here, wanted = ROOT, ""
    for search, code, inside in CODE.findall(text):
        if search and code not in here.read_text():
            yield f"{code} in {here.relative_to(ROOT)}"
        elif inside:
            wanted = code
        elif code.endswith("/"):
            here = ROOT / code
        elif FILE.fullmatch(code):
            found = _find(code, here if here.is_dir() else here.parent)
            if found is None:
                yield code
            elif wanted and wanted not in found.read_text():
                yield f"{wanted} in {code}"
            here, wanted = found or here, ""


def _find(file: str, folder: Path) -> Path | None:
    """A path leads there from the root or from the folder named last; a name may also be the only one of its kind."""
    for path in (ROOT / file, folder / file):
        if path.is_file():
            return path
    return _only_files().get(file)


@cache
def _only_files() -> dict[str, Path]:
    """The files that no other shares its name with."""
    by_name: dict[str, list[Path]] = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.*"):
            by_name.setdefault(path.name, []).append(path)
    return {name: paths[0] for name, paths in by_name.items() if len(paths) == 1}


def test_every_walk_of_the_architecture_can_be_taken():
    text = (ROOT / "ARCHITECTURE.md").read_text()

    assert text.count("search for `") > 0
    assert list(lost_steps(text)) == []


def test_a_walk_that_leads_nowhere_is_found():
    walk = "`designer/models.py`: search for `no text`, then for `nothing` in `rights/table.py` and `rights/none.py`."

    assert list(lost_steps(walk)) == [
        "no text in designer/models.py",
        "nothing in rights/table.py",
        "rights/none.py",
    ]
