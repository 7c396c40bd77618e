"""Joins of two tables by their primary keys."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.topology.graph import Graph
from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.driver import Driver
from runner.engine.trial import Trial
from tests.balance import imbalances
from tests.runner.graph_builder import GraphBuilder

PAIR = {"value": "coalesce(left, '-') || coalesce(right, '-')"}


def joined(operator: str, **config: Any) -> Driver:
    builder = GraphBuilder().table("left").table("right")
    return builder.add("pairs", operator, PAIR | config, left="left", right="right").updates_to("out", "pairs").driver()


def test_the_result_has_the_later_time_of_both_sides() -> None:
    driver = joined("outer_join")

    driver.pipe("left", key="a", value="L", timestamp=9)
    driver.pipe("right", key="a", value="R", timestamp=5)
    driver.pipe("left", key="a", value=None, timestamp=3)

    assert [record.timestamp for record in driver.records("out")] == [9, 9, 5]


@pytest.mark.parametrize("is_flipped", [False, True])
@pytest.mark.parametrize(
    ("operator", "values"),
    [("join", ["LR", None, None]), ("left_join", ["LR", "L-", None]), ("outer_join", ["LR", "L-", "-R"])],
)
def test_a_cached_row_that_appears_and_vanishes_in_a_batch_leaves_no_result(
    operator: str, values: list[str | None], is_flipped: bool
) -> None:
    """Updates of a versioned table are not cached, so they meet what the other side holds in the middle of a batch."""
    lasting, passing = ("right", "left") if is_flipped else ("left", "right")
    builder = GraphBuilder().table(lasting, history_ms=1_000).table(passing)
    builder.add("pairs", operator, PAIR, left="left", right="right").updates_to("out", "pairs")
    driver = builder.driver(cache=True, is_one_life=False)

    with driver.batch():
        driver.pipe(passing, key="a", value=passing[0].upper())
        driver.pipe(lasting, key="a", value=lasting[0].upper(), timestamp=5)
        driver.pipe(passing, key="a", value=None, timestamp=9)

    assert driver.read("out") == [("a", values[0]), ("a", values[2] if is_flipped else values[1])]
    assert driver.counters()["pairs"]["out"] == 2


def test_a_row_that_is_deleted_at_the_end_of_a_batch_is_taken_back_once() -> None:
    builder = GraphBuilder().table("left", history_ms=1_000).table("right")
    builder.add("pairs", "left_join", PAIR, left="left", right="right").updates_to("out", "pairs")
    driver = builder.driver(cache=True, is_one_life=False)
    driver.pipe("right", key="a", value="R")

    with driver.batch():
        driver.pipe("left", key="a", value="L", timestamp=5)
        driver.pipe("right", key="a", value=None, timestamp=9)

    assert driver.read("out") == [("a", "LR"), ("a", "L-")]


def test_an_update_that_changes_nothing_is_forwarded() -> None:
    driver = joined("join")

    driver.pipe("left", key="a", value="L")
    driver.pipe("right", key="a", value="R")
    driver.pipe("right", key="a", value="R")

    assert driver.read("out") == [("a", "LR"), ("a", "LR")]


@pytest.mark.parametrize("one_life", [True, False])
def test_a_table_joined_with_itself_hears_of_each_update_twice(one_life: bool) -> None:
    builder = GraphBuilder().table("t")
    builder.add("pairs", "join", PAIR, right="t", left="t").updates_to("out", "pairs")
    driver = builder.driver(is_one_life=one_life)

    driver.pipe("t", key="a", value="1")
    driver.pipe("t", key="a", value="2")

    assert driver.read("out") == [("a", "11"), ("a", "11"), ("a", "22"), ("a", "22")]


def test_the_left_side_hears_of_a_record_first_in_whatever_order_the_edges_were_drawn() -> None:
    builder = GraphBuilder().table("t").add("pairs", "left_join", PAIR, right="t", left="t")
    builder.add("more", "outer_join", PAIR, right="pairs", left="t").updates_to("out", "more")
    graph = builder.graph
    turned = Graph(graph.nodes, tuple(reversed(graph.edges)))

    answers = []
    for each in (graph, turned):
        driver = Driver(each)
        driver.pipe("t", key="a", value="1")
        driver.pipe("t", key="a", value="2")
        answers.append(driver.read("out"))

    assert answers[0] == answers[1]


def test_a_named_result_is_kept_in_a_store() -> None:
    driver = joined("join", store="pairs-store")

    assert [store.name for store in driver.layout.stores] == ["left", "right", "pairs-store"]


def test_rows_of_an_unnamed_result_are_joined_when_looked_up() -> None:
    builder = GraphBuilder().table("left").table("right").add("pairs", "left_join", PAIR, left="left", right="right")
    builder.stream("asks").add("answers", "join", {"value": "right"}, left="asks", right="pairs")
    driver = builder.to("out", "answers").driver()

    driver.pipe("left", key="a", value="L")
    driver.pipe("asks", key="a", value="?")
    driver.pipe("right", key="a", value="R")
    driver.pipe("asks", key="a", value="?")

    assert driver.read("out") == [("a", "L-"), ("a", "LR")]
    assert [store.name for store in driver.layout.stores] == ["left", "right"]


def test_windowed_tables_are_joined_by_key_and_window() -> None:
    builder = GraphBuilder().stream("s").add("g", "group_by_key", stream="s")
    builder.add("w", "windowed_by", {"size_ms": 10, "grace_ms": 5}, grouped="g")
    builder.add("one", "count", grouped="w").add("two", "count", grouped="w")
    builder.add("both", "join", {"value": "left + right"}, left="one", right="two")
    driver = builder.updates_to("out", "both").driver()

    driver.pipe("s", key="a", value=1, timestamp=1)
    driver.pipe("s", key="a", value=1, timestamp=12)

    assert [(key["key"], key["start"], value) for key, value in driver.read("out")] == [("a", 0, 2), ("a", 10, 2)]


def test_keys_that_cannot_be_equal_are_an_issue() -> None:
    builder = GraphBuilder().table("left").table("right", key=INTEGER)
    builder.add("pairs", "join", PAIR, left="left", right="right").updates_to("out", "pairs")

    assert "join.tables_keys" in [issue.code for issue in check(builder.graph)]


def test_fields_of_a_missing_left_row_are_null() -> None:
    row = struct(name=STRING)
    builder = GraphBuilder().table("left", row).table("right", row)
    config = {"fields": [{"name": "other", "expression": "right.name"}]}
    builder.add("pairs", "outer_join", config, left="left", right="right").updates_to("out", "pairs")
    driver = builder.driver()

    driver.pipe("right", key="a", value={"name": "R"})
    driver.pipe("left", key="a", value={"name": "L"})

    assert driver.read("out") == [("a", {"other": "R"}), ("a", {"name": "L", "other": "R"})]
    assert driver.dead_letters() == []


@pytest.mark.parametrize("is_computed", [False, True])
def test_a_result_that_cannot_be_taken_back_is_a_dead_letter(is_computed: bool) -> None:
    """The row that an update has found vanishes in the same batch, or can no longer be computed."""
    builder = GraphBuilder().table("left", INTEGER, history_ms=1_000).table("right", INTEGER)
    builder.add("shares", "map_values", {"value": "1 / value"}, records="right")
    value = "left / right" if is_computed else "left / coalesce(right, 0)"
    builder.add("joined", "left_join", {"value": value}, left="left", right="shares" if is_computed else "right")
    trial = Trial(builder.updates_to("out", "joined").graph, cache=True, is_one_life=False)

    with trial.batch():
        trial.pipe("right", key="a", value=2)
        trial.pipe("left", key="a", value=5, timestamp=5)
        trial.pipe("right", key="a", value=0 if is_computed else None, timestamp=9)

    assert "Division by zero" in trial.failures()[-1]["message"]
    assert imbalances(trial) == {}
    assert trial.read("out") == [("a", 10.0 if is_computed else 2.5)]
