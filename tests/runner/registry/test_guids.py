"""GUIDs of schemas in headers of records, as Confluent's own client writes, reads and looks them up."""

from __future__ import annotations

from base64 import b64decode
from uuid import UUID

import pytest
from confluent_kafka.schema_registry import (
    SchemaRegistryClient,
    dual_schema_id_deserializer,
    header_schema_id_serializer,
)
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import MessageField, SerializationContext

from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, SchemaText, Side, WrittenSchema
from runner.control.clusters.topic_schemas import find_topic_schemas
from runner.engine.formats.framing import find_frame_in
from runner.engine.formats.written import make_written_side
from runner.kafka import Message
from runner.registry import Registry, SchemaMissing
from runner.watch.topics.registry import RecordSchemas
from tests.confluent import confluent

GUID = "89791762-2336-4186-9674-299b90a802e2"
"""The GUID of confluent-kafka-python 8b1c7a61, `tests/schema_registry/test_schema_id.py`."""
AVRO = '{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}'
PROTO = 'syntax = "proto3"; message Other {} message Shop { message Ignored {} message Order { int64 id = 1; } }'
CASES = [
    ("avro", SchemaText("AVRO", AVRO), "", None),
    ("protobuf", SchemaText("PROTOBUF", PROTO), "Other", [0]),
    ("protobuf", SchemaText("PROTOBUF", PROTO), "Shop.Order", [1, 1]),
]


@pytest.mark.parametrize(("format_name", "schema", "message", "indexes"), CASES)
def test_confluents_client_reads_the_guid_that_a_sink_writes_and_the_reverse(
    format_name: str, schema: SchemaText, message: str, indexes: list[int] | None
):
    type_ = SCHEMA_FORMATS[format_name].read_type(schema.text, message)
    side = Side(format_name, type_, FormatSchema(schema.text, message=message))
    registered = WrittenSchema("to", "orders", "value", "orders-value", 7, schema, guid=GUID)
    theirs = SchemaId(schema.kind, 7, GUID, indexes)
    headers: list[tuple[str, str | bytes | None]] = []
    header_schema_id_serializer(b"data", SerializationContext("orders", MessageField.VALUE, headers), theirs)

    content = make_written_side(side, "value", "guid_header", [registered]).name_schema({"id": 1})
    assert content is not None and headers == [("__value_schema_id", b64decode(content))]
    frame = find_frame_in(b"data", [("__value_schema_id", b64decode(content))], "__value_schema_id")
    assert (frame.id, frame.start) == (GUID, 0)
    read = SchemaId(schema.kind)
    context = SerializationContext("orders", MessageField.VALUE, [("__value_schema_id", b64decode(content))])
    assert dual_schema_id_deserializer(b"data", context, read).read() == b"data"
    assert (str(read.guid), read.message_indexes) == (GUID, indexes)


@pytest.mark.parametrize(
    ("content", "number", "indexes"),
    [
        ("01 89791762 2336 4186 9674 299b90a802e2", GUID, ""),
        ("01 89791762 2336 4186 9674 299b90a802e2 06020406", GUID, "06020406"),
        ("00 00000001", 1, ""),
        ("00 00000001 06020406", 1, "06020406"),
    ],
)
def test_the_frames_of_confluents_own_tests_are_read(content: str, number: int | str, indexes: str):
    frame = find_frame_in(b"data", [("__value_schema_id", bytes.fromhex(content))], "__value_schema_id")

    assert frame == (number, 0, bytes.fromhex(indexes))


def test_a_guid_is_looked_up_as_confluents_client_looks_it_up():
    with confluent() as server:
        client = SchemaRegistryClient({"url": server.url})
        registry = Registry(server.url, {}, is_internal=True)
        number = registry.register("orders-value", SchemaText("AVRO", AVRO))

        guid = registry.find_guid(number)
        assert guid is not None
        asked = len(server.asked)
        theirs, ours = client.get_schema_by_guid(guid), registry.schema_of_guid(guid)

        assert ours == SchemaText("AVRO", AVRO) and theirs.schema_str == AVRO
        assert [each.partition("?")[0] for each in server.asked[asked:]] == [f"GET /schemas/guids/{guid}"] * 2
        assert registry.find_places(guid) == [("orders-value", 1)]
        with pytest.raises(SchemaMissing):
            registry.schema_of_guid(GUID)


def test_a_record_with_a_guid_shows_its_subject_and_offers_its_schema_to_a_source():
    with confluent() as server:
        registry = Registry(server.url, {}, is_internal=True)
        found = server.add("shop.Order", {"schema": AVRO})
        header = b"\1" + UUID(found["guid"]).bytes
        message = Message(0, 0, 0, b"a", b"\x02", (("__value_schema_id", header),))

        shown, _ = RecordSchemas(registry, "orders").find(message, "value")
        [offered] = find_topic_schemas(registry, "orders", [message])

    assert shown is not None and (shown.subject, shown.version) == ("shop.Order", 1)
    assert (offered.subject, offered.version, offered.id, offered.records) == ("shop.Order", 1, found["id"], 1)


def test_rules_and_metadata_of_a_data_contract_change_nothing_for_who_reads():
    rule = {"name": "seal", "kind": "TRANSFORM", "mode": "WRITEREAD", "type": "ENCRYPT", "tags": ["PII"]}
    contract = {"metadata": {"properties": {"owner": "shop"}}, "ruleSet": {"domainRules": [rule]}, "schemaTags": []}
    with confluent() as server:
        registry = Registry(server.url, {}, is_internal=True)
        number = server.add("orders-value", {"schema": AVRO, **contract})["id"]

        assert registry.schema(number) == registry.version("orders-value").schema == SchemaText("AVRO", AVRO)
