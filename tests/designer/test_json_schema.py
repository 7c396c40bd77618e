"""The types of JSON Schemas, their references, and what is no schema."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from designer.issues import SchemaNotRead
from designer.json_schema import (
    MAX_ABSENCES,
    find_absent_members,
    find_mismatch,
    inline_references,
    parse,
    read_type,
)
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Field, Kind, SchemaText, Type, map_of, struct

MODERN = "https://json-schema.org/draft/2020-12/schema"
MONEY = {"type": "object", "properties": {"amount": {"type": "number"}, "currency": {"type": "string"}}}
MONEY_TYPE = struct(amount=DOUBLE, currency=STRING)


def list_of(item: Type) -> Type:
    return Type(Kind.LIST, item=item)


def union(**options: Type) -> Type:
    return Type(Kind.UNION, fields=tuple(Field(name, of) for name, of in options.items()))


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "string", "format": "date-time"}, STRING),
        ({"type": ["null", "boolean"]}, BOOLEAN),
        ({"type": ["integer", "number"]}, DOUBLE),
        ({"enum": ["a", "b", None]}, STRING),
        ({"enum": ["a", 1]}, ANY),
        ({"const": 7}, INTEGER),
        (True, ANY),
        ({}, ANY),
        ({"type": "object"}, map_of(ANY)),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, map_of(INTEGER)),
        ({"type": "array", "items": {"type": "string"}}, list_of(STRING)),
        ({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}, list_of(ANY)),
        (obj(id={"type": "integer"}, tags={"type": "array"}), struct(id=INTEGER, tags=list_of(ANY))),
        ({"properties": {"id": {"type": "integer"}}}, struct(id=INTEGER)),
        ({"type": ["string", "integer"]}, union(string=STRING, integer=INTEGER)),
        ({"oneOf": [{"type": "null"}, {"type": "integer"}]}, INTEGER),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, DOUBLE),
        ({"oneOf": [{"type": "string", "maxLength": 3}, {"type": "string", "pattern": "^x"}]}, STRING),
        (
            {"oneOf": [{"title": "Cat"} | obj(purrs={"type": "boolean"}), obj(barks={"type": "boolean"}), obj()]},
            union(Cat=struct(purrs=BOOLEAN), object=struct(barks=BOOLEAN), object_2=map_of(ANY)),
        ),
        (
            {"allOf": [obj(id={"type": "integer"}), obj(name={"type": "string"})]},
            struct(id=INTEGER, name=STRING),
        ),
        (
            obj(kind={"type": "string"}) | {"oneOf": [obj(a={"type": "integer"}), obj(b={"type": "string"})]},
            struct(kind=STRING, a=INTEGER, b=STRING),
        ),
        ({"type": "integer", "maximum": 2**63 - 1}, INTEGER),
        ({"type": "integer", "maximum": 10**39}, ANY),
        ({"$ref": "#/definitions/money", "definitions": {"money": MONEY}}, MONEY_TYPE),
        ({"$ref": "#/definitions/a~1b", "definitions": {"a/b": MONEY}}, MONEY_TYPE),
        ({"$ref": "#money", "definitions": {"x": {"$id": "#money"} | MONEY}}, MONEY_TYPE),
        ({"$schema": MODERN, "$ref": "#money", "$defs": {"x": {"$anchor": "money"} | MONEY}}, MONEY_TYPE),
        (
            {"$schema": MODERN, "$ref": "#/$defs/m", "properties": {"id": {"type": "integer"}}, "$defs": {"m": MONEY}},
            struct(amount=DOUBLE, currency=STRING, id=INTEGER),
        ),
        (
            {"$id": "http://x/tree.json"} | obj(label={"type": "string"}, child={"$ref": "tree.json"}),
            struct(label=STRING, child=ANY),
        ),
        ({"allOf": [{"$ref": "#"}]}, ANY),
    ],
)
def test_the_type_of_a_schema(schema: Any, type_: Type):
    assert read_type(json.dumps(schema)) == type_


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not valid JSON"),
        ("[" * 300 + "]" * 300, "nested deeper than 200 levels"),
        ('{"type": "text"}', "not valid at `type`"),
        ('{"$ref": "http://169.254.169.254/latest"}', "not present in a registry"),
        ('{"$ref": "#/definitions/none"}', "definitions/none"),
        ('{"pattern": "("}', "not valid"),
        ('{"$schema": "http://example.com/own"}', "Unknown meta-schema"),
        ("7", "not valid"),
        (" " * 1_000_001, "more than 1000000 characters"),
    ],
)
def test_what_is_no_schema_is_said(text: str, why: str):
    with pytest.raises(SchemaNotRead) as raised:
        parse(text)

    assert why in str(raised.value).replace(",", "")


def test_references_of_a_registry_become_one_text():
    order = {"$id": "http://shop/order.json"} | obj(price={"$ref": "money.json"}, buyer={"$ref": "http://shop/c.json"})
    money = obj(amount={"type": "number"}, of={"$ref": "currency.json#/definitions/code"})
    currency = {"definitions": {"code": {"type": "string"}}}
    customer = {"$id": "http://shop/c.json"} | obj(name={"type": "string"})
    texts = {"currency.json": currency, "money.json": money, "customer": customer}

    text = inline_references(
        SchemaText("JSON", json.dumps(order), tuple((name, json.dumps(each)) for name, each in texts.items()))
    )

    assert read_type(text) == struct(price=struct(amount=DOUBLE, of=STRING), buyer=struct(name=STRING))
    parse(text).validator.validate({"price": {"amount": 1, "of": "CHF"}, "buyer": {"name": "Ada"}})
    assert not parse(text).validator.is_valid({"price": {"of": 7}})
    assert not parse(text).validator.is_valid({"buyer": {"name": 7}})


def test_each_place_is_read_once_however_often_it_is_referred_to():
    levels = {
        f"n{i}": obj(a={"$ref": f"#/definitions/n{i + 1}"}, b={"$ref": f"#/definitions/n{i + 1}"}) for i in range(20)
    }
    schema = {"$ref": "#/definitions/n0", "definitions": levels | {"n20": {"type": "integer"}}}

    depth = read_type(json.dumps(schema)).depth  # the type itself would be too long for a report

    assert depth == 21


@pytest.mark.parametrize(
    ("writer", "reader", "why"),
    [
        (obj(id={"type": "integer"}), obj(id={"type": "number"}), None),
        (obj(id={"type": "integer"}), obj(), None),
        (
            obj(a=obj(b={"type": "string"})),
            obj(a=obj(b={"type": "integer"})),
            "Field `a.b` is written as string and read as integer",
        ),
        ({"type": "array", "items": {"type": "string"}}, obj(), "It is written as list and read as map"),
    ],
)
def test_schemas_without_a_common_value_do_not_match(writer: Any, reader: Any, why: str | None):
    assert find_mismatch(json.dumps(writer), json.dumps(reader)) == why


def test_types_with_one_title_are_numbered_however_many_they_are() -> None:
    options = [{"title": "a", "properties": {f"x{each}": {"type": "string"}}} for each in range(5_000)]
    start = time.thread_time()

    tags = [field.name for field in read_type(json.dumps({"oneOf": options})).fields]

    assert tags == ["a", *(f"a_{each}" for each in range(2, 5_001))]
    assert time.thread_time() - start < 5


def nested_schema(**last: Any) -> str:
    """26 definitions that each have the next one twice. The last has these properties, and requires them."""
    refs = [{"$ref": f"#/definitions/D{each + 1}"} for each in range(25)]
    inner = {f"D{each}": obj(a=ref, b=ref) for each, ref in enumerate(refs)}
    definitions = inner | {"D25": obj(**last) | {"required": [*last]}}
    return json.dumps({"$ref": "#/definitions/D0", "definitions": definitions})


def test_definitions_that_many_members_have_are_compared_once() -> None:
    old, same, new = (nested_schema(x={"type": of}) for of in ("string", "string", "integer"))

    assert find_mismatch(old, same + " ") is None
    assert "is written as string and read as integer" in str(find_mismatch(old, new))
    assert list(find_absent_members(old, same + " ")) == []
    assert len(list(find_absent_members(nested_schema(y={}), old))) == MAX_ABSENCES


def test_definitions_that_are_none_give_way_to_the_references() -> None:
    text = inline_references(SchemaText("JSON", '{"definitions": [1]}', (("money", json.dumps(MONEY)),)))

    assert json.loads(text)["definitions"]["money"]["$id"] == "money"
