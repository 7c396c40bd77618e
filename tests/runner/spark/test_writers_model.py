"""Writers beside slots are exact in every state of their model, and each of its rules is needed."""

from dataclasses import fields, replace

import pytest

from tests.runner.spark.writers_model import Rules, explore


@pytest.mark.parametrize(("generations", "workers", "least"), [(1, 2, 5_000), (2, 1, 20_000)])
def test_no_record_is_lost_or_doubled_in_any_state(generations: int, workers: int, least: int):
    """Two attempts of each slot at once; then two runs, the older of which may go on as a zombie."""
    states, fault = explore(Rules(), generations, workers)

    assert fault is None
    assert states > least


@pytest.mark.parametrize("rule", [field.name for field in fields(Rules)])
def test_without_a_rule_a_fault_is_found(rule: str):
    _, fault = explore(replace(Rules(), **{rule: False}), generations=2, workers=1)

    assert fault is not None
