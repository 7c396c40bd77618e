"""What executors of a Spark cluster get to run our code."""

from __future__ import annotations

import json
import subprocess
import sys

from runner.spark.session.worker_files import PACKAGES

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
