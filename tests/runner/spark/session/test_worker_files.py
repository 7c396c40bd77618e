"""What executors of a Spark cluster get to run our code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from runner.spark.session.worker_files import PACKAGES, _link, _make_archive

CODE = """
import json, sys
from importlib import import_module, metadata
from runner.spark.session.daemon import NEEDED_MODULES
for module in NEEDED_MODULES:
    import_module(module)
owners = metadata.packages_distributions()
print(json.dumps(sorted({owner for name in sys.modules for owner in owners.get(name.split(".")[0], ())})))
"""
THERE = {"streamwright", "pyspark", "py4j"}
"""What comes otherwise: our code is an archive of its own, and Spark brings PySpark."""
OPTIONAL = {"mypy-extensions", "setuptools"}
"""What sqlglot takes only where it is, and what adds itself to each start of Python."""


def test_they_get_every_package_that_a_worker_imports() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)

    imported = {name.replace("_", "-").lower() for name in json.loads(done.stdout)}
    assert imported - THERE - OPTIONAL <= set(PACKAGES)


def test_a_run_keeps_its_archives_when_a_newer_version_makes_others(tmp_path: Path) -> None:
    workers, members = tmp_path / "workers", lambda: [(Path(__file__), Path("one.py"))]
    workers.mkdir()
    older = _make_archive(workers, "code", "1", members)
    of_run = _link(older, tmp_path / "run")
    before = of_run.read_bytes()

    newer = _make_archive(workers, "code", "2", members)

    assert [*workers.glob("*.tar.gz")] == [newer]
    assert (of_run.name, of_run.read_bytes()) == (older.name, before)
    assert _link(newer, tmp_path / "run").samefile(newer)


def test_a_run_of_0_1_0_keeps_its_archives_as_long_as_it_lives(tmp_path: Path) -> None:
    workers, members = tmp_path / "workers", lambda: [(Path(__file__), Path("one.py"))]
    workers.mkdir()
    older = _make_archive(workers, "code", "1", members)
    setting = f"spark.archives={older}#code"

    with subprocess.Popen([sys.executable, "-c", "input()", "--conf", setting], stdin=subprocess.PIPE) as run:
        newer = _make_archive(workers, "code", "2", members)
        assert older.exists() and newer.exists()
        run.kill()
    newest = _make_archive(workers, "code", "3", members)

    assert [*workers.glob("*.tar.gz")] == [newest]
