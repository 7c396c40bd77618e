"""Graphs that explode: a check answers soon, whatever is drawn."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from designer.checks import MAX_ISSUES, check, find_issues
from designer.checks.graph_view import GraphView
from designer.projects.presentation import describe_ports
from designer.protobuf import parse
from designer.streams.budget import (
    MAX_SCHEMA_SIZE,
    MAX_STEPS,
    MAX_TYPE_SIZE,
    STEPS_PER_MATCH,
    STEPS_PER_WORD,
    Budget,
    TooCostly,
)
from designer.streams.flows import find_flows
from designer.topology.graph import MAX_NODES, Graph
from designer.values.schemas import INTEGER, STRING, is_alike, struct
from tests.designer.graphs import drawn, node, only, orders


def chain(*between: Any) -> Graph:
    """`orders`, one node behind the other, and a sink."""
    names = [f"n{number}" for number in range(len(between))]
    edge = " > ".join(("orders", *names, "out"))
    return drawn(edge, orders=orders(), **dict(zip(names, between, strict=True)), out=node("to", topic="copies"))


def doubling(levels: int) -> Graph:
    return chain(*[node("map_values", value="named_struct('a', value, 'b', value)")] * levels)


def wide(fields: int, **config: Any) -> Any:
    members = [{"name": f"field_{number}", "type": {"kind": "integer"}} for number in range(fields)]
    return orders(value_type={"kind": "struct", "fields": members}, **config)


def test_equal_types_are_one_object_also_after_a_pickle() -> None:
    made = struct(id=INTEGER, of=struct(name=STRING))

    assert made is struct(id=INTEGER, of=struct(name=STRING))
    assert pickle.loads(pickle.dumps(made)) is made
    assert made != struct(id=INTEGER, of=struct(name=INTEGER))


def test_a_type_that_holds_itself_twice_over_is_as_fast_as_any() -> None:
    held, other = INTEGER, STRING
    for _ in range(200):
        held, other = struct(a=held, b=held), struct(a=other, b=other)

    assert (held.depth, held.size > 2**200, held.field("a").depth) == (201, True, 200)  # type: ignore[union-attr]
    assert hash(held) != hash(other)
    assert not is_alike(held, other)


def test_a_type_that_doubles_from_node_to_node_is_an_issue_where_it_is_too_large() -> None:
    view = GraphView(doubling(26), {})

    issue = only(find_issues(view))

    assert (issue.code, issue.node) == ("type.too_large", "n9")
    assert issue.message == (
        "The type of the value that leaves `n9` has 304,046 characters and 12 levels; "
        "at most 200,000 characters and 32 levels are allowed."
    )
    assert issue.hint == "Keep fewer fields, and do not repeat a value inside itself."
    assert len(view.flows) == 11
    assert sum(len(str(schema)) for schema in describe_ports(view)["schemas"]) < 3 * MAX_TYPE_SIZE


def test_a_type_nested_too_deep_is_an_issue() -> None:
    nesting = [node("map_values", value="named_struct('a', value)")] * 100

    assert only(check(chain(*nesting))).code == "type.too_large"


def test_of_key_and_value_the_larger_one_is_named() -> None:
    keys = chain(node("select_key", key="named_struct('a', value, 'b', value)", key_format="json"))

    issue = only(find_issues(GraphView(keys, {}, Budget(type_size=300))))

    assert issue.message.startswith("The type of the key that leaves `n0` has 512 characters and 3 levels; ")


def test_each_node_is_charged_for_what_is_looked_at_of_it() -> None:
    pattern = node("stream", pattern="x.*", key_format="string", value_format="string")
    nodes = {"all": pattern, "orders": orders(), "web": orders(topic="web"), "big": node("filter", predicate="id > 1")}
    sinks = {name: node("to", topic=name) for name in ("one", "two", "three")}
    view = GraphView(drawn("all > one", "orders > big > two", "web > three", **nodes, **sinks), {})

    assert find_issues(view) == []
    assert {name: steps for name, steps in view.budget.step_counts.items() if steps} == {
        "all": 2 * STEPS_PER_MATCH,
        "big": 3 * STEPS_PER_WORD,
    }
    assert set(view.budget.time) == {*nodes, *sinks}


def test_a_topology_as_large_as_allowed_is_checked_for_a_small_part_of_the_budget() -> None:
    filters = {f"f{number}": node("filter", predicate=f"amount > {number}") for number in range(MAX_NODES - 2)}
    graph = drawn(" > ".join(("orders", *filters, "out")), orders=orders(), **filters, out=node("to", topic="copies"))
    view = GraphView(Graph.from_json(graph.to_json()), {})

    assert len(view.graph.nodes) == MAX_NODES
    assert find_issues(view) == []
    assert sum(view.budget.step_counts.values()) < MAX_STEPS / 2


def test_each_schema_is_told_once() -> None:
    filters = {f"f{number}": node("filter", predicate=f"amount > {number}") for number in range(450)}
    graph = drawn(" > ".join(("orders", *filters, "out")), orders=orders(), **filters, out=node("to", topic="copies"))

    told = describe_ports(GraphView(graph, {}))

    assert len(told["schemas"]) == 1
    assert {flow["carries"] for at in told["nodes"].values() for flow in at["outputs"].values()} == {0}


def test_a_source_wider_than_may_be_passed_on_is_an_issue() -> None:
    graph = drawn("orders > out", orders=wide(15_000), out=node("to", topic="copies"))

    assert only(check(graph)).code == "type.too_large"


def test_schemas_that_are_too_much_together_are_refused_with_the_node_that_made_most() -> None:
    wider = [
        node("map_values", keep=True, fields=[{"name": f"more_{number}", "expression": "1"}]) for number in range(30)
    ]
    names = [f"n{number}" for number in range(len(wider))]
    graph = drawn(" > ".join(("wide", *names)), wide=wide(3_000), **dict(zip(names, wider, strict=True)))

    with pytest.raises(TooCostly, match=f"more than {MAX_SCHEMA_SIZE:,} characters") as refused:
        check(graph)

    assert refused.value.details["node"] in names


def test_a_check_whose_time_is_over_is_refused_with_the_node_that_took_most() -> None:
    with pytest.raises(TooCostly, match="takes more than 0 s, node `orders` alone") as refused:
        find_issues(GraphView(doubling(3), {}, Budget(seconds=0)))

    assert refused.value.details == {"node": "orders"}


def test_large_schemas_take_the_time_of_a_check_and_are_not_all_read() -> None:
    text = 'syntax = "proto3"; message Order { %s }'
    fields = " ".join(f"string field_{number} = {number};" for number in range(1, 200))
    reads = {
        f"orders-{number}": node(
            "stream", topic="t", value_format="protobuf", value_schema=text % fields + " " * number
        )
        for number in range(10)
    }
    graph, read_before = drawn(**reads), parse.cache_info().misses

    with pytest.raises(TooCostly, match="node `orders-0` alone"):
        find_issues(GraphView(graph, {}, Budget(seconds=0)))

    assert parse.cache_info().misses == read_before + 1


def test_a_deployed_graph_is_read_without_a_budget() -> None:
    assert len(find_flows(doubling(26))) == 28


def test_an_expression_types_each_of_its_parts_once() -> None:
    nested = "value" + "[length(value" * 14 + "[0])]" * 14
    graph = drawn("raw > big", raw=node("stream", topic="raw"), big=node("filter", predicate=f"{nested} = 1"))

    assert isinstance(check(graph, is_part=True), list)


def test_a_chain_behind_a_cycle_is_told_from_the_cycle() -> None:
    names = [f"n{number}" for number in range(400)]
    graph = drawn(" > ".join(names), " > ".join(("n1", "n0")), **{name: node("merge") for name in names})

    assert [issue.node for issue in check(graph) if issue.code == "graph.cycle"] == ["n0", "n1"]


def test_as_many_issues_are_told_as_help() -> None:
    rows = [{"name": f"f{number}", "expression": "nobody"} for number in range(400)]
    wrong = {f"wrong_{number}": node("map_values", fields=rows) for number in range(3)}

    issues = check(drawn(*(f"orders > {name.replace('_', '-')}" for name in wrong), orders=orders(), **wrong))

    assert len(issues) == MAX_ISSUES
