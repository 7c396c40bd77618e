"""Each application of the gallery is right, can be imported, and gives the answer Kafka Streams gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from designer.checks import check
from designer.projects.exchange import read_export, read_stored_graph
from designer.streams.flows import make_operator
from designer.topology.graph import Graph, Node
from designer.topology.user_code import ALLOW
from runner.demo.gallery import PURPOSES, read_gallery, read_gallery_examples, read_purpose
from runner.engine.code import user_code
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layers import find_original
from runner.engine.planning.parts import find_owner
from runner.engine.tasks.errors import RecordFailed
from tests.gallery.answering import graph_of, in_driver
from tests.gallery.examples import examples
from tests.gallery.probes import PROBES

every_application = pytest.mark.parametrize("of", list(read_gallery()))


@pytest.fixture(autouse=True)
def python_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOW, "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)


def test_each_application_has_a_probe():
    assert set(PROBES) == set(read_gallery())


@every_application
def test_an_application_has_no_issues(of: str):
    assert check(graph_of(of)) == []


@every_application
def test_an_application_imports_as_it_is(of: str):
    name, graph, schemas = read_export(read_gallery()[of])

    assert name == read_gallery()[of]["name"]
    assert read_stored_graph(graph, schemas) == {"graph": graph, "schemas": {}}


@every_application
def test_nodes_stand_apart_from_left_to_right(of: str):
    graph = graph_of(of)

    assert all(graph.node(edge.source).position.x < graph.node(edge.target).position.x for edge in graph.edges)
    assert not [
        (one.id, other.id) for one in graph.nodes for other in graph.nodes if one.id < other.id and close(one, other)
    ]


@every_application
def test_a_node_that_keeps_something_of_a_record_says_so(of: str):
    graph = graph_of(of)
    kept = {find_owner(find_original(store.node)) for store in lay_out(graph).stores}
    operators = [make_operator(graph.node(each)) for each in kept]

    assert all(each is not None and (each.remembers or each.runs_code) for each in operators), operators


@every_application
@pytest.mark.parametrize("one_life", [True, False], ids=["one life", "recreated tasks"])
def test_an_application_answers_its_probe(of: str, one_life: bool):
    probe = PROBES[of]

    found = in_driver(graph_of(of), probe, is_one_life=one_life)

    assert found.written == {topic: list(records) for topic, records in probe.written.items()}
    assert found.dropped == probe.dropped


def test_with_fail_a_bad_record_stops_the_run():
    graph = with_config(graph_of("e19-bad-records"), "orders", on_error="fail")

    with pytest.raises(RecordFailed, match="offset 1 of partition 0 of orders"):
        in_driver(graph, PROBES["e19-bad-records"])


def close(one: Node, other: Node) -> bool:
    return abs(one.position.x - other.position.x) < 220 and abs(one.position.y - other.position.y) < 96


def with_config(graph: Graph, node_id: str, **config: str) -> Graph:
    nodes = (replace(node, config={**node.config, **config}) if node.id == node_id else node for node in graph.nodes)
    return Graph(tuple(nodes), graph.edges)


def test_the_gallery_shows_what_the_driver_gives():
    assert read_gallery_examples() == examples()


def test_each_application_has_a_purpose():
    assert {read_purpose(of) for of in read_gallery()} == set(PURPOSES)
