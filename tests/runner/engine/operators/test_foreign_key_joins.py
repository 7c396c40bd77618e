"""Joins of two tables by a foreign key: orders that name their customer."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import INTEGER, STRING, struct
from runner.engine.driver import Driver
from runner.engine.trial import Trial
from tests.balance import imbalances
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(customer=STRING, item=STRING)
NAMED = {"foreign_key": "customer", "value": "left.item || ' for ' || coalesce(right, 'nobody')"}


def drawn(operator: str, **config: Any) -> GraphBuilder:
    builder = GraphBuilder().table("orders", ORDER).table("customers", STRING)
    return builder.add("named", operator, NAMED | config, left="orders", right="customers").updates_to("out", "named")


def joined(operator: str, **options: Any) -> Driver:
    return drawn(operator).driver(**options)


def order(customer: str | None, item: str = "tea") -> dict[str, Any]:
    return {"customer": customer, "item": item}


def test_each_left_row_finds_the_right_row_it_names() -> None:
    driver = joined("join")

    driver.pipe("customers", key="c1", value="Ann")
    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("orders", key="2", value=order("c2"))

    assert driver.read("out") == [("1", "tea for Ann")]


@pytest.mark.parametrize("one_life", [True, False])
def test_a_right_row_updates_every_left_row_that_names_it_in_order_of_their_keys(one_life: bool) -> None:
    driver = joined("join", is_one_life=one_life)

    driver.pipe("orders", key="2", value=order("c1", "cup"))
    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("customers", key="c1", value="Ann")
    driver.pipe("customers", key="c1", value=None)

    assert driver.read("out") == [("1", "tea for Ann"), ("2", "cup for Ann"), ("1", None), ("2", None)]


@pytest.mark.parametrize("is_derived", [False, True])
def test_a_right_row_that_appears_and_vanishes_in_a_batch_leaves_no_result(is_derived: bool) -> None:
    builder = GraphBuilder().table("orders", ORDER, history_ms=1_000).table("customers", STRING)
    builder.add("known", "filter", {"predicate": "value <> 'gone'"}, records="customers")
    builder.add("named", "left_join", NAMED, left="orders", right="known" if is_derived else "customers")
    driver = builder.updates_to("out", "named").driver(cache=True, is_one_life=False)
    driver.pipe("customers", key="c1", value="gone" if is_derived else None)

    with driver.batch():
        driver.pipe("customers", key="c1", value="Ann")
        driver.pipe("orders", key="1", value=order("c1"), timestamp=5)
        driver.pipe("customers", key="c1", value="gone" if is_derived else None, timestamp=9)

    assert driver.read("out") == [("1", "tea for Ann"), ("1", "tea for nobody")]
    assert driver.counters()["named"]["out"] == 2


def test_the_left_side_answers_with_the_later_time_and_the_right_side_with_its_own() -> None:
    driver = joined("join")

    driver.pipe("customers", key="c1", value="Ann", timestamp=9)
    driver.pipe("orders", key="1", value=order("c1"), timestamp=5)
    driver.pipe("customers", key="c1", value="Bea", timestamp=3)

    assert [record.timestamp for record in driver.records("out")] == [9, 3]


def test_a_row_that_names_another_leaves_the_first() -> None:
    driver = joined("join")

    driver.pipe("customers", key="c1", value="Ann")
    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("orders", key="1", value=order("c2"))
    driver.pipe("customers", key="c1", value="Bea")

    assert driver.read("out") == [("1", "tea for Ann"), ("1", None)]


def test_a_row_that_names_nothing_any_more_is_deleted_and_counted_as_dropped() -> None:
    driver = joined("join")

    driver.pipe("customers", key="c1", value="Ann")
    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("orders", key="1", value=order(None))
    driver.pipe("orders", key="2", value=order(None))

    assert driver.read("out") == [("1", "tea for Ann"), ("1", None)]
    assert driver.dropped_records == 2


def test_a_deleted_left_row_deletes_also_what_never_joined() -> None:
    driver = joined("join")

    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("orders", key="1", value=None)
    driver.pipe("orders", key="1", value=None)

    assert driver.read("out") == [("1", None)]


def test_an_update_with_the_same_foreign_key_that_finds_nothing_says_nothing() -> None:
    driver = joined("join")

    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("orders", key="1", value=order("c1", "cup"))

    assert driver.read("out") == []


def test_a_left_join_always_answers() -> None:
    driver = joined("left_join")

    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("orders", key="2", value=order(None))
    driver.pipe("customers", key="c1", value="Ann")
    driver.pipe("customers", key="c1", value=None)
    driver.pipe("orders", key="1", value=None)

    said = [("1", "tea for nobody"), ("2", "tea for nobody"), ("1", "tea for Ann"), ("1", "tea for nobody")]
    assert driver.read("out") == [*said, ("1", None)]
    assert driver.dropped_records == 0


def test_a_table_may_name_rows_of_its_own_in_the_driver() -> None:
    builder = GraphBuilder().table("people", struct(boss=STRING, name=STRING))
    config = {"foreign_key": "boss", "value": "left.name || ' under ' || right.name"}
    driver = builder.add("bosses", "join", config, left="people", right="people").updates_to("out", "bosses").driver()

    driver.pipe("people", key="b", value={"boss": "b", "name": "Bob"})
    driver.pipe("people", key="a", value={"boss": "b", "name": "Ann"})
    driver.pipe("people", key="b", value={"boss": "b", "name": "Bo"})

    said = [("b", "Bob under Bob"), ("a", "Ann under Bob"), ("a", "Ann under Bo"), ("b", "Bo under Bo")]
    assert driver.read("out") == said


def test_on_spark_a_table_that_names_rows_of_its_own_works_in_layers() -> None:
    builder = (
        GraphBuilder()
        .table("people", struct(boss=STRING))
        .add("bosses", "join", {"foreign_key": "boss", "value": "right"}, left="people", right="people")
    )

    driver = builder.updates_to("out", "bosses").driver(is_layered=True)

    driver.pipe("people", key="b", value={"boss": "b"})
    driver.pipe("people", key="a", value={"boss": "b"})

    assert [stage.depth for stage in driver.layout.stages] == [1, 2, 3]
    assert driver.read("out") == [("b", {"boss": "b"}), ("a", {"boss": "b"})]


def test_it_is_laid_out_as_three_stages_with_stores_of_stable_names() -> None:
    laid = drawn("join", store="named-orders").driver().layout

    assert [stage.depth for stage in laid.stages] == [1, 2, 3]
    assert {store.name for store in laid.stores} == {"orders", "customers", "named.subscriptions", "named-orders"}


def test_its_parts_count_as_the_one_node_that_was_drawn() -> None:
    driver = joined("left_join")

    driver.pipe("orders", key="1", value=order("c1"))
    driver.pipe("customers", key="c1", value="Ann")
    driver.pipe("orders", key="1", value=order("c2"))

    counted = driver.counters()
    assert counted["named"] == {"in": 3, "out": 3, "dropped": 0, "errors": 0}
    assert not [node for node in counted if "." in node]


def test_a_row_that_fails_in_the_joiner_fails_alone() -> None:
    builder = GraphBuilder().table("orders", ORDER).table("customers", STRING)
    config = {"foreign_key": "customer", "value": "CAST(left.item AS BIGINT)"}
    builder.add("named", "join", config, left="orders", right="customers").updates_to("out", "named")
    driver = builder.driver()

    driver.pipe("orders", key="1", value=order("c1", "tea"))
    driver.pipe("orders", key="2", value=order("c1", "7"))
    driver.pipe("customers", key="c1", value="Ann")

    assert driver.read("out") == [("2", 7)]
    assert driver.counters()["named"]["errors"] == 1


def test_an_outer_join_and_a_foreign_key_of_another_type_are_issues() -> None:
    wrong = drawn("join", foreign_key="length(customer)")

    codes = [[issue.code for issue in check(builder.graph)] for builder in (drawn("outer_join"), wrong)]

    assert codes == [["join.foreign_key_outer"], ["join.foreign_key_type"]]


def test_a_right_row_that_cannot_be_computed_at_the_end_of_a_batch_is_a_dead_letter() -> None:
    builder = GraphBuilder().table("orders", ORDER).table("customers", INTEGER)
    builder.add("shares", "map_values", {"value": "12 / value"}, records="customers")
    config = {"foreign_key": "customer", "value": "right"}
    builder.add("shared", "join", config, left="orders", right="shares").updates_to("out", "shared")
    trial = Trial(builder.graph, cache=True, is_one_life=False)

    with trial.batch():
        trial.pipe("customers", key="c1", value=3)
        trial.pipe("orders", key="o1", value=order("c1"))
        trial.tasks[0].flush()  # the order is on its way to the customer
        trial._process_waiting()
        trial.pipe("customers", key="c1", value=0)

    assert "Division by zero" in trial.failures()[-1]["message"]
    assert imbalances(trial) == {}
