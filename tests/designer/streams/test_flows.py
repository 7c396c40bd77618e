"""Port types and schemas flow from the sources down; the sample topology is the example."""

from __future__ import annotations

import pytest

from designer.streams.flows import NodeFlows, find_flows, find_port_types, find_scope
from designer.streams.topics import UNKNOWN
from designer.topology.graph import Graph
from designer.topology.ports import KGroupedStream, KStream, KTable, TimeWindowedKStream
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Schema, Side, WindowSpec, struct
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from tests.designer.graphs import countries, drawn, node, orders


@pytest.fixture(scope="module")
def sample_flows() -> dict[str, NodeFlows]:
    return dict(find_flows(Graph.from_json(get_sample(FLIGHT_DELAYS)["graph"])))


def test_each_node_of_the_sample_gives_its_type(sample_flows: dict[str, NodeFlows]) -> None:
    given = {node_id: each.outputs["result"].type for node_id, each in sample_flows.items() if each.outputs}

    assert given["with-plane"] is KStream
    assert given["grouped"] is KGroupedStream
    assert given["hourly"] is TimeWindowedKStream
    assert given["delays"] is KTable
    assert given["updates"] is KStream


def test_a_join_gives_the_fields_that_were_picked(sample_flows: dict[str, NodeFlows]) -> None:
    late = sample_flows["late-flights"].inputs.only.schema

    assert late.key == Side("string", STRING)
    assert [field.name for field in late.value.type.fields] == [
        "carrier", "flight", "origin", "dest", "airline", "plane_manufacturer", "plane_model", "dep_delay", "time_hour",
    ]  # fmt: skip


def test_an_aggregate_gives_the_named_functions_under_a_windowed_key(sample_flows: dict[str, NodeFlows]) -> None:
    delays = sample_flows["delays-by-airport"].inputs.only.schema

    assert delays == Schema(
        key=Side("string", STRING),
        value=Side("json", struct(flights=INTEGER, average_delay=DOUBLE, longest_delay=INTEGER)),
        window=WindowSpec("tumbling", 3_600_000, 86_400_000),
    )


def test_what_stands_behind_something_broken_is_left_out() -> None:
    graph = drawn("orders > a > b", orders=orders(), a=node("filter"), b=node("filter", predicate="true"))

    assert list(find_flows(graph)) == ["orders"]


def test_a_node_with_a_wrong_expression_gives_nothing_but_shows_what_arrives() -> None:
    graph = drawn("orders > a > b", orders=orders(), a=node("filter", predicate="nope"), b=node("group_by_key"))

    found = find_flows(graph)

    assert not found["a"].is_valid
    assert found["a"].inputs["records"].schema.value.type.field("amount") == DOUBLE
    assert "b" not in found


def test_declared_types_stand_before_inferred_ones() -> None:
    inferred = Schema(Side("long", INTEGER), Side("json", struct(other=STRING)))
    graph = drawn("declared", "plain", declared=orders(key_format=None), plain=node("stream", topic="plain"))

    found = find_flows(graph, {"declared": inferred, "plain": inferred})

    assert found["declared"].outputs["result"].schema.key == Side("long", INTEGER)
    assert found["declared"].outputs["result"].schema.value.type.field("amount") == DOUBLE
    assert found["plain"].outputs["result"].schema == inferred


def test_a_topic_nothing_is_known_of_holds_anything() -> None:
    found = find_flows(drawn("plain", plain=node("stream", topic="plain")))

    assert found["plain"].outputs["result"].schema == Schema(Side("string", STRING), Side("json", ANY))


def test_a_topic_nothing_is_known_of_holds_what_the_topology_writes_there() -> None:
    graph = drawn(
        "orders > grouped > counts > updates > mid",
        "back > out",
        back=node("table", topic="counts"),
        orders=orders(),
        grouped=node("group_by_key"),
        counts=node("count"),
        updates=node("to_stream"),
        mid=node("to", topic="counts"),
        out=node("to_stream"),
    )
    seen = Schema(Side("string", STRING), Side("double", DOUBLE))

    assert carried(graph, {"back": UNKNOWN}) == Schema(Side("string", STRING), Side("long", INTEGER))
    assert carried(graph, {"back": seen}) == seen


def test_what_two_sinks_write_differently_may_be_anything() -> None:
    graph = drawn(
        "orders > one",
        "countries > two",
        "back > out",
        orders=orders(),
        countries=countries("stream"),
        one=node("to", topic="both"),
        two=node("to", topic="both"),
        back=node("stream", topic="both"),
        out=node("to", topic="x"),
    )

    assert carried(graph) == UNKNOWN


def test_what_goes_round_through_a_topic_may_be_anything() -> None:
    graph = drawn(
        "back > more > again",
        back=node("stream", topic="round"),
        more=node("map_values", value="1.5"),
        again=node("to", topic="round"),
    )

    assert carried(graph) == UNKNOWN


def carried(graph: Graph, sources: dict[str, Schema] | None = None) -> Schema:
    """What the node `back` gives."""
    return find_flows(graph, sources)["back"].outputs["result"].schema


def test_a_format_stays_while_it_fits_the_new_value() -> None:
    graph = drawn(
        "orders > text > length",
        orders=orders(value_format="string", value_type={"kind": "string"}),
        text=node("map_values", value="value"),
        length=node("map_values", value="1"),
    )

    found = find_flows(graph)

    assert found["text"].outputs["result"].schema.value == Side("string", STRING)
    assert found["length"].outputs["result"].schema.value == Side("long", INTEGER)


def test_a_count_is_a_long() -> None:
    graph = drawn("orders > grouped > counts", orders=orders(), grouped=node("group_by_key"), counts=node("count"))

    assert find_flows(graph)["counts"].outputs["result"].schema.value == Side("long", INTEGER)


def test_a_join_keeps_the_fields_of_its_stream_unless_told() -> None:
    fields = [{"name": "country", "expression": "right.title"}, {"name": "double", "expression": "amount * 2"}]
    graph = drawn("a > it", "b > it.right", a=orders(), b=countries(), it=node("join", fields=fields))

    joined = find_flows(graph)["it"].outputs["result"].schema.value.type

    assert joined == struct(id=INTEGER, amount=DOUBLE, country=STRING, double=DOUBLE)


def test_port_types_are_known_before_any_form_is_filled_in() -> None:
    graph = drawn("a > b > c", a=node("table"), b=node("filter"), c=node("to_stream"))

    assert find_port_types(graph) == {"a": {"result": KTable}, "b": {"result": KTable}, "c": {"result": KStream}}


def test_a_field_that_is_still_being_typed_knows_its_names() -> None:
    graph = drawn("orders > big", orders=orders(), big=node("filter"))

    scope = find_scope(graph, "big", "predicate")

    assert scope is not None
    assert scope.spread == "value"
    assert scope.names["value"].field("country") == STRING


def test_an_aggregate_sees_the_plain_key_of_each_record(sample_flows: dict[str, NodeFlows]) -> None:
    delays = sample_flows["delays"]

    scope = delays.operator.scope("functions.0.expression", delays.inputs)

    assert not scope.is_windowed
    assert "window" not in scope.names
