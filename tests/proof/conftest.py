"""One product for all proofs: started once, in a folder of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proof.product import Product


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    home = Path(tempfile.mkdtemp(prefix="streamwright-proof-"))
    home.chmod(0o755)  # Postgres runs as another user when we are root
    started = Product(home)
    try:
        started.start()
        yield started
    finally:
        started.stop()
        if "KEEP_TEST_HOME" not in os.environ:
            shutil.rmtree(home, ignore_errors=True)
