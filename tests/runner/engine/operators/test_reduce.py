"""reduce over groups of streams and tables, and in windows."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.streams.flows import find_flows, find_scope
from designer.values.schemas import ANY, INTEGER, STRING, Kind, Type, struct
from runner.engine.operators.reduce import Reduce
from tests.runner.graph_builder import GraphBuilder

SUM = {"add": "agg + value"}


def reducing(config: dict[str, Any], value: Type = INTEGER, **window: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("amounts", value).add("grouped", "group_by_key", stream="amounts")
    if window:
        builder.add("windowed", "windowed_by", window, grouped="grouped")
    builder.add("reduced", "reduce", config, grouped="windowed" if window else "grouped")
    return builder.updates_to("out", "reduced")


def of_table(config: dict[str, Any]) -> GraphBuilder:
    builder = GraphBuilder().table("amounts", INTEGER).add("all", "group_by", {"key": "'all'"}, records="amounts")
    return builder.add("reduced", "reduce", config, grouped="all").updates_to("out", "reduced")


def test_the_first_value_is_the_aggregate_and_later_ones_are_added():
    driver = reducing({"add": "agg * 10 + value"}).driver()

    for value in (1, 2, 3):
        driver.pipe("amounts", key="a", value=value)

    assert driver.read("out") == [("a", 1), ("a", 12), ("a", 123)]


@pytest.mark.parametrize(
    ("example", "result"), [("agg + value", 9), ("least(agg, value)", 2), ("greatest(agg, value)", 4), ("value", 3)]
)
def test_the_examples_of_its_form_give_the_sum_the_least_the_greatest_and_the_latest(example: str, result: int):
    driver = reducing({"add": example}).driver()

    for value in (2, 4, 3):
        driver.pipe("amounts", key="a", value=value)

    assert driver.read("out")[-1] == ("a", result)
    assert f"`{example}`" in str(Reduce.model_fields["add"].description)


def test_null_keys_and_values_are_dropped():
    driver = reducing(SUM).driver()

    driver.pipe("amounts", key=None, value=1)
    driver.pipe("amounts", key="a", value=None)

    assert driver.read("out") == []
    assert driver.dropped_records == 2


def test_a_null_result_deletes_the_row_and_the_next_value_is_the_first_again():
    driver = reducing({"add": "nullif(agg + value, 0)"}).driver()

    for value in (5, -5, 7):
        driver.pipe("amounts", key="a", value=value)

    assert driver.read("out") == [("a", 5), ("a", None), ("a", 7)]


def test_a_row_that_changes_is_taken_back_before_its_new_value_is_added():
    driver = of_table({"add": "agg + value", "subtract": "agg - value"}).driver()

    for key, value in (("a", 5), ("b", 7), ("a", 6), ("b", None)):
        driver.pipe("amounts", key=key, value=value)

    assert driver.read("out") == [("all", total) for total in (5, 12, 13, 6)]


def test_where_taking_back_leaves_nothing_the_new_value_is_the_aggregate():
    driver = of_table({"add": "agg + value", "subtract": "nullif(agg - value, 0)"}).driver()

    for value in (5, 7, None):
        driver.pipe("amounts", key="a", value=value)

    assert driver.read("out") == [("all", 5), ("all", 7), ("all", None)]


def test_the_time_is_the_greatest_of_what_made_the_aggregate():
    driver = of_table({"add": "agg + value", "subtract": "nullif(agg - value, 0)"}).driver()

    for value, timestamp in ((5, 10), (6, 3), (None, 4), (1, 2)):
        driver.pipe("amounts", key="a", value=value, timestamp=timestamp)

    assert [record.timestamp for record in driver.records("out")] == [10, 10, 10, 2]


def test_each_window_is_reduced_by_itself():
    driver = reducing(SUM, type="tumbling", size_ms=10).driver()

    for timestamp in (1, 5, 12):
        driver.pipe("amounts", key="a", value=2, timestamp=timestamp)

    assert [(key["start"], total) for key, total in driver.read("out")] == [(0, 2), (0, 4), (10, 2)]


def test_sessions_that_become_one_are_added():
    driver = reducing(SUM, type="session", gap_ms=5, grace_ms=100).driver()

    for timestamp, value in ((0, 1), (10, 2), (5, 4)):
        driver.pipe("amounts", key="a", value=value, timestamp=timestamp)

    found = [(key["start"], key["end"], total) for key, total in driver.read("out")]
    assert found == [(0, 0, 1), (10, 10, 2), (0, 0, None), (10, 10, None), (0, 10, 7)]


@pytest.mark.parametrize(
    ("value", "add", "gives"),
    [
        (INTEGER, "agg + value", Kind.INTEGER),
        (INTEGER, "agg / value", Kind.ANY),
        (ANY, "agg + value", Kind.ANY),
        (struct(n=INTEGER, of=STRING), "named_struct('n', agg.n + n, 'of', of)", Kind.STRUCT),
    ],
)
def test_the_result_is_of_the_type_of_the_values_where_add_keeps_to_it(value: Type, add: str, gives: Kind):
    found = find_flows(reducing({"add": add}, value).graph)

    assert found["reduced"].outputs["result"].schema.value.type.kind is gives


def test_groups_of_a_table_need_a_subtractor():
    issues = check(of_table(SUM).graph)

    assert [(issue.code, issue.field) for issue in issues] == [("subtract.missing", "subtract")]


def test_groups_of_a_stream_have_no_use_for_a_subtractor():
    issues = check(reducing(SUM | {"subtract": "agg - value"}).graph)

    assert [(issue.code, issue.field) for issue in issues] == [("subtract.unneeded", "subtract")]


def test_a_reducer_knows_no_times():
    issues = check(reducing({"add": "agg + timestamp"}).graph)

    assert [(issue.code, issue.field) for issue in issues] == [("text.name_unknown", "add")]


def test_what_an_expression_may_name_is_known_while_the_form_is_still_empty():
    scope = find_scope(reducing({}).graph, "reduced", "add")

    assert scope is not None
    assert set(scope.names) == {"key", "value", "agg"}
