"""A case that differs is made small enough to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.oracle.shrinking import shrunk
from tests.conformance.product.cases import read_cases

CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.slow
def test_what_does_not_matter_is_left_out():
    cases = read_cases(CASES / "random_chain_s1.json")
    case = next(each for each in cases if len(each["inputs"]) < 20 < len(each["expected"]))

    small = shrunk(case, lambda each: any(result["value"] is not None for result in each["expected"]))

    assert len(small["inputs"]) < len(case["inputs"]) / 4
    assert len(small["topology"]) < len(case["topology"])
    assert small["expected"]
