"""Rows of tables that are over when no one updates them in time."""

from collections.abc import Callable
from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import INTEGER
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

DriverOf = Callable[..., Driver]


@pytest.fixture(params=[True, False], ids=["one life", "recreated tasks"])
def driver_of(request: pytest.FixtureRequest) -> DriverOf:
    return lambda builder, **options: builder.driver(is_one_life=request.param, **options)


def prices(**config: Any) -> GraphBuilder:
    return GraphBuilder().table("prices", INTEGER, ttl_ms=100, **config).updates_to("out", "prices")


def counts(**config: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", INTEGER).add("by-key", "group_by_key", stream="orders")
    return builder.add("counts", "count", {"ttl_ms": 100} | config, grouped="by-key").updates_to("out", "counts")


def told(driver: Driver, topic: str, *records: tuple[str, Any, int]) -> list[tuple[Any, Any, int]]:
    for key, value, timestamp in records:
        driver.pipe(topic, key=key, value=value, timestamp=timestamp)
    return [(record.key, record.value, record.timestamp) for record in driver.records("out")]


def test_a_row_is_deleted_once_stream_time_is_that_far_past_its_update(driver_of: DriverOf):
    found = told(driver_of(prices()), "prices", ("a", 1, 0), ("b", 2, 99), ("b", 3, 100))

    assert found == [("a", 1, 0), ("b", 2, 99), ("a", None, 100), ("b", 3, 100)]


def test_an_update_lets_it_live_on(driver_of: DriverOf):
    found = told(driver_of(prices()), "prices", ("a", 1, 0), ("a", 2, 90), ("b", 3, 150), ("b", 4, 190))

    assert found == [("a", 1, 0), ("a", 2, 90), ("b", 3, 150), ("a", None, 190), ("b", 4, 190)]


def test_rows_go_in_order_of_their_times_and_keys(driver_of: DriverOf):
    records = [("c", 1, 5), ("b", 2, 5), ("a", 3, 7), ("z", 4, 500)]

    found = told(driver_of(prices()), "prices", *records)

    assert found[3:] == [("b", None, 105), ("c", None, 105), ("a", None, 107), ("z", 4, 500)]


def test_a_record_that_comes_too_late_is_over_at_once(driver_of: DriverOf):
    found = told(driver_of(prices()), "prices", ("a", 1, 500), ("b", 2, 400), ("a", 3, 100))

    assert found == [("a", 1, 500), ("b", 2, 400), ("b", None, 500), ("a", 3, 100), ("a", None, 200)]


def test_a_row_that_was_deleted_before_is_not_deleted_again(driver_of: DriverOf):
    found = told(driver_of(prices()), "prices", ("a", 1, 0), ("a", None, 10), ("b", 2, 300))

    assert found == [("a", 1, 0), ("a", None, 10), ("b", 2, 300)]


def test_an_aggregate_that_is_over_begins_anew(driver_of: DriverOf):
    driver = driver_of(counts())

    found = told(driver, "orders", ("a", 1, 0), ("a", 1, 99), ("a", 1, 199), ("a", 1, 200))

    assert found == [("a", 1, 0), ("a", 2, 99), ("a", None, 199), ("a", 1, 199), ("a", 2, 200)]
    assert driver.counters()["counts"] == {"in": 4, "out": 5, "dropped": 0, "errors": 0}


def test_all_that_follows_hears_of_it_with_the_old_value(driver_of: DriverOf):
    builder = GraphBuilder().stream("orders", INTEGER)
    builder.add("latest", "to_table", {"ttl_ms": 100}, stream="orders")
    builder.add("by-value", "group_by", {"key": "value", "value": "value"}, records="latest")
    builder.add("rows", "count", grouped="by-value").updates_to("out", "rows")

    found = told(driver_of(builder), "orders", ("a", 7, 0), ("b", 7, 60), ("c", 8, 120))

    assert found == [(7, 1, 0), (7, 2, 60), (7, 1, 100), (8, 1, 120)]


def test_with_caches_a_row_ends_with_the_batch(driver_of: DriverOf):
    driver = driver_of(prices(), cache=True)
    with driver.batch():
        driver.pipe("prices", key="a", value=1, timestamp=0)
        driver.pipe("prices", key="b", value=2, timestamp=50)

    with driver.batch():
        driver.pipe("prices", key="b", value=3, timestamp=120)

    assert driver.read("out") == [("a", 1), ("b", 2), ("a", None), ("b", 3)]


def test_a_joined_stream_finds_no_row_that_is_over(driver_of: DriverOf):
    builder = GraphBuilder().stream("orders", INTEGER).table("prices", INTEGER, ttl_ms=100)
    builder.add("priced", "left_join", {"value": "right"}, left="orders", right="prices").to("out", "priced")
    driver = driver_of(builder)
    driver.pipe("prices", key="a", value=5, timestamp=0)
    driver.pipe("orders", key="a", value=0, timestamp=50)
    driver.pipe("prices", key="b", value=6, timestamp=100)
    driver.pipe("orders", key="a", value=0, timestamp=101)

    assert driver.read("out") == [("a", 5), ("a", None)]


def test_rows_of_a_store_that_had_no_time_to_live_before_end_too():
    kept = GraphBuilder().table("prices", INTEGER, store="prices").updates_to("out", "prices").driver()
    told(kept, "prices", ("a", 1, 0), ("b", 2, 50))
    driver = prices().driver(is_one_life=False)
    driver.state.values, driver.state.keys = kept.state.values, kept.state.keys

    found = told(driver, "prices", ("b", 3, 60), ("c", 4, 160))

    assert found == [("b", 3, 60), ("a", None, 100), ("b", None, 160), ("c", 4, 160)]


def test_neither_windows_nor_history_go_with_it():
    windowed = GraphBuilder().stream("orders", INTEGER).add("by-key", "group_by_key", stream="orders")
    windowed.add("minutes", "windowed_by", {"size_ms": 60_000}, grouped="by-key")
    windowed.add("counts", "count", {"ttl_ms": 100}, grouped="minutes").updates_to("out", "counts")

    codes = [[issue.code for issue in check(builder.graph)] for builder in (windowed, prices(history_ms=50))]

    assert codes == [["aggregate.ttl"], ["table.ttl"]]
