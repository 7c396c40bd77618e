"""cogroup: several streams, one aggregate."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.streams.flows import find_flows, find_scope
from designer.values.schemas import ANY, INTEGER, STRING, Kind
from runner.engine.planning.layout import Shuffle
from runner.engine.records.record import VALUE
from tests.runner.graph_builder import GraphBuilder

INPUTS = [{"name": "clicks", "add": "agg + 1"}, {"name": "orders", "add": "agg + 100 * value"}]


def cogrouping(*, then: dict[str, Any] | None = None, rekeyed: bool = False, **config: Any) -> GraphBuilder:
    """Clicks count 1, orders a hundred times their value."""
    builder = GraphBuilder().stream("clicks-topic", STRING).stream("orders-topic", INTEGER)
    for name in ("clicks", "orders"):
        if rekeyed:
            builder.add(name, "group_by", {"key": "substring(key, 1, 1)"}, records=f"{name}-topic")
        else:
            builder.add(name, "group_by_key", stream=f"{name}-topic")
    builder.add("both", "cogroup", {"inputs": INPUTS} | config, clicks="clicks", orders="orders")
    if then:
        builder.add("windowed", "windowed_by", then, grouped="both")
    merge = {"merge": "agg + other"} if then and then["type"] == "session" else {}
    builder.add("score", "aggregate", {"init": "0"} | merge, grouped="windowed" if then else "both")
    return builder.updates_to("out", "score")


@pytest.mark.parametrize("one_life", [True, False])
def test_each_input_adds_to_one_aggregate_in_its_own_way(one_life: bool):
    driver = cogrouping().driver(is_one_life=one_life)

    driver.pipe("clicks-topic", key="a", value="x")
    driver.pipe("orders-topic", key="a", value=2)
    driver.pipe("clicks-topic", key="a", value="y")

    assert driver.read("out") == [("a", 1), ("a", 201), ("a", 202)]


def test_inputs_whose_key_changed_come_together_at_the_task_of_the_new_key():
    driver = cogrouping(rekeyed=True).driver()

    driver.pipe("clicks-topic", key="a1", value="x")
    driver.pipe("orders-topic", key="a2", value=2)

    assert driver.read("out") == [("a", 1), ("a", 201)]


def test_null_keys_and_values_are_dropped():
    driver = cogrouping().driver()

    driver.pipe("clicks-topic", key=None, value="x")
    driver.pipe("orders-topic", key="a", value=None)

    assert driver.read("out") == []
    assert driver.dropped_records == 2


def test_windows_hold_the_records_of_all_inputs():
    driver = cogrouping(then={"type": "tumbling", "size_ms": 10}).driver()

    for topic, value, timestamp in (("clicks-topic", "x", 1), ("orders-topic", 2, 9), ("clicks-topic", "x", 10)):
        driver.pipe(topic, key="a", value=value, timestamp=timestamp)

    assert [(key["start"], score) for key, score in driver.read("out")] == [(0, 1), (0, 201), (10, 1)]


@pytest.mark.parametrize("one_life", [True, False])
def test_each_input_has_a_stream_time_of_its_own(one_life: bool):
    driver = cogrouping(then={"type": "tumbling", "size_ms": 10}).driver(is_one_life=one_life)

    driver.pipe("clicks-topic", key="a", value="x", timestamp=20)
    driver.pipe("orders-topic", key="a", value=2, timestamp=15)
    driver.pipe("clicks-topic", key="a", value="late", timestamp=9)

    assert [(key["start"], score) for key, score in driver.read("out")] == [(20, 1), (10, 200)]
    assert driver.dropped_records == 1


def test_sessions_of_several_inputs_merge():
    driver = cogrouping(then={"type": "session", "gap_ms": 5, "grace_ms": 100}).driver()

    for topic, value, timestamp in (("clicks-topic", "x", 0), ("orders-topic", 2, 10), ("clicks-topic", "x", 5)):
        driver.pipe(topic, key="a", value=value, timestamp=timestamp)

    key, score = driver.read("out")[-1]
    assert (key["start"], key["end"], score) == (0, 10, 202)


def test_two_aggregates_of_one_cogroup_each_start_their_own_way():
    builder = cogrouping().add("more", "aggregate", {"init": "1000"}, grouped="both").updates_to("scores", "more")
    driver = builder.driver()

    driver.pipe("clicks-topic", key="a", value="x")
    driver.pipe("orders-topic", key="a", value=2)

    assert driver.read("out") == [("a", 1), ("a", 201)]
    assert driver.read("scores") == [("a", 1001), ("a", 1201)]


def test_keys_that_cannot_be_equal_are_pointed_out():
    builder = GraphBuilder().stream("a", key=STRING).stream("b", key=INTEGER)
    builder.add("as", "group_by_key", stream="a").add("bs", "group_by_key", stream="b")
    rows = [{"name": "one", "add": "agg + 1"}, {"name": "two", "add": "agg + 1"}]
    builder.add("both", "cogroup", {"inputs": rows}, one="as", two="bs")
    builder.add("n", "aggregate", {"init": "0"}, grouped="both").updates_to("out", "n")

    (issue,) = check(builder.graph)

    assert (issue.code, issue.node, issue.field) == ("cogroup.keys", "both", "inputs")
    assert issue.message == "The keys of `one` are string, those of `two` integer, so their records would never match."


@pytest.mark.parametrize(
    "config",
    [{"functions": [{"name": "n", "function": "count"}]}, {"init": "0", "add": "agg + 1"}],
)
def test_the_aggregate_behind_says_only_how_it_starts(config: dict[str, Any]):
    builder = cogrouping().add("more", "aggregate", config, grouped="both").updates_to("scores", "more")

    codes = [issue.code for issue in check(builder.graph)]

    assert codes == ["aggregate.cogrouped"]


def test_what_each_input_adds_is_checked_over_its_own_records():
    rows = [{"name": "clicks", "add": "agg + 1"}, {"name": "orders", "add": "agg + value.amount"}]

    (issue,) = check(cogrouping(inputs=rows).graph)

    assert (issue.node, issue.field) == ("both", "inputs.1.add")


def test_the_result_has_a_type_where_all_adds_give_it():
    texts = [{"name": name, "add": "coalesce(CAST(agg AS STRING), '') || key"} for name in ("clicks", "orders")]
    builder = cogrouping(inputs=texts).add("text", "aggregate", {"init": "''"}, grouped="both")

    found = find_flows(builder.graph)

    assert found["text"].outputs["result"].schema.value.type == STRING
    assert found["score"].outputs["result"].schema.value.type.kind is Kind.ANY


def test_a_cogrouped_stream_goes_only_into_aggregate():
    builder = cogrouping().add("n", "count", grouped="both")

    hints = [issue.hint for issue in check(builder.graph) if issue.code == "port.type"]

    assert hints == [
        "A CogroupedKStream can only be aggregated. Draw an edge into aggregate, or into windowed_by first."
    ]


def test_what_an_input_may_name_is_known_while_its_row_is_not_right():
    rows: list[dict[str, Any]] = [{"name": "clicks"}, {"name": "orders", "add": ""}]

    scope = find_scope(cogrouping(inputs=rows).graph, "both", "inputs.1.add")

    assert scope is not None
    assert scope.names["value"] == INTEGER


def test_a_group_may_also_be_counted_by_itself_over_the_same_shuffle():
    """Kafka Streams refuses this where the group is named: two nodes would read one repartition topic."""
    builder = cogrouping(rekeyed=True).add("visits", "count", grouped="clicks").updates_to("counts", "visits")
    driver = builder.driver()

    driver.pipe("clicks-topic", key="a1", value="x")

    assert driver.read("out") == [("a", 1)]
    assert driver.read("counts") == [("a", 1)]
    assert sum(isinstance(target, Shuffle) for target in driver.layout.targets) == 2


@pytest.mark.parametrize("key", [b"1.0", b"true", b"[1]", b'"1"'])
@pytest.mark.parametrize("window", [None, {"size_ms": 10}])
def test_keys_of_another_type_have_aggregates_of_their_own(key: bytes, window: dict[str, Any] | None):
    builder = GraphBuilder().stream("typed", INTEGER, key=INTEGER, key_format="json").stream("any", INTEGER, key=ANY)
    builder.add("of-typed", "group_by_key", stream="typed").add("of-any", "group_by_key", stream="any")
    inputs = [{"name": "one", "add": "agg + value"}, {"name": "other", "add": "agg + value"}]
    builder.add("both", "cogroup", {"inputs": inputs}, one="of-typed", other="of-any")
    if window is not None:
        builder.add("windows", "windowed_by", window, grouped="both")
    builder.add("sums", "aggregate", {"init": "0"}, grouped="both" if window is None else "windows")
    driver = builder.updates_to("out", "sums").driver(processing="fail")

    with driver.batch():
        driver.pipe("typed", key=1, value=1)
        for each in (key, b"1"):
            driver.pipe_bytes("any", each, b"10")

    assert [row[VALUE] for _, row in driver.rows()] == [b"1", b"10", b"11"]
