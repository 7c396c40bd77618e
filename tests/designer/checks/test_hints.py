"""Hints about what is allowed but seldom meant. They never prevent a deploy."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.checks.graph_view import GraphView
from designer.checks.hints import find_hints
from designer.issues import Issue
from designer.topology.graph import Graph
from designer.values.schemas import decimal, struct
from tests.designer.graphs import drawn, node, only, orders
from tests.found.seeds import read_seed
from tests.runner.graph_builder import GraphBuilder

COUNTRY = {"name": "country", "type": {"kind": "string"}}


def hints(graph: Graph) -> list[Issue]:
    return find_hints(GraphView(graph, {}))


def to_events(**config: Any) -> tuple[str, dict[str, Any]]:
    return node("to", topic="events", **config)


def test_sinks_of_one_topic_with_other_formats_are_pointed_out_with_a_fix() -> None:
    graph = drawn(
        "orders > countries > text",
        "orders > ids > numbers",
        orders=orders(),
        countries=node("map_values", value="country"),
        ids=node("map_values", value="concat('order ', CAST(id AS STRING))"),
        text=to_events(value_format="string"),
        numbers=to_events(value_format="json"),
    )

    hint = only(hints(graph))

    assert (hint.node, hint.field, hint.level) == ("numbers", "value_format", "warning")
    assert hint.message == "This node writes each value of `events` as json, but `text` writes it as string."
    assert hint.fix is not None
    assert (hint.fix.label, hint.fix.replacement) == ("Use `string`", "string")
    assert check(graph) == []


def test_sinks_of_one_topic_with_other_types_are_pointed_out() -> None:
    graph = drawn(
        "orders > names > one",
        "orders > amounts > other",
        orders=orders(),
        names=node("map_values", fields=[{"name": "is", "expression": "country"}]),
        amounts=node("map_values", fields=[{"name": "is", "expression": "amount"}]),
        one=to_events(),
        other=to_events(),
    )

    hint = only(hints(graph))

    assert hint.node == "other"
    assert "as json with double in `is`" in hint.message
    assert "`one` writes it as json with string in `is`" in hint.message
    assert hint.fix is None


def test_a_sink_that_writes_what_a_source_does_not_read_is_pointed_out() -> None:
    graph = drawn(
        "orders > back",
        "events > out",
        orders=orders(),
        back=to_events(),
        events=node("stream", topic="events", key_format="string", value_format="long"),
        out=node("to", topic="out"),
    )

    hint = only(hints(graph))

    assert hint.node == "back"
    assert hint.message == "This node writes each value of `events` as json, but `events` reads it as long."


def test_windowed_keys_beside_plain_ones_are_pointed_out_with_a_fix() -> None:
    graph = drawn(
        "orders > by-key > minutes > count > counts > windowed",
        "orders > plain",
        orders=orders(),
        by_key=node("group_by_key"),
        minutes=node("windowed_by", size_ms=60_000),
        count=node("count"),
        counts=node("to_stream"),
        windowed=to_events(value_format="json"),
        plain=to_events(value_format="json"),
    )

    hint = next(each for each in hints(graph) if each.code == "topic.formats_differ" and each.args["side"] == "key")

    assert (hint.node, hint.field) == ("windowed", "windowed_key")
    assert hint.fix is not None
    assert hint.fix.replacement == "key"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (node("filter", predicate="amount > 10"), node("filter", predicate="amount < 1")),
        (
            node("map_values", fields=[{"name": "a", "expression": "id"}], keep=False),
            node("map_values", fields=[{"name": "b", "expression": "country"}], keep=False),
        ),
    ],
    ids=["the same values", "values with other fields"],
)
def test_sinks_whose_records_one_reader_reads_are_not(one: Any, other: Any) -> None:
    graph = drawn(
        "orders > one > first", "orders > other > second",
        orders=orders(), one=one, other=other, first=to_events(), second=to_events(),
    )  # fmt: skip

    assert hints(graph) == []


def test_state_that_only_grows_is_pointed_out() -> None:
    def counted(**config: Any) -> list[str]:
        graph = drawn(
            "orders > by-key > count > changes > out",
            orders=orders(), by_key=node("group_by_key"), count=node("count", **config),
            changes=node("to_stream"), out=to_events(),
        )  # fmt: skip
        return [f"{hint.node}.{hint.field}: {hint.level} {hint.code}" for hint in hints(graph)]

    assert counted() == ["count.ttl_ms: hint state.grows"]
    assert counted(ttl_ms=60_000) == []


@pytest.mark.parametrize(
    ("operator", "field", "cure"),
    [
        ("table", "placed", "coalesce(placed, timestamp)"),
        ("table", "value.placed", "coalesce(value.placed, timestamp)"),
        ("table", "coalesce(placed, timestamp)", None),
        ("table", "CAST(key AS BIGINT)", None),
        ("table", "country", None),  # beside a text, no number can be the time
        ("table", "placed +", None),
        ("stream", "placed", None),
    ],
)
def test_deletions_from_a_table_without_a_time_are_pointed_out(operator: str, field: str, cure: str | None) -> None:
    type_ = {"kind": "struct", "fields": [{"name": "placed", "type": {"kind": "integer"}}, COUNTRY]}
    config = {"topic": "rows", "key_type": {"kind": "string"}, "value_type": type_}
    time = {"timestamp_from": "field", "timestamp_field": field}
    graph = drawn(
        "rows > changes > out", rows=node(operator, **config, **time), changes=node("to_stream"), out=to_events()
    )

    found = [hint.fix.replacement for hint in hints(graph) if hint.node == "rows" and hint.fix is not None]

    assert found == ([] if cure is None else [cure])


AMOUNTS = struct(amount=decimal(10, 2))
ADDING = "named_struct('s', agg.s + amount)"


@pytest.mark.parametrize(
    ("init", "add", "what", "cure"),
    [
        (
            "named_struct('s', 0BD)",
            ADDING,
            "`init` is a decimal(1,0) in `s`, but `add` gives a decimal(11,2).",
            "DECIMAL(38, 2)",
        ),
        ("0", "agg + 1.5", "`init` is an integer, but `add` gives a double.", "DOUBLE"),
        (
            None,
            "named_struct('amount', agg.amount + 1)",
            "The first value is a decimal(10,2) in `amount`, but",
            "DECIMAL(10, 2)",
        ),
        (
            "named_struct('s', CAST(0 AS DECIMAL(38, 2)))",
            "named_struct('s', CAST(agg.s + amount AS DECIMAL(38, 2)))",
            "",
            "",
        ),
        ("CAST(0 AS DECIMAL(10, 2))", "agg + amount", "", ""),
        ("0", "agg + 1 +", "", ""),
    ],
)
def test_an_aggregate_without_a_known_type_says_which_types_differ(
    init: str | None, add: str, what: str, cure: str
) -> None:
    builder = GraphBuilder().stream("orders", AMOUNTS).add("grouped", "group_by_key", stream="orders")
    config = {"add": add} if init is None else {"init": init, "add": add}
    builder.add("sums", "reduce" if init is None else "aggregate", config, grouped="grouped").updates_to("out", "sums")

    found = [hint for hint in hints(builder.graph) if hint.code == "aggregate.unfixed"]

    assert [(hint.node, hint.field) for hint in found] == ([("sums", "add")] if what else [])
    assert all(hint.message.startswith(what) and f"`CAST(… AS {cure})`" in hint.hint for hint in found)


def test_stores_of_code_that_never_deletes_are_pointed_out() -> None:
    def processed(body: str, **store: Any) -> list[str]:
        code = f"class Mine(Processor):\n    def process(self, record):\n        {body}\n"
        graph = drawn(
            "orders > mine > out",
            orders=orders(), mine=node("process", code=code, stores=[{"name": "seen", **store}]), out=to_events(),
        )  # fmt: skip
        return [hint.message for hint in hints(graph)]

    assert processed("pass") == ["Store `seen` keeps each key until the code deletes it."]
    assert processed("self.context.store('seen').delete(record.key)") == []
    assert processed("pass", ttl_ms=1_000) == []


def test_alerts_of_a_fraud_topology_that_come_in_two_formats_are_pointed_out() -> None:
    """Three sinks wrote quoted JSON and bare text into one topic, and nothing said so."""
    found = [hint for hint in hints(read_seed("fraud-alerts-mixed-formats")) if hint.code == "topic.formats_differ"]

    assert {hint.node for hint in found}
    assert all(hint.fix is not None and hint.fix.replacement == "string" for hint in found)
