"""What a Python worker knows of the executor it belongs to."""

from __future__ import annotations

import os
from pathlib import Path


def own_folder() -> Path:
    """The executor's folder on its host's disk, which Spark removes with it."""
    return Path(os.environ["SPARK_LOCAL_DIRS"].split(",")[0])
