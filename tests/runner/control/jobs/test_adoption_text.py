"""What `streamwright adopt --check` and `--compare` print."""

from __future__ import annotations

from typing import Any

from runner.control.jobs.text import describe_application, describe_comparison

STOPPED: dict[str, Any] = {
    "name": "orders",
    "state": "Empty",
    "guarantee": "exactly_once",
    "inputs": [{"topic": "placed", "committed": [12, None], "lag": 3}],
    "stores": [{"store": "totals", "topic": "orders-totals-changelog", "records": 1_200}],
    "waiting": {},
    "problems": [],
    "notes": [],
}


def test_an_application_that_can_be_adopted() -> None:
    assert describe_application(STOPPED).splitlines() == [
        "Group orders: Empty, exactly once.",
        "Topic   Committed  Lag",
        "placed  12, -      3",
        "Store   Contents from            Offsets",
        "totals  orders-totals-changelog  1,200",
        "It can be adopted.",
    ]


def test_what_is_in_the_way_comes_last() -> None:
    found = STOPPED | {"state": None, "guarantee": None, "inputs": [], "stores": [], "problems": ["It runs."]}

    assert describe_application(found).splitlines() == [
        "Group orders: not there, no transactions are known.",
        "It cannot be adopted yet:",
        "- It runs.",
    ]


def test_keys_that_differ_are_shown_with_both_values() -> None:
    examples = [{"grade": "missing", "key": '"a"', "application": "2", "drawing": None}]
    graded = {"keys": 2, "equal": 1, "other_value": 0, "missing": 1, "extra": 0, "examples": examples}
    report = {"application": "orders", "records": 3, "topics": {"totals": graded}, "limits": ["It was running."]}

    assert describe_comparison(report).splitlines() == [
        "Processed 3 records of the input of orders.",
        "totals: 1 of 2 keys equal, 1 missing.",
        '  "a": the application has 2, the drawing nothing',
        "It was running.",
    ]
