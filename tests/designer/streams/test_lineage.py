"""Column lineage is known from the drawing alone, and never says too little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from designer.streams.lineage import Column, Columns, Lineage, find_lineage, is_part, trace_field
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.topology.graph import Graph
from runner.demo.gallery import read_gallery
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.engine.tasks.errors import RecordFailed
from tests.designer.graphs import drawn, node, orders
from tests.gallery.answering import graph_of, in_driver
from tests.gallery.probe import Probe, Written
from tests.gallery.probes import PROBES


@pytest.fixture(scope="module")
def sample() -> Lineage:
    return find_lineage(Graph.from_json(get_sample(FLIGHT_DELAYS)["graph"]))


def test_a_copied_field_comes_from_its_column(sample: Lineage) -> None:
    airline = sample.written["late-flights"].value.member("airline")

    assert airline.find_columns() == {Column("airlines", "value", ("name",)): "identity"}


def test_an_aggregate_comes_from_the_column_of_its_expression_and_a_count_from_none(sample: Lineage) -> None:
    delays = sample.written["delays-by-airport"].value

    assert delays.member("average_delay").find_columns() == {Column("flights", "value", ("dep_delay",)): "aggregation"}
    assert delays.member("flights").find_columns() == {}


def test_what_decides_about_records_is_said_of_the_records(sample: Lineage) -> None:
    influences = sample.written["delays-by-airport"].influences

    assert influences[Column("flights", "value", ("dep_delay",))] == "filter"
    assert influences[Column("flights", "value", ("origin",))] == "group_by"
    assert influences[Column("airlines", "key")] == "join"
    assert Column("flights", "value", ("flight",)) not in influences


def test_each_node_says_which_columns_its_fields_read(sample: Lineage) -> None:
    readers = set(sample.find_readers(Column("flights", "value", ("dep_delay",))))

    assert {("departed", "predicate"), ("late", "predicate"), ("delays", "functions.1.expression")} <= readers
    assert set(sample.find_readers(Column("planes", "value", ("seats",)))) == set()


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("amount + 1", {("amount",): "transformation"}),
        ("value", {(): "identity"}),
        ("CASE WHEN paid THEN amount ELSE 0 END", {("paid",): "transformation", ("amount",): "identity"}),
        ("coalesce(amount, total)", {("amount",): "identity", ("total",): "identity"}),
        ("named_struct('a', amount, 'b', named_struct('c', total)).b.c", {("total",): "identity"}),
        ("items[0].price", {("items", "price"): "identity"}),
        ("transform(items, x -> x.price)", {("items",): "transformation"}),
        ("value['amount']", {("amount",): "identity"}),
        ("1", {}),
    ],
)
def test_expressions_are_followed(text: str, columns: dict[tuple[str, ...], str]) -> None:
    graph = drawn("orders > mapped", orders=node("stream", topic="orders"), mapped=node("map_values", value=text))
    value = find_lineage(graph).written["mapped"].value

    assert {column.path: how for column, how in value.find_columns().items()} == columns


def test_kept_fields_keep_their_columns_and_replaced_ones_do_not() -> None:
    doubled = {"name": "total", "expression": "amount * 2"}
    graph = drawn("orders > mapped", orders=orders(), mapped=node("map_values", keep=True, fields=[doubled]))
    value = find_lineage(graph).written["mapped"].value

    assert value.member("total").find_columns() == {Column("orders", "value", ("amount",)): "transformation"}
    assert value.member("country").find_columns() == {Column("orders", "value", ("country",)): "identity"}


def test_python_of_users_may_read_everything() -> None:
    code = "class Mine(Processor):\n    def process(self, record):\n        self.context.forward(record)\n"
    graph = drawn("orders > mine", orders=orders(), mine=node("process", code=code))
    lineage = find_lineage(graph)

    assert Column("orders", "value") in lineage.written["mine"].key.find_columns()
    assert ("mine", "code") in set(lineage.find_readers(Column("orders", "value", ("anything",))))


def _change(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 7
        case str():
            return f"{value}x"
        case bytes():
            return value + b"x"
        case list():
            return [_change(each) for each in value]
        case dict():
            return {name: _change(each) for name, each in value.items()}
    return value


def _list_changes(probe: Probe) -> Iterator[tuple[str, str, tuple[str, ...], Probe]]:
    """The probe with one column of one topic changed in every record, beside the topic, part and path."""
    for topic in dict.fromkeys(given[0] for given in probe.given):
        values = [given[2] for given in probe.given if given[0] == topic]
        names = dict.fromkeys(name for value in values if isinstance(value, dict) for name in value)
        paths: list[tuple[str, ...]] = [(name,) for name in names]
        for path in paths or [()]:

            def changed(value: Any, path: tuple[str, ...] = path) -> Any:
                if not path:
                    return _change(value)
                return (
                    {**value, path[0]: _change(value[path[0]])}
                    if isinstance(value, dict) and path[0] in value
                    else value
                )

            given = [
                (each[0], each[1], changed(each[2]), each[3]) if each[0] == topic else each for each in probe.given
            ]
            yield topic, "value", path, replace(probe, given=given)
        given = [(each[0], _change(each[1]), each[2], each[3]) if each[0] == topic else each for each in probe.given]
        yield topic, "key", (), replace(probe, given=given)


def _find_unexplained(name: str) -> Iterator[str]:
    """Changes of results that the lineage of an application does not explain."""
    graph, probe = graph_of(name), PROBES[name]
    lineage = find_lineage(graph)
    sources = {node_id: at.operator for node_id, at in lineage.flows.items() if isinstance(at.operator, ReadsTopic)}
    before = in_driver(graph, probe).written
    sinks = {node_id: at.operator for node_id, at in lineage.flows.items() if isinstance(at.operator, WritesTopic)}
    for topic, part, path, changed in _list_changes(probe):
        try:
            after = in_driver(graph, changed).written
        except RecordFailed:
            continue
        columns = [Column(node_id, part, path) for node_id, source in sources.items() if source.reads(topic)]  # type: ignore[arg-type]
        for written in {*before, *after}:
            if before.get(written) == after.get(written):
                continue
            writers = [lineage.written[node_id] for node_id, sink in sinks.items() if written in sink.topic_names()]
            for field, known in _find_explanations(writers, before.get(written, ()), after.get(written, ())):
                if not any(is_part(column, each) for column in columns for each in known):
                    yield f"{name}: {topic}.{part}.{path} changes {field} of {written}"


def _find_explanations(
    writers: Sequence[Columns], before: Sequence[Written], after: Sequence[Written]
) -> Iterator[tuple[str, set[Column]]]:
    """What of a topic's records differs, and the columns that its lineage names for that."""
    if [(key, time) for key, _, time in before] != [(key, time) for key, _, time in after]:
        yield "the records", {column for each in writers for column in each.find_columns()}
        return
    for (_, old, _), (_, new, _) in zip(before, after, strict=True):
        if isinstance(old, dict) and isinstance(new, dict):
            for name in old | new:
                if old.get(name) != new.get(name):
                    yield (
                        name,
                        {c for each in writers for c in [*each.value.member(name).find_columns(), *each.influences]},
                    )
        elif old != new:
            yield "the values", {c for each in writers for c in [*each.value.find_columns(), *each.influences]}


@pytest.mark.parametrize("name", sorted(read_gallery()))
def test_a_result_that_a_changed_column_changes_has_that_column_in_its_lineage(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr("runner.engine.code.user_code._is_trusted", True)
    assert list(_find_unexplained(name)) == []


def test_a_field_is_traced_back_to_its_columns_and_on_to_the_results_it_makes() -> None:
    graph = Graph.from_json(get_sample(FLIGHT_DELAYS)["graph"])
    trace = trace_field(graph, Column("with-airline", "value", ("airline",)))

    assert trace.columns == {Column("airlines", "value", ("name",)): "identity"}
    assert trace.influences[Column("airlines", "key")] == "join"
    assert trace.readers == [("with-plane", "fields.4.expression")]
    assert trace.results == [Column("late-flights", "value", ("airline",))]
    assert trace.way == {"airlines", "with-airline", "with-plane", "late", "late-flights"}


def test_the_field_of_a_sink_is_written_by_the_sink() -> None:
    graph = Graph.from_json(get_sample(FLIGHT_DELAYS)["graph"])

    trace = trace_field(graph, Column("late-flights", "value", ("airline",)))

    assert trace.results == [Column("late-flights", "value", ("airline",))]


def test_python_reads_each_part_that_arrives_and_no_part_has_the_fields_of_another() -> None:
    fields = [{"name": "double", "expression": "amount * 2"}]
    code = {"code": "class Own(Processor): ...", "key_type": {"kind": "string"}, "value_type": {"kind": "string"}}
    nodes = {"orders": orders(), "mapped": node("map_values", fields=fields, keep=True), "own": node("process", **code)}
    graph = drawn("orders > mapped > own", **nodes)

    trace = trace_field(graph, Column("own", "value"))

    columns = {str(each) for each in trace.columns}
    assert {"key", "value", "value.amount", "timestamp", "headers"} == columns
    assert trace.opaque == ["own"]


def test_a_computed_value_has_no_fields_of_the_others_that_it_is_computed_from() -> None:
    shaped = node("map_values", fields=[{"name": "total", "expression": "amount"}], keep=False)
    both = node("map_values", value="map(key, value)")

    found = find_lineage(drawn("orders > shaped > both", orders=orders(), shaped=shaped, both=both))

    assert {str(each) for each in found.written["both"].value.find_columns()} == {"key", "value.amount"}


def test_a_later_node_that_is_not_valid_is_named() -> None:
    mapped, out = node("map_values", value="no_such_field"), node("to", topic="out")
    graph = drawn("orders > mapped > out", orders=orders(), mapped=mapped, out=out)

    assert trace_field(graph, Column("orders", "value")).unknown == ["mapped"]


def test_of_a_node_that_is_not_valid_nothing_is_known() -> None:
    graph = drawn("orders > mapped", orders=orders(), mapped=node("map_values", value="no_such_field"))

    assert trace_field(graph, Column("mapped", "value")).way == frozenset()


def test_fields_that_hold_whole_values_node_after_node_take_no_time_without_end() -> None:
    """Types that are too large go no further, so what comes of them is unknown."""
    names = [f"n{each}" for each in range(40)]
    twice = node("map_values", value="named_struct('a', value, 'b', value)")
    graph = drawn(" > ".join(["orders", *names]), orders=orders(), **dict.fromkeys(names, twice))

    assert len(find_lineage(graph).written) < 20
    assert trace_field(graph, Column("n3", "value", ("a", "b"))).columns
