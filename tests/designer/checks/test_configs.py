"""Checks of forms and expressions, each by an example."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.topology.graph import Graph, Node
from tests.designer.graphs import COUNTRY, ORDER, countries, drawn, node, only, orders

LONG_KEYS = {"key_format": "long"}


def through(operator: str, **config: Any) -> Graph:
    """orders > one node > out"""
    return drawn("orders > it > out", orders=orders(), it=node(operator, **config), out=node("to", topic="out"))


def aggregated(*functions: dict[str, Any]) -> Graph:
    return drawn(
        "orders > grouped > it > updates > out",
        orders=orders(),
        grouped=node("group_by_key"),
        it=node("aggregate", functions=list(functions)),
        updates=node("to_stream"),
        out=node("to", topic="out"),
    )


def joined(stream: Any, table: Any, operator: str = "join", **config: Any) -> Graph:
    return drawn(
        "stream > it > out",
        "table > it.right",
        stream=stream,
        table=table,
        it=node(operator, **config),
        out=node("to", topic="out"),
    )


def test_an_unknown_operator_is_guessed() -> None:
    graph = Graph((*through("filter", predicate="true").nodes, Node("typo", "mapvalues")))

    issue = check(graph)[0]

    assert (issue.node, issue.message, issue.hint) == (
        "typo",
        "There is no operator `mapvalues`.",
        "Did you mean `map_values`?",
    )


def test_a_long_name_of_an_unknown_operator_is_cut() -> None:
    issue = check(Graph((Node("typo", "x" * 81),)))[0]

    assert issue.message == f"There is no operator `{'x' * 80}`."


def test_a_slip_in_a_row_names_the_fields_of_the_row() -> None:
    issue = only(check(aggregated({"name": "v", "function": "sum", "of": "id"})))

    assert (issue.code, issue.field) == ("field.unknown", "functions.0.of")
    assert issue.message == "A row of `functions` has no field `of`."
    assert issue.hint.startswith("Remove it; the fields are `name`, `function`, `expression`")


@pytest.mark.parametrize(
    ("graph", "field", "message", "hint"),
    [
        (through("filter"), "predicate", "`predicate` is empty.", "Set it: true for the records to keep."),
        (
            through("filter", predicate=""),
            "predicate",
            "`predicate` is ``; expected a text that is not empty.",
            "Change it: true for the records to keep.",
        ),
        (
            through("filter", predicat="true", predicate="true"),
            "predicat",
            "filter has no field `predicat`.",
            "Did you mean `predicate`?",
        ),
        (through("map_values"), "value", "This node computes no new value.", "Set `value` or `fields`."),
        (
            through("map_values", value="id", fields=[{"name": "a", "expression": "id"}]),
            "value",
            "Both `value` and `fields` are given.",
            "Empty one of them.",
        ),
        (
            through("map_values", fields=[{"name": "a", "expression": "id"}, {"name": "a", "expression": "id"}]),
            "fields.1.name",
            "The field `a` is defined twice.",
            "Rename one.",
        ),
        (
            aggregated(),
            "functions",
            "This aggregate computes nothing.",
            "Add a function, or set `init` and `add`. After cogroup, set only `init`.",
        ),
        (
            aggregated({"name": "n", "function": "sum"}),
            "functions.0.expression",
            "sum needs an expression.",
            "Name a field or write an expression.",
        ),
        (
            aggregated({"name": "n", "function": "median", "expression": "id"}),
            "functions.0.function",
            "`functions.0.function` is `median`; expected `count`, `sum`, `avg`, `min`, `max`, `first`, `last`, "
            "`collect`, `count_distinct`, `top_n` or `last_n`.",
            "at most 100,000 in a group.",
        ),
    ],
)
def test_a_field_of_a_form_says_what_is_expected(graph: Graph, field: str, message: str, hint: str) -> None:
    issue = only(check(graph))

    assert (issue.node, issue.field, issue.message) == ("it", field, message)
    assert issue.hint.endswith(hint)


@pytest.mark.parametrize(
    ("config", "field", "message"),
    [
        ({"size_ms": 0}, "size_ms", "`size_ms` is 0; expected at least 1."),
        ({"size_ms": 1_000, "grace_ms": -1}, "grace_ms", "`grace_ms` is -1; expected at least 0."),
        ({"size_ms": "1 h"}, "size_ms", "`size_ms` is `1 h`; expected a whole number."),
        (
            {"size_ms": 1, "type": "round"},
            "type",
            "`type` is `round`; expected `tumbling`, `hopping`, `sliding`, `session`, `calendar` or `unlimited`.",
        ),
        ({}, "size_ms", "`size_ms` is empty, but tumbling windows need it."),
        ({"type": "hopping", "size_ms": 10}, "advance_ms", "`advance_ms` is empty, but hopping windows need it."),
        ({"type": "sliding"}, "difference_ms", "`difference_ms` is empty, but sliding windows need it."),
        ({"type": "session"}, "gap_ms", "`gap_ms` is empty, but session windows need it."),
        (
            {"type": "hopping", "size_ms": 10, "advance_ms": 11},
            "advance_ms",
            "Windows of 10 ms that start every 11 ms leave gaps between windows.",
        ),
        (
            {"size_ms": 10, "grace_ms": 5, "retention_ms": 14},
            "retention_ms",
            "Windows are kept 14 ms, but records may change them for 15 ms.",
        ),
        (
            {"type": "sliding", "difference_ms": 10, "grace_ms": 5, "retention_ms": 24},
            "retention_ms",
            "Windows are kept 24 ms, but records may change them for 25 ms.",
        ),
        (
            {"type": "session", "gap_ms": 10, "grace_ms": 5, "retention_ms": 14},
            "retention_ms",
            "Windows are kept 14 ms, but records may change them for 15 ms.",
        ),
        (
            {"type": "unlimited", "emit": "on_close"},
            "emit",
            "An unlimited window never closes, so it can never emit on close.",
        ),
    ],
)
def test_a_window_that_cannot_be_says_why(config: dict[str, Any], field: str, message: str) -> None:
    graph = drawn(
        "orders > grouped > hourly > counts > updates > out",
        orders=orders(),
        grouped=node("group_by_key"),
        hourly=node("windowed_by", **config),
        counts=node("count"),
        updates=node("to_stream"),
        out=node("to", topic="out"),
    )

    issue = only(check(graph))

    assert (issue.node, issue.field, issue.message) == ("hourly", field, message)


def test_the_help_of_a_field_keeps_the_names_in_it() -> None:
    issue = only(check(drawn("orders > out", orders=orders(), out=node("to", topic="a b"))))

    assert issue.message == "`topic` is `a b`; expected up to 249 of letters, digits, `.`, `_` and `-`."
    assert issue.hint.startswith("Change it: Kafka topic ")


@pytest.mark.parametrize("topic", ["", "..", "a b", "x" * 250])
def test_topics_have_names_that_kafka_takes(topic: str) -> None:
    graph = drawn("orders > out", orders=orders(), out=node("to", topic=topic))

    issue = only(check(graph))

    assert (issue.node, issue.field) == ("out", "topic")


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"kind": "number"}, "This is not a type."),
        (
            {"kind": "struct", "fields": [{"name": "a", "type": {"kind": "any"}}] * 2},
            "This type has the field `a` twice.",
        ),
        (
            {"kind": "string", "fields": [{"name": "a", "type": {"kind": "any"}}]},
            "Only a struct has fields, not a string.",
        ),
        ("integer", "This is not a type."),
    ],
)
def test_a_declared_type_is_a_type(declared: Any, message: str) -> None:
    graph = drawn("orders > out", orders=orders(value_type=declared), out=node("to", topic="out"))

    issue = only(check(graph))

    assert (issue.node, issue.field, issue.message) == ("orders", "value_type", message)


def test_an_expression_that_names_no_field_is_shown_at_its_place() -> None:
    issue = only(check(through("filter", predicate="amout > 10")))

    assert (issue.node, issue.field, issue.span) == ("it", "predicate", (0, 5))
    assert "amount" in issue.message + issue.hint


def test_a_predicate_is_true_or_false() -> None:
    issue = only(check(through("filter", predicate="amount + 1")))

    assert (issue.node, issue.field) == ("it", "predicate")


def test_an_expression_inside_a_list_is_named_by_its_path() -> None:
    issue = only(
        check(through("map_values", fields=[{"name": "a", "expression": "id"}, {"name": "b", "expression": "idd"}]))
    )

    assert (issue.node, issue.field) == ("it", "fields.1.expression")


def test_nothing_is_said_of_expressions_behind_a_broken_node() -> None:
    graph = drawn(
        "orders > a > b > out",
        orders=orders(),
        a=node("map_values", value="nope"),
        b=node("filter", predicate="nope"),
        out=node("to", topic="x"),
    )

    assert only(check(graph)).node == "a"


@pytest.mark.parametrize(
    ("graph", "node_id", "field"),
    [
        (drawn("orders > out", orders=orders(), out=node("to", topic="x", value_format="long")), "out", "value_format"),
        (drawn("orders > out", orders=orders(), out=node("to", topic="x", key_format="long")), "out", "key_format"),
        (
            drawn("orders > out", orders=orders(value_format="string"), out=node("to", topic="x")),
            "orders",
            "value_format",
        ),
        (through("select_key", key="id", key_format="string"), "it", "key_format"),
    ],
)
def test_a_format_fits_what_it_writes(graph: Graph, node_id: str, field: str) -> None:
    issue = check(graph)[0]

    assert (issue.code, issue.node, issue.field) == ("format.misfit", node_id, field)


@pytest.mark.parametrize("function", ["sum", "avg"])
def test_sums_and_averages_take_numbers(function: str) -> None:
    issue = only(check(aggregated({"name": "x", "function": function, "expression": "country"})))

    assert (issue.field, issue.message) == (
        "functions.0.expression",
        f"{function} needs numbers, but `country` is string.",
    )


def test_keeping_fields_needs_fields() -> None:
    graph = drawn(
        "orders > plain > it > out",
        orders=orders(),
        plain=node("map_values", value="country"),
        it=node("map_values", keep=True, fields=[{"name": "n", "expression": "1"}]),
        out=node("to", topic="x"),
    )

    issue = only(check(graph))

    assert (issue.node, issue.field, issue.code) == ("it", "keep", "keep.no_fields")


def test_both_sides_of_a_join_have_keys_of_one_type() -> None:
    issue = only(check(joined(orders(), countries(**LONG_KEYS))))

    assert issue.node == "it"
    assert issue.message == "The stream's keys are string, the table's integer, so no record would find a row."
    assert issue.hint == "Put a select_key with a cast to get integer."


def test_keys_of_one_type_in_two_formats_do_not_meet() -> None:
    issue = only(check(joined(orders(), countries(key_format="json", key_type={"kind": "string"}))))

    assert issue.message.startswith("The stream's keys are written as string, the table's as json")


def test_the_key_of_a_global_table_is_an_expression_over_the_stream() -> None:
    fields = [{"name": "title", "expression": "right.title"}]

    assert check(joined(orders(), countries("global_table"), key="country", fields=fields)) == []


def test_the_key_of_a_global_table_has_the_type_of_its_keys() -> None:
    issue = only(check(joined(orders(), countries("global_table"), key="id")))

    assert issue.message.startswith("The stream's keys are integer, the table's string")


def test_a_table_is_looked_up_by_the_key_of_the_record() -> None:
    issue = only(check(joined(orders(), countries(), key="country")))

    assert (issue.code, issue.field) == ("join.key_of_table", "key")


def test_sampled_schemas_stand_in_for_undeclared_types() -> None:
    from designer.values.schemas import Schema, Side, Type

    graph = drawn(
        "a > it > out",
        a=node("stream", topic="a"),
        it=node("filter", predicate="amount > 1"),
        out=node("to", topic="x"),
    )
    sampled = Schema(Side("string", Type.from_json({"kind": "string"})), Side("json", Type.from_json(ORDER)))
    other = Schema(sampled.key, Side("json", Type.from_json(COUNTRY)))

    assert check(graph, {"a": sampled}) == []
    assert only(check(graph, {"a": other})).node == "it"
