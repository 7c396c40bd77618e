"""A slot of a query: Spark's side of its state, and its directory on the local disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.spark.state.copy_file import remove_file
from tests.runner.spark.state.spark_store import SparkStore


@pytest.fixture
def store() -> SparkStore:
    return SparkStore()


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    """Where the slot's working copy lies."""
    yield tmp_path / "slot"
    remove_file(tmp_path / "slot")
