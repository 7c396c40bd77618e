"""A product for each module of proofs, started in its own folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.proof.product import Product


@contextmanager
def started(variables: Mapping[str, str] | None = None) -> Iterator[Product]:
    """Start a product, with what an administrator sets."""
    home = Path(tempfile.mkdtemp(prefix="streamwright-proof-"))
    home.chmod(0o755)  # Postgres runs as another user when we are root
    try:
        with Product(home, variables=variables) as product:
            yield product
    finally:
        if "KEEP_TEST_HOME" not in os.environ:
            shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="module")
def product() -> Iterator[Product]:
    with started() as product:
        yield product
