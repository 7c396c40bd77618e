"""A new operator costs one file, its test and its conformance step, as the page says that CONTRIBUTING.md names.

A copy of the checkout takes the steps of that page. There the checks pass that look at every operator.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.java import FOLDER, fetched
from tests.parts import BEFORE
from webapp.local.parts import JARS

pytestmark = [pytest.mark.services, pytest.mark.slow]

LOOKS_AT_ALL = re.compile(r"catalogue\(\)|engine/operators|tests\.docs\.|\.rglob\(")
"""What a test asks for that looks at every operator, every page or every file."""
OF_THE_EXAMPLE = (
    "test_repeat.py::",
    "[repeat]",
    "test_cases.py::test_all_families_are_here",
    "test_each_record_has_the_consequences_it_has_in_kafka_streams[random_repeat_s1_",
    "test_the_counters_balance[random_repeat_s1_",
)
"""Tests that must be among those that pass."""
SECTION = re.compile(r"^## Add an operator\n.*?\]\(([^)]+)\)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r'^```(?P<kind>\w+)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the checkout with its packages and jars, and without what was built."""
    fetched("streams")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    files = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    for folder in {Path(name).parent for name in files if name.endswith(".py")}:
        if (ROOT / folder / "__pycache__").is_dir():  # to compile all modules again took a quarter of the time
            shutil.copytree(ROOT / folder / "__pycache__", tmp_path / folder / "__pycache__")
    (tmp_path / ".run" / "tests").mkdir(parents=True)
    (tmp_path / ".run" / "jars").symlink_to(JARS.parent)
    (tmp_path / ".run" / "tests" / "jars").symlink_to(FOLDER)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)  # tests ask git for the pages
    return tmp_path


def test_the_example_of_a_new_operator_passes_every_check_in_a_copy(copy: Path):
    link = SECTION.search((ROOT / "CONTRIBUTING.md").read_text())
    assert link is not None
    python, lane = (".venv/bin/python", "-m"), ("--lane", "pure", "-p", "no:cacheprovider")

    for block in BLOCK.finditer((ROOT / link[1]).read_text()):
        take(copy, **block.groupdict())

    run(copy, *python, "ruff", "check", "-q", ".")
    run(copy, *python, "ruff", "format", "-q", "--check", ".")
    cases = "not conformance or test_all_families or random_repeat"
    said = run(copy, *python, "pytest", "-v", *lane, "-k", cases, *find_tests(copy))
    assert [name for name in OF_THE_EXAMPLE if name not in said] == []


def take(copy: Path, kind: str, file: str | None, text: str) -> None:
    """Write the file of a block, add its marked lines to a file that is there, or execute its commands."""
    if kind == "sh":
        run(copy, "sh", "-e", "-c", text)
    elif kind == "diff":
        before = "".join(line[1:] for line in text.splitlines(keepends=True) if line[0] == " ")
        source = (copy / str(file)).read_text()
        assert source.count(before) == 1, f"The lines are not in {file}, or not once:\n{before}"
        (copy / str(file)).write_text(source.replace(before, "".join(line[1:] for line in text.splitlines(True))))
    else:
        assert file is not None and not (copy / file).exists()
        (copy / file).write_text(text)


def find_tests(copy: Path) -> list[str]:
    """The files of tests that look at every operator, those of the new one, and those of the kept cases."""
    files = sorted(file.relative_to(copy) for file in (copy / "tests").rglob("test_*.py"))
    looks = [file for file in files if LOOKS_AT_ALL.search((copy / file).read_text())]
    own = [file for file in files if file.name == "test_repeat.py" or file.is_relative_to("tests/conformance")]
    return [*map(str, dict.fromkeys(looks + own))]


def run(copy: Path, *command: str) -> str:
    environment = {name: value for name, value in BEFORE.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": str(copy), "STREAMWRIGHT_HOME": str(copy / ".run")}
    done = subprocess.run(
        command, cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
