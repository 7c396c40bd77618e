"""Random cases in both engines. `make soak` runs many more (tests/soak/__main__.py)."""

from __future__ import annotations

import pytest

from tests.runner.engine.kernel.differential import run_case


@pytest.mark.parametrize("seed", range(12))
def test_random_topologies_and_bytes_give_the_same_in_both_engines(seed: int):
    ran = [run_case(f"{seed}/{number}") for number in range(10)]

    assert "kernel" in ran
