"""Which types Avro schemas stand for, and what is said of those that are not read."""

import json
from typing import Any

import pytest

from designer.avro import SchemaNotRead, type_of
from designer.formats import fits
from designer.schemas import BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Avro, Kind, Side, Type, map_of, struct


def of(schema: Any) -> Type:
    return type_of(json.dumps(schema))


def record(*fields: dict[str, Any], name: str = "Order") -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": list(fields)}


@pytest.mark.parametrize(
    ("schema", "held"),
    [
        ("boolean", BOOLEAN),
        ("int", INTEGER),
        ("long", INTEGER),
        ("float", DOUBLE),
        ("double", DOUBLE),
        ("string", STRING),
        ("bytes", BYTES),
        ({"type": "long", "logicalType": "timestamp-micros"}, INTEGER),
        ({"type": "enum", "name": "Status", "symbols": ["NEW"]}, STRING),
        ({"type": "fixed", "name": "Sum", "size": 16}, BYTES),
        ({"type": "array", "items": ["null", "double"]}, Type(Kind.LIST, item=DOUBLE)),
        (
            {"type": "map", "values": {"type": "map", "values": "long"}},
            map_of(map_of(INTEGER)),
        ),
        (["null", "string"], STRING),
        (
            record({"name": "id", "type": "long"}, {"name": "by", "type": ["null", "string"]}),
            struct(id=INTEGER, by=STRING),
        ),
    ],
)
def test_a_schema_stands_for_a_type(schema: Any, held: Type) -> None:
    assert of(schema) == held


def test_a_type_named_once_is_meant_again_by_its_name() -> None:
    address = record({"name": "city", "type": "string"}, name="Address")
    order = {"name": "Order", "namespace": "shop", "type": "record"}
    fields = [
        {"name": "home", "type": address},
        {"name": "work", "type": "Address"},
        {"name": "far", "type": "shop.Address"},
    ]

    city = struct(city=STRING)
    assert of(order | {"fields": fields}) == struct(home=city, work=city, far=city)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "map"}, "no Avro type"),
        (["null", "string", "long"], "union of 2 types"),
        (["null"], "union of 0 types"),
        ("null", "does not define"),
        ("Addres", "does not define"),
        (record({"name": "next", "type": ["null", "Order"]}), "contains itself"),
        (record(), "no fields"),
        (record({"name": "a", "type": "long"}, {"name": "a", "type": "long"}), "one twice"),
        (record({"name": "a"}), "no name or no type"),
        ({"type": "fixed", "name": "Nothing", "size": 0}, "no Avro type"),
        (7, "no Avro type"),
    ],
)
def test_what_is_not_read_is_said(schema: Any, said: str) -> None:
    with pytest.raises(SchemaNotRead, match=said) as raised:
        of(schema)

    assert raised.value.hint


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"type":' * 300 + '"long"' + "}" * 300])
def test_a_text_that_is_no_schema_is_refused(text: str) -> None:
    with pytest.raises(SchemaNotRead):
        type_of(text)


@pytest.mark.parametrize(
    ("held", "fitting"),
    [
        (struct(id=INTEGER, price=DOUBLE), True),
        (struct(price=INTEGER, id=INTEGER), True),
        (struct(id=DOUBLE, price=DOUBLE), False),
        (struct(id=INTEGER), False),
        (struct(id=INTEGER, price=DOUBLE, more=STRING), False),
        (STRING, False),
        (Type(Kind.ANY), True),
    ],
)
def test_a_schema_takes_values_of_its_fields_in_any_order(held: Type, fitting: bool) -> None:
    text = json.dumps(record({"name": "id", "type": "long"}, {"name": "price", "type": "double"}))

    assert fits(Side("avro", held, Avro(text))) is fitting


def test_avro_without_a_schema_fits_nothing() -> None:
    assert not fits(Side("avro", STRING))
