"""Emit on close: each window is forwarded once, by the record that closes it."""

import pytest

from designer.values.tuples import Windowed
from tests.runner.engine.operators.test_windowed_by import counted, windowed


def test_a_window_is_forwarded_once_stream_time_is_its_end_plus_grace():
    driver = windowed({"type": "tumbling", "size_ms": 10, "grace_ms": 3, "emit": "on_close"}).driver()

    before = counted(driver, [("a", 1), ("a", 9), ("a", 12), ("a", 5)])
    closed = counted(driver, [("a", 13)])

    assert before == []
    assert closed == [(Windowed("a", 0, 10), 3)]
    assert driver.counters()["counts"] == {"in": 5, "out": 1, "dropped": 0, "errors": 0}


def test_windows_that_close_together_come_in_order_of_start_and_then_key():
    windows = {"type": "hopping", "size_ms": 10, "advance_ms": 5, "grace_ms": 20, "retention_ms": 99}
    driver = windowed(windows | {"emit": "on_close"}).driver()
    counted(driver, [("b", 6), ("a", 7), ("a", 2)])

    counts = counted(driver, [("c", 35)])

    assert counts == [
        (Windowed("a", 0, 10), 2),
        (Windowed("b", 0, 10), 1),
        (Windowed("a", 5, 15), 1),
        (Windowed("b", 5, 15), 1),
    ]


def test_a_window_that_leaves_the_store_before_it_is_seen_to_close_is_not_forwarded():
    """As in Kafka Streams: the record that closes it also moves the store on, by more than its retention."""
    driver = windowed({"type": "tumbling", "size_ms": 40, "emit": "on_close"}).driver()

    counts = counted(driver, [("a", 2), ("a", 84)])

    assert counts == []


def test_longer_retention_keeps_windows_until_a_late_record_closes_them():
    driver = windowed({"type": "tumbling", "size_ms": 40, "retention_ms": 100, "emit": "on_close"}).driver()

    counts = counted(driver, [("a", 2), ("a", 84)])

    assert counts == [(Windowed("a", 0, 40), 1)]


def test_a_sliding_window_closes_once_stream_time_is_behind_its_end():
    driver = windowed({"type": "sliding", "difference_ms": 10, "emit": "on_close"}).driver()

    still_open = counted(driver, [("a", 15), ("b", 15)])
    closed = counted(driver, [("c", 16)])

    assert still_open == []
    assert closed == [(Windowed("a", 5, 15), 1), (Windowed("b", 5, 15), 1)]


def test_sessions_close_in_order_of_end_start_and_key_with_no_tombstones_before():
    driver = windowed({"type": "session", "gap_ms": 5, "grace_ms": 20, "emit": "on_close"}).driver()
    counted(driver, [("b", 10), ("a", 10), ("c", 7), ("c", 10), ("a", 3)])

    driver.pipe("orders", key="z", value="v", timestamp=40)

    assert [(*record.key, record.value, record.timestamp) for record in driver.records("out")] == [
        ("a", 3, 3, 1, 3),
        ("c", 7, 10, 2, 10),
        ("a", 10, 10, 1, 10),
        ("b", 10, 10, 1, 10),
    ]


@pytest.mark.parametrize("one_life", [True, False])
@pytest.mark.parametrize("cache", [True, False])
def test_no_window_is_forwarded_twice_by_tasks_made_anew_and_caches_change_nothing(one_life: bool, cache: bool):
    windows = {"type": "tumbling", "size_ms": 10, "emit": "on_close", "retention_ms": 50}
    driver = windowed(windows).driver(is_one_life=one_life, cache=cache)

    counts = counted(driver, [("a", 5), ("a", 12), ("a", 14), ("a", 25), ("a", 26)])

    assert counts == [(Windowed("a", 0, 10), 1), (Windowed("a", 10, 20), 2)]
