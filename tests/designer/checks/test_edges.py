"""Checks of edges, each by an example."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.graph import Edge, Graph
from tests.designer.graphs import countries, drawn, node, only, orders


def coded(issues: list[Issue], code: str) -> list[Issue]:
    return [issue for issue in issues if issue.code == code]


def test_a_right_topology_has_no_issues() -> None:
    graph = drawn(
        "orders > big > out", orders=orders(), big=node("filter", predicate="amount > 10"), out=node("to", topic="big")
    )

    assert check(graph) == []


def test_an_empty_graph_is_told_to_write_something() -> None:
    issue = only(check(Graph()))

    assert issue.code == "graph.no_sink"
    assert issue.node is None


@pytest.mark.parametrize(
    ("source", "target", "message", "hint"),
    [
        (
            countries(),
            node("group_by_key"),
            "A KTable cannot go into group_by_key: its `stream` port takes a KStream.",
            "Put to_stream between them.",
        ),
        (
            countries(),
            node("to", topic="out"),
            "A KTable cannot go into to: its `stream` port takes a KStream.",
            "Put to_stream between them.",
        ),
        (
            orders(),
            node("windowed_by", size_ms=1),
            "A KStream cannot go into windowed_by: its `grouped` port takes grouped records, "
            "such as those of group_by_key.",
            "Put group_by_key or group_by between them.",
        ),
        (
            orders(),
            node("to_stream"),
            "A KStream cannot go into to_stream: its `table` port takes a KTable.",
            "Make it a table with to_table, or with group_by_key and count, reduce or aggregate.",
        ),
        (
            countries("global_table"),
            node("filter", predicate="true"),
            "A GlobalKTable cannot go into filter: its `records` port takes a KStream or a KTable.",
            "A GlobalKTable can only be the table of a join. To use the topic otherwise, read it with table.",
        ),
    ],
)
def test_an_edge_that_kafka_streams_would_not_compile_says_what_to_put_between(source, target, message, hint) -> None:
    graph = drawn("source > target", source=source, target=target)

    issue = only(coded(check(graph), "port.type"))

    assert (issue.node, issue.message, issue.hint) == ("target", message, hint)


def test_a_filtered_table_is_still_a_table() -> None:
    graph = drawn(
        "countries > some > grouped",
        countries=countries(),
        some=node("filter", predicate="title = 'x'"),
        grouped=node("group_by_key"),
    )

    issue = only(coded(check(graph), "port.type"))

    assert issue.message.startswith("A KTable cannot go into group_by_key")


def test_types_are_judged_although_a_form_before_them_is_still_empty() -> None:
    graph = drawn("countries > some > out", countries=countries(), some=node("filter"), out=node("to", topic="x"))

    assert [issue.code for issue in check(graph)] == ["field.missing", "port.type"]


def test_an_input_that_nothing_feeds_is_pointed_out() -> None:
    graph = drawn("orders > joined > out", orders=orders(), joined=node("join"), out=node("to", topic="out"))

    issue = only(check(graph))

    assert issue == Issue(
        IssueCode.PORT_UNCONNECTED,
        {"port": "right", "takes": "a KStream, a KTable or a GlobalKTable"},
        node="joined",
    )
    assert issue.message == "Nothing feeds the `right` port."
    assert issue.hint == "Connect a KStream, a KTable or a GlobalKTable to it."


def test_an_input_takes_one_edge() -> None:
    graph = drawn(
        "orders > out",
        "payments > out",
        orders=orders(),
        payments=orders(topic="payments"),
        out=node("to", topic="out"),
    )

    issue = only(check(graph))

    assert (issue.code, issue.node) == ("port.fed_twice", "out")


@pytest.mark.parametrize(
    ("edge", "message", "hint"),
    [
        (
            Edge("orders", "output", "out", "stream"),
            "An edge names the output `output`, which stream does not have.",
            "Its outputs are `result`. Remove the edge or draw it again.",
        ),
        (
            Edge("orders", "result", "out", "input"),
            "An edge names the input `input`, which to does not have.",
            "Its inputs are `stream`. Remove the edge or draw it again.",
        ),
    ],
)
def test_an_unknown_port_is_named_with_those_there_are(edge: Edge, message: str, hint: str) -> None:
    graph = Graph(drawn(orders=orders(), out=node("to", topic="out")).nodes, (edge,))

    issue = only(coded(check(graph), "port.unknown"))

    assert issue.node == (edge.source if edge.source_port == "output" else edge.target)
    assert (issue.message, issue.hint) == (message, hint)


def test_a_circle_is_shown_on_the_nodes_of_the_circle_only() -> None:
    graph = drawn(
        "a > b > a",
        "b > out",
        a=node("filter", predicate="true"),
        b=node("filter", predicate="true"),
        out=node("to", topic="x"),
    )

    assert {issue.node for issue in coded(check(graph), "graph.cycle")} == {"a", "b"}


@pytest.mark.parametrize(
    ("source", "nodes", "issues"),
    [
        (countries(), 199, []),
        (countries(), 210, ["n199"]),
        (orders(), 210, []),
    ],
)
def test_a_chain_has_only_so_many_tables(source: tuple[str, dict[str, Any]], nodes: int, issues: list[str]) -> None:
    chain = {f"n{number}": node("filter", predicate="true", store=None) for number in range(nodes)}

    found = coded(check(drawn(" > ".join(["source", *chain]), source=source, **chain)), "graph.chain_long")

    assert [issue.node for issue in found] == issues


def test_a_branch_that_nobody_reads_has_no_effect() -> None:
    graph = drawn(
        "orders > big",
        "orders > out",
        orders=orders(),
        big=node("filter", predicate="amount > 10"),
        out=node("to", topic="x"),
    )

    issue = only(check(graph))

    assert (issue.code, issue.node) == ("node.unused", "big")


def test_a_table_with_a_named_store_needs_no_reader() -> None:
    graph = drawn(
        "orders > grouped > counts",
        "orders > out",
        orders=orders(),
        grouped=node("group_by_key"),
        counts=node("count", store="per-key"),
        out=node("to", topic="x"),
    )

    assert check(graph) == []


@pytest.mark.parametrize(
    "last",
    [node("to_table", store="newest"), node("process", code="class P(Processor):\n  def process(self, r): pass")],
)
def test_a_store_to_query_and_code_need_neither_reader_nor_sink(
    last: tuple[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Applications of Kafka Streams that only answer queries, or end in a processor, could not be deployed."""
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")

    assert check(drawn("orders > last", orders=orders(), last=last)) == []
