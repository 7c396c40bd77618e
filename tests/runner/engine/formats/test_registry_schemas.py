"""Records whose ids a schema registry knows: by header or prefix, each with the schema it was written with."""

from __future__ import annotations

import io
import json
import struct
from base64 import b64encode
from typing import Any
from uuid import UUID

import fastavro
import pytest

from designer.avro.references import inline_references
from designer.values.schemas import ANY, FormatSchema, RegistrySchemas, SchemaText, Side
from runner.engine.formats import DecodeError
from runner.engine.formats.framed import FramedDecoder, make_registry_decoder
from runner.engine.formats.framing import VALUE_HEADER, describe_frame, find_frame

GUID = UUID("89791762-2336-4186-9674-299b90a802e2")
OWN = {
    "type": "record",
    "name": "Order",
    "fields": [{"name": "id", "type": "long"}, {"name": "note", "type": "string", "default": "none"}],
}
OLD = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "int"}]}
OTHER = {"type": "record", "name": "Refund", "fields": [{"name": "order", "type": "int"}]}


def write(schema: Any, value: Any) -> bytes:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    return out.getvalue()


def prefix(number: int, data: bytes) -> bytes:
    return struct.pack(">bI", 0, number) + data


def headers(*each: tuple[str, bytes]) -> str:
    return json.dumps([{"key": key, "value": b64encode(value).decode()} for key, value in each])


def avro(schema: Any, kind: str = "AVRO", **references: Any) -> SchemaText:
    return SchemaText(kind, json.dumps(schema), tuple((name, json.dumps(each)) for name, each in references.items()))


SCHEMAS: RegistrySchemas = {
    7: avro(OLD),
    8: avro(OTHER),
    9: avro({}, "PROTOBUF"),
    10: SchemaText("MISSING", ""),
    str(GUID): avro(OLD),
}


def make_avro_decoder(schema: FormatSchema, schemas: RegistrySchemas, header: str) -> FramedDecoder:
    return make_registry_decoder(Side("avro", ANY, schema), schemas, header)


decode = make_avro_decoder(FormatSchema(json.dumps(OWN), True, 5, (), True), SCHEMAS, VALUE_HEADER)


def test_a_record_is_read_with_the_schema_of_its_prefix_and_becomes_one_of_the_source():
    assert decode(prefix(7, write(OLD, {"id": 1})), None) == {"id": 1, "note": "none"}
    assert decode(prefix(5, write(OWN, {"id": 2, "note": "x"})), None) == {"id": 2, "note": "x"}


@pytest.mark.parametrize("content", [b"\0" + struct.pack(">I", 7), b"\1" + GUID.bytes])
def test_a_header_counts_before_the_bytes_which_have_no_prefix_then(content: bytes):
    assert decode(write(OLD, {"id": 0}), headers((VALUE_HEADER, content))) == {"id": 0, "note": "none"}


def test_the_last_header_counts_and_one_that_is_no_id_does_not():
    data, good = prefix(7, write(OLD, {"id": 1})), b"\0" + struct.pack(">I", 7)

    assert find_frame(data, headers((VALUE_HEADER, b"\0\0\0\0\1"), (VALUE_HEADER, good)), VALUE_HEADER) == (7, 0, b"")
    assert find_frame(data, headers((VALUE_HEADER, b"nothing")), VALUE_HEADER) == (7, 5, b"")
    assert find_frame(data, headers(("__key_schema_id", good)), VALUE_HEADER) == (7, 5, b"")
    assert find_frame(b"\1\0\0\0\7", None, VALUE_HEADER) == (None, 0, b"")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (prefix(8, write(OTHER, {"order": 1})), "A record of schema 8 cannot become one of the source's schema"),
        (prefix(9, b""), "The schema of id 9 is PROTOBUF; expected AVRO."),
        (prefix(10, b""), "id 10, which the schema registry does not have"),
        (prefix(11, b""), "id 11, which the schema registry did not give"),
        (prefix(7, write(OLD, {"id": 1}) + b"!"), "Not Avro of this schema: 1 of 7 bytes are left over"),
        (b"plain", "does not begin with Confluent's header"),
        (b"\3\5" + GUID.bytes + b"data", "AWS Glue"),
    ],
)
def test_a_record_that_cannot_be_read_says_why(data: bytes, why: str):
    with pytest.raises(DecodeError, match=why):
        decode(data, None)


def test_several_record_types_in_one_topic_become_values_of_a_union():
    read = make_avro_decoder(FormatSchema(json.dumps([OWN, OTHER]), True, None, (), True), SCHEMAS, VALUE_HEADER)

    order, refund = read(prefix(7, write(OLD, {"id": 1})), None), read(prefix(8, write(OTHER, {"order": 1})), None)

    assert (order.tag, order.value) == ("Order", {"id": 1, "note": "none"})
    assert (refund.tag, refund.value) == ("Refund", {"order": 1})


MONEY = {"type": "record", "name": "Money", "namespace": "shop", "fields": [{"name": "cents", "type": "long"}]}
LINE = {
    "type": "record",
    "name": "shop.Line",
    "fields": [{"name": "price", "type": "Money"}, {"name": "was", "type": ["null", "shop.Money"]}],
}
CART = {
    "type": "record",
    "name": "Cart",
    "namespace": "shop",
    "fields": [
        {"name": "lines", "type": {"type": "array", "items": "Line"}},
        {"name": "by_name", "type": {"type": "map", "values": "shop.Line"}},
        {"name": "total", "type": "Money"},
    ],
}


def test_references_become_part_of_the_text_each_defined_once():
    text = inline_references(avro(CART, "AVRO", **{"shop.Money": MONEY, "shop.Line": LINE}))
    price = {"cents": 1}
    line = {"price": price, "was": price}
    cart = {"lines": [line], "by_name": {"a": line}, "total": price}

    read = make_avro_decoder(
        FormatSchema(text, True, 1, (), True),
        {2: avro(CART, "AVRO", **{"shop.Money": MONEY, "shop.Line": LINE})},
        VALUE_HEADER,
    )

    assert text.count('"cents"') == 1
    assert read(prefix(2, write(json.loads(text), cart)), None) == cart


def test_a_schema_without_references_and_one_that_is_no_json_stay_as_they_are():
    assert inline_references(SchemaText("AVRO", '"string"')) == '"string"'
    assert inline_references(SchemaText("AVRO", "{", (("a", '"string"'),))) == "{"
    deep = "[" * 500 + "]" * 500
    assert inline_references(SchemaText("AVRO", deep, (("a", '"string"'),))) == deep


def test_a_short_record_is_described_without_an_error():
    assert describe_frame(b"").startswith("It does not begin")
