"""A machine that lacks something is told what, in one sentence."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from webapp.local import java, requires
from webapp.local.problem import Problem


@pytest.fixture
def fake_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def make(version_line: str) -> None:
        program = tmp_path / "bin" / "java"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho '{version_line}' >&2\n")
        program.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    java.find_java.cache_clear()
    yield make
    java.find_java.cache_clear()


@pytest.mark.parametrize("line", ['openjdk version "17.0.15" 2025-04-15', 'openjdk version "21" 2023-09-19'])
def test_java_17_and_21_are_taken(fake_java, tmp_path: Path, line: str):
    fake_java(line)

    assert java.find_java() == tmp_path / "bin" / "java"


@pytest.mark.parametrize(("line", "found"), [('java version "1.8.0_402"', "8"), ('openjdk version "11.0.2"', "11")])
def test_an_older_java_is_named_with_what_to_install(fake_java, line: str, found: str):
    fake_java(line)

    with pytest.raises(Problem, match=rf"is Java {found}, .*17 or 21.*openjdk-17-jre-headless"):
        java.find_java()


def test_a_missing_java_is_one_sentence(fake_java, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(Problem, match=r"^Java is missing: install Java 17 or 21"):
        java.find_java()


@pytest.mark.parametrize(("mode", "reason"), [(0o755, "Exec format error"), (0o644, "Permission denied")])
def test_a_java_that_cannot_be_started_is_named(fake_java, tmp_path: Path, mode: int, reason: str):
    fake_java("")
    (tmp_path / "bin" / "java").write_bytes(b"\x7fELF of another machine")
    (tmp_path / "bin" / "java").chmod(mode)

    with pytest.raises(Problem, match=rf"bin/java cannot be started \({reason}\): install Java 17 or 21"):
        java.find_java()


def test_a_wrong_java_home_is_named(fake_java, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")

    with pytest.raises(Problem, match=r"^JAVA_HOME is /nowhere"):
        java.find_java()


@pytest.mark.parametrize(
    "machine", [("Darwin", "arm64", ""), ("Linux", "aarch64", "glibc"), ("Linux", "x86_64", "")], ids=str
)
def test_other_platforms_are_refused(machine: tuple[str, str, str]):
    with pytest.raises(Problem, match="Linux x86-64 with glibc"):
        requires.check_platform(*machine)


@pytest.mark.parametrize("version", [(3, 10), (3, 14)])
def test_other_pythons_are_refused(version: tuple[int, int]):
    with pytest.raises(Problem, match=r"install Python 3\.11, 3\.12 or 3\.13"):
        requires.check_python(version)


def test_a_python_too_old_to_import_the_installer_is_one_sentence_too():
    webapp = Path(java.__file__).parents[1]
    code = "import sys; sys.version_info = (3, 9, 2, 'final', 0); import local.install"

    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(webapp)},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("Streamwright cannot be installed: This is Python 3.9; install Python 3.11")
    assert len(done.stderr.splitlines()) == 1
    assert ast.parse((webapp / "local/__init__.py").read_text(), feature_version=(3, 6))


@pytest.mark.parametrize("name", ['a"b', "a:b", "a$b", "a`b", "a\\b"])
def test_a_checkout_is_refused_where_venv_or_postgres_cannot_be(name: str):
    with pytest.raises(Problem, match=r"The path of the checkout, /x/.* has .* in it, .*: move the checkout"):
        requires.check_folder(Path("/x", name))

    requires.check_folder(Path("/x/Ünï côdé & space's, 100 %"))


def test_too_little_disk_or_memory_says_how_much_is_needed():
    with pytest.raises(Problem, match=r"2\.0 GiB free, 5 GiB are needed"):
        requires.check_disk(2.0, 5.0, Path("/somewhere"))

    with pytest.raises(Problem, match=r"2\.0 GiB of memory, 4 GiB are needed"):
        requires.check_memory(2.0)
