"""The changelog, the files that name the version, and git's tags agree about what was released."""

import re
import subprocess
from datetime import date
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.soak.upgrade import FIRST_RELEASE, last_release

SECTION = re.compile(r"^## (?:Unreleased|(?P<version>\d+\.\d+\.\d+) — (?P<day>\d{4}-\d\d-\d\d))$")
PLACES = {
    "pyproject.toml": r'^fallback_version = "(.+)"$',
    "frontend/package.json": r'^  "version": "(.+)",$',
    "frontend/package-lock.json": r'"name": "streamwright",\n +"version": "(.+)",$',
    "docker/kubernetes/kustomization.yaml": r'^    newTag: "(.+)"$',
    "docs/how-to/kubernetes.md": r"/streamwright:(\d[\w.]+)",
}
"""Where the version of the newest release stands."""


def released(changelog: str) -> list[tuple[str, date]]:
    """The version and the day of each release, the newest first, below a section of what has none yet."""
    first, *sections = [SECTION.match(line) for line in changelog.splitlines() if line.startswith("## ")]
    assert first and first["version"] is None, "The changelog begins with a section Unreleased."
    assert all(sections), "Each other section has a version and a day."
    return [(section["version"], date.fromisoformat(section["day"])) for section in sections if section]


VERSIONS = released((ROOT / "CHANGELOG.md").read_text())


def test_releases_are_dated_and_in_order():
    keys = [(tuple(map(int, version.split("."))), day) for version, day in VERSIONS]

    assert keys == sorted(keys, reverse=True)
    assert len({version for version, _ in VERSIONS}) == len(VERSIONS)


def test_a_section_without_a_day_is_refused():
    with pytest.raises(AssertionError, match="a version and a day"):
        released("## Unreleased\n## 0.2.0 — soon\n")


@pytest.mark.parametrize("file", PLACES)
def test_the_newest_release_is_the_version_that_files_name(file: str):
    found = re.findall(PLACES[file], (ROOT / file).read_text(), re.MULTILINE)

    assert set(found) == {VERSIONS[0][0]}


def test_each_tag_has_its_section():
    tags = subprocess.run(["git", "tag", "--list", "v[0-9]*"], cwd=ROOT, capture_output=True, text=True, check=True)

    assert set(tags.stdout.split()) <= {f"v{version}" for version, _ in VERSIONS}


def test_an_upgrade_starts_from_the_newest_tag_before_this_commit(tmp_path: Path):
    git = ("git", "-c", "user.name=us", "-c", "user.email=us@localhost")

    def commit(tag: str = "") -> None:
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "more"], cwd=tmp_path, check=True)
        if tag:
            subprocess.run([*git, "tag", "-a", tag, "-m", tag], cwd=tmp_path, check=True)

    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    commit()
    commit("v0.1.0")
    at_the_first = last_release(tmp_path)
    commit()
    commit("v0.2.0")

    assert (at_the_first, last_release(tmp_path)) == (FIRST_RELEASE, "v0.1.0")
