"""The schemas of a topic in its cluster's registry, and trials of a source that reads with them."""

from __future__ import annotations

import io
import json
import struct
from typing import Any
from uuid import uuid4

import fastavro
import pytest
from confluent_kafka import Producer
from django.test import Client

from designer.values.schemas import SchemaText
from runner.control.clusters.services import get_local_cluster
from runner.control.clusters.topic_schemas import describe_changes
from runner.registry import Registry
from tests.designer.graphs import drawn, node


def record(name: str, *fields: Any) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": field, "type": of} for field, of in fields]}


V1, V2 = record("Order", ("id", "int")), record("Order", ("id", "int"), ("note", ["null", "string"]))
REFUND = record("Refund", ("order", "int"))


class Shop:
    """A topic, and its subjects in the registry of the local cluster."""

    def __init__(self, servers: str, url: str) -> None:
        self.topic = f"orders-{uuid4().hex[:8]}"
        self.producer = Producer({"bootstrap.servers": servers})
        cluster = get_local_cluster()
        cluster.registry_url, cluster.is_registry_internal = url, True
        cluster.save()
        cluster.connect().create(self.topic, 1)
        self.registry: Registry = cluster.connect_registry()

    def register(self, subject: str, schema: Any) -> int:
        return self.registry.register(subject, SchemaText("AVRO", json.dumps(schema)))

    def send(self, number: int, schema: Any, **value: Any) -> None:
        out = io.BytesIO(struct.pack(">bI", 0, number))
        out.seek(0, io.SEEK_END)
        fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
        self.producer.produce(self.topic, out.getvalue(), "k")
        assert self.producer.flush(10) == 0


@pytest.fixture
def shop(transactional_db: None, kafka_servers: str, registry_url: str) -> Shop:
    return Shop(kafka_servers, registry_url)


def ask(client: Client, shop: Shop) -> list[dict[str, Any]]:
    answer = client.get(f"/api/clusters/local/topics/{shop.topic}/schemas")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()
    return found


def test_messages_of_protobuf_are_named_as_the_records_hold_them(client: Client, shop: Shop):
    text = 'syntax = "proto3"; package shop; message Money { int64 units = 1; } message Order { Money price = 1; }'
    text += " message Refund { int64 id = 1; }"
    number = shop.registry.register(f"{shop.topic}-value", SchemaText("PROTOBUF", text))

    assert [each["messages"] for each in ask(client, shop)] == [["shop.Money"]]  # nobody has sent anything
    for indexes in (b"\x02\x04", b"\x02\x02", b"\x02\x04"):
        shop.producer.produce(shop.topic, struct.pack(">bI", 0, number) + indexes, "k")
    assert shop.producer.flush(10) == 0
    assert [each["messages"] for each in ask(client, shop)] == [["shop.Order", "shop.Refund"]]


def test_the_schemas_of_the_newest_records_are_found_by_any_naming_strategy(client: Client, shop: Shop):
    first, other = shop.register(f"{shop.topic}-value", V1), shop.register(f"shop.{shop.topic}.Refund", REFUND)
    shop.register(f"{shop.topic}-value", V2)
    shop.send(first, V1, id=1)
    shop.send(first, V1, id=2)
    shop.send(other, REFUND, order=1)

    order, refund = ask(client, shop)

    assert (order["subject"], order["version"], order["id"], order["records"]) == (f"{shop.topic}-value", 1, first, 2)
    assert (order["newest"], order["changes"]) == (2, ["adds `note` (string)"])
    assert (refund["subject"], refund["records"]) == (f"shop.{shop.topic}.Refund", 1)
    assert json.loads(refund["text"]) == REFUND


def test_the_form_shows_the_newest_records_with_their_schemas(client: Client, shop: Shop):
    shown = record("Shown", ("id", "long"))
    shop.send(shop.register(f"shop.{shop.topic}.Shown", shown), shown, id=7)

    [message] = client.get(f"/api/clusters/local/topics/{shop.topic}").json()["messages"]

    assert (message["value"], message["is_value_base64"]) == ('{"id":7}', False)


def test_without_records_the_subject_with_the_topics_name_is_found(client: Client, shop: Shop):
    assert ask(client, shop) == []
    number = shop.register(f"{shop.topic}-value", V2)

    [found] = ask(client, shop)

    assert (found["side"], found["id"], found["version"], found["records"]) == ("value", number, 1, 0)
    by_hand = client.get(f"/api/clusters/local/topics/{shop.topic}/schemas?value_subject={shop.topic}-value").json()
    assert by_hand == [found]
    assert found["type"]["fields"][0] == {"name": "id", "type": {"kind": "integer"}}


def test_a_trial_reads_each_record_with_its_own_schema_and_registers_nothing(client: Client, shop: Shop):
    first, second = (shop.register(f"shop.{shop.topic}.{n}", schema) for n, schema in enumerate((V1, V2)))
    shop.send(first, V1, id=1)
    shop.send(second, V2, id=2, note="x")
    before = shop.registry.subjects()
    graph = drawn(
        "orders > seen",
        orders=node(
            "stream",
            topic=shop.topic,
            key_format="string",
            value_format="avro",
            value_schema=json.dumps(record("Order", ("id", "long"))),
            schema_registry=True,
        ),
        seen=node("to", topic="seen", value_format="json"),
    )

    body = {"graph": graph.to_json(), "node": "orders", "cluster": "local", "schemas": {}}
    answer = client.generic("POST", "/api/trials", json.dumps(body), "application/json")

    assert answer.status_code == 200, answer.content
    shown = [json.loads(each["value"]) for each in answer.json()["outputs"]["result"]["records"]]
    assert sorted(each["id"] for each in shown) == [1, 2]
    assert shop.registry.subjects() == before


def test_the_page_of_a_topic_shows_each_record_with_its_own_schema_and_finds_it_by_its_text(client: Client, shop: Shop):
    first, other = shop.register(f"{shop.topic}-value", V1), shop.register(f"shop.{shop.topic}.Refund", REFUND)
    shop.send(first, V1, id=1)
    shop.send(other, REFUND, order=77)
    shop.send(3_999_999, V1, id=2)

    def search(**body: Any) -> list[dict[str, Any]]:
        path = f"/api/clusters/local/topics/{shop.topic}/search"
        answer = client.generic("POST", path, json.dumps(body), "application/json")
        assert answer.status_code == 200, answer.content
        return sorted(answer.json()["records"], key=lambda record: int(record["offset"]))

    order, refund, unknown = search()
    assert (order["value"], refund["value"]) == ('{"id":1}', '{"order":77}')
    assert order["value_schema"] == {"id": first, "kind": "AVRO", "subject": f"{shop.topic}-value", "version": 1}
    assert refund["value_schema"]["subject"] == f"shop.{shop.topic}.Refund"
    assert (unknown["value_schema"], order["key_schema"]) == (None, None)
    assert [record["offset"] for record in search(text="77}")] == [1]
    [raw] = [record for record in search(value_format="bytes") if record["offset"] == 0]
    assert (raw["is_value_base64"], raw["value_schema"]["id"]) == (True, first)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        (V1, V2, ["adds `note` (string)"]),
        (V2, V1, ["removes `note`"]),
        (V1, record("Order", ("id", "string")), ["changes `id` from integer to string"]),
        (record("A", ("b", V1)), record("A", ("b", V2)), ["adds `b.note` (string)"]),
        (record("A", ("b", {"type": "array", "items": V1})), record("A", ("b", {"type": "array", "items": V2})),
         ["adds `b[].note` (string)"]),
        ([V2, REFUND], [V1, REFUND, record("Lost")], ["adds `Lost` (struct)", "removes `Order.note`"]),
        (V1, V1, []),
        (V1, {"type": "nothing"}, []),
    ],
)  # fmt: skip
def test_the_changes_of_a_newer_schema_are_told_by_field(old: Any, new: Any, changes: list[str]):
    assert describe_changes(json.dumps(old), json.dumps(new)) == changes
