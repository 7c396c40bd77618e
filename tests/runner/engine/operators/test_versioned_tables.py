"""Tables with a history: what they keep, what they pass on, and joins with a stream that look back."""

from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import STRING
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

BOTH = "concat(left, coalesce(right, '-'))"


def updates(history: int, *, behind: str = "rows") -> GraphBuilder:
    builder = GraphBuilder().table("rows", STRING, history_ms=history)
    builder.add("long", "filter", {"predicate": "value != 'x'"}, records="rows")
    return builder.updates_to("out", behind)


def looked_up(history: int | None = 100, operator: str = "join", *, right: str = "rows", **config: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("records", STRING).table("rows", STRING, history_ms=history)
    builder.add("loud", "map_values", {"value": "upper(value)"}, records="rows")
    return builder.add("joined", operator, {"value": BOTH} | config, left="records", right=right).to("out", "joined")


def put(driver: Driver, *versions: tuple[int, str | None]) -> None:
    for timestamp, value in versions:
        driver.pipe("rows", key="k", value=value, timestamp=timestamp)


def ask(driver: Driver, *timestamps: int) -> list[Any]:
    for timestamp in timestamps:
        driver.pipe("records", key="k", value="r", timestamp=timestamp)
    return [value for _, value in driver.read("out")]


def test_late_updates_go_out_to_a_stream_until_they_are_older_than_the_history():
    driver = updates(10).driver(is_one_life=False)

    put(driver, (20, "b"), (10, "a"), (9, "too late"))

    assert driver.read("out") == [("k", "b"), ("k", "a")]
    assert driver.dropped_records == 1


def test_a_filter_passes_needless_deletions_on():
    driver = updates(10, behind="long").driver()

    put(driver, (20, "x"), (21, None))

    assert driver.read("out") == [("k", None), ("k", None)]


@pytest.mark.parametrize("one_life", [True, False])
@pytest.mark.parametrize("right", ["rows", "loud"])
def test_a_record_finds_the_row_of_its_time(one_life: bool, right: str):
    driver = looked_up(operator="left_join", right=right).driver(is_one_life=one_life)

    put(driver, (10, "a"), (30, "c"), (40, None), (20, "b"), (50, "e"), (20, "B"))
    found = [value.upper() for value in ask(driver, 9, 10, 19, 20, 30, 39, 40, 49, 50, 99)]

    assert found == ["R-", "RA", "RA", "RB", "RC", "RC", "R-", "R-", "RE", "RE"]


@pytest.mark.parametrize("one_life", [True, False])
def test_what_is_older_than_the_history_is_not_found_unless_it_is_the_newest(one_life: bool):
    driver = looked_up(5, "left_join").driver(is_one_life=one_life)

    put(driver, (10, "a"), (20, "b"))
    driver.pipe("rows", key="other", value="c", timestamp=27)

    assert ask(driver, 14, 21) == ["r-", "rb"]


def test_a_deletion_is_the_newest_until_something_later_comes():
    driver = looked_up().driver(is_one_life=False)

    put(driver, (20, None), (10, "a"))

    assert ask(driver, 15, 20, 30) == ["ra"]


def test_of_a_row_that_is_deleted_at_its_own_time_nothing_is_remembered():
    driver = looked_up().driver(is_one_life=False)
    put(driver, (5, "a"), (5, None), (3, "b"))

    assert ask(driver, 10) == ["rb"]


def test_old_versions_leave_the_state():
    driver = looked_up(10).driver(is_one_life=False)

    put(driver, *((timestamp, "a" * 100) for timestamp in range(100)))

    assert sum(map(len, driver.state.values.values())) < 2_500


def test_a_store_of_its_own_makes_the_result_a_plain_table():
    builder = GraphBuilder().stream("records", STRING).table("rows", STRING, history_ms=100)
    builder.add("loud", "map_values", {"value": "upper(value)", "store": "loud"}, records="rows")
    driver = builder.add("joined", "join", {"value": BOTH}, left="records", right="loud").to("out", "joined").driver()

    put(driver, (20, "b"), (10, "a"))

    assert ask(driver, 20) == ["rA"]


@pytest.mark.parametrize("one_life", [True, False])
def test_with_grace_records_wait_for_late_rows_and_leave_by_time_and_key(one_life: bool):
    driver = looked_up(grace_ms=10).driver(is_one_life=one_life)
    put(driver, (0, "a"))

    for key, value, timestamp in (("k", "2", 5), ("k", "1", 3), ("j", "3", 5), ("k", "4", 5)):
        driver.pipe("records", key=key, value=value, timestamp=timestamp)
    driver.pipe("rows", key="j", value="J", timestamp=5)
    put(driver, (4, "b"))
    assert driver.read("out") == []
    driver.pipe("records", key="k", value="5", timestamp=15)

    assert [tuple(record[:3]) for record in driver.records("out")] == [
        ("k", "1a", 3),
        ("j", "3J", 5),
        ("k", "2b", 5),
        ("k", "4b", 5),
    ]


def test_a_record_later_than_the_grace_does_not_wait_nor_does_one_without_a_key():
    driver = looked_up(operator="left_join", grace_ms=10).driver()
    put(driver, (0, "a"))

    driver.pipe("records", key="k", value="1", timestamp=15)
    driver.pipe("records", key="k", value="2", timestamp=4)
    driver.pipe("records", key=None, value="3", timestamp=15)
    driver.pipe("records", key="k", value=None, timestamp=15)

    assert driver.read("out") == [("k", "2a"), (None, "3-")]
    assert driver.dropped_records == 1
    assert driver.counters()["joined"] == {"in": 4, "out": 2, "dropped": 1, "errors": 0, "no_match": 1}


def test_what_waited_goes_on_with_its_own_headers():
    driver = looked_up(grace_ms=10).driver(is_one_life=False)
    put(driver, (0, "a"))

    driver.pipe("records", key="k", value="1", timestamp=1, headers={"from": b"first"})
    driver.pipe("records", key="k", value="2", timestamp=11, headers={"from": b"second"})

    assert [record.headers for record in driver.records("out")] == [(("from", b"first"),)]


@pytest.mark.parametrize(("history", "codes"), [(None, ["join.grace"]), (9, ["join.grace"]), (10, [])])
def test_grace_needs_a_history_as_long(history: int | None, codes: list[str]):
    graph = looked_up(history, grace_ms=10).graph

    assert [issue.code for issue in check(graph) if issue.node == "joined"] == codes


def test_tables_joined_with_a_versioned_one_ignore_its_late_updates():
    builder = GraphBuilder().table("rows", STRING, history_ms=100).table("others", STRING)
    builder.add("joined", "join", {"value": BOTH}, left="rows", right="others").updates_to("out", "joined")
    driver = builder.driver()

    driver.pipe("others", key="k", value="1", timestamp=0)
    put(driver, (20, "b"), (10, "a"))
    driver.pipe("others", key="k", value="2", timestamp=0)

    assert driver.read("out") == [("k", "b1"), ("k", "b2")]
    assert driver.dropped_records == 1
