"""Topics of Protobuf in a topology: types in expressions, keys, dead letters, and records that nobody changes."""

from __future__ import annotations

from typing import Any

from designer import protobuf
from designer.checks import check
from designer.streams.registering import KINDS as KINDS_OF_SCHEMAS
from designer.streams.registering import choose_option
from designer.values.schemas import INTEGER, STRING, FormatSchema, SchemaText, Side, struct
from tests.runner.graph_builder import GraphBuilder

SHOP = """
syntax = "proto3";
package shop;
message Order { int64 id = 1; string city = 2; }
message City { string name = 1; }
"""


def of(**config: Any) -> dict[str, Any]:
    return {"value_format": "protobuf", "value_type": None, "value_schema": SHOP} | config


def said(builder: GraphBuilder) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.field) for issue in check(builder.graph)]


def test_a_schema_gives_expressions_their_fields_and_broken_bytes_are_dead_letters():
    builder = GraphBuilder().stream("orders", STRING, **of())
    builder.add("bern", "filter", {"predicate": "city = 'Bern' AND id > 1"}, records="orders")
    driver = builder.to("out", "bern", value_format="json").driver()

    driver.pipe("orders", key="a", value={"id": 2, "city": "Bern"})
    driver.pipe("orders", key="b", value={"id": 3})
    driver.pipe_bytes("orders", b"c", b"\x08")

    assert driver.read("out") == [("a", {"id": 2, "city": "Bern"})]
    (letter,) = driver.dead_letters()
    assert b"Not a message shop.Order" in (dict(letter.headers)["__streams.errors.message"] or b"")


def test_a_record_that_nobody_changes_keeps_fields_that_its_schema_does_not_know():
    builder = GraphBuilder().stream("orders", STRING, **of(avro_header="confluent", value_schema_id=7))
    driver = builder.to("out", "orders").driver()
    data = b"\0\0\0\0\x07\x02\x00" + b"\x08\x05" + b"\x9a\x06\x03new"

    driver.pipe_bytes("orders", b"a", data)

    ((_, row),) = driver.rows()
    assert row[2] == data


def test_a_sink_writes_the_message_that_its_form_names():
    builder = GraphBuilder().stream("orders", struct(name=STRING))
    config = {"value_format": "protobuf", "value_schema": SHOP, "value_message": "shop.City", "value_schema_id": 5}
    driver = builder.to("out", "orders", avro_header="confluent", **config).driver()

    driver.pipe("orders", key="a", value={"name": "Bern"})
    driver.pipe("orders", key="a", value={"name": None})

    ((_, row),) = driver.rows()
    assert row[2] == b"\0\0\0\0\x05\x02\x02\n\x04Bern"
    assert len(driver.dead_letters()) == 1


def test_keys_pass_shuffles_and_stores():
    config: dict[str, Any] = {
        "key_format": "protobuf",
        "key_schema": SHOP,
        "key_message": "City",
        "avro_header": "confluent",
    }
    builder = GraphBuilder().stream("orders", INTEGER, **config, key_type=None, key_schema_id=7)
    builder.add("again", "repartition", {}, stream="orders").add("grouped", "group_by_key", stream="again")
    builder.add("counts", "count", grouped="grouped").add("updates", "to_stream", table="counts")
    driver = builder.to("out", "updates").driver(is_one_life=False)

    for _ in range(2):
        driver.pipe_bytes("orders", b"\0\0\0\0\x07\x02\x02\n\x04Bern", b"1")

    rows = [row[1:3] for _, row in driver.rows()]
    assert rows == [(b"\0\0\0\0\x07\x02\x02\n\x04Bern", count.to_bytes(8, "big")) for count in (1, 2)]


KINDS = {"avro_header": "confluent", "value_schema_id": 7, "value_message": "shop.Order, City"}
ORDER_BYTES, CITY_BYTES = b"\0\0\0\0\x07\0" + b"\x08\x05", b"\0\0\0\0\x07\x02\x02" + b"\n\x04Bern"


def test_several_messages_of_a_topic_are_a_union_with_a_branch_for_each():
    builder = GraphBuilder().stream("events", STRING, **of(**KINDS))
    branches = [{"name": "orders", "type": "shop.Order"}, {"name": "cities", "type": "shop.City"}]
    builder.add("kinds", "split", {"branches": branches}, stream="events")
    builder.to("orders", "kinds:orders", value_format="json").to("cities", "kinds:cities", value_format="json")
    driver = builder.to("all", "events").driver()

    for data in (ORDER_BYTES, CITY_BYTES):
        driver.pipe_bytes("events", b"a", data)
    driver.pipe_bytes("events", b"a", b"\0\0\0\0\x07\x02\x04")

    assert driver.read("orders") == [("a", {"id": 5, "city": ""})]
    assert driver.read("cities") == [("a", {"name": "Bern"})]
    assert [row[2] for topic, row in driver.rows() if topic == "all"] == [ORDER_BYTES, CITY_BYTES]
    (letter,) = driver.dead_letters()
    assert b"name no message of its schema" in (dict(letter.headers)["__streams.errors.message"] or b"")


def test_a_message_of_a_union_is_written_with_its_own_indexes():
    builder = GraphBuilder().stream("events", STRING, **of(**KINDS))
    builder.add("again", "repartition", {}, stream="events")
    builder.add("named", "filter", {"predicate": "union_extract(value, 'shop.City').name = 'Bern'"}, records="again")
    driver = builder.to("out", "named").driver(is_one_life=False)

    for data in (ORDER_BYTES, CITY_BYTES):
        driver.pipe_bytes("events", b"a", data)

    assert [row[2] for _, row in driver.rows()] == [CITY_BYTES]


def test_messages_of_several_files_are_read_from_one_text():
    """As the form writes them for subjects that each have one message."""
    paid = 'syntax = "proto3"; package shop; import "money.proto"; message Paid { Money price = 1; }'
    money = 'syntax = "proto3"; package shop; message Money { int64 units = 1; }'
    text = f"{SHOP}\n// file: shop.Paid.proto\n{paid}\n// file: money.proto\n{money}"
    side = Side(
        "protobuf",
        protobuf.read_type(text, "shop.City, shop.Paid"),
        FormatSchema(text, message="shop.City, shop.Paid"),
    )
    options = KINDS_OF_SCHEMAS["protobuf"].split(side)

    assert options == {
        "shop.City": SchemaText("PROTOBUF", SHOP.strip("\n")),
        "shop.Paid": SchemaText("PROTOBUF", paid, (("money.proto", money),)),
    }
    assert choose_option(side, "shop.Paid").type == struct(price=struct(units=INTEGER))
    wider = (
        f"{paid.replace('}', 'string note = 2; }')}\n// file: money.proto\n{money.replace('}', 'int32 nanos = 2; }')}"
    )
    new = KINDS_OF_SCHEMAS["protobuf"].replace_type(text, "shop.Paid", wider)
    assert protobuf.read_type(new, "Paid") == struct(price=struct(units=INTEGER, nanos=INTEGER), note=STRING)
    assert protobuf.read_type(new) == protobuf.read_type(SHOP)


def test_what_is_wrong_is_said_at_its_field():
    def reading(**config: Any) -> GraphBuilder:
        return GraphBuilder().stream("orders", **of(**config)).to("out", "orders", value_format="json")

    framed = {"avro_header": "confluent", "value_schema_id": 7}
    other = {"id": 8, "avro_schema": SHOP.replace("int64 id", "string id")}
    written = GraphBuilder().stream("orders", struct(id=STRING))
    written.to("out", "orders", value_format="protobuf", value_schema=SHOP)

    assert said(reading(**framed)) == []
    assert said(written) == [("avro.misfit", "value_format")]
    assert said(reading(value_message="Refund")) == [("protobuf.no_message", "value_message")]
    assert said(reading(value_message="Order, Refund")) == [("protobuf.no_message", "value_message")]
    assert said(reading(value_message="Order, City"))[0] == ("protobuf.no_indexes", "value_message")
    assert said(reading(value_schema="message {")) == [("protobuf.syntax", "value_schema")]
    assert said(reading(value_schema=None)) == [("avro.schema_missing", "value_schema")]
    assert said(reading(**framed, value_writer_schemas=[other])) == [
        ("avro.writer_unlike", "value_writer_schemas.0.avro_schema")
    ]
