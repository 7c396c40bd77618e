"""The program of a graph draws that graph again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from designer.refusals import Refusal
from designer.streams.flows import find_flows
from designer.topology.graph import Area, Graph, Note, Position
from designer.values.schemas import decimal, struct
from runner.demo.gallery import read_gallery
from runner.engine.planning.lay_out import lay_out
from runner.export.python.builder import StreamsBuilder
from runner.export.python.writing import write_python
from tests.conformance.exported.graphs import rich
from tests.runner.graph_builder import GraphBuilder


def drawn_by(program: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    exec(compile(program, "<program>", "exec"), {})
    found: dict[str, Any] = orjson.loads(capsys.readouterr().out)
    return found


def parts(graph: Graph) -> tuple[Any, Any]:
    nodes = {node.id: (node.operator, dict(node.config)) for node in graph.nodes}
    return nodes, set(graph.edges)


@pytest.mark.parametrize("application", read_gallery().values(), ids=read_gallery().keys())
def test_the_program_of_every_application_draws_it_again(
    application: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    graph, schemas = Graph.from_json(application["graph"]), application.get("schemas", {})

    drawn = drawn_by(write_python(application["name"], "it", graph, schemas), capsys)

    assert (drawn["name"], drawn["schemas"]) == (application["name"], schemas)
    again = Graph.from_json(drawn["graph"])
    assert parts(again) == parts(graph)
    assert [node.id for node in again.sort_nodes()] == [node.id for node in graph.sort_nodes()]


def test_odd_names_texts_and_ports_are_written_so_that_they_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    builder = (
        GraphBuilder().stream("print").add("7-class", "filter", {"predicate": 'key = \'"""\\n{x}\''}, records="print")
    )
    builder.add("import", "split", {"branches": [{"name": "a-b", "predicate": "true"}]}, stream="7-class")
    builder.add("a-b", "merge", {}, streams=("import:a-b", "import:default", "7-class"))
    builder.add("a--b", "peek", {"no field": None}, stream="a-b")
    name = 'So "called"\\ """'

    drawn = drawn_by(write_python(name, "it", builder.graph, {}), capsys)

    assert drawn["name"] == name
    assert parts(Graph.from_json(drawn["graph"])) == parts(builder.graph)


@pytest.mark.parametrize("name", ['"' * 5 + "; print('run'); x = " + '"' * 5, '"' * 7, "'" * 5, "\\"])
def test_no_name_ends_the_docstring_of_its_program(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = drawn_by(write_python(name, "it", GraphBuilder().stream("orders").graph, {}), capsys)

    assert drawn["name"] == name


@pytest.mark.parametrize("format_name", ["avro", "protobuf", "json_schema"])
def test_schemas_of_sources_and_sinks_come_back(format_name: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, graph = rich(format_name)

    drawn = Graph.from_json(drawn_by(write_python("Orders", "it", graph, {}), capsys)["graph"])

    assert parts(drawn) == parts(graph)
    assert {node: at.outputs for node, at in find_flows(drawn).items()} == {
        node: at.outputs for node, at in find_flows(graph).items()
    }


def test_a_bypass_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    builder = GraphBuilder().stream("orders").add("dear", "filter", {"predicate": "true"}, records="orders")
    (orders, dear) = builder.nodes
    graph = Graph((orders, replace(dear, bypassed=True)), tuple(builder.edges))

    drawn = drawn_by(write_python("Orders", "it", graph, {}), capsys)

    assert Graph.from_json(drawn["graph"]).node("dear").bypassed


@pytest.mark.parametrize("text", ["# Why\n\nSee [the plan](https://example.org)", '\x00\u2028print(\'"""\')', ""])
def test_notes_frames_colours_and_their_places_come_back(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = Area(-12.5, 40.0, 300.0, 90.25)
    notes = (Note("#1", text=text, colour="yellow"), Note("#2", "frame", text, position=place))
    (orders,) = GraphBuilder().stream("orders").nodes
    graph = Graph((replace(orders, colour="green", position=Position(30.5, -7.0)),), (), notes)

    program = write_python("Noted", "it", graph, {})

    assert Graph.from_json(drawn_by(program, capsys)["graph"]) == graph


def test_a_graph_without_notes_stands_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    builder = GraphBuilder().stream("orders").to("out", "orders")

    program = write_python("Plain", "it", builder.graph, {})

    assert "positions" not in program
    assert [node.position.x for node in Graph.from_json(drawn_by(program, capsys)["graph"]).nodes] == [0, 240]


def test_a_long_chain_stands_in_rows_that_a_window_shows() -> None:
    builder = StreamsBuilder()
    stream = builder.stream("orders", topic="orders")
    for number in range(6):
        stream = stream.filter(f"filter-{number}", predicate="true")

    first: set[tuple[str, float]] = set()
    second: set[tuple[str, float]] = set()
    for node in builder.graph().nodes:
        (first if node.position.y == 0 else second).add((node.id, node.position.x))

    assert first == {("orders", 0), *((f"filter-{number}", 240 * (number + 1)) for number in range(3))}
    assert second == {(f"filter-{number}", 240 * (number - 3)) for number in range(3, 6)}


def test_declared_decimals_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    builder = GraphBuilder().stream("payments", struct(amount=decimal(10, 2)), key=decimal(4)).to("out", "payments")

    drawn = drawn_by(write_python("it", "it", builder.graph, {}), capsys)

    assert parts(Graph.from_json(drawn["graph"])) == parts(builder.graph)


def test_what_goes_round_or_is_no_operator_is_refused() -> None:
    round_ = GraphBuilder().add("a", "filter", records="b").add("b", "filter", records="a")
    with pytest.raises(Refusal, match="has a cycle"):
        write_python("it", "it", round_.graph, {})
    with pytest.raises(Refusal, match="`a` is a `nothing`"):
        write_python("it", "it", GraphBuilder().add("a", "nothing").graph, {})


def test_a_builder_draws_by_calls() -> None:
    builder = StreamsBuilder()
    orders = builder.stream("orders", topic="orders", key_type={"kind": "string"}, value_type={"kind": "integer"})
    rates = builder.table("rates", topic="rates", key_type={"kind": "string"}, value_type={"kind": "integer"})
    paid = orders.join("paid", right=rates, value="left * right")
    paid.split("size", branches=[{"name": "big", "predicate": "value > 9"}])["big"].to("out", topic="big")

    graph = builder.graph()

    assert [(node.id, node.position.x) for node in graph.nodes] == [
        ("orders", 0),
        ("rates", 0),
        ("paid", 240),
        ("size", 480),
        ("out", 720),
    ]
    assert len(lay_out(graph, {}).sub_topologies) == 1


def test_an_operator_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match="no operator `fliter`"):
        StreamsBuilder().fliter("a")


def test_a_program_that_calls_an_operator_wrongly_says_how_to_write_it() -> None:
    builder = StreamsBuilder()
    orders = builder.stream("orders", topic="orders")

    with pytest.raises(TypeError, match=r'then fields by name: filter\("my-id", predicate=…\)'):
        orders.filter("large", "amount > 10")
    with pytest.raises(TypeError, match=r"`stream` is a source, which nothing feeds"):
        orders.stream("more", topic="more")
    with pytest.raises(ValueError, match="There already is a node `orders`"):
        builder.stream("orders", topic="other")


def test_a_program_that_0_1_0_exported_finds_its_builder():
    from runner.programs.builder import StreamsBuilder as BuilderOf010

    assert BuilderOf010 is StreamsBuilder
