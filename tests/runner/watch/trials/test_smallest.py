"""Records of real traffic made fit for a test case."""

from __future__ import annotations

from typing import Any

import pytest

from runner.engine.trial import Line
from runner.watch.trials.smallest import list_scalars, mask, mask_records, shrink


@pytest.mark.parametrize("needed", [{0}, {19}, {3, 4}, {0, 19}, {1, 9, 17}, {*range(20)}])
def test_only_the_needed_records_are_left_in_their_order(needed: set[int]) -> None:
    assert shrink(range(20), lambda parts: [needed <= {*part} for part in parts]) == sorted(needed)


def test_few_questions_are_asked() -> None:
    questions = []

    def shows(parts: Any) -> list[bool]:
        questions.append(len(parts))
        return [7 in part for part in parts]

    assert shrink(range(1_000), shows) == [7]
    assert len(questions) == 10


def record(key: Any, **value: Any) -> Line:
    return {"topic": "orders", "key": key, "value": value, "timestamp": 1}


def test_private_values_are_replaced_wherever_they_are_and_equal_ones_stay_equal() -> None:
    records = [
        record("ann@x.org", email="ann@x.org", amount=5, to={"phone": 123, "city": "Rome"}),
        record("bob@x.org", email="bob@x.org", amount=123, to={"phone": 123, "city": "Rome"}),
        record(123, note=["ann@x.org", True, None]),
    ]

    ann, bob, other = mask_records(records, {"email", "phone"}, "a project")

    assert "x.org" not in repr([ann, bob, other])
    assert ann["key"] == ann["value"]["email"] == other["value"]["note"][0] != bob["key"]
    assert ann["value"]["to"]["phone"] == bob["value"]["to"]["phone"] == other["key"] != 123
    assert (ann["value"]["amount"], bob["value"]["amount"]) == (5, 123)
    assert (ann["value"]["to"]["city"], other["value"]["note"][1:]) == ("Rome", [True, None])
    assert mask_records(records, {"email", "phone"}, "another") != [ann, bob, other]


def test_a_key_is_private_by_name() -> None:
    (masked,) = mask_records([record("ann", name="ann")], {"key"}, "a")

    assert masked["key"] == masked["value"]["name"] != "ann"


@pytest.mark.parametrize("value", ["a text", 7, -1234, 2.5, -0.03, 12345.67, 0.0])
def test_a_mask_has_the_type_the_sign_and_the_size_of_the_value(value: Any) -> None:
    masked: Any = mask(value, "a")

    assert type(masked) is type(value)
    assert masked == mask(value, "a")
    if isinstance(value, int):
        assert (len(str(masked)), masked < 0) == (len(str(value)), value < 0)
    if isinstance(value, float) and value:
        assert 0.1 <= masked / value <= 10


def test_the_keys_that_a_row_may_have_are_those_of_the_records_and_their_fields() -> None:
    assert list_scalars([record("ann", city={"id": 7}, tags=["a", None]), record("ann", city={"id": 7})]) == [
        "ann", 7, "a",
    ]  # fmt: skip
