"""At which edges records go to the task of a new key."""

from __future__ import annotations

from designer.streams.flows import find_flows
from designer.streams.shuffles import find_shuffles_in_graph
from designer.topology.graph import Graph
from tests.designer.graphs import countries, drawn, node, orders


def found(graph: Graph) -> list[tuple[str, str, str]]:
    return [(edge.source, edge.target, edge.target_port) for edge in find_shuffles_in_graph(graph, find_flows(graph))]


def test_a_changed_key_shuffles_where_it_first_matters() -> None:
    graph = drawn(
        "orders > by-country > big > named.left",
        "countries > named.right",
        orders=orders(),
        by_country=node("select_key", key="country"),
        big=node("filter", predicate="amount > 10"),
        countries=countries(),
        named=node("join", value="right.title"),
    )

    assert found(graph) == [("big", "named", "left")]


def test_groups_with_new_keys_shuffle_where_they_leave() -> None:
    graph = drawn(
        "orders > by-country > hourly > in-hours",
        "by-country > counted",
        orders=orders(),
        by_country=node("group_by", key="country"),
        hourly=node("windowed_by", size_ms=3_600_000),
        in_hours=node("count"),
        counted=node("count"),
    )

    assert found(graph) == [("by-country", "hourly", "grouped"), ("by-country", "counted", "grouped")]


def test_a_key_that_stays_shuffles_nowhere_and_repartition_always() -> None:
    kept = drawn("orders > grouped > counted", orders=orders(), grouped=node("group_by_key"), counted=node("count"))
    wanted = drawn("orders > spread", orders=orders(), spread=node("repartition"))

    assert found(kept) == []
    assert found(wanted) == [("orders", "spread", "stream")]


def test_what_is_not_right_yet_is_left_out() -> None:
    graph = drawn(
        "orders > by-country > grouped > counted",
        orders=orders(),
        by_country=node("select_key", key="nothing"),
        grouped=node("group_by_key"),
        counted=node("count"),
    )

    assert found(graph) == []
