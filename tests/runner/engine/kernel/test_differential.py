"""Random cases in both engines. `make soak` runs many more (tests/soak/__main__.py)."""

from __future__ import annotations

import pytest

from tests.runner.engine.kernel.differential import KINDS


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", KINDS)
def test_random_cases_give_the_same_in_both_engines(kind: str, seed: int):
    ran = [KINDS[kind](f"{seed}/{number}") for number in range(12 if kind in ("topologies", "avro") else 4)]

    assert "kernel" in ran
