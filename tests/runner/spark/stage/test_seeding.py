"""A new epoch whose stores hold values of a schema that has changed. Without Spark and Kafka."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from designer.streams.formats import SCHEMA_FORMATS
from designer.topology.graph import Graph
from designer.values.schemas import DOUBLE, INTEGER, STRING, FormatSchema, Side, Type, struct
from runner.control.jobs.plans.state_changes import find_state_changes
from runner.engine.formats.sides import make_encoder_of, make_key_encoder_of
from runner.engine.records.codecs import TIMESTAMP, pack
from runner.engine.stores.conversion import can_keep_keys
from runner.engine.stores.state import PREFIX
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.columns import make_no_records
from runner.spark.failures import RunFailed
from runner.spark.program import Program, make_program
from runner.spark.replay import BatchInputs, Replay
from runner.spark.stage.renumbering import Renumbering, make_chunks
from tests.runner.graph_builder import GraphBuilder

NOTE = {"name": "note", "type": ["null", "string"], "default": None}
CURRENCY = {"name": "currency", "type": "string", "default": "EUR"}


def avro(*more: Any, amount: Any = "int", name: str = "amount") -> str:
    fields = [{"name": "id", "type": "string"}, {"name": name, "type": amount, "aliases": ["amount"]}, *more]
    return json.dumps({"type": "record", "name": "Order", "fields": fields})


def side(of: str, text: str, **more: Any) -> Side:
    return Side(of, SCHEMA_FORMATS[of].read_type(text), FormatSchema(text, **more))


def proto(*more: str) -> str:
    lines = "".join(f"{line}; " for line in ("string id = 1", "int64 amount = 2", *more))
    return f'syntax = "proto3"; message Order {{ {lines}}}'


def largest(schema: str, of: str = "avro", *, window: dict[str, Any] | None = None, **reads: Any) -> Graph:
    """The largest order of each key, whole, as JSON."""
    reads = {"topic": "orders", "key_format": "string", "value_format": of, "value_schema": schema} | reads
    builder = GraphBuilder().add("orders", "stream", reads).add("grouped", "group_by_key", stream="orders")
    if window is not None:
        builder.add("windowed", "windowed_by", window, grouped="grouped")
    groups = "grouped" if window is None else "windowed"
    builder.add("largest", "reduce", {"add": "if(value.amount > agg.amount, value, agg)"}, grouped=groups)
    builder.add("updates", "to_stream", table="largest")
    return builder.to("out", "updates", value_format="json").graph


def newest(schema: str, of: str = "avro", **config: Any) -> Graph:
    """A table of orders, and each later record of the same key beside its row."""
    reads = {"key_format": "string", "value_format": of, "value_schema": schema}
    builder = GraphBuilder().add("table", "table", {"topic": "table"} | reads | config)
    builder.add("orders", "stream", {"topic": "orders"} | reads)
    fields = [{"name": "row", "expression": "right"}]
    return builder.add("joined", "join", {"fields": fields}, left="orders", right="table").to("out", "joined").graph


def make(graph: Graph, folder: Path) -> Program:
    topics = {name: TopicFacts(id=name, partitions=1, start=[-2]) for name in ("orders", "table", "more")}
    plan = Plan(
        shared_shuffles=True, application_id="shop", epoch=1, generation=1, graph=graph.to_json(), schemas={},
        tasks=[1] * 8, slots=1, settings=JobSettings.model_validate({"cache": False}), kafka={}, topics=topics,
        marker_topic="marker", checkpoint="", state_dir=str(folder),
    )  # fmt: skip
    return make_program(plan)


class Epochs:
    """A job that is deployed again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs: list[Program] = []
        self.replay: Replay | None = None
        self.offsets: Counter[str] = Counter()

    def deploy(self, graph: Graph) -> list[str]:
        """The effect on each store."""
        program = make(graph, self.folder / f"plan-{len(self.programs)}")
        replay = Replay(program, self.folder / f"epoch-{len(self.programs)}")
        changes = []
        if self.replay is not None:
            changes = find_state_changes(self.programs[-1].plan, program.plan)
            kept = [each.store for each in changes if each.effect == "kept"]
            replay.begin(make_chunks(list(self.replay.rows()), Renumbering.renumber(self.programs[-1], program, kept)))
            self.replay.close()
        self.programs.append(program)
        self.replay = replay
        return [each.effect for each in changes]

    def run(self, value: dict[str, Any], topic: str = "orders", at: int = 0) -> list[Any]:
        """The values that a record makes. It is written with the schema of the epoch."""
        return [each["value"] and json.loads(each["value"]) for each in self.process(value, topic, at)]

    def process(self, value: dict[str, Any], topic: str = "orders", at: int = 0) -> list[dict[str, Any]]:
        """The rows that a record makes."""
        assert self.replay is not None
        layout, number = (
            self.programs[-1].layout,
            next(each.number for each in self.programs[-1].inputs if each.topic == topic),
        )
        (flow,) = layout.nodes[layout.node_entered(layout.sources_by_topic[topic][0])].outputs.values()
        found = make_no_records()
        found.append(self.offsets[topic], at, b"a", make_encoder_of(flow.schema.value)(value), None)
        self.offsets[topic] += 1
        results = self.replay.run(BatchInputs(10 * self.offsets.total(), [(number, 0, found)]))
        rows: list[dict[str, Any]] = results.records.to_pylist()
        return rows


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Epochs]:
    epochs = Epochs(tmp_path)
    yield epochs
    if epochs.replay is not None:
        epochs.replay.close()


OLD = {"id": "x", "amount": 7}
SMALL = {"id": "y", "amount": 1, "price": 1, "note": "new", "currency": "DKK"}


@pytest.mark.parametrize(
    ("schema", "row"),
    [
        (avro(NOTE, CURRENCY), OLD | {"note": None, "currency": "EUR"}),
        (avro(amount="double"), {"id": "x", "amount": 7.0}),
        (avro().replace('"Order"', '"Order", "doc": "An order."'), OLD),
    ],
)
def test_a_store_of_records_goes_on_with_a_schema_that_reads_them(job: Epochs, schema: str, row: Any):
    job.deploy(largest(avro()))
    assert job.run(OLD) == [OLD]

    assert job.deploy(largest(schema)) == ["kept"]
    assert job.run(SMALL) == [row]
    assert job.deploy(largest(avro(CURRENCY, amount="double"))) == ["kept"]  # some fields leave, others are new
    assert job.run(SMALL)[0].keys() == {"id", "amount", "currency"}


def test_fields_of_protobuf_begin_with_what_an_absent_field_is(job: Epochs):
    job.deploy(largest(proto(), "protobuf"))
    job.run(OLD)

    new = proto("string currency = 4", "optional string note = 3", "repeated int32 lines = 5")
    assert job.deploy(largest(new, "protobuf")) == ["kept"]
    assert job.run(SMALL) == [OLD | {"currency": "", "note": None, "lines": []}]


@pytest.mark.parametrize(
    "window",
    [
        {"type": "tumbling", "size_ms": 1_000},
        {"type": "sliding", "difference_ms": 1_000, "grace_ms": 0},
        {"type": "session", "gap_ms": 1_000, "grace_ms": 0},
    ],
)
def test_windows_go_on_with_the_new_schema(job: Epochs, window: dict[str, Any]):
    job.deploy(largest(avro(), window=window))
    job.run(OLD, at=5_100)

    assert job.deploy(largest(avro(NOTE), window=window)) == ["kept"]
    assert OLD | {"note": None} in job.run(SMALL, at=5_200)


def test_results_that_suppress_holds_back_go_on_with_the_new_schema(job: Epochs):
    def held(schema: str) -> Graph:
        reads = {"topic": "orders", "key_format": "string", "value_format": "avro", "value_schema": schema}
        builder = GraphBuilder().add("orders", "stream", reads).add("grouped", "group_by_key", stream="orders")
        builder.add("windowed", "windowed_by", {"type": "tumbling", "size_ms": 1_000, "grace_ms": 0}, grouped="grouped")
        builder.add("newest", "reduce", {"add": "value"}, grouped="windowed")
        builder.add("closed", "suppress", {}, table="newest").add("updates", "to_stream", table="closed")
        return builder.to("out", "updates", value_format="json").graph

    job.deploy(held(avro()))
    assert job.run(OLD, at=100) == []

    assert set(job.deploy(held(avro(NOTE, amount="double")))) == {"kept"}
    assert job.run(SMALL, at=2_000) == [{"id": "x", "amount": 7.0, "note": None}]


@pytest.mark.parametrize("config", [{}, {"ttl_ms": 60_000}])
def test_a_table_goes_on_with_the_new_schema(job: Epochs, config: dict[str, Any]):
    job.deploy(newest(avro(), **config))
    job.run(OLD, "table")

    assert set(job.deploy(newest(avro(NOTE, name="price"), **config))) == {"kept"}
    assert [each["row"] for each in job.run(SMALL)] == [{"id": "x", "price": 7, "note": None}]


def test_the_index_of_a_table_begins_empty_with_its_rows(job: Epochs):
    """Old places of keys in it would end rows that are put later."""
    job.deploy(newest(avro(amount="long"), ttl_ms=60_000))

    assert set(job.deploy(newest(avro(amount="int"), ttl_ms=60_000))) == {"starts_empty"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (avro(), avro({"name": "note", "type": "string"})),
        (avro(amount="long"), avro(amount="int")),
        (
            avro({"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A", "B"]}}),
            avro(NOTE, {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A"]}}),
        ),
        (avro({"name": "note", "type": ["null", "string"]}), avro({"name": "note", "type": "string"})),
    ],
)
def test_a_store_begins_empty_if_some_of_its_values_could_not_be_read(job: Epochs, before: str, after: str):
    job.deploy(largest(before))

    assert job.deploy(largest(after)) == ["starts_empty"]


def test_a_value_that_no_schema_accepts_names_its_store(job: Epochs):
    job.deploy(largest(avro()))
    job.deploy(largest(avro(NOTE)))
    old, new = job.programs
    move = Renumbering.renumber(old, new, ["largest"])

    with pytest.raises(
        RunFailed, match=r"A value of the store `largest` cannot be read as the new version declares it: .*`id`"
    ):
        list(move.move_row((PREFIX.pack(0, 0) + b"a", TIMESTAMP.pack(0) + b'{"id":null,"amount":7}')))


def table(**fields: Type) -> Graph:
    builder = GraphBuilder().table("table", struct(**fields)).stream("orders", struct(id=STRING))
    fields_out = [{"name": "row", "expression": "right"}]
    return builder.add("joined", "join", {"fields": fields_out}, left="orders", right="table").to("out", "joined").graph


@pytest.mark.parametrize(
    ("after", "row"),
    [
        ({"id": STRING, "amount": INTEGER, "note": STRING}, '{"id":"x","amount":7}'),
        ({"id": STRING, "amount": DOUBLE}, '{"id":"x","amount":7.0}'),
        ({"id": STRING}, '{"id":"x","amount":7}'),
    ],
)
def test_a_table_of_json_goes_on_with_other_fields(job: Epochs, after: dict[str, Type], row: str):
    job.deploy(table(id=STRING, amount=INTEGER))
    job.run(OLD, "table")

    assert job.deploy(table(**after)) == ["kept"]
    assert [json.dumps(each["row"], separators=(",", ":")) for each in job.run({"id": "y"})] == [row]


def test_a_value_that_json_cannot_hold_stays_as_it_is(job: Epochs):
    job.deploy(table(id=STRING, amount=DOUBLE))
    job.deploy(table(id=STRING, amount=DOUBLE, note=STRING))
    old, new = job.programs
    row = (PREFIX.pack(0, 0) + b"a", TIMESTAMP.pack(0) + pack({"id": "x", "amount": math.nan}))

    assert [moved for _, moved in Renumbering.renumber(old, new, ["table"]).move_row(row)] == [row]


def test_a_table_of_json_begins_empty_if_a_field_has_another_type(job: Epochs):
    job.deploy(table(id=STRING, amount=INTEGER))

    assert job.deploy(table(id=STRING, amount=STRING)) == ["starts_empty"]


def test_a_member_that_was_not_declared_may_be_wrong(job: Epochs):
    job.deploy(table(id=STRING))
    job.run({"id": "x", "note": 7}, "table")

    with pytest.raises(RunFailed, match=r"the store `table` cannot be read as the new version declares it: .*note"):
        job.deploy(table(id=STRING, note=STRING))


def test_what_a_node_computes_begins_empty_with_another_type(job: Epochs):
    def sums(init: str, add: str) -> Graph:
        builder = (
            GraphBuilder().stream("orders", struct(amount=INTEGER)).add("grouped", "group_by_key", stream="orders")
        )
        builder.add("sums", "aggregate", {"init": init, "add": add}, grouped="grouped")
        return builder.updates_to("out", "sums").graph

    job.deploy(sums("named_struct('total', 0)", "named_struct('total', agg.total + value.amount)"))
    new = "named_struct('total', agg.total + value.amount, 'n', agg.n + 1)"

    assert job.deploy(sums("named_struct('total', 0, 'n', 0)", new)) == ["starts_empty"]


def test_a_table_of_json_schema_goes_on_with_other_fields(job: Epochs):
    def schema(**more: Any) -> str:
        properties = {"id": {"type": "string"}, "amount": {"type": "integer"}} | more
        return json.dumps({"type": "object", "properties": properties})

    job.deploy(newest(schema(), "json_schema"))
    job.run(OLD, "table")

    assert job.deploy(newest(schema(note={"type": "string"}, amount={"type": "number"}), "json_schema")) == ["kept"]
    assert [each["row"] for each in job.run(SMALL)] == [{"id": "x", "amount": 7.0}]
    assert job.deploy(newest(schema(amount={"type": "string"}), "json_schema")) == ["starts_empty"]


SHOP, NUMBER = '{"name": "shop", "type": "string"}', '{"name": "number", "type": "long"}'
KEY, TURNED = (f'{{"type": "record", "name": "Id", "fields": [{a}, {b}]}}' for a, b in ((SHOP, NUMBER), (NUMBER, SHOP)))
DOCUMENTED = KEY.replace('"Id"', '"Id", "doc": "Of an order."').replace('"shop"', '"shop", "default": "Berlin"')
JSON_KEY = '{"properties": {"shop": {"type": "string"}, "number": {"type": "integer"}}}'


@pytest.mark.parametrize(
    ("before", "after", "fits"),
    [
        (side("avro", KEY), side("avro", DOCUMENTED), True),
        (side("avro", KEY), side("avro", KEY, writers=((7, DOCUMENTED),), registry=True), True),
        (side("avro", KEY), side("avro", TURNED), False),
        (side("avro", KEY, header=True, id=7), side("avro", KEY, header=True, id=8), False),
        (side("avro", KEY), side("avro", KEY, header=True), False),
        (side("json_schema", JSON_KEY), side("json_schema", JSON_KEY.replace("}}}", ', "minimum": 0}}}')), True),
    ],
)
def test_keys_fit_if_they_have_the_same_bytes(before: Side, after: Side, fits: bool):
    key = {"shop": "Hamburg", "number": 3}

    assert can_keep_keys(before, after) is fits
    assert (make_key_encoder_of(before)(key) == make_key_encoder_of(after)(key)) is fits
