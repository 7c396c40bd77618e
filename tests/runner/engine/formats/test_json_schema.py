"""JSON by a JSON Schema: what is valid, which option a union has, and records of other writers."""

from __future__ import annotations

import json
import struct as binary
from typing import Any

import pytest

from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, RegistrySchemas, SchemaText, Side
from designer.values.tuples import UnionValue
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.formats.framed import make_registry_decoder
from runner.engine.formats.framing import VALUE_HEADER
from runner.engine.formats.sides import make_decoder_of, make_encoder_of
from runner.engine.stores.conversion import can_keep_values

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "price": {"type": "number", "multipleOf": 0.01},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
    },
    "required": ["id"],
    "additionalProperties": False,
}
MORE = {"properties": {"more": {"type": "string"}}}
CAT = {"type": "object", "title": "Cat", "properties": {"is": {"const": "cat"}, "lives": {"type": "integer"}}}
DOG = {"type": "object", "title": "Dog", "properties": {"is": {"const": "dog"}, "tricks": {"type": "integer"}}}


def side(schema: Any, **options: Any) -> Side:
    text = json.dumps(schema)
    return Side("json_schema", SCHEMA_FORMATS["json_schema"].read_type(text), FormatSchema(text, **options))


def read(schema: Any, text: str) -> Any:
    return make_decoder_of(side(schema))(text.encode())


def test_a_valid_record_is_read():
    assert read(ORDER, '{"id": 1, "price": 9.99, "lines": [{"sku": "a"}]}') == {
        "id": 1,
        "price": 9.99,
        "lines": [{"sku": "a"}],
    }


@pytest.mark.parametrize(
    ("text", "field", "rule"),
    [
        ('{"price": 1}', "", "required"),
        ('{"id": 0}', "id", "properties/id/minimum"),
        ('{"id": 1, "price": 1.234}', "price", "properties/price/multipleOf"),
        ('{"id": 1, "price": 0.00000000000000000000000000000000000001}', "price", "properties/price/multipleOf"),
        ('{"id": 1, "lines": [{}, {"sku": 7}]}', "lines[1].sku", "properties/lines/items/properties/sku/type"),
        ('{"id": 1, "more": 2}', "", "additionalProperties"),
        ("[]", "", "type"),
    ],
)
def test_a_record_that_is_not_valid_names_the_path_and_the_rule(text: str, field: str, rule: str):
    with pytest.raises(DecodeError) as raised:
        read(ORDER, text)

    assert raised.value.field == field
    assert f"(rule `{rule}`)" in raised.value.message
    if field:
        assert f"field `{field}`" in raised.value.message


@pytest.mark.parametrize(
    ("schema", "text", "is_valid"),
    [
        ({"type": "integer", "maximum": 10**39}, str(10**39), True),
        ({"type": "integer", "maximum": 10**39}, str(10**39 + 1), False),
        ({"maximum": 0.1}, "0.1000000000000000000000000000000000000001", False),
        (
            {"multipleOf": 0.0000000000000000000000000000000000000001},
            "0.1234567890123456789012345678901234567891",
            True,
        ),
        ({"type": "integer"}, "1234567890123456789.00", True),
    ],
)
def test_numbers_of_40_digits_are_judged_with_all_their_digits(schema: Any, text: str, is_valid: bool):
    if not is_valid:
        with pytest.raises(DecodeError, match="rule"):
            read(schema, text)
    elif "maximum" in schema or "multipleOf" in schema:
        assert str(read(schema, text)) == text


def test_an_integer_of_more_than_64_bits_does_not_fit_unless_the_schema_says_so():
    with pytest.raises(DecodeError, match="64 bits"):
        read({"type": "integer"}, str(10**40))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"is": "dog", "tricks": 3}', UnionValue("Dog", {"is": "dog", "tricks": 3})),
        ('{"is": "cat"}', UnionValue("Cat", {"is": "cat"})),
        ("null", None),
    ],
)
def test_a_union_takes_the_option_whose_schema_accepts_the_value(text: str, value: Any):
    assert read({"oneOf": [CAT, DOG, {"type": "null"}]}, text) == value
    assert read({"properties": {"pet": {"anyOf": [CAT, DOG, {"type": "null"}]}}}, f'{{"pet": {text}}}') == {
        "pet": value
    }


def test_a_union_is_written_as_its_value():
    pets = side({"oneOf": [CAT, DOG]})

    assert make_encoder_of(pets)(UnionValue("Cat", {"is": "cat", "lives": 9})) == b'{"is":"cat","lives":9}'


def test_a_number_that_no_double_holds_is_written_with_its_digits():
    schema = {"type": "object", "properties": {"n": {}}}

    written = make_encoder_of(side(schema))(read(schema, '{"n": 1e400}'))

    assert written == b'{"n":1e400}'


def test_what_the_schema_does_not_accept_is_not_written():
    with pytest.raises(EncodeError, match="field `id`: 0 is less than the minimum of 1"):
        make_encoder_of(side(ORDER))({"id": 0})


def test_a_frame_is_read_and_written_and_bare_json_is_read_beside_it():
    framed = side(ORDER, header=True, id=7)
    data = b"\0\0\0\0\x07" + b'{"id":1}'

    assert make_encoder_of(framed)({"id": 1}) == data
    assert make_decoder_of(framed)(data) == make_decoder_of(framed)(b' {"id": 1}') == {"id": 1}
    with pytest.raises(DecodeError, match="schema of id 8"):
        make_decoder_of(framed)(b"\0\0\0\0\x08{}")


def test_a_newer_writer_adds_a_member_that_a_closed_schema_leaves_out():
    newer = {**ORDER, "properties": {**ORDER["properties"], "note": {"type": "string"}}}
    schemas: RegistrySchemas = {8: SchemaText("JSON", json.dumps(newer)), 9: SchemaText("JSON", '{"type": "array"}')}
    decode = make_registry_decoder(side(ORDER, header=True, id=7, registry=True), schemas, VALUE_HEADER)

    def prefix(number: int, text: str) -> bytes:
        return binary.pack(">bI", 0, number) + text.encode()

    assert decode(prefix(8, '{"id": 1, "note": "x"}'), None) == {"id": 1}
    assert decode(b'{"id": 1}', None) == {"id": 1}
    for data, why in (
        (prefix(7, '{"id": 1, "note": "x"}'), "additionalProperties"),
        (prefix(8, '{"id": 1, "note": 5}'), "properties/note/type"),
        (prefix(8, '{"id": 0}'), "properties/id/minimum"),
        (prefix(9, "[]"), "It is written as list and read as struct"),
        (b"\x03\x00" + bytes(16) + b"{}", "AWS Glue"),
    ):
        with pytest.raises(DecodeError, match=why):
            decode(data, None)


PAID = {
    "title": "Paid",
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "integer"}, "by": {"$ref": "#/definitions/method"}},
    "definitions": {"method": {"type": "string"}},
}
SENT: dict[str, Any] = {
    "title": "Sent",
    "type": "object",
    "properties": {"id": {"type": "integer"}},
    "additionalProperties": False,
}
BOTH = {
    "anyOf": [{"$ref": "#/definitions/Sent"}, {"$ref": "#/definitions/Paid"}],
    "definitions": {
        "Paid": {"$id": "http://schema.local/Paid", **PAID},
        "Sent": {"$id": "https://example.com/sent", **SENT},
    },
}


@pytest.mark.parametrize(
    ("number", "text", "value"),
    [
        (1, '{"id": 1}', UnionValue("Paid", {"id": 1})),
        (2, '{"id": 1}', UnionValue("Sent", {"id": 1})),
        (3, '{"id": 1, "weight": 2}', UnionValue("Sent", {"id": 1})),
        (1, "null", "is not of type"),
        (3, '{"id": "1"}', "is not of type"),
        (4, '{"id": 1}', "It is written as `Refund`, and the source reads Sent, Paid"),
    ],
)
def test_a_record_has_the_type_of_its_topic_that_its_own_schema_names(number: int, text: str, value: Any):
    wider = {**SENT, "properties": {**SENT["properties"], "weight": {"type": "integer"}}}
    written = enumerate((PAID, SENT, wider, {"title": "Refund", "type": "object"}), 1)
    schemas: RegistrySchemas = {each: SchemaText("JSON", json.dumps(schema)) for each, schema in written}
    decode = make_registry_decoder(side(BOTH, header=True, registry=True), schemas, VALUE_HEADER)
    data = binary.pack(">bI", 0, number) + text.encode()

    if isinstance(value, str):
        with pytest.raises(DecodeError, match=value):
            decode(data, None)
    else:
        assert decode(data, None) == value


def test_hostile_documents_and_patterns_end_as_errors():
    tree = {"$ref": "#/definitions/n", "definitions": {"n": {"properties": {"a": {"$ref": "#/definitions/n"}}}}}

    with pytest.raises(DecodeError, match="200 levels"):
        read(tree, '{"a":' * 300 + "1" + "}" * 300)
    with pytest.raises(DecodeError):
        read({"pattern": "(a+)+$(?=x)"}, json.dumps("a" * 100 + "b"))
    with pytest.raises(DecodeError, match="Not valid JSON"):
        read({}, "NaN")


@pytest.mark.parametrize("leaf", [{"type": "number"}, {"oneOf": [{"type": "string"}, {"type": "array"}]}])
def test_schemas_that_many_members_have_are_looked_at_once(leaf: Any) -> None:
    names = [f"M{number}" for number in range(30)]
    links = {name: {"$ref": f"#/definitions/{name}"} for name in names}
    definitions = {name: {"type": "object", "properties": {"leaf": leaf, **links}} for name in names}
    deep = side({"$ref": "#/definitions/M0", "definitions": definitions})
    other = side({"$ref": "#/definitions/M0", "definitions": definitions | {"M29": {"type": "object", **MORE}}})

    record, row = make_decoder_of(deep)(b'{"M1":{"M29":{}}}'), make_decoder_of(Side("json", deep.type))(b'{"M1":{}}')
    keeps = can_keep_values(
        "key_value", deep, other, holds_records=True
    )  # pytest would write the types of an assertion

    assert (record, row) == ({"M1": {"M29": {}}}, {"M1": {}})
    assert keeps is ("type" in leaf)
