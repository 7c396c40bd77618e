"""What people see of values that JSON cannot hold."""

import math

from runner.engine.formats.display import show


def test_bytes_and_odd_numbers_are_texts_wherever_they_stand() -> None:
    assert show({"a": [math.nan, {"b": -math.inf}], "c": b"\xff\x00", "d": None}) == {
        "a": ["NaN", {"b": "-Infinity"}],
        "c": "base64:/wA=",
        "d": None,
    }


def test_other_values_are_shown_as_they_are() -> None:
    assert show([1, 1.5, True, "x", None]) == [1, 1.5, True, "x", None]
