"""Runs whose records have schemas that only a registry knows: real Spark, Kafka and Apicurio, behind a gate."""

from __future__ import annotations

import io
import json
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastavro
import pytest
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf.message_factory import GetMessageClass

from designer.protobuf import parse
from designer.topology.graph import Node
from designer.values.schemas import SchemaText, WrittenSchema
from runner.plan import Plan
from runner.registry import Registry
from tests.gate import Gate, open_gate
from tests.patience import wait_until
from tests.runner.spark.runs import Event, World, graph, node, started

pytestmark = [pytest.mark.spark, pytest.mark.slow]

V1 = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "int"}]}
V2 = {"type": "record", "name": "Order", "fields": [{"name": "note", "type": "string"}, {"name": "id", "type": "long"}]}
READER = {
    "type": "record",
    "name": "Order",
    "fields": [{"name": "id", "type": "long"}, {"name": "note", "type": "string", "default": "none"}],
}


def write(schema: dict[str, Any], **value: Any) -> bytes:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    return out.getvalue()


def order(number: int, note: str = "none") -> dict[str, Any]:
    return {"id": number, "note": note}


def framed(number: int, schema: dict[str, Any], **value: Any) -> bytes:
    return struct.pack(">bI", 0, number) + write(schema, **value)


class Shop:
    """A topic of orders in a registry behind a gate, and a run that writes their ids and notes as JSON."""

    def __init__(self, world: World, gate: Gate, registry: Registry) -> None:
        self.world, self.gate, self.registry = world, gate, registry
        self.orders, self.seen = world.topic("orders", 2), world.topic("seen", 1)

    def register(self, schema: dict[str, Any], subject: str = "") -> int:
        return self.registry.register(subject or f"{self.orders}-value", SchemaText("AVRO", json.dumps(schema)))

    def plan(self, *sinks: Node) -> Plan:
        """What the run writes is JSON unless `sinks` are given."""
        source = node(
            "orders",
            "stream",
            topic=self.orders,
            key_format="string",
            value_format="avro",
            value_schema=json.dumps(READER),
            schema_registry=True,
        )
        nodes = [source, *(sinks or [node("seen", "to", topic=self.seen, value_format="json")])]
        edges = [f"orders.result>{sink.id}.stream" for sink in nodes[1:]]
        plan = self.world.plan(graph(nodes, *edges), [self.orders], slots=1)
        settings = Registry(self.gate.address, {}, is_internal=True).to_settings()
        return plan.model_copy(update={"registry": settings})

    def wait_for(self, *orders: dict[str, Any]) -> None:
        wanted = sorted(json.dumps(each) for each in orders)
        wait_until(
            lambda: sorted(json.dumps(json.loads(v or "null")) for _, v in self.world.values(self.seen)) == wanted
        )

    @property
    def dead_letters(self) -> list[Any]:
        return list(self.world.read(f"app-{self.world.tag}-dead-letters"))


@pytest.fixture
def shop(world: World, registry_url: str, tmp_path: Path) -> Iterator[Shop]:
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        yield Shop(world, gate, Registry(registry_url, {}, is_internal=True))


def test_confluents_deserializer_reads_what_sinks_wrote_with_ids_before_values_and_in_headers(
    shop: Shop, registry_url: str
):
    schema, number = SchemaText("AVRO", json.dumps(READER)), shop.register(V1)
    topics = {header: shop.world.topic(header.replace("_", "-"), 1) for header in ("confluent", "id_header")}
    sinks, written = [], []
    for header, topic in topics.items():
        form = {"value_format": "avro", "value_schema": schema.text, "schema_registry": "register"}
        sinks.append(node(header.replace("_", "-"), "to", topic=topic, avro_header=header, **form))
        written_id = shop.registry.register(f"{topic}-value", schema)
        written.append(WrittenSchema(sinks[-1].id, topic, "value", f"{topic}-value", written_id, schema))
    shop.world.produce(
        shop.orders, [("a", framed(number, V1, id=1), 1), ("a", None, 2), ("a", framed(number, V1, id=3), 3)]
    )
    with started(shop.plan(*sinks).model_copy(update={"written": written})) as child:
        child.wait_for_offsets(shop.orders, 3)
        assert child.stop() == 0

    deserialize = AvroDeserializer(SchemaRegistryClient({"url": registry_url}))
    for topic in topics.values():
        records = [
            deserialize(each.value(), SerializationContext(topic, MessageField.VALUE, each.headers()))
            for each in shop.world.read(topic)
        ]
        assert records == [order(1), None, order(3)]
    assert shop.dead_letters == []


def test_protobuf_and_json_schema_are_read_and_written_by_one_run(shop: Shop):
    proto = 'syntax = "proto3"; package shop; message Other {} message Order { int64 id = 1; string note = 2; }'
    text = json.dumps({"title": "Order", "type": "object", "properties": {"id": {"type": "integer"}}})
    make = GetMessageClass(parse(proto).find_message("Order"))
    nodes, edges, written, topics = [], [], [], []
    for name, kind, schema, message in (("protobuf", "PROTOBUF", proto, "Order"), ("json_schema", "JSON", text, None)):
        source, sink = shop.world.topic(name, 1), shop.world.topic(f"{name}-out", 1)
        form = {"value_format": name, "value_schema": schema, "value_message": message}
        name = name.replace("_", "-")
        nodes += [
            node(name, "stream", topic=source, key_format="string", schema_registry=True, **form),
            node(f"{name}-more", "map_values", fields=[{"name": "id", "expression": "id + 1"}], keep=True),
            node(f"{name}-out", "to", topic=sink, schema_registry="register", **form),
        ]
        edges += [f"{name}.result>{name}-more.records", f"{name}-more.result>{name}-out.stream"]
        schema_text = SchemaText(kind, schema)
        numbers = [shop.registry.register(f"{topic}-value", schema_text) for topic in (source, sink)]
        written.append(WrittenSchema(f"{name}-out", sink, "value", f"{sink}-value", numbers[1], schema_text))
        topics.append((source, sink, numbers))
    plan = shop.world.plan(graph(nodes, *edges), [source for source, _, _ in topics], slots=1)
    settings = Registry(shop.gate.address, {}, is_internal=True).to_settings()
    (proto_in, proto_out, proto_ids), (json_in, json_out, json_ids) = topics
    message = b"\x02\x02" + make(id=1, note="ä").SerializeToString()  # indexes: the second message
    shop.world.produce(proto_in, [("a", struct.pack(">bI", 0, proto_ids[0]) + message, 1)])
    document = struct.pack(">bI", 0, json_ids[0]) + b'{"id": 1, "more": [1.50]}'
    shop.world.produce(json_in, [("a", document, 1), ("b", document.replace(b"1,", b'"x",'), 2)])

    with started(plan.model_copy(update={"registry": settings, "written": written})) as child:
        child.wait_for(lambda event: event.get("sources") == {proto_in: [1], json_in: [2]})
        assert child.stop() == 0

    [first] = (each.value() for each in shop.world.read(proto_out))
    assert first == struct.pack(">bI", 0, proto_ids[1]) + b"\x02\x02" + make(id=2, note="ä").SerializeToString()
    [other] = (each.value() for each in shop.world.read(json_out))
    assert other[:5] == struct.pack(">bI", 0, json_ids[1])
    assert json.loads(other[5:]) == {"id": 2, "more": [1.5]}
    assert len(shop.dead_letters) == 1


def waits(event: Event) -> bool:
    return event["type"] == "schemas" and bool(event["waiting"])


def test_each_record_is_read_with_the_schema_that_it_was_written_with_and_after_a_restart_without_a_registry(
    shop: Shop,
):
    first = shop.register(V1)
    header = [("__value_schema_id", b"\0" + struct.pack(">I", first))]
    shop.world.produce(
        shop.orders,
        [("a", framed(first, V1, id=1), 1), ("b", write(V1, id=2), 2, header), ("c", None, 3)],
    )
    plan = shop.plan()
    with started(plan) as child:
        child.wait_for_offsets(shop.orders, 3)
        second = shop.register(V2, "elsewhere")  # no look at the topic's own subject finds it
        shop.world.produce(shop.orders, [("a", framed(second, V2, id=3, note="new"), 4)])
        child.wait_for_offsets(shop.orders, 4)
        assert shop.dead_letters == []
        shop.world.produce(shop.orders, [("a", framed(3_999_999, V1, id=1), 5), ("a", b"no frame", 6)])
        child.wait_for_offsets(shop.orders, 6)
        assert child.stop() == 0
    shop.gate.is_away = True
    shop.world.produce(shop.orders, [("a", framed(second, V2, id=4, note="late"), 7)])
    with started(plan.model_copy(update={"generation": 2})) as child:
        child.wait_for_offsets(shop.orders, 7)
        assert child.stop() == 0

    seen = shop.world.values(shop.seen)
    orders = [json.loads(value) for _, value in seen if value]
    assert sorted(orders, key=lambda each: each["id"]) == [order(1), order(2), order(3, "new"), order(4, "late")]
    assert ("c", None) in seen
    assert len(shop.dead_letters) == 2
    assert len([each for each in shop.gate.requests if each.endswith(f"/schemas/ids/{second}")]) == 1


def test_while_the_registry_is_away_only_partitions_with_an_unknown_id_wait_and_nothing_is_lost(shop: Shop):
    first = shop.register(V1)
    shop.world.produce(shop.orders, [(key, framed(first, V1, id=1), 1) for key in "abcdef"])
    with started(shop.plan()) as child:
        child.wait_for_offsets(shop.orders, 6)
        second = shop.register(V2, "elsewhere")
        shop.gate.is_away = True
        late = framed(second, V2, id=3, note="x")
        shop.world.produce(shop.orders, [("a", framed(first, V1, id=2), 2), ("a", late, 3)])
        event = child.wait_for(waits)
        shop.world.produce(shop.orders, [(key, framed(first, V1, id=4), 4) for key in "abcdef"])
        [place] = event["waiting"]
        assert (place["topic"], place["id"]) == (shop.orders, second) and "503" in place["why"]
        partitions = {message.key().decode(): message.partition() for message in shop.world.read(shop.orders)}
        flowing = [key for key, partition in partitions.items() if partition != place["partition"]]
        shop.wait_for(*map(order, [1] * 6 + [2] + [4] * len(flowing)))

        shop.gate.is_away = False
        child.wait_for(lambda event: event["type"] == "schemas" and not event["waiting"])
        shop.wait_for(*map(order, [1] * 6 + [2]), order(3, "x"), *map(order, [4] * 6))
        assert child.stop() == 0

    with_a = [json.loads(value)["id"] for key, value in shop.world.values(shop.seen) if key == "a" and value]
    assert with_a == [1, 2, 3, 4]
    assert shop.dead_letters == []


@pytest.mark.soak
def test_a_registry_that_is_away_for_a_minute_under_load_loses_nothing(shop: Shop):
    """New ids come meanwhile, and the job is restarted in the middle of the minute."""
    numbers = [shop.register(V1)]
    plan, sent, began = shop.plan(), 0, time.monotonic()

    def send(number: int, count: int) -> None:
        nonlocal sent
        records = [(f"k{each % 7}", framed(number, V1, id=sent + each), sent + each + 1) for each in range(count)]
        shop.world.produce(shop.orders, records)
        sent += count

    def send_until(second: float) -> None:
        while time.monotonic() - began < second:
            send(numbers[0], 100)
            time.sleep(0.2)

    with started(plan) as child:
        send_until(10)
        child.wait_for_offsets(shop.orders, 500)
        numbers += [shop.register(V1 | {"doc": "new"}, "elsewhere")]
        shop.gate.is_away = True
        send_until(20)
        send(numbers[1], 50)  # known to nobody: these records and those behind them wait
        child.wait_for(waits)
        send_until(40)
        assert child.stop() == 0
    with started(plan.model_copy(update={"generation": 2})) as child:
        send_until(75)
        shop.gate.is_away = False
        child.wait_for_offsets(shop.orders, sent)
        assert child.stop() == 0

    seen = [json.loads(value)["id"] for _, value in shop.world.values(shop.seen) if value]
    assert sorted(seen) == list(range(sent))
    assert shop.dead_letters == []
