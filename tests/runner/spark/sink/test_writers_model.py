"""Writers beside slots are exact in every state of their model, and each of its rules is needed."""

from dataclasses import fields, replace

import pytest

from tests.runner.spark.sink.writers_model import Bounds, Rules, explore

OF_DELETED_MARKERS = ("notes_begin", "newest_counts", "refuses_deleted")


@pytest.mark.parametrize(
    ("bounds", "least"),
    [
        (Bounds(generations=1, workers=2), 5_000),
        (Bounds(generations=2, workers=1), 20_000),
        (Bounds(generations=1, workers=1, deletes=True), 5_000),
        (Bounds(generations=2, workers=1, epochs=1, deletes=True), 100_000),
    ],
)
def test_no_record_is_lost_or_doubled_in_any_state(bounds: Bounds, least: int):
    """Two attempts of each slot at once, two runs of which the older may go on as a zombie, deleted markers."""
    states, fault = explore(Rules(), bounds)

    assert fault is None
    assert states > least


@pytest.mark.parametrize("rule", [field.name for field in fields(Rules)])
def test_without_a_rule_a_fault_is_found(rule: str):
    bounds = Bounds(2, 1, epochs=1, deletes=True) if rule in OF_DELETED_MARKERS else Bounds(2, 1)

    _, fault = explore(replace(Rules(), **{rule: False}), bounds)

    assert fault is not None
