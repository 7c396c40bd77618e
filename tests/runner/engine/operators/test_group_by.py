"""group_by of streams and of tables."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.values.schemas import ANY, INTEGER, STRING, struct
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

ROW = struct(city=STRING, amount=INTEGER)


def grouping(config: dict[str, Any], *, of: str = "table", **counting: Any) -> GraphBuilder:
    """Counts orders by what `config` says."""
    builder = GraphBuilder()
    (builder.table if of == "table" else builder.stream)("orders", ROW)
    builder.add("by-city", "group_by", config, records="orders")
    return builder.add("counts", "count", counting, grouped="by-city").updates_to("out", "counts")


def collecting(config: dict[str, Any], *, key_and_value: str = "key || value") -> Driver:
    """Shows what is added and taken back, as text."""
    builder = GraphBuilder().table("orders", ROW).add("grouped", "group_by", config, records="orders")
    expressions = {"init": "''", "add": f"agg || '+' || {key_and_value}", "subtract": f"agg || '-' || {key_and_value}"}
    builder.add("shown", "aggregate", expressions, grouped="grouped")
    return builder.updates_to("out", "shown").driver()


def test_records_of_a_stream_are_grouped_by_their_new_key():
    driver = grouping({"key": "city"}, of="stream").driver()

    for city in ("x", None, "x"):
        driver.pipe("orders", key="a", value={"city": city, "amount": 1})

    assert driver.read("out") == [("x", 1), ("x", 2)]
    assert driver.dropped_records == 0


def test_what_comes_to_groups_and_leaves_them_is_counted_once_before_and_behind_their_shuffle():
    builder = grouping({"key": "city"}, of="stream").add("sums", "reduce", {"add": "agg"}, grouped="by-city")
    driver = builder.updates_to("sums-out", "sums").driver()

    for city in ("x", None, "x"):
        driver.pipe("orders", key="a", value={"city": city, "amount": 1})

    counters = driver.counters()
    assert (counters["by-city"]["in"], counters["by-city"]["out"]) == (3, 2)
    assert (counters["counts"]["in"], counters["sums"]["in"]) == (2, 2)


def test_what_aggregates_groups_takes_each_record_in_order_of_definition():
    builder = grouping({"key": "city"}, of="stream")
    builder.add("daily", "windowed_by", {"size_ms": 86_400_000}, grouped="by-city")
    builder.add("hourly", "windowed_by", {"size_ms": 3_600_000}, grouped="by-city")
    builder.add("in-hours", "count", grouped="hourly").updates_to("by-hour", "in-hours")
    builder.add("in-days", "count", grouped="daily").updates_to("by-day", "in-days")
    driver = builder.driver()

    driver.pipe("orders", key="a", value={"city": "x", "amount": 1})

    assert [topic for topic, _ in driver.rows()] == ["out", "by-hour", "by-day"]


def test_rows_that_move_leave_their_old_group_first():
    driver = grouping({"key": "city"}).driver()

    driver.pipe("orders", key="a", value={"city": "x", "amount": 1})
    driver.pipe("orders", key="a", value={"city": "y", "amount": 1})

    assert driver.read("out") == [("x", 1), ("x", 0), ("y", 1)]


def test_old_and_new_value_of_one_group_come_together_and_the_old_is_taken_back_first():
    driver = collecting({"key": "city", "value": "CAST(amount AS STRING)"})

    driver.pipe("orders", key="a", value={"city": "x", "amount": 1})
    driver.pipe("orders", key="a", value={"city": "x", "amount": 2})

    assert driver.read("out") == [("x", "+x1"), ("x", "+x1-x1+x2")]


def test_a_deleted_row_leaves_its_group():
    driver = grouping({"key": "city"}).driver()

    driver.pipe("orders", key="a", value={"city": "x", "amount": 1})
    driver.pipe("orders", key="a", value=None)

    assert driver.read("out") == [("x", 1), ("x", 0)]


@pytest.mark.parametrize("config", [{"key": "city"}, {"key": "key", "value": "city"}])
def test_a_row_whose_new_key_or_value_is_null_is_in_no_group(config: dict[str, str]):
    driver = grouping(config).driver()

    driver.pipe("orders", key="a", value={"city": None, "amount": 1})

    assert driver.read("out") == []
    assert driver.dropped_records == 0


def test_groups_hold_the_fields_that_are_named():
    fields = [{"name": "twice", "expression": "amount * 2"}]
    builder = (
        GraphBuilder().table("orders", ROW).add("g", "group_by", {"key": "city", "fields": fields}, records="orders")
    )
    functions = [{"name": "total", "function": "sum", "expression": "twice"}]
    driver = builder.add("sums", "aggregate", {"functions": functions}, grouped="g").updates_to("out", "sums").driver()

    driver.pipe("orders", key="a", value={"city": "x", "amount": 3})

    assert driver.read("out") == [("x", {"total": 6})]


def test_a_table_that_is_grouped_is_materialised_and_sends_old_values():
    tables = grouping({"key": "city"}).driver().layout.tables

    assert (tables["orders"].is_materialized, tables["orders"].sends_old_values) == (True, True)


@pytest.mark.parametrize("one_life", [True, False])
def test_updates_of_a_grouped_table_cross_the_shuffle_with_both_values(one_life: bool):
    driver = grouping({"key": "city"}).driver(is_one_life=one_life)

    for key, city in (("a", "x"), ("b", "x"), ("a", "y"), ("b", None)):
        driver.pipe("orders", key=key, value={"city": city, "amount": 1})

    assert driver.read("out") == [("x", 1), ("x", 2), ("x", 1), ("y", 1), ("x", 0)]
    assert driver.counters()["by-city"] == {"in": 4, "out": 5, "dropped": 0, "errors": 0}


def test_windows_behind_a_changed_key_see_the_plain_key():
    builder = GraphBuilder().stream("orders", ROW).add("by-city", "group_by", {"key": "city"}, records="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="by-city")
    driver = builder.add("counts", "count", grouped="windows").updates_to("out", "counts").driver()

    driver.pipe("orders", key="a", value={"city": "x", "amount": 1}, timestamp=12)

    assert driver.read("out") == [({"key": "x", "start": 10, "end": 20}, 1)]


def test_windowed_keys_of_a_table_are_grouped_by_a_plain_one():
    builder = GraphBuilder().stream("orders", ROW).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped").add("counts", "count", grouped="windows")
    builder.add("by-window", "group_by", {"key": "window.start", "value": "value"}, records="counts")
    driver = builder.add("keys", "count", grouped="by-window").updates_to("out", "keys").driver(cache=True)

    for key in ("a", "b", "a"):
        driver.pipe("orders", key=key, value={"city": "x", "amount": 1}, timestamp=12)

    assert driver.read("out") == [(10, 1), (10, 2), (10, 2)]


def test_windowed_keys_of_a_stream_stay_windowed_without_windows_of_the_group():
    builder = GraphBuilder().stream("orders", ROW).add("grouped", "group_by_key", stream="orders")
    builder.add("windows", "windowed_by", {"size_ms": 10}, grouped="grouped").add("counts", "count", grouped="windows")
    builder.add("updates", "to_stream", table="counts").add("again", "group_by_key", stream="updates")
    driver = builder.add("updated", "count", grouped="again").updates_to("out", "updated").driver()

    for timestamp in (12, 13):
        driver.pipe("orders", key="a", value={"city": "x", "amount": 1}, timestamp=timestamp)

    assert driver.read("out") == [({"key": "a", "start": 10, "end": 20}, count) for count in (1, 2)]


@pytest.mark.parametrize("name", ["timestamp", "headers"])
def test_a_group_of_a_table_does_not_depend_on_the_update_that_brings_the_row(name: str):
    issues = check(grouping({"key": f"to_json({name})"}).graph)

    assert [(issue.node, issue.field) for issue in issues] == [("by-city", "key")]


def test_groups_of_a_stream_get_no_new_value():
    issues = check(grouping({"key": "city", "value": "amount"}, of="stream").graph)

    assert [(issue.code, issue.field) for issue in issues] == [("value.of_stream", "value")]


def test_a_key_format_that_cannot_write_the_new_key_is_pointed_out():
    issues = check(grouping({"key": "CAST(amount AS DOUBLE)", "key_format": "long"}).graph)

    assert ("format.misfit", "by-city", "key_format") in [(issue.code, issue.node, issue.field) for issue in issues]


def test_a_row_leaves_a_group_whose_key_is_equal_only_in_python():
    config = {"key": "value.group", "key_format": "json"}
    builder = GraphBuilder().table("rows", ANY).add("grouped", "group_by", config, records="rows")
    driver = builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").driver()

    for group in (b'{"n":1}', b'{"n":1.0}', b'{"n":true}'):
        driver.pipe_bytes("rows", b"a", b'{"group":%s}' % group)

    counts = {str(key): count for key, count in driver.read("out")}
    assert counts == {"{'n': 1}": 0, "{'n': 1.0}": 0, "{'n': True}": 1}
