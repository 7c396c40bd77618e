"""The sample's flights in a topic whose schema a registry has."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import fastavro

from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, Side
from runner.demo.samples.feed import Feed
from runner.demo.samples.flights import make_flights
from runner.demo.samples.registered import RegisteredFlights
from runner.engine.formats.framed import make_registry_decoder
from runner.kafka import KafkaCluster, Message
from runner.registry import Registry
from tests.gate import Gate, open_gate


def test_each_flight_is_written_with_the_registrys_schema(kafka_servers: str, registry_url: str):
    registry, cluster = Registry(registry_url, {}, is_internal=True), KafkaCluster(kafka_servers)
    before = {(message.partition, message.offset) for message in _sample(cluster)}

    count = Feed(kafka_servers, 0, limit=5, registered=RegisteredFlights(registry, cluster)).flights()

    latest = registry.version("flights-avro-value")
    schema = fastavro.parse_schema(json.loads(latest.schema.text))
    written = [message for message in _sample(cluster) if (message.partition, message.offset) not in before]
    assert count == len(written) == 5
    flights = [fastavro.schemaless_reader(io.BytesIO((each.value or b"")[5:]), schema, None) for each in written]
    assert {(each.value or b"")[:5] for each in written} == {struct.pack(">bI", 0, latest.id)}
    known = list(make_flights())
    assert all(flight in known for flight in flights)
    [schema_text] = {registry.version("flights-json-schema-value").schema.kind}
    assert schema_text == "JSON"
    [newest] = cluster.sample("flights-json-schema", 1_000)[-1:]
    assert json.loads((newest.value or b"")[5:]) in known
    protobuf = registry.version("flights-protobuf-value").schema
    text = FormatSchema(protobuf.text, header=True, registry=True)
    side = Side("protobuf", SCHEMA_FORMATS["protobuf"].read_type(protobuf.text), text)
    number = registry.version("flights-protobuf-value").id
    decode = make_registry_decoder(side, {number: protobuf}, "")
    [newest] = cluster.sample("flights-protobuf", 1_000)[-1:]
    assert decode(newest.value or b"", None) in known


def test_flights_do_not_wait_for_a_registry_that_is_away(kafka_servers: str, registry_url: str, tmp_path: Path):
    with open_gate(Gate(registry_url), tmp_path) as (gate, _, _):
        gate.is_away = True
        registry = Registry(gate.address, {}, is_internal=True)
        registered = RegisteredFlights(registry, KafkaCluster(kafka_servers))

        assert Feed(kafka_servers, 0, limit=5, registered=registered).flights() == 5
        assert list(registered.encode({})) == []


def _sample(cluster: KafkaCluster) -> list[Message]:
    return list(cluster.sample("flights-avro", 1_000)) if cluster.find(["flights-avro"]) else []
