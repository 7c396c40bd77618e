"""What is expected beside what leaves a topology: the first difference."""

from __future__ import annotations

from typing import Any

import pytest

from designer.values.exact_json import JsonNumber, loads
from runner.engine.trial import Line
from runner.watch.trials.differences import Difference, find_first_difference
from runner.watch.trials.lines import BadLine, read_expected, read_lines


def left(key: Any, value: Any, timestamp: int | None = 0, topic: str = "out") -> Line:
    line: Line = {"topic": topic, "key": key, "value": value}
    if timestamp is not None:
        line["timestamp"] = timestamp
    return line


def test_order_counts_by_topic_and_key_alone():
    given = [left("a", 1), left("b", 1), left("a", 2), left("a", 7, topic="other")]

    assert find_first_difference([left("b", 1), left("a", 7, topic="other"), left("a", 1), left("a", 2)], given) is None
    assert find_first_difference([left("a", 2), left("b", 1), left("a", 1), left("a", 7, topic="other")], given) == (
        Difference(left("a", 2), left("a", 1), "value")
    )


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        ({"a": 1, "b": [2.0, None]}, {"b": [2, None], "a": 1.0}),
        (9007199254740993, 9007199254740993),
        (100, 1e2),
        (2**70, 2**70),
        (JsonNumber("1e400"), JsonNumber("10e399")),
        (JsonNumber("14.7600"), 14.76),
        ("base64:AA==", "base64:AA=="),
        ("AA==", "base64:AA=="),
        (None, None),
        ({}, {}),
    ],
)
def test_values_are_those_of_json(expected: Any, given: Any):
    assert find_first_difference([left("a", expected)], [left("a", given)]) is None


@pytest.mark.parametrize(
    ("expected", "given", "at"),
    [
        (1, True, "value"),
        ("1", 1, "value"),
        (9007199254740993, 9007199254740992, "value"),
        (9007199254740993, 9007199254740992.0, "value"),
        (2**64, JsonNumber("18446744073709551615.9"), "value"),
        (JsonNumber("0.10000000000000000001"), 0.1, "value"),
        (JsonNumber("1e400"), JsonNumber("1e401"), "value"),
        ("base64:AA==", "AA==", "value"),
        (0, False, "value"),
        ({"sum": {"of": [1, 2]}}, {"sum": {"of": [1, 3]}}, "value.sum.of.1"),
        ({"sum": None}, {}, "value.sum"),
        ({}, {"sum": None}, "value.sum"),
        ([1], [1, 2], "value"),
        (None, 0, "value"),
    ],
)
def test_values_that_differ_say_where(expected: Any, given: Any, at: str):
    assert find_first_difference([left("a", expected)], [left("a", given)]) == (
        left("a", expected),
        left("a", given),
        at,
    )


def test_a_time_counts_where_one_is_expected():
    assert find_first_difference([left("a", 1, None)], [left("a", 1, 5)]) is None
    assert find_first_difference([left("a", 1, 4)], [left("a", 1, 5)]) == (
        left("a", 1, 4),
        left("a", 1, 5),
        "timestamp",
    )


def test_what_is_missing_stands_beside_what_is_too_many_in_its_topic():
    assert find_first_difference([left("a", 1)], []) == (left("a", 1), None, "")
    assert find_first_difference([left("a", 1)], [left("b", 1)]) == (left("a", 1), left("b", 1), "key")
    assert find_first_difference([left("a", 1)], [left("b", 1, topic="other")]) == (left("a", 1), None, "")
    assert find_first_difference([], [left("b", 1), left("c", 1)]) == (None, left("b", 1), "")


def test_a_dead_letter_stands_beside_a_record_that_did_not_come():
    letter: Line = {"dead_letter": "parts", "record": 1, "reason": "Division by zero."}

    assert find_first_difference([left("a", 1)], [letter]) == (left("a", 1), letter, "")


def test_the_reason_of_a_dead_letter_does_not_count():
    letter: Line = {"dead_letter": "parts", "record": 1, "reason": "Division by zero."}

    assert find_first_difference([{"dead_letter": "parts", "record": 1}], [letter]) is None
    assert find_first_difference([letter], [letter | {"reason": "Other words."}]) is None


def test_dead_letters_are_in_order_by_node():
    failed: list[Line] = [{"dead_letter": "parts", "record": 2}, {"dead_letter": "sums", "record": 1}]

    assert find_first_difference(failed[::-1], failed) is None
    assert find_first_difference([{"dead_letter": "parts", "record": 3}, failed[1]], failed) == (
        Difference({"dead_letter": "parts", "record": 3}, failed[0], "record")
    )


def test_lines_keep_their_digits_and_tell_null_from_missing():
    def line(value: str) -> list[Line]:
        return read_expected(f'{{"topic": "out", "value": {value}}}')

    assert find_first_difference(line("1e400"), line("1e400")) is None
    assert find_first_difference(line("9223372036854775809"), line("9223372036854775808")) is not None
    assert find_first_difference(line("0.10000000000000000001"), line("0.1")) is not None
    assert find_first_difference(line('{"a": null}'), line("{}")) is not None
    assert find_first_difference(line('""'), line("null")) is not None


@pytest.mark.parametrize(
    ("expected", "given", "is_equal"),
    [
        ("0.30", "0.3", True),
        ("1.00", "1", True),
        ("1e2", "100", True),
        ("12345678901234567.89", "12345678901234567.890", True),
        ("12345678901234567.89", "12345678901234567.88", False),
        ("0.99999999999999999999", "1", False),
        ("18446744073709551617", "18446744073709551616", False),
    ],
)
def test_numbers_are_compared_by_all_their_digits(expected: str, given: str, is_equal: bool):
    found = find_first_difference([left("a", {"n": loads(expected)})], [left("a", {"n": loads(given)})])

    assert found is None if is_equal else found is not None and found.at == "value.n"


def test_bytes_count_where_they_are_expected():
    """Quoted JSON and bare text give one value in a topic, and only one of them can be read."""
    bare, quoted = (left("a", "x") | Line(key_bytes="a", value_bytes=written) for written in ("x", '"x"'))
    (expected,) = read_expected('{"topic": "out", "key": "a", "value_bytes": "x"}')

    assert find_first_difference([left("a", "x")], [quoted]) is None
    assert find_first_difference([expected], [bare]) is None
    assert find_first_difference([expected], [quoted]) == Difference(
        expected, left("a", "x") | {"value_bytes": '"x"'}, "value_bytes"
    )


def test_expected_bytes_are_a_text_or_null():
    with pytest.raises(BadLine, match="has a `value_bytes` that is neither a text nor null"):
        read_expected('{"topic": "out", "value_bytes": 1}')
    with pytest.raises(BadLine, match=r"has `value_bytes`\. Known: topic, key, value, timestamp"):
        read_lines('{"topic": "out", "value_bytes": "x"}')
