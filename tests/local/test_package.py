"""`pip install .`: what the package holds."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The built wheel."""
    folder = tmp_path_factory.mktemp("package")
    building = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", building], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ZipFile(next(folder.glob("*.whl")))


@pytest.mark.parametrize(
    "file",
    [
        "webapp/pages/index.html",
        "webapp/site/index.html",
        "webapp/local/jars.txt",
        "webapp/accounts/templates/accounts/login.html",
        "runner/demo/gallery/e36-word-count.json",
        "runner/spark/session/log4j2.properties",
        "runner/spark/session/fork_client/sitecustomize.py",
        "runner/control/jobs/migrations/0001_initial.py",
    ],
)
def test_a_package_holds_what_runs(package: ZipFile, file: str) -> None:
    assert file in package.namelist()


def test_a_package_holds_no_tests_and_no_compiled_files(package: ZipFile) -> None:
    assert not [name for name in package.namelist() if name.startswith("tests") or name.endswith(".pyc")]


def test_a_package_has_the_command(package: ZipFile) -> None:
    [entry_points] = [name for name in package.namelist() if name.endswith("entry_points.txt")]

    assert "streamwright = webapp.__main__:main" in package.read(entry_points).decode()
