"""Topics of JSON Schema in a topology: types in expressions, dead letters, and records that nobody changes."""

from __future__ import annotations

import json
from typing import Any

from designer.checks import check
from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "amount": {"type": "number", "minimum": 0}, "city": {"type": "string"}},
    "required": ["id", "amount"],
}


def of(schema: Any, **config: Any) -> dict[str, Any]:
    return {"value_format": "json_schema", "value_type": None, "value_schema": json.dumps(schema)} | config


def said(builder: GraphBuilder) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.field) for issue in check(builder.graph)]


def test_a_schema_gives_expressions_their_fields_and_a_bad_record_is_a_dead_letter():
    builder = GraphBuilder().stream("orders", STRING, **of(ORDER))
    builder.add("large", "filter", {"predicate": "amount > 10"}, records="orders")
    driver = builder.to("out", "large", value_format="json").driver()

    driver.pipe_bytes("orders", b"a", b'{"id": 1, "amount": 12.50}')
    driver.pipe_bytes("orders", b"b", b'{"id": 2, "amount": -1}')

    assert driver.read("out") == [("a", {"id": 1, "amount": 12.5})]
    (letter,) = driver.dead_letters()
    reason = dict(letter.headers)["__streams.errors.message"]
    assert reason is not None
    assert "field `amount`: -1 is less than the minimum of 0 (rule `properties/amount/minimum`)" in reason.decode()


def test_a_record_that_nobody_changes_keeps_its_bytes_and_its_frame():
    builder = GraphBuilder().stream("orders", STRING, **of(ORDER, avro_header="confluent", value_schema_id=7))
    driver = builder.to("out", "orders").driver()
    data = b'\0\0\0\0\x07{"id": 1,  "amount": 1.50, "more": [1e2]}'

    driver.pipe_bytes("orders", b"a", data)

    ((_, row),) = driver.rows()
    assert row[2] == data


def test_a_sink_writes_what_its_schema_accepts_and_the_rest_is_a_dead_letter():
    config = {"value_format": "json_schema", "value_schema": json.dumps(ORDER), "value_schema_id": 5}
    builder = GraphBuilder().stream("orders", struct(id=INTEGER, amount=INTEGER))
    driver = builder.to("out", "orders", avro_header="confluent", **config).driver()

    driver.pipe("orders", key="a", value={"id": 1, "amount": 2})
    driver.pipe("orders", key="a", value={"id": 1, "amount": -2})
    driver.pipe("orders", key="a", value={"id": 1})

    ((_, row),) = driver.rows()
    assert row[2] == b'\0\0\0\0\x05{"id":1,"amount":2}'
    assert len(driver.dead_letters()) == 2


def test_keys_of_a_json_schema_pass_shuffles_and_stores():
    key = {"type": "object", "properties": {"name": {"type": "string"}}}
    config: dict[str, Any] = {
        "key_format": "json_schema",
        "key_schema": json.dumps(key),
        "avro_header": "confluent",
        "key_schema_id": 7,
    }
    builder = GraphBuilder().stream("orders", INTEGER, **config, key_type=None)
    builder.add("again", "repartition", {}, stream="orders").add("grouped", "group_by_key", stream="again")
    builder.add("counts", "count", grouped="grouped").add("updates", "to_stream", table="counts")
    driver = builder.to("out", "updates").driver(is_one_life=False)

    driver.pipe_bytes("orders", b'\0\0\0\0\x07{"name": "Bern"}', b"1")
    driver.pipe_bytes("orders", b'\0\0\0\0\x07{"name":"Bern"}', b"1")

    rows = [row[1:3] for _, row in driver.rows()]
    assert rows == [(b'\0\0\0\0\x07{"name":"Bern"}', count.to_bytes(8, "big")) for count in (1, 2)]


def test_what_is_missing_is_said_at_its_field():
    def reading(**config: Any) -> GraphBuilder:
        return GraphBuilder().stream("orders", **of(ORDER) | config).to("out", "orders", value_format="json")

    other = json.dumps({"type": "object", "properties": {"id": {"type": "string"}}})
    framed = {"avro_header": "confluent", "value_schema_id": 7}
    writers = [{"id": 8, "avro_schema": other}]
    config = {"value_format": "json_schema", "value_schema": json.dumps(ORDER)}
    text = GraphBuilder().stream("orders", STRING).to("out", "orders", **config)

    assert said(reading(**framed)) == []
    assert said(text) == [("avro.misfit", "value_format")]
    assert said(reading(value_schema=None)) == [("avro.schema_missing", "value_schema")]
    assert said(reading(value_schema='{"type": "text"}')) == [("json_schema.invalid", "value_schema")]
    assert said(reading(**framed, value_writer_schemas=[{"id": 8, "avro_schema": "{"}])) == [
        ("json_schema.not_json", "value_writer_schemas.0.avro_schema")
    ]
    assert said(reading(**framed, value_writer_schemas=writers)) == [
        ("avro.writer_unlike", "value_writer_schemas.0.avro_schema")
    ]
