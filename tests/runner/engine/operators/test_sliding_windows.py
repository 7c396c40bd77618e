"""Sliding windows: both ends belong to them, and one ends at each record or starts just behind it."""

from typing import Any

from tests.runner.engine.operators.test_windowed_by import counted, windowed


def sliding(**options: object) -> dict[str, Any]:
    return {"type": "sliding", "difference_ms": 10} | options


def test_a_window_ends_at_each_record_and_one_starts_behind_the_record_before():
    driver = windowed(sliding()).driver()

    counts = counted(driver, [("a", 20), ("a", 25)])

    assert [(*window[1:], count) for window, count in counts] == [(10, 20, 1), (21, 31, 1), (15, 25, 2)]


def test_records_exactly_the_difference_apart_share_a_window():
    driver = windowed(sliding(grace_ms=20)).driver()

    counts = counted(driver, [("a", 20), ("a", 30), ("b", 20), ("b", 31)])

    assert [(*window[:2], count) for window, count in counts] == [
        ("a", 10, 1),
        ("a", 21, 1),
        ("a", 20, 2),
        ("b", 10, 1),
        ("b", 21, 1),
    ]


def test_a_record_out_of_order_updates_from_the_latest_window_back_and_then_makes_its_own():
    driver = windowed(sliding(grace_ms=20)).driver()
    counted(driver, [("a", 15), ("a", 20)])

    counts = counted(driver, [("a", 12)])

    assert [(window.start, count) for window, count in counts] == [(10, 3), (5, 2), (2, 1), (13, 2)]


def test_a_right_window_may_hold_only_records_that_came_before():
    driver = windowed(sliding(grace_ms=50)).driver()
    counted(driver, [("a", 30)])

    counts = counted(driver, [("a", 25)])

    assert [(window.start, count) for window, count in counts] == [(20, 2), (15, 1), (26, 1)]


def test_early_records_share_the_window_from_the_epoch_which_is_updated_last():
    driver = windowed(sliding()).driver()

    counts = counted(driver, [("a", 4), ("a", 8), ("a", 6)])

    assert [(*window[1:], count) for window, count in counts] == [
        (0, 10, 1),
        (5, 15, 1),
        (0, 10, 2),
        (5, 15, 2),
        (7, 17, 1),
        (0, 10, 3),
    ]


def test_null_keys_and_null_values_are_dropped():
    driver = windowed(sliding()).driver()

    driver.pipe("orders", key=None, value="a", timestamp=50)
    driver.pipe("orders", key="a", value=None, timestamp=50)

    assert driver.read("out") == []
    assert driver.counters()["counts"] == {"in": 2, "out": 0, "dropped": 2, "errors": 0}


def test_a_record_is_late_when_even_its_right_window_has_closed():
    driver = windowed(sliding()).driver()

    counts = counted(driver, [("a", 30), ("b", 20), ("b", 19)])

    assert [(*window[:2], count) for window, count in counts] == [("a", 20, 1)]
    assert driver.counters()["counts"] == {"in": 3, "out": 1, "dropped": 2, "errors": 0}


def test_a_task_made_anew_finds_the_windows_of_a_key_and_of_no_other():
    driver = windowed(sliding(grace_ms=20)).driver(is_one_life=False)

    counts = counted(driver, [("a", 20), ("ab", 21), ("a", 25)])

    assert [(*window[:2], count) for window, count in counts] == [
        ("a", 10, 1),
        ("ab", 11, 1),
        ("a", 21, 1),
        ("a", 15, 2),
    ]
