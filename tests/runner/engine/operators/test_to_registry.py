"""A sink that writes with schemas of a registry: its subjects, the ids in its records, and the issues of its form."""

from __future__ import annotations

import json
import struct
from base64 import b64decode
from typing import Any
from uuid import UUID

import fastavro
import pytest

from designer.checks import check
from designer.streams.flows import find_flows
from designer.streams.topics import WritesTopic
from designer.values.schemas import INTEGER, STRING, SchemaText, WrittenSchema
from designer.values.schemas import struct as struct_of
from tests.runner.graph_builder import GraphBuilder

ORDER = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "doc": "What somebody buys.",
    "fields": [{"name": "id", "type": "long", "doc": "Its number.", "default": 0}],
}
REFUND = {"type": "record", "name": "shop.Refund", "fields": [{"name": "order", "type": "shop.Order"}]}
GUID = "89791762-2336-4186-9674-299b90a802e2"


def writing(value: Any = None, *, schema: Any = ORDER, **config: Any) -> GraphBuilder:
    builder = GraphBuilder().stream("orders", value or struct_of(id=INTEGER))
    return builder.to("out", "orders", value_format="avro", value_schema=json.dumps(schema), **config)


def events(**config: Any) -> GraphBuilder:
    """Orders and refunds from one topic to another, both as a union."""
    union = json.dumps([ORDER, REFUND])
    avro: dict[str, Any] = {"value_format": "avro", "value_type": None, "value_schema": union}
    builder = GraphBuilder().stream("events", **avro)
    return builder.to("out", "events", value_format="avro", **config)


def list_subjects(builder: GraphBuilder) -> list[tuple[str, str]]:
    at = find_flows(builder.graph)["out"]
    assert isinstance(at.operator, WritesTopic)
    return [(use.side, use.subject) for use in at.operator.find_registry_uses(at.inputs.only.schema)]


def said(builder: GraphBuilder) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.field) for issue in check(builder.graph)]


def registered(number: int = 7, schema: Any = ORDER, **more: Any) -> WrittenSchema:
    return WrittenSchema("out", "out", "value", "out-value", number, SchemaText("AVRO", json.dumps(schema)), **more)


@pytest.mark.parametrize(
    ("strategy", "subject"),
    [
        ({}, "out-value"),
        ({"subject_strategy": "record"}, "shop.Order"),
        ({"subject_strategy": "topic_record"}, "out-shop.Order"),
        ({"subject_strategy": "associated"}, "out-value"),
        ({"subject_strategy": "by_hand", "value_subject": "mine"}, "mine"),
    ],
)
def test_a_strategy_names_the_subject(strategy: dict[str, str], subject: str):
    builder = writing(schema_registry="register", **strategy)

    assert said(builder) == []
    assert list_subjects(builder) == [("value", subject)]


def test_keys_and_values_have_their_own_subjects():
    keys = {"key_format": "avro", "key_schema": '"string"', "schema_registry": "require"}

    assert list_subjects(writing(**keys)) == [("key", "out-key"), ("value", "out-value")]


def test_each_record_type_of_a_union_has_its_own_subject():
    at = find_flows(events(schema_registry="register", subject_strategy="record").graph)["out"]
    assert isinstance(at.operator, WritesTopic)

    order, refund = at.operator.find_registry_uses(at.inputs.only.schema)

    assert (order.subject, order.record) == ("shop.Order", "shop.Order")
    assert json.loads(order.schema.text) == ORDER
    assert (refund.subject, json.loads(refund.schema.text)["fields"][0]["type"]) == ("shop.Refund", ORDER)


def test_each_type_of_json_schema_has_its_own_subject_and_branch():
    types = {"Paid": {"title": "Paid", "type": "object", "properties": {"id": {"type": "integer"}}}}
    types["Sent"] = {"title": "Sent", "$id": "https://example.com/sent", "type": "object"}
    definitions = {name: {"$id": f"http://schema.local/{name}", **each} for name, each in types.items()}
    both = {"anyOf": [{"$ref": f"#/definitions/{name}"} for name in types], "definitions": definitions}
    json_form: dict[str, Any] = {"value_format": "json_schema", "value_type": None, "value_schema": json.dumps(both)}
    builder = GraphBuilder().stream("events", **json_form)
    builder.add("kinds", "split", {"branches": [{"name": "paid", "type": "Paid"}]}, stream="events")
    builder.to("paid-out", "kinds:paid", schema_registry="register")
    builder.to("out", "events", value_format="json_schema", schema_registry="register", subject_strategy="topic_record")

    flows = find_flows(builder.graph)

    assert said(builder) == []
    assert list_subjects(builder) == [("value", "out-Paid"), ("value", "out-Sent")]
    branch = flows["paid-out"].inputs.only.schema.value
    assert branch.schema is not None
    dialect = {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert json.loads(branch.schema.text) == {**dialect, **types["Paid"]}


def test_each_message_of_protobuf_has_its_own_subject_and_names_itself_in_the_header():
    shop = 'syntax = "proto3"; package shop; message Order { int64 id = 1; } message City { string name = 1; }'
    reads: dict[str, Any] = {"value_format": "protobuf", "value_type": None, "value_schema": shop}
    reads["value_message"] = "Order, City"
    builder = GraphBuilder().stream("events", **reads, avro_header="confluent", value_schema_id=1)
    builder.to("out", "events", value_format="protobuf", avro_header="id_header", schema_registry="register",
               subject_strategy="record")  # fmt: skip
    written = [
        WrittenSchema("out", "out", "value", name, number, SchemaText("PROTOBUF", shop), record=name)
        for number, name in enumerate(("shop.Order", "shop.City"), 7)
    ]
    driver = builder.driver(written=written)

    driver.pipe_bytes("events", b"a", b"\0\0\0\0\x01\x02\x02\n\x04Bern")

    assert said(builder) == []
    assert list_subjects(builder) == [("value", "shop.Order"), ("value", "shop.City")]
    [(_, row)] = driver.rows()
    (header,) = json.loads(row[4] or "")
    assert (row[2], b64decode(header["value"])) == (b"\n\x04Bern", b"\0\0\0\0\x08\x02\x02")


def of_messages(text: str, messages: str, **config: Any) -> GraphBuilder:
    form: dict[str, Any] = {"value_format": "protobuf", "value_schema": text, "value_message": messages}
    reads: dict[str, Any] = {"value_type": None, "avro_header": "confluent", "value_schema_id": 1}
    builder = GraphBuilder().stream("events", **form, **reads)
    return builder.to("out", "events", schema_registry="register", **form, **config)


def test_messages_of_one_file_have_one_subject():
    shop = 'syntax = "proto3"; package shop; message Order { int64 id = 1; } message City { string name = 1; }'
    builder = of_messages(shop, "Order, shop.City")

    assert said(builder) == []
    assert list_subjects(builder) == [("value", "out-value")]


def test_a_subject_gets_the_file_of_the_message_and_never_several():
    order = 'syntax = "proto3"; package shop; import "cities.proto"; message Order { int64 id = 1; }'
    cities = 'syntax = "proto3"; package shop.geo; message First { } message City { string name = 1; }'
    text = f"{order}\n// file: cities.proto\n{cities}"
    form: dict[str, Any] = {"value_format": "protobuf", "value_schema": text, "value_message": "geo.City"}
    one = GraphBuilder().stream("named", struct_of(name=STRING))
    one.to("out", "named", key_format="json", schema_registry="register", **form)
    at = find_flows(one.graph)["out"]
    assert isinstance(at.operator, WritesTopic)
    (use,) = at.operator.find_registry_uses(at.inputs.only.schema)
    driver = one.driver(written=[WrittenSchema("out", "out", "value", "out-value", 7, use.schema)])

    driver.pipe("named", key="a", value={"name": "Bern"})

    [(_, row)] = driver.rows()
    assert row[2] == b"\0\0\0\0\7\2\2\n\4Bern"
    assert use.schema == SchemaText("PROTOBUF", cities)
    assert said(one) == []
    assert said(of_messages(text, "Order, geo.City")) == [("protobuf.files", "value_message")]
    assert said(of_messages(text, "Order, geo.City", subject_strategy="record")) == []


@pytest.mark.parametrize(
    ("builder", "issue"),
    [
        (writing(schema_registry="register", subject_strategy="by_hand"), ("registry.no_subject", "value_subject")),
        (
            writing(INTEGER, schema="long", schema_registry="register", subject_strategy="record"),
            ("registry.no_subject", "subject_strategy"),
        ),
        (writing(schema_registry="id"), ("registry.no_id", "value_schema_id")),
        (writing(avro_header="guid_header", value_schema_id=7), ("registry.guid", "avro_header")),
        (writing(avro_header="id_header"), ("avro.id_missing", "value_schema_id")),
        (
            GraphBuilder().stream("orders", STRING).to("out", "orders", schema_registry="register"),
            ("registry.unused", "schema_registry"),
        ),
    ],
)
def test_what_is_missing_is_said_at_its_field(builder: GraphBuilder, issue: tuple[str, str]):
    assert issue in said(builder)


@pytest.mark.parametrize(("registration", "issues"), [("latest", []), ("register", [("avro.misfit", "value_format")])])
def test_a_field_with_a_default_in_the_registrys_schema_may_be_missing(registration: str, issues: list[Any]):
    wider = ORDER | {"fields": [*ORDER["fields"], {"name": "note", "type": "string", "default": "none"}]}
    builder = writing(schema=wider, schema_registry=registration)

    assert said(builder) == issues


def test_a_record_begins_with_the_id_that_the_deploy_took():
    driver = writing(schema_registry="register").driver(written=[registered(7)])

    driver.pipe("orders", key="a", value={"id": 5})

    [(_, row)] = driver.rows()
    assert row[2] == struct.pack(">bI", 0, 7) + b"\x0a"


def test_the_registrys_schema_decides_the_bytes():
    wider = ORDER | {"fields": [{"name": "note", "type": "string", "default": ""}, {"name": "id", "type": "long"}]}
    driver = writing(schema_registry="latest").driver(written=[registered(9, wider)])

    driver.pipe("orders", key="a", value={"id": 5})

    [(_, row)] = driver.rows()
    assert row[2] == struct.pack(">bI", 0, 9) + b"\x00\x0a"


@pytest.mark.parametrize(
    ("header", "content"),
    [("id_header", struct.pack(">bI", 0, 7)), ("guid_header", b"\1" + UUID(GUID).bytes)],
)
def test_a_header_names_the_schema_instead_of_a_stale_one(header: str, content: bytes):
    driver = writing(schema_registry="register", avro_header=header).driver(written=[registered(7, guid=GUID)])
    stale = {"__value_schema_id": b"\0\0\0\0\3", "trace": b"1"}

    driver.pipe("orders", key="a", value={"id": 5}, headers=stale)
    driver.pipe("orders", key="a", value={"id": 6})
    driver.pipe("orders", key="a", value=None, headers=stale)

    rows = [row for _, row in driver.rows()]
    headers = [[(each["key"], each["value"]) for each in json.loads(row[4] or "[]")] for row in rows]
    names = [[name for name, _ in each] for each in headers]
    assert [row[2] for row in rows] == [b"\x0a", b"\x0c", None]
    assert names == [["trace", "__value_schema_id"], ["__value_schema_id"], ["trace"]]
    assert b64decode(headers[0][1][1]) == content


def test_a_sink_without_a_registry_drops_the_schema_that_its_bytes_no_longer_have():
    driver = writing(avro_header="confluent", value_schema_id=4).driver()

    driver.pipe("orders", key="a", value={"id": 5}, headers={"__value_schema_id": b"\0\0\0\0\3"})

    [(_, row)] = driver.rows()
    assert (row[2], row[4]) == (struct.pack(">bI", 0, 4) + b"\x0a", None)


def test_each_record_of_a_union_is_written_with_the_schema_of_its_type():
    refund = {**REFUND, "fields": [{"name": "order", "type": ORDER}]}
    driver = events(schema_registry="register", subject_strategy="record").driver(
        written=[registered(7, ORDER, record="shop.Order"), registered(8, refund, record="shop.Refund")]
    )

    driver.pipe_bytes("events", b"a", b"\x00\x0a", 0)
    driver.pipe_bytes("events", b"a", b"\x02\x0c", 0)

    assert [row[2] for _, row in driver.rows()] == [
        struct.pack(">bI", 0, 7) + b"\x0a",
        struct.pack(">bI", 0, 8) + b"\x0c",
    ]


def test_names_docs_and_defaults_reach_the_registry_as_they_are():
    at = find_flows(writing(schema_registry="register").graph)["out"]
    assert isinstance(at.operator, WritesTopic)

    [use] = at.operator.find_registry_uses(at.inputs.only.schema)

    assert json.loads(use.schema.text) == ORDER
    assert fastavro.parse_schema(json.loads(use.schema.text))
