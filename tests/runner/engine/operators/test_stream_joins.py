"""join, left_join and outer_join of two streams."""

from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import INTEGER, STRING
from runner.engine.driver import Driver, WrittenRecord
from tests.runner.graph_builder import GraphBuilder

Seen = list[tuple[Any, Any, int]]
BOTH = "concat(coalesce(left, '-'), coalesce(right, '-'))"


def joined(operator: str = "join", *, before: int = 5, after: int = 5, grace: int = 0) -> GraphBuilder:
    config = {"value": BOTH, "before_ms": before, "after_ms": after, "grace_ms": grace}
    builder = GraphBuilder().stream("lefts", STRING).stream("rights", STRING)
    return builder.add("joined", operator, config, left="lefts", right="rights").to("out", "joined")


def results(driver: Driver) -> Seen:
    return [_seen(record) for record in driver.records("out")]


def _seen(record: WrittenRecord) -> tuple[Any, Any, int]:
    return record.key, record.value, record.timestamp


@pytest.mark.parametrize("one_life", [True, False])
def test_records_meet_within_the_window_both_ends_included(one_life: bool):
    driver = joined(before=5, after=3, grace=100).driver(is_one_life=one_life)

    driver.pipe("lefts", key="k", value="a", timestamp=10)
    for timestamp in (4, 5, 13, 14):
        driver.pipe("rights", key="k", value=str(timestamp), timestamp=timestamp)

    assert results(driver) == [("k", "a5", 10), ("k", "a13", 13)]


def test_every_pair_gives_a_result_in_the_order_of_time_and_arrival():
    driver = joined(grace=100).driver(is_one_life=False)

    for value, timestamp in (("c", 4), ("a", 2), ("b", 2), ("a", 2)):
        driver.pipe("lefts", key="k", value=value, timestamp=timestamp)
    driver.pipe("lefts", key="other", value="x", timestamp=3)
    driver.pipe("rights", key="k", value="1", timestamp=3)

    assert results(driver) == [("k", "a1", 3), ("k", "b1", 3), ("k", "a1", 3), ("k", "c1", 4)]


def test_the_window_may_lie_all_to_one_side():
    driver = joined(before=-2, after=5, grace=100).driver()

    driver.pipe("lefts", key="k", value="a", timestamp=10)
    driver.pipe("rights", key="k", value="1", timestamp=11)
    driver.pipe("rights", key="k", value="2", timestamp=12)

    assert results(driver) == [("k", "a2", 12)]


@pytest.mark.parametrize("one_life", [True, False])
def test_a_store_forgets_what_lies_behind_its_own_latest_record(one_life: bool):
    driver = joined(before=5, after=5, grace=2).driver(is_one_life=one_life)

    driver.pipe("lefts", key="k", value="a", timestamp=10)
    driver.pipe("lefts", key="x", value="b", timestamp=21)
    driver.pipe("rights", key="k", value="1", timestamp=10)
    driver.pipe("lefts", key="x", value="c", timestamp=22)
    driver.pipe("rights", key="k", value="2", timestamp=10)

    assert results(driver) == [("k", "a1", 10)]


def test_what_expired_leaves_the_state():
    driver = joined().driver(is_one_life=False)

    for timestamp in range(0, 200_000, 1000):
        driver.pipe("lefts", key="k", value="a", timestamp=timestamp)

    assert len(driver.state.keys) < 30


def test_a_record_too_late_for_the_store_still_joins_and_counts_as_dropped():
    driver = joined().driver()

    driver.pipe("rights", key="k", value="1", timestamp=5)
    driver.pipe("lefts", key="x", value="b", timestamp=200_000)
    driver.pipe("lefts", key="k", value="a", timestamp=5)

    assert results(driver) == [("k", "a1", 5)]
    assert driver.dropped_records == 1
    assert driver.counters()["joined"] == {"in": 3, "out": 1, "dropped": 1, "errors": 0}


@pytest.mark.parametrize(
    ("operator", "expected", "dropped"),
    [("join", [], 4), ("left_join", [(None, "a-", 1)], 3), ("outer_join", [(None, "a-", 1), (None, "-1", 2)], 2)],
)
def test_null_values_are_dropped_and_a_null_key_finds_nobody(operator: str, expected: Seen, dropped: int):
    driver = joined(operator).driver()

    driver.pipe("lefts", key=None, value="a", timestamp=1)
    driver.pipe("rights", key=None, value="1", timestamp=2)
    driver.pipe("lefts", key="k", value=None, timestamp=3)
    driver.pipe("rights", key="k", value=None, timestamp=3)

    assert results(driver) == expected
    assert driver.dropped_records == dropped


@pytest.mark.parametrize("one_life", [True, False])
def test_an_unmatched_record_goes_out_before_the_results_of_the_record_that_ends_its_time(one_life: bool):
    driver = joined("left_join", grace=2).driver(is_one_life=one_life)

    driver.pipe("lefts", key="k", value="a", timestamp=10)
    driver.pipe("rights", key="x", value="1", timestamp=17)
    assert results(driver) == []
    driver.pipe("rights", key="k", value="2", timestamp=14)
    driver.pipe("lefts", key="k", value="b", timestamp=11)
    driver.pipe("lefts", key="y", value="c", timestamp=12)
    driver.pipe("lefts", key="x", value="d", timestamp=22)

    assert results(driver) == [("k", "a2", 14), ("k", "b2", 14), ("y", "c-", 12), ("x", "d1", 22)]


def test_unmatched_records_leave_by_time_then_the_right_side_then_key_then_arrival():
    driver = joined("outer_join").driver(is_one_life=False)

    driver.pipe("lefts", key="b", value="1", timestamp=10)
    driver.pipe("lefts", key="a", value="2", timestamp=10)
    driver.pipe("lefts", key="a", value="3", timestamp=10)
    driver.pipe("rights", key="c", value="4", timestamp=10)
    driver.pipe("lefts", key="z", value="5", timestamp=9)
    driver.pipe("rights", key="end", value="6", timestamp=100)

    assert results(driver) == [
        ("z", "5-", 9),
        ("c", "-4", 10),
        ("a", "2-", 10),
        ("a", "3-", 10),
        ("b", "1-", 10),
    ]


def test_a_record_whose_time_is_over_goes_out_at_once_and_may_still_meet_another():
    driver = joined("left_join", grace=100).driver()

    driver.pipe("rights", key="x", value="0", timestamp=50)
    driver.pipe("lefts", key="k", value="a", timestamp=10)
    driver.pipe("rights", key="k", value="1", timestamp=12)

    assert results(driver) == [("k", "a-", 10), ("k", "a1", 12)]


def test_unmatched_records_are_looked_for_only_past_the_last_one_seen():
    """TimeTracker.minTime is left at the last record looked at, so those before it wait for its time."""
    driver = joined("left_join").driver(is_one_life=False)

    for key, timestamp in (("a", 10), ("b", 14), ("c", 15), ("d", 16)):
        driver.pipe("lefts", key=key, value=key, timestamp=timestamp)
    driver.pipe("rights", key="x", value="1", timestamp=20)
    assert results(driver) == [("a", "a-", 10)]
    driver.pipe("rights", key="x", value="1", timestamp=21)

    assert results(driver) == [("b", "b-", 14), ("c", "c-", 15)]


def test_the_search_for_unmatched_records_ends_at_the_second_of_equal_ones():
    """Two records of one key, side and time are two steps of Kafka's ListValueStore. So minTime stays at them."""
    driver = joined("outer_join", grace=10).driver(is_one_life=False)

    for topic, key, timestamp in (
        ("rights", "over", 1),
        ("lefts", "open", 10),
        ("rights", "twice", 11),
        ("rights", "twice", 11),
        ("lefts", "last", 17),
        ("rights", "now", 20),
    ):
        driver.pipe(topic, key=key, value=key, timestamp=timestamp)
    assert results(driver) == [("over", "-over", 1)]
    driver.pipe("lefts", key="end", value="end", timestamp=28)

    assert [key for key, _, _ in results(driver)] == ["open", "twice", "twice"]


def test_a_stream_joined_with_itself_arrives_on_the_left_first():
    builder = GraphBuilder().stream("lefts", STRING)
    config = {"value": BOTH, "before_ms": 5, "after_ms": 5}
    driver = builder.add("joined", "left_join", config, right="lefts", left="lefts").to("out", "joined").driver()

    driver.pipe("lefts", key="k", value="a", timestamp=1)
    driver.pipe("lefts", key="k", value="b", timestamp=2)

    assert results(driver) == [("k", "aa", 1), ("k", "ba", 2), ("k", "ab", 2), ("k", "bb", 2)]


def test_a_rekeyed_side_is_shuffled_and_keeps_null_keys_for_an_outer_join():
    builder = GraphBuilder().stream("lefts", STRING).stream("rights", STRING)
    builder.add("keyed", "select_key", {"key": "nullif(value, 'a')"}, stream="lefts")
    config = {"value": BOTH, "before_ms": 5, "after_ms": 5}
    driver = builder.add("joined", "outer_join", config, left="keyed", right="rights").to("out", "joined").driver()

    driver.pipe("lefts", key="k", value="a", timestamp=1)
    driver.pipe("rights", key="b", value="1", timestamp=1)
    driver.pipe("lefts", key="k", value="b", timestamp=1)

    assert results(driver) == [(None, "a-", 1), ("b", "b1", 1)]


def test_a_result_that_fails_stops_neither_the_store_nor_the_others():
    config = {"value": "1 / CAST(left AS INT) + CAST(coalesce(right, '0') AS INT)", "before_ms": 5, "after_ms": 5}
    builder = GraphBuilder().stream("lefts", STRING).stream("rights", STRING)
    driver = builder.add("joined", "left_join", config, left="lefts", right="rights").to("out", "joined").driver()

    driver.pipe("lefts", key="a", value="x", timestamp=1)
    driver.pipe("lefts", key="b", value="1", timestamp=1)
    driver.pipe("rights", key="c", value="1", timestamp=50)

    assert [(record.key, record.timestamp) for record in driver.records("out")] == [("b", 1)]
    assert len(driver.dead_letters()) == 1
    assert driver.counters()["joined"] == {"in": 3, "out": 1, "dropped": 0, "errors": 1}


@pytest.mark.parametrize(
    ("config", "right", "code"),
    [
        ({"before_ms": 5}, STRING, "join.window"),
        ({"before_ms": -6, "after_ms": 5}, STRING, "join.window_negative"),
        ({"before_ms": 5, "after_ms": 5, "key": "key"}, STRING, "join.key_of_stream"),
        ({"before_ms": 5, "after_ms": 5}, INTEGER, "join.streams_keys"),
    ],
)
def test_what_is_wrong_with_a_join_of_streams_is_said(config: dict[str, Any], right: Any, code: str):
    builder = GraphBuilder().stream("lefts", STRING).stream("rights", STRING, key=right)
    config = {"value": "left"} | config
    graph = builder.add("joined", "join", config, left="lefts", right="rights").to("out", "joined").graph

    assert code in [issue.code for issue in check(graph)]
