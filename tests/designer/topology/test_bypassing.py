"""Bypassed nodes: what the checks say of them, and what is left of a graph that runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from designer.checks import check
from designer.topology.bypassing import remove_bypassed
from designer.topology.graph import Edge, Graph
from tests.designer.graphs import drawn, node, orders


def line(*operators: str, bypassed: tuple[str, ...] = ()) -> Graph:
    """orders > a node of each operator > out."""
    ids = [name.replace("_", "-") for name in operators]
    nodes = {"orders": orders(), **{name: node(name) for name in operators}, "out": node("to", topic="out")}
    graph = drawn(" > ".join(["orders", *ids, "out"]), **nodes)
    return Graph(tuple(replace(each, bypassed=each.id in bypassed) for each in graph.nodes), graph.edges)


def test_an_unfinished_node_does_not_matter_while_it_is_bypassed() -> None:
    assert [issue.node for issue in check(line("filter"))] == ["filter"]
    assert check(line("filter", bypassed=("filter",))) == []


def test_records_go_on_behind_bypassed_nodes() -> None:
    graph = remove_bypassed(line("filter", "select_key", "peek", bypassed=("filter", "select-key")))

    assert [each.id for each in graph.nodes] == ["orders", "peek", "out"]
    assert graph.edges == (Edge("orders", "result", "peek", "stream"), Edge("peek", "result", "out", "stream"))


def test_what_passes_must_fit_behind_the_node() -> None:
    (issue,) = check(line("group_by_key", "count", "to_stream", bypassed=("count",)))

    assert issue.node == "to-stream"
    assert "A KGroupedStream cannot go into to_stream" in issue.message


def test_a_source_cannot_be_bypassed() -> None:
    (issue,) = check(line("filter", bypassed=("orders", "filter")))

    assert (issue.code, issue.node) == ("bypass.ports", "orders")


@pytest.mark.parametrize("bypassed", [True, False])
def test_a_bypass_is_kept_in_json(bypassed: bool) -> None:
    graph = line("filter", bypassed=("filter",) if bypassed else ())

    assert Graph.from_json(graph.to_json()).node("filter").bypassed is bypassed
    assert ("bypassed" in graph.to_json()["nodes"][1]) is bypassed
