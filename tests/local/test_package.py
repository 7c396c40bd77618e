"""`pip install .`: what the package holds."""

import os
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The built wheel.

    The checkout stays as it was: an egg-info in it would let the tests that follow know more than a new clone does.
    """
    built = [ROOT / "frontend/dist/index.html", ROOT / ".run/site/index.html"]
    assert all(page.exists() for page in built), "Run `make install-dev`: setup.py would install into .venv."
    folder = tmp_path_factory.mktemp("package")
    elsewhere = folder / "elsewhere.cfg"
    elsewhere.write_text(f"[build]\nbuild_base = {folder}/build\n[egg_info]\negg_base = {folder}\n")
    building = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    environment = os.environ | {"DIST_EXTRA_CONFIG": str(elsewhere)}
    subprocess.run([sys.executable, "-c", building], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=environment)
    assert not list(ROOT.glob("*.egg-info"))
    return ZipFile(next(folder.glob("*.whl")))


@pytest.mark.parametrize(
    "file",
    [
        "webapp/pages/index.html",
        "webapp/site/index.html",
        "webapp/local/jars.txt",
        "webapp/accounts/templates/accounts/login.html",
        "runner/demo/gallery/applications/e36-word-count.json",
        "runner/spark/session/log4j2.properties",
        "runner/spark/session/ConditionalFiles.java",
        "runner/spark/session/fork_client/sitecustomize.py",
        "runner/control/jobs/migrations/0001_initial.py",
    ],
)
def test_a_package_holds_what_runs(package: ZipFile, file: str) -> None:
    assert file in package.namelist()


def test_a_package_holds_no_tests_and_no_compiled_files(package: ZipFile) -> None:
    assert not [name for name in package.namelist() if name.startswith("tests") or name.endswith(".pyc")]


def test_processes_of_a_package_start_without_the_checkout(package: ZipFile) -> None:
    """A proof and a correction started manage.py, which only a checkout has."""
    sources = {name: package.read(name).decode() for name in package.namelist() if name.endswith(".py")}

    assert "manage.py" not in package.namelist()
    assert any('sys.executable, "-m"' in source for source in sources.values())
    assert [name for name, source in sources.items() if re.search(r'sys\.executable, "[^-]', source)] == []


def test_a_package_has_the_command(package: ZipFile) -> None:
    [entry_points] = [name for name in package.namelist() if name.endswith("entry_points.txt")]

    assert "streamwright = webapp.__main__:main" in package.read(entry_points).decode()
