"""aggregate by functions and by expressions, over groups of streams and tables and in sessions."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.streams.flows import find_flows, find_scope
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Kind, Type, map_of, struct
from runner.engine.operators.aggregations import listing
from tests.runner.graph_builder import GraphBuilder

ROW = struct(city=STRING, delay=INTEGER)
SUMMING = {"init": "0", "add": "agg + delay"}
SESSION: dict[str, Any] = {"type": "session", "gap_ms": 5, "grace_ms": 100}


def of_stream(config: dict[str, Any], value: Type = ROW, **window: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("flights", value).add("grouped", "group_by_key", stream="flights")
    if window:
        builder.add("windowed", "windowed_by", window, grouped="grouped")
    builder.add("it", "aggregate", config, grouped="windowed" if window else "grouped")
    return builder.updates_to("out", "it")


def of_table(config: dict[str, Any], value: Type = ROW) -> GraphBuilder:
    builder = GraphBuilder().table("flights", value).add("by-city", "group_by", {"key": "city"}, records="flights")
    return builder.add("it", "aggregate", config, grouped="by-city").updates_to("out", "it")


def function(name: str, **more: Any) -> dict[str, Any]:
    return {"functions": [{"name": "it", "function": name, "expression": "delay"} | more]}


def fields_of(node: str, builder: GraphBuilder) -> list[tuple[str, str | None]]:
    """Code and field of each issue of a node."""
    return [(issue.code, issue.field) for issue in check(builder.graph) if issue.node == node]


def shown(builder: GraphBuilder, *delays: Any, **options: Any) -> list[Any]:
    driver = builder.driver(**options)
    for delay in delays:
        driver.pipe("flights", key="JFK", value={"city": "x", "delay": delay})
    return [value["it"] for _, value in driver.read("out")]


@pytest.mark.parametrize(
    ("config", "last"),
    [
        (function("first"), 4),
        (function("last"), 1),
        (function("collect"), [4, 1, 4, 1]),
        (function("count_distinct"), 2),
        (function("top_n", n=3), [4, 4, 1]),
        (function("last_n", n=2), [4, 1]),
        (function("top_n", n=3, order_by="-delay"), [1, 1, 4]),
        (function("top_n", n=1, expression="named_struct('d', delay)", order_by="delay"), [{"d": 4}]),
    ],
)
@pytest.mark.parametrize("one_life", [True, False])
def test_each_function_sees_the_records_in_order_of_arrival(config: dict[str, Any], last: Any, one_life: bool):
    found = shown(of_stream(config), 4, 1, None, 4, 1, is_one_life=one_life)

    assert found[-1] == last


@pytest.mark.parametrize(
    ("name", "nothing"),
    [("first", None), ("last", None), ("collect", []), ("count_distinct", 0), ("top_n", []), ("last_n", [])],
)
def test_over_nothing_but_nulls_there_is_no_value(name: str, nothing: Any):
    n = {"n": 1} if name in ("top_n", "last_n") else {}

    assert shown(of_stream(function(name, **n)), None) == [nothing]


def test_equal_numbers_are_one_distinct_value_and_true_is_no_number():
    builder = of_stream(function("count_distinct"), struct(delay=ANY))

    assert shown(builder, 1, 1.0, True, "1", [1]) == [1, 1, 2, 3, 4]


def test_a_list_that_grows_too_long_is_a_record_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listing, "MAX_ITEMS", 2)
    driver = of_stream(function("collect")).driver()

    for delay in (1, 2, 3):
        driver.pipe("flights", key="JFK", value={"city": "x", "delay": delay})

    assert driver.counters()["it"]["errors"] == 1
    assert [value["it"] for _, value in driver.read("out")] == [[1], [1, 2]]


@pytest.mark.parametrize(
    ("name", "after_each"),
    [
        ("count", [1, 2, 2, 1, 0]),
        ("sum", [4, 5, 11, 10, None]),
        ("avg", [4.0, 2.5, 5.5, 10.0, None]),
        ("collect", [[4], [4, 1], [1, 10], [10], []]),
        ("count_distinct", [1, 2, 2, 1, 0]),
        ("min", [4, 1, 1, 10, None]),
        ("max", [4, 4, 10, 10, None]),
        ("first", [4, 4, 1, 10, None]),
        ("last", [4, 1, 10, 10, None]),
        ("last_n", [[4], [4, 1], [1, 10], [10], []]),
        ("top_n", [[4], [4, 1], [10, 1], [10], []]),
        ("top_n by", [[4], [1, 4], [1, 10], [10], []]),
    ],
)
@pytest.mark.parametrize("one_life", [True, False])
def test_a_row_of_a_table_is_taken_back_when_it_changes_or_goes(name: str, after_each: list[Any], one_life: bool):
    more: dict[str, Any] = {"n": 2} if "_n" in name else {}
    more |= {"order_by": "-delay"} if name.endswith(" by") else {}
    driver = of_table(function(name.removesuffix(" by"), **more)).driver(is_one_life=one_life)

    for key, delay in (("a", 4), ("b", 1), ("a", 10), ("b", None), ("a", None)):
        value = None if delay is None else {"city": "x", "delay": delay}
        driver.pipe("flights", key=key, value=value)

    assert [value["it"] for _, value in driver.read("out")] == after_each


def test_the_rows_of_a_table_are_kept_otherwise_so_what_a_stream_left_is_not_taken_for_theirs():
    def form(builder: GraphBuilder) -> str:
        return next(store.form for store in builder.driver().layout.stores if store.name == "it")

    assert form(of_stream(function("min"))) != form(of_table(function("min")))
    assert form(of_stream(function("collect"))) == form(of_table(function("collect")))


@pytest.mark.parametrize(
    ("config", "merged"),
    [
        (function("count"), 3),
        (function("sum"), 7),
        (function("avg"), 7 / 3),
        (function("min"), 1),
        (function("max"), 4),
        (function("first"), 1),
        (function("last"), 4),
        (function("collect"), [1, 2, 4]),
        (function("count_distinct"), 3),
        (function("top_n", n=2), [4, 2]),
        (function("top_n", n=2, order_by="-delay"), [1, 2]),
        (function("last_n", n=2), [2, 4]),
    ],
)
def test_sessions_that_become_one_merge_each_function(config: dict[str, Any], merged: Any):
    driver = of_stream(config, **SESSION).driver()

    for timestamp, delay in ((0, 1), (10, 2), (5, 4)):
        driver.pipe("flights", key="JFK", value={"city": "x", "delay": delay}, timestamp=timestamp)

    key, value = driver.read("out")[-1]
    assert (key["start"], key["end"], value["it"]) == (0, 10, merged)


def test_expressions_say_how_the_value_starts_and_grows():
    driver = of_stream({"init": "''", "add": "agg || key || CAST(delay AS STRING)"}).driver()

    for delay in (1, 2):
        driver.pipe("flights", key="a", value={"city": "x", "delay": delay})

    assert driver.read("out") == [("a", "a1"), ("a", "a1a2")]


def test_a_null_value_deletes_the_row_and_the_next_record_starts_anew():
    driver = of_stream({"init": "10", "add": "nullif(agg + delay, 0)"}).driver()

    for delay in (-10, 5):
        driver.pipe("flights", key="a", value={"city": "x", "delay": delay})

    assert driver.read("out") == [("a", None), ("a", 15)]


def test_rows_of_a_table_are_taken_back_by_the_subtractor_before_they_are_added():
    shows = {"init": "''", "add": "agg || '+' || CAST(delay AS STRING)"}
    driver = of_table(shows | {"subtract": "agg || '-' || CAST(delay AS STRING)"}).driver()

    for delay in (1, 2):
        driver.pipe("flights", key="a", value={"city": "x", "delay": delay})
    driver.pipe("flights", key="a", value={"city": "y", "delay": 2})

    assert driver.read("out") == [("x", "+1"), ("x", "+1-1+2"), ("x", "+1-1+2-2"), ("y", "+2")]


def test_a_subtractor_that_gives_null_deletes_the_group():
    driver = of_table({"init": "0", "add": "agg + delay", "subtract": "nullif(agg - delay, 0)"}).driver()

    driver.pipe("flights", key="a", value={"city": "x", "delay": 3}, timestamp=7)
    driver.pipe("flights", key="a", value=None, timestamp=5)

    assert [(record.value, record.timestamp) for record in driver.records("out")] == [(3, 7), (None, 7)]


def test_sessions_that_become_one_are_merged_by_the_merger():
    config = {"init": "0", "add": "agg + delay", "merge": "agg + other"}
    driver = of_stream(config, **SESSION).driver()

    for timestamp in (0, 10, 5):
        driver.pipe("flights", key="a", value={"city": "x", "delay": 2}, timestamp=timestamp)

    key, value = driver.read("out")[-1]
    assert (key["start"], key["end"], value) == (0, 10, 6)


@pytest.mark.parametrize("one_life", [True, False])
def test_a_map_holds_a_value_for_each_of_the_keys_found_in_the_records(one_life: bool):
    put = "map_put(agg, city, coalesce(agg[city], 0) {} delay)"
    config = {"init": "map()", "add": put.format("+"), "subtract": put.format("-")}
    builder = GraphBuilder().table("flights", ROW).add("all", "group_by", {"key": "'all'"}, records="flights")
    driver = builder.add("it", "aggregate", config, grouped="all").updates_to("out", "it").driver(is_one_life=one_life)

    for key, city, delay in (("a", "JFK", 4), ("b", "EWR", 1), ("c", "JFK", 2), ("a", "EWR", 5)):
        driver.pipe("flights", key=key, value={"city": city, "delay": delay})

    assert [value for _, value in driver.read("out")] == [
        {"JFK": 4},
        {"JFK": 4, "EWR": 1},
        {"JFK": 6, "EWR": 1},
        {"JFK": 2, "EWR": 6},
    ]


def test_without_caches_the_first_update_of_a_stream_aggregation_has_the_initial_value_as_its_old_one():
    builder = of_stream({"init": "100", "add": "agg + delay"})
    builder.add("again", "group_by", {"key": "'all'"}, records="it")
    builder.add("sum", "reduce", {"add": "agg + value", "subtract": "agg - value"}, grouped="again")
    driver = builder.updates_to("sums", "sum").driver()

    for key in ("a", "b"):
        driver.pipe("flights", key=key, value={"city": "x", "delay": 1})

    assert driver.read("sums") == [("all", 101), ("all", 102)]


@pytest.mark.parametrize(
    ("config", "gives"),
    [
        (SUMMING, INTEGER),
        ({"init": "0", "add": "agg + CAST(delay AS DOUBLE)"}, ANY),
        ({"init": "CAST(0 AS DOUBLE)", "add": "agg + delay"}, DOUBLE),
        ({"init": "NULL", "add": "delay"}, ANY),
        ({"init": "map()", "add": "map_put(agg, city, coalesce(agg[city], 0) + delay)"}, map_of(INTEGER)),
        ({"init": " MAP( )", "add": "map_put(agg, city, delay / 2)"}, map_of(DOUBLE)),
        ({"init": "map()", "add": "map_put(agg, city, city)"}, map_of(STRING)),
        ({"init": "map()", "add": "map_put(agg, city, array(delay))"}, map_of(ANY)),
        ({"init": "map('a', parse_json('1'))", "add": "map_put(agg, city, delay)"}, map_of(ANY)),
        ({"init": "named_struct('n', 0)", "add": "named_struct('n', agg.n + delay)"}, struct(n=INTEGER)),
    ],
)
def test_the_result_is_of_the_type_of_init_where_add_keeps_to_it(config: dict[str, str], gives: Type):
    assert find_flows(of_stream(config).graph)["it"].outputs["result"].schema.value.type == gives


@pytest.mark.parametrize(
    ("name", "gives"),
    [("collect", Type(Kind.LIST, item=INTEGER)), ("count_distinct", INTEGER), ("first", INTEGER), ("avg", DOUBLE)],
)
def test_a_function_has_a_type(name: str, gives: Type):
    found = find_flows(of_stream(function(name)).graph)["it"].outputs["result"].schema.value.type

    assert found == struct(it=gives)


@pytest.mark.parametrize(
    ("builder", "found"),
    [
        (of_stream({}), ("aggregate.none", "functions")),
        (of_stream({"add": "agg + 1"}), ("aggregate.no_init", "init")),
        (of_stream(function("count") | {"init": "0"}), ("aggregate.both", "init")),
        (of_stream({"init": "0"}), ("add.missing", "add")),
        (of_stream({"init": "delay", "add": "agg"}), ("text.name_unknown", "init")),
        (of_stream(SUMMING | {"subtract": "agg - delay"}), ("subtract.unneeded", "subtract")),
        (of_stream(SUMMING | {"merge": "agg + other"}), ("merge.unneeded", "merge")),
        (of_stream(SUMMING, **SESSION), ("merge.missing", "merge")),
        (of_table(SUMMING), ("subtract.missing", "subtract")),
        (of_table({"init": "0", "add": "agg + timestamp", "subtract": "agg"}), ("text.field_unknown", "add")),
        (of_stream(function("top_n")), ("n.missing", "functions.0.n")),
        (of_stream(function("max", n=2)), ("n.unneeded", "functions.0.n")),
        (of_stream(function("first", expression=None)), ("expression.missing", "functions.0.expression")),
        (
            of_stream(function("top_n", n=1), struct(delay=struct(n=INTEGER))),
            ("aggregate.type", "functions.0.expression"),
        ),
        (of_stream(function("max", order_by="delay")), ("order_by.unneeded", "functions.0.order_by")),
        (
            of_stream(function("top_n", n=1, order_by="named_struct('d', delay)")),
            ("aggregate.type", "functions.0.order_by"),
        ),
    ],
)
def test_a_form_that_cannot_be_carried_out_is_pointed_out(builder: GraphBuilder, found: tuple[str, str]):
    assert fields_of("it", builder) == [found]


def test_what_knows_no_record_is_told_so():
    (issue,) = check(of_stream({"init": "delay", "add": "agg"}).graph)

    assert issue.message == "`delay` is not known here, because there is no record here."


@pytest.mark.parametrize("config", [{}, {"init": 0, "add": 7}, {"init": 7}, {"functions": [{"name": 3}]}])
@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("init", set()),
        ("add", {"key", "value", "timestamp", "headers", "agg"}),
        ("merge", {"key", "agg", "other"}),
        ("functions.0.expression", {"key", "value", "timestamp", "headers"}),
    ],
)
def test_what_an_expression_may_name_is_known_while_the_form_is_not_right(
    config: dict[str, Any], field: str, names: set[str]
):
    scope = find_scope(of_stream(config, **SESSION).graph, "it", field)

    assert scope is not None
    assert set(scope.names) == names


def test_values_of_unknown_type_are_written_as_json():
    found = find_flows(of_stream({"init": "''", "add": "delay"}).graph)["it"].outputs["result"].schema.value

    assert (found.format, found.type) == ("json", ANY)
