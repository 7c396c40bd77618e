"""The topologies that come with the product are right as they are."""

from __future__ import annotations

import pytest

import runner.engine.operators  # noqa: F401
from designer.checks import check
from designer.projects.exchange import read_export, read_stored_graph
from designer.topology.graph import Graph
from runner.demo.samples import FLIGHT_DELAYS, get_sample


@pytest.mark.parametrize("name", [FLIGHT_DELAYS])
def test_a_sample_has_no_issues(name: str) -> None:
    graph = Graph.from_json(get_sample(name)["graph"])

    assert check(graph) == []


@pytest.mark.parametrize("name", [FLIGHT_DELAYS])
def test_a_sample_can_be_imported(name: str) -> None:
    title, graph, schemas = read_export(get_sample(name))

    assert title == "Flight delays"
    assert read_stored_graph(graph, schemas)["graph"] == graph


def test_no_two_nodes_of_a_sample_stand_on_each_other() -> None:
    nodes = Graph.from_json(get_sample(FLIGHT_DELAYS)["graph"]).nodes
    places = {(node.position.x, node.position.y) for node in nodes}

    assert len(places) == len(nodes)
    assert [
        a.id
        for a in nodes
        for b in nodes
        if a is not b and abs(a.position.x - b.position.x) < 200 and abs(a.position.y - b.position.y) < 80
    ] == []
