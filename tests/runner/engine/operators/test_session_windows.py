"""Session windows: records at most a gap apart, merged as they meet."""

from typing import Any

from designer.values.tuples import Windowed
from tests.runner.engine.operators.test_windowed_by import MINUTE, SECOND, counted, windowed


def session(gap_ms: int, **options: object) -> dict[str, Any]:
    return {"type": "session", "gap_ms": gap_ms} | options


def test_records_exactly_a_gap_apart_share_a_session():
    driver = windowed(session(300 * SECOND)).driver()

    counts = counted(driver, [("a", 0), ("a", 300_000), ("a", 600_001)])

    assert counts == [
        (Windowed("a", 0, 0), 1),
        (Windowed("a", 0, 0), None),
        (Windowed("a", 0, 300_000), 2),
        (Windowed("a", 600_001, 600_001), 1),
    ]


def test_sessions_of_several_keys_stand_side_by_side():
    driver = windowed(session(10 * MINUTE)).driver()

    counts = counted(driver, [("a", 0), ("a", 8 * MINUTE), ("b", 9 * MINUTE), ("a", 19 * MINUTE)])

    assert counts == [
        (Windowed("a", 0, 0), 1),
        (Windowed("a", 0, 0), None),
        (Windowed("a", 0, 480_000), 2),
        (Windowed("b", 540_000, 540_000), 1),
        (Windowed("a", 1_140_000, 1_140_000), 1),
    ]


def test_a_record_between_two_sessions_merges_them_and_both_go_by_tombstones():
    driver = windowed(session(5, grace_ms=100)).driver()
    counted(driver, [("a", 10), ("a", 20)])

    driver.pipe("orders", key="a", value="v", timestamp=15)

    assert [(*record.key[1:], record.value, record.timestamp) for record in driver.records("out")] == [
        (10, 10, None, 10),
        (20, 20, None, 20),
        (10, 20, 3, 20),
    ]


def test_a_record_inside_a_session_replaces_it_though_its_bounds_stay():
    driver = windowed(session(5, grace_ms=100)).driver()
    counted(driver, [("a", 10), ("a", 14)])

    counts = counted(driver, [("a", 12)])

    assert counts == [(Windowed("a", 10, 14), None), (Windowed("a", 10, 14), 3)]


def test_a_record_at_the_one_time_of_a_session_only_updates_it():
    driver = windowed(session(5)).driver()

    counts = counted(driver, [("a", 10), ("a", 10)])

    assert counts == [(Windowed("a", 10, 10), 1), (Windowed("a", 10, 10), 2)]


def test_null_values_count_and_null_keys_are_dropped():
    driver = windowed(session(5)).driver()

    driver.pipe("orders", key=None, value="a", timestamp=50)
    driver.pipe("orders", key="a", value=None, timestamp=10)

    assert driver.read("out") == [(Windowed("a", 10, 10), 1)]
    assert driver.counters()["counts"] == {"in": 2, "out": 1, "dropped": 1, "errors": 0}


def test_a_record_is_in_time_while_its_session_ends_at_most_gap_and_grace_ago():
    driver = windowed(session(5, grace_ms=10)).driver()

    counts = counted(driver, [("b", 100), ("a", 85), ("c", 84)])

    assert counts == [(Windowed("b", 100, 100), 1), (Windowed("a", 85, 85), 1)]
    assert driver.counters()["counts"] == {"in": 3, "out": 2, "dropped": 1, "errors": 0}


def test_a_late_record_still_joins_a_session_that_is_not_late_itself():
    driver = windowed(session(5, grace_ms=10)).driver()

    counts = counted(driver, [("a", 87), ("b", 100), ("a", 82)])

    assert counts[2:] == [(Windowed("a", 87, 87), None), (Windowed("a", 82, 87), 2)]


def test_a_task_made_anew_finds_the_sessions_of_a_key_and_of_no_other():
    driver = windowed(session(5)).driver(is_one_life=False)

    counts = counted(driver, [("a", 10), ("ab", 11), ("a", 12)])

    assert counts[2:] == [(Windowed("a", 10, 10), None), (Windowed("a", 10, 12), 2)]
