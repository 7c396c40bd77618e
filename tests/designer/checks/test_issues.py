"""All that an issue says: its node and field, its code, what is wrong and what to do next."""

from __future__ import annotations

from typing import Any

import pytest

from designer.checks import check
from designer.issues import Issue
from designer.topology.graph import Edge, Graph, Node
from tests.designer.graphs import countries, drawn, node, orders


def told(issue: Issue) -> str:
    place = ".".join(part for part in (issue.node, issue.field) if part)
    return f"{issue.code} {place}: {issue.message} {issue.hint}"


OUT = node("to", topic="out")
CYCLE = (
    "graph.cycle {0}: The edges from `{0}` lead back to it, so records would circulate endlessly. "
    "Remove an edge of the cycle, or write to a topic and read that topic as a source."
)
ALL = node("filter", predicate="TRUE")
WRITTEN = drawn("orders > out", orders=orders(), out=OUT)
GROUPED = {"orders": orders(), "grouped": node("group_by_key"), "out": OUT}


@pytest.mark.parametrize(
    ("graph", "issues"),
    [
        (
            Graph(),
            ["graph.no_sink : The topology does not write to a topic. Add a `to` node and draw an edge into it."],
        ),
        (
            Graph((*WRITTEN.nodes, Node("typo", "nothing like it")), WRITTEN.edges),
            ["operator.unknown typo: There is no operator `nothing like it`. Choose one of "],
        ),
        (
            Graph((*WRITTEN.nodes, Node("typo", "fliter")), WRITTEN.edges),
            ["operator.unknown typo: There is no operator `fliter`. Did you mean `filter`?"],
        ),
        (
            Graph((Node("orders", *orders(), bypassed=True), WRITTEN.nodes[1]), WRITTEN.edges),
            [
                "bypass.ports orders: `orders` cannot be bypassed: stream does not have exactly one input and "
                "one output. Switch the bypass off, or remove the node."
            ],
        ),
        (
            Graph(WRITTEN.nodes, (*WRITTEN.edges, Edge("out", "result", "orders", "stream"))),
            [
                "port.unknown out: An edge names the output `result`, which to does not have. "
                "It has no outputs. Remove the edge or draw it again.",
                "port.unknown orders: An edge names the input `stream`, which stream does not have. "
                "It has no inputs. Remove the edge or draw it again.",
                *map(CYCLE.format, ("orders", "out")),
            ],
        ),
        (
            drawn("orders > a > b > out", "b > a", orders=orders(), a=node("merge"), b=ALL, out=OUT),
            [*map(CYCLE.format, "ab")],
        ),
        (
            drawn("a > out", "b > out", a=orders(), b=orders(topic="b"), out=OUT),
            [
                "port.fed_twice out: 2 edges feed the `stream` port, which accepts one. "
                "Keep one edge, and remove the others."
            ],
        ),
        (
            drawn("orders > out", "orders > big", orders=orders(), big=ALL, out=OUT),
            [
                "node.unused big: No node reads the output of `big`, so it has no effect. "
                "Draw an edge from it, or remove it."
            ],
        ),
        (
            drawn("orders > out", "table > some", orders=orders(), table=countries(topic="c"), some=ALL, out=OUT),
            [
                "node.unused some: No node reads the output of `some`, so it has no effect. Draw an edge from it, "
                "or remove it, or name its store to keep its state."
            ],
        ),
        (
            drawn("orders > out", "orders > keyed", orders=orders(), keyed=node("select_key", key="id"), out=OUT),
            [
                "node.unused keyed: No node reads the output of `keyed`, so it has no effect. "
                "Draw an edge from it, or remove it."
            ],
        ),
        (
            drawn("orders > joined", "table > joined.right", "joined > out",
                  orders=orders(), table=countries(topic="orders"), joined=node("join"), out=OUT),
            [
                "topic.read_twice table.topic: The topic `orders` has already been registered by another source, "
                "`orders`. Draw a second edge from `orders`, and remove this node."
            ],
        ),
        (
            drawn("all > out", "orders > out2", all=node("stream", pattern="ord.*", key_format="string",
                  value_format="string"), orders=orders(), out=OUT, out2=node("to", topic="out2")),
            [
                "topic.read_twice all.topic: The topic `orders` has already been registered by another source, "
                "`orders`. Draw a second edge from `orders`, and remove this node."
            ],
        ),
        (
            drawn("orders > out", orders=orders(topic="a.b"), out=node("to", topic="a_b")),
            [
                "topic.collides out.topic: Kafka cannot keep both topics `a_b` and `a.b`: it treats `.` and `_` alike. "
                "Rename one of them."
            ],
        ),
        (
            drawn("orders > grouped > counts", "grouped > sums", "orders > out", **GROUPED,
                  counts=node("count", store="totals"), sums=node("count", store="totals")),
            [
                "store.named_twice sums.store: `counts` already has a store called `totals`. "
                "Give this store another name."
            ],
        ),
        (
            drawn("orders > out", orders=orders(), out=node("to")),
            ["field.missing out.topic: `topic` is empty. Set it: "],
        ),
        (
            drawn("orders > it > out", orders=orders(), it=node("filter", predicate="TRUE", unlike=1), out=OUT),
            ["field.unknown it.unlike: filter has no field `unlike`. Remove it; the fields are `"],
        ),
        (
            drawn("orders > it > out", orders=orders(), it=node("filter", predicate="amout"), out=OUT),
            [
                "text.field_unknown it.predicate: Field `amout` is not in value, which has `id`, `amount`, `country`. "
                "Did you mean `amount`? Use one of these fields. Put a text in single quotes."
            ],
        ),
        (
            drawn("grouped > out", "orders > grouped", **GROUPED),
            [
                "port.type out: A KGroupedStream cannot go into to: its `stream` port takes a KStream. "
                "Put count, reduce or aggregate and then to_stream between them."
            ],
        ),
        (
            drawn("joined > out", "table > joined", "orders > joined.right",
                  orders=orders(), table=countries("global_table"), joined=node("join"), out=OUT),
            [
                "port.type joined: A GlobalKTable cannot go into join: its `left` port takes a KStream or a KTable. "
                "A GlobalKTable can only be the table of a join. To use the topic otherwise, read it with table."
            ],
        ),
    ],
)  # fmt: skip
def test_an_issue_says_where_what_and_what_next(graph: Graph, issues: list[str]) -> None:
    found = [told(issue) for issue in check(graph)]

    assert len(found) == len(issues), found
    for each, issue in zip(found, issues, strict=True):
        assert each == issue or (issue.endswith((" ", "`")) and each.startswith(issue))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("soon", "`soon`; expected a whole number"),
        ("x" * 80, f"`{'x' * 80}`; expected a whole number"),
        ("x" * 1_234, "a text of 1,234 characters; expected a whole number"),
        (1.5, "1.5; expected a whole number"),
        (-1_234, "-1,234; expected at least 1"),
        (10**29, f"{10**29:,}; expected at most "),
        (10**30, "too large a number; expected at most "),
        ([1, 2], "a list of 2; expected a whole number"),
        ({"a": 1}, "an object; expected a whole number"),
    ],
)
def test_a_value_of_a_form_is_shown_shortly(value: Any, shown: str) -> None:
    graph = drawn("orders > grouped > hourly", **GROUPED, hourly=node("windowed_by", size_ms=value))

    issue = next(issue for issue in check(graph) if issue.node == "hourly" and issue.field)

    assert told(issue).startswith(f"field.invalid hourly.size_ms: `size_ms` is {shown}")
    assert " Change it: " in told(issue)


def test_null_and_truths_are_shown_as_in_json() -> None:
    for value, shown in ((None, "null"), (True, "true"), (False, "false")):
        graph = drawn("orders > it > out", orders=orders(), it=node("filter", predicate=value), out=OUT)

        assert told(check(graph)[0]).startswith(f"field.invalid it.predicate: `predicate` is {shown}; expected a text.")


def test_what_is_a_part_of_a_topology_may_end_anywhere() -> None:
    graph = drawn("orders > big", orders=orders(), big=ALL)

    assert [issue.code for issue in check(graph)] == ["graph.no_sink", "node.unused"]
    assert check(graph, is_part=True) == []
