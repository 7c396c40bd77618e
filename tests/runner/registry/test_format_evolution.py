"""Changes of Protobuf and JSON Schema: Apicurio's verdict at both levels beside what our readers make of them.

A registry judges schemas, and Apicurio is strict: it refuses int32 to int64, which Protobuf's own rules allow. We judge
whether any record can be read (`find_mismatch`), and then each record.
"""

from __future__ import annotations

import json
import struct
from typing import Any
from uuid import uuid4

import pytest
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf.message_factory import GetMessageClass

from designer.protobuf import parse
from designer.streams.formats import FORMATS_BY_KIND, SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, SchemaText, Side
from runner.engine.formats.framed import make_registry_decoder
from runner.engine.formats.framing import VALUE_HEADER
from runner.outgoing import call
from runner.registry import Registry


def proto(*fields: str, more: str = "") -> str:
    return 'syntax = "proto3"; package shop; message Order { int64 id = 1; ' + " ".join(fields) + " } " + more


def order(required: tuple[str, ...] = ("id",), is_closed: bool = False, **properties: Any) -> str:
    closed = {"additionalProperties": False} if is_closed else {}
    of = {"id": {"type": "integer"}, **properties}
    return json.dumps({"type": "object", "properties": of, "required": list(required), **closed})


RESERVED = set[str]()
"""Apicurio 3.3.3 accepts it at the level BACKWARD, as Protobuf's own rules do."""
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
CHANGES: list[tuple[str, str, set[str], str, str]] = [
    # kind, what changes, the levels at which Apicurio 2.6.13 accepts it, before, after
    ("PROTOBUF", "add", {"BACKWARD"}, proto(), proto("string note = 2;")),
    ("PROTOBUF", "remove", {"FORWARD"}, proto("string note = 2;"), proto()),
    ("PROTOBUF", "remove and reserve", RESERVED, proto("string note = 2;"), proto('reserved 2; reserved "note";')),
    ("PROTOBUF", "rename", set(), proto("string note = 2;"), proto("string memo = 2;")),
    ("PROTOBUF", "widen", set(), proto("int32 n = 2;"), proto("int64 n = 2;")),
    ("PROTOBUF", "another type", set(), proto("int32 n = 2;"), proto("string n = 2;")),
    ("PROTOBUF", "another number", set(), proto("int32 n = 2;"), proto("int32 n = 3;")),
    ("PROTOBUF", "may be absent", set(), proto("int32 n = 2;"), proto("optional int32 n = 2;")),
    (
        "PROTOBUF",
        "a value more",
        {"BACKWARD"},
        proto("K k = 2;", more="enum K { A = 0; }"),
        proto("K k = 2;", more="enum K { A = 0; B = 1; }"),
    ),
    (
        "PROTOBUF",
        "a value less",
        {"FORWARD"},
        proto("K k = 2;", more="enum K { A = 0; B = 1; }"),
        proto("K k = 2;", more="enum K { A = 0; }"),
    ),
    ("JSON", "add", {"FORWARD"}, order(), order(note=TEXT)),
    ("JSON", "add to a closed one", {"BACKWARD"}, order(is_closed=True), order(is_closed=True, note=TEXT)),
    ("JSON", "add a required one", {"FORWARD"}, order(), order(("id", "note"), note=TEXT)),
    ("JSON", "remove", {"BACKWARD"}, order(note=TEXT), order()),
    ("JSON", "remove from a closed one", {"FORWARD"}, order(is_closed=True, note=TEXT), order(is_closed=True)),
    ("JSON", "rename", set(), order(note=TEXT), order(memo=TEXT)),
    ("JSON", "widen", {"BACKWARD"}, order(n=NUMBER), order(n={"type": "number"})),
    ("JSON", "another type", set(), order(n=NUMBER), order(n=TEXT)),
    ("JSON", "a default", {"BACKWARD", "FORWARD"}, order(n=NUMBER), order(n={**NUMBER, "default": 1})),
    ("JSON", "may be null", set(), order(n=NUMBER), order(n={"type": ["integer", "null"]})),
    ("JSON", "a value more", {"BACKWARD"}, order(k={"enum": ["A"]}), order(k={"enum": ["A", "B"]})),
    ("JSON", "a value less", {"FORWARD"}, order(k={"enum": ["A", "B"]}), order(k={"enum": ["A"]})),
]


@pytest.mark.parametrize(
    ("kind", "levels", "before", "after"), [(c[0], *c[2:]) for c in CHANGES], ids=[f"{c[0]}: {c[1]}" for c in CHANGES]
)
def test_the_registry_judges_a_change(registry_url: str, kind: str, levels: set[str], before: str, after: str):
    registry, subject = Registry(registry_url, {}, is_internal=True), f"evolution-{uuid4().hex[:8]}"
    registry.register(subject, SchemaText(kind, before))
    accepted = set()
    for level in ("BACKWARD", "FORWARD"):
        registry.client.set_compatibility(subject, level)
        if registry.judge(subject, SchemaText(kind, after)).is_compatible:
            accepted.add(level)

    assert accepted == levels or (levels is RESERVED and accepted == {"BACKWARD"} and is_newer(registry_url))
    # whatever we call impossible, the registry refuses
    if SCHEMA_FORMATS[FORMATS_BY_KIND[kind]].find_mismatch(before, after):
        assert "BACKWARD" not in accepted


def is_newer(registry_url: str) -> bool:
    """Whether the registry is Apicurio 3, which the tests use if SCHEMA_REGISTRY_URL names one."""
    place = f"{registry_url.partition('/ccompat/')[0]}/registry/v3/system/info"
    return call(place, is_internal=True, seconds=9, max_bytes=9999).status == 200


def read(registry: Registry, kind: str, text: str, data: bytes, message: str = "") -> Any:
    """What a source of the schema `text` reads of a record whose id the registry knows."""
    name = FORMATS_BY_KIND[kind]
    number = struct.unpack_from(">bI", data)[1]
    schema = FormatSchema(text, header=True, registry=True, message=message)
    side = Side(name, SCHEMA_FORMATS[name].read_type(text, message), schema)
    return make_registry_decoder(side, {number: registry.schema(number, is_compiled=True)}, VALUE_HEADER)(data, None)


def test_a_protobuf_record_in_confluents_frame_is_read_with_the_registrys_schema(registry_url: str):
    registry, topic = Registry(registry_url, {}, is_internal=True), f"orders-{uuid4().hex[:8]}"
    text = proto("string city = 2;", more="message Refund { int64 id = 1; }")
    number = registry.register(f"{topic}-value", SchemaText("PROTOBUF", text))
    class_ = GetMessageClass(parse(text).find_message("Refund"))
    data = SchemaId("PROTOBUF", schema_id=number, message_indexes=[1]).id_to_bytes() + class_(id=7).SerializeToString()

    own = registry.version(f"{topic}-value").schema.text

    assert read(registry, "PROTOBUF", own, data, "shop.Refund") == {"id": 7}


def test_confluents_json_serializer_is_read_with_references(registry_url: str):
    registry, topic = Registry(registry_url, {}, is_internal=True), f"orders-{uuid4().hex[:8]}"
    client = SchemaRegistryClient({"url": registry_url})
    money = json.dumps({"title": "Money", "type": "object", "properties": {"units": {"type": "integer", "minimum": 0}}})
    registry.register(f"{topic}-money", SchemaText("JSON", money))
    text = json.dumps({"title": "Order", "type": "object", "properties": {"price": {"$ref": "money.json"}}})
    schema = Schema(text, "JSON", [SchemaReference("money.json", f"{topic}-money", 1)])
    serialize = JSONSerializer(schema, client)

    data = serialize({"price": {"units": 5}}, SerializationContext(topic, MessageField.VALUE))

    assert data is not None
    own = SCHEMA_FORMATS["json_schema"].inline_references(registry.version(f"{topic}-value").schema)
    assert read(registry, "JSON", own, data) == {"price": {"units": 5}}
