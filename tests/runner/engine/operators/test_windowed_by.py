"""Windows of record time: tumbling, hopping, unlimited; what stands in their keys and in their store."""

from collections.abc import Iterable
from typing import Any

import pytest

from designer.checks import check
from designer.values.tuples import Windowed
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

SECOND = 1_000
MINUTE = 60 * SECOND


def windowed(windows: dict[str, Any], **sink: str) -> GraphBuilder:
    """Counts by key and window."""
    builder = GraphBuilder().stream("orders").add("grouped", "group_by_key", stream="orders")
    builder.add("windowed", "windowed_by", windows, grouped="grouped")
    builder.add("counts", "count", grouped="windowed").add("updates", "to_stream", table="counts")
    return builder.to("out", "updates", **{"windowed_key": "kafka"} | sink)


def counted(driver: Driver, records: Iterable[tuple[str | None, int]]) -> list[tuple[Any, Any]]:
    """What comes of records with those keys and timestamps."""
    for key, timestamp in records:
        driver.pipe("orders", key=key, value="a", timestamp=timestamp)
    return driver.read("out")


def test_a_tumbling_count_drops_what_comes_after_its_window():
    driver = windowed({"type": "tumbling", "size_ms": MINUTE}).driver()

    counts = counted(driver, [("a", 0), ("a", 59_999), ("a", MINUTE), ("b", 61 * SECOND), ("a", 30 * SECOND)])

    assert counts == [
        (Windowed("a", 0, 60_000), 1),
        (Windowed("a", 0, 60_000), 2),
        (Windowed("a", 60_000, 120_000), 1),
        (Windowed("b", 60_000, 120_000), 1),
    ]
    assert driver.dropped_records == 1
    assert driver.counters()["counts"] == {"in": 5, "out": 4, "dropped": 1, "errors": 0}


def test_a_record_belongs_to_each_hopping_window_over_it_in_order_of_start():
    driver = windowed({"type": "hopping", "size_ms": 10 * MINUTE, "advance_ms": 5 * MINUTE}).driver()

    counts = counted(driver, [("a", 7 * MINUTE), ("a", 11 * MINUTE)])

    assert counts == [
        (Windowed("a", 0, 10 * MINUTE), 1),
        (Windowed("a", 5 * MINUTE, 15 * MINUTE), 1),
        (Windowed("a", 5 * MINUTE, 15 * MINUTE), 2),
        (Windowed("a", 10 * MINUTE, 20 * MINUTE), 1),
    ]


def test_hopping_windows_do_not_start_before_the_epoch():
    driver = windowed({"type": "hopping", "size_ms": 10, "advance_ms": 4}).driver()

    counts = counted(driver, [("a", 3), ("a", 9)])

    assert [(window.start, count) for window, count in counts] == [(0, 1), (0, 2), (4, 1), (8, 1)]


def test_a_late_record_is_dropped_from_each_window_that_has_closed():
    driver = windowed({"type": "hopping", "size_ms": 10, "advance_ms": 5}).driver()

    counts = counted(driver, [("a", 12), ("b", 7)])

    assert [window.start for window, _ in counts] == [5, 10, 5]
    assert driver.counters()["counts"] == {"in": 2, "out": 3, "dropped": 1, "errors": 0}


def test_an_unlimited_window_takes_all_records_from_its_start():
    driver = windowed({"type": "unlimited", "start_ms": 5}).driver()

    counts = counted(driver, [("a", 4), ("a", 9), ("a", 5)])

    assert counts == [(Windowed("a", 5, 2**63 - 1), 1), (Windowed("a", 5, 2**63 - 1), 2)]
    assert driver.counters()["counts"] == {"in": 3, "out": 2, "dropped": 0, "errors": 0}


@pytest.mark.parametrize(
    ("windows", "bytes_"),
    [
        ({"type": "tumbling", "size_ms": 10}, b"a" + (20).to_bytes(8)),
        ({"type": "session", "gap_ms": 10}, b"a" + (25).to_bytes(8) + (25).to_bytes(8)),
    ],
)
def test_kafkas_own_windowed_keys_hold_the_start_or_end_and_start(windows: dict[str, Any], bytes_: bytes):
    driver = windowed(windows).driver()

    driver.pipe("orders", key="a", value="v", timestamp=25)

    assert [row[1] for _, row in driver.rows()] == [bytes_]


@pytest.mark.parametrize(
    ("windows", "start"),
    [({"type": "sliding", "difference_ms": 5}, 20), ({"type": "session", "gap_ms": 5}, 25)],
)
def test_windowed_keys_as_json_have_key_start_and_end(windows: dict[str, Any], start: int):
    driver = windowed(windows, windowed_key="json").driver()

    driver.pipe("orders", key="a", value="v", timestamp=25)

    assert driver.read("out") == [({"key": "a", "start": start, "end": 25}, 1)]


@pytest.mark.parametrize(
    "windows",
    [
        {"type": "tumbling", "size_ms": 10},
        {"type": "hopping", "size_ms": 10, "advance_ms": 3},
        {"type": "sliding", "difference_ms": 10, "grace_ms": 5},
        {"type": "session", "gap_ms": 10, "grace_ms": 5},
        {"type": "tumbling", "size_ms": 10, "emit": "on_close"},
        {"type": "session", "gap_ms": 10, "emit": "on_close"},
    ],
)
def test_windows_past_retention_leave_the_state(windows: dict[str, Any]):
    driver = windowed(windows).driver()

    counted(driver, [("a", 100 * step) for step in range(3_000)])

    assert len(driver.state.values) < 1_300


@pytest.mark.parametrize(
    "windows",
    [
        {"type": "hopping", "size_ms": 10, "advance_ms": 4, "grace_ms": 10},
        {"type": "sliding", "difference_ms": 10, "grace_ms": 10},
        {"type": "session", "gap_ms": 3, "grace_ms": 10},
    ],
)
def test_a_cached_windowed_table_forwards_once_for_each_window_at_the_end_of_the_batch(windows: dict[str, Any]):
    records = [("a", 12), ("a", 14), ("b", 15), ("a", 13), ("a", 17)]
    at_once, cached = windowed(windows).driver(), windowed(windows).driver(cache=True)

    every = dict(counted(at_once, records))
    with cached.batch():
        counted(cached, records)
    last = cached.read("out")

    assert {window: count for window, count in every.items() if count is not None} == dict(last)
    assert len(last) == len(dict(last))


@pytest.mark.parametrize(
    ("config", "unused"),
    [
        ({"type": "session", "gap_ms": 10, "size_ms": 10}, "size_ms"),
        ({"type": "tumbling", "size_ms": 10, "advance_ms": 5}, "advance_ms"),
        ({"type": "hopping", "size_ms": 10, "advance_ms": 5, "gap_ms": 5}, "gap_ms"),
        ({"type": "sliding", "difference_ms": 10, "start_ms": 5}, "start_ms"),
        ({"type": "unlimited", "grace_ms": 5}, "grace_ms"),
        ({"type": "unlimited", "retention_ms": 5}, "retention_ms"),
        ({"type": "unlimited", "store_type": "in_memory"}, "store_type"),
    ],
)
def test_a_field_that_windows_of_the_type_do_not_have_is_pointed_out(config: dict[str, Any], unused: str):
    (issue,) = check(windowed(config).graph)

    assert (issue.code, issue.node, issue.field) == ("field.unused", "windowed", unused)
    assert issue.message == f"`{unused}` is not read while `type` is {config['type']}."


def test_windows_that_hold_a_record_a_hundred_million_times_are_pointed_out():
    (issue,) = check(windowed({"type": "hopping", "size_ms": 100_000_000, "advance_ms": 1}).graph)

    assert (issue.code, issue.node, issue.field) == ("window.count", "windowed", "advance_ms")


def test_a_field_at_its_default_is_no_issue_of_any_type():
    config = {"type": "unlimited", "size_ms": None, "grace_ms": 0, "emit": "on_update", "store_type": "persistent"}

    assert check(windowed(config).graph) == []


@pytest.mark.parametrize(
    ("sink", "codes"),
    [
        ({"windowed_key": "json", "key_format": "string"}, ["key_format.unused"]),
        ({"windowed_key": "json", "key_format": "json"}, []),
        ({"windowed_key": "key", "key_format": "string"}, []),
        ({"windowed_key": "kafka", "key_format": "string"}, []),
    ],
)
def test_a_key_format_that_a_windowed_key_as_json_leaves_unread_is_pointed_out(sink: dict[str, str], codes: list[str]):
    issues = check(windowed({"type": "tumbling", "size_ms": 10}, **sink).graph)

    assert [issue.code for issue in issues] == codes
    assert all((issue.node, issue.field) == ("out", "key_format") for issue in issues)
