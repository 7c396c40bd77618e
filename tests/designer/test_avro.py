"""Which types Avro schemas stand for, and what is said of those that are not read."""

import json
import time
from typing import Any

import pytest

from designer.avro import parse, read_type
from designer.avro.resolution import MAX_ABSENCES, find_absent_fields, find_field, find_mismatch
from designer.avro.tree import Part, Record
from designer.issues import SchemaNotRead
from designer.streams.formats import fits
from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    Field,
    FormatSchema,
    Kind,
    Side,
    Type,
    decimal,
    map_of,
    struct,
)


def union(**options: Type) -> Type:
    return Type(Kind.UNION, fields=tuple(Field(name, held) for name, held in options.items()))


def of(schema: Any) -> Type:
    return read_type(json.dumps(schema))


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
        ({"type": "long", "logicalType": "timestamp-micros"}, Type(Kind.INTEGER, logical="timestamp-micros")),
        ({"type": "int", "logicalType": "date"}, Type(Kind.INTEGER, logical="date")),
        ({"type": "string", "logicalType": "uuid"}, Type(Kind.STRING, logical="uuid")),
        ({"type": "fixed", "name": "Id", "size": 16, "logicalType": "uuid"}, Type(Kind.STRING, logical="uuid")),
        (
            {"type": "fixed", "name": "Span", "size": 12, "logicalType": "duration"},
            Type(
                Kind.STRUCT,
                fields=struct(months=INTEGER, days=INTEGER, milliseconds=INTEGER).fields,
                logical="duration",
            ),
        ),
        ({"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 4}, decimal(20, 4)),
        ({"type": "fixed", "name": "Fee", "size": 8, "logicalType": "decimal", "precision": 16}, decimal(16, 0)),
        (["null", "int", "string"], union(int=INTEGER, string=STRING)),
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
        ({"type": "map"}, "not an Avro type"),
        (["int", "string", "int"], "has int twice"),
        (["int", ["string", "long"]], "holds a union"),
        ({"type": "enum", "name": "Status", "symbols": ["NEW", "NEW"]}, "a repeated symbol"),
        ("Addres", "does not define"),
        (record({"name": "a", "type": "long"}, {"name": "a", "type": "long"}), "a repeated field"),
        (record({"name": "a"}), "no name or no type"),
        ({"type": "fixed", "name": "Nothing", "size": -1}, "not an Avro type"),
        ({"type": "fixed", "name": "Nothing", "size": True}, "not an Avro type"),
        (7, "not an Avro type"),
    ],
)
def test_what_is_not_read_is_said(schema: Any, said: str) -> None:
    with pytest.raises(SchemaNotRead, match=said) as raised:
        of(schema)

    assert raised.value.issue.hint


@pytest.mark.parametrize(
    ("schema", "held"),
    [
        (record(), struct()),
        ({"type": "error", "name": "Failed", "fields": []}, struct()),
        (record({"name": "a", "type": "null"}), struct(a=ANY)),
        ("null", ANY),
        (["null"], ANY),
        ([], ANY),
        ({"type": "array", "items": "null"}, Type(Kind.LIST, item=ANY)),
        ({"type": "map", "values": ["null"]}, map_of(ANY)),
        ({"type": "enum", "name": "None", "symbols": []}, STRING),
        ({"type": "fixed", "name": "Empty", "size": 0}, BYTES),
        (
            ["null", record(name="Opened"), record({"name": "cents", "type": "long"}, name="Paid")],
            union(Opened=struct(), Paid=struct(cents=INTEGER)),
        ),
        (record({"name": "next", "type": ["null", "Order"]}), struct(next=ANY)),
        (
            record({"name": "lines", "type": {"type": "array", "items": "Order"}}),
            struct(lines=Type(Kind.LIST, item=ANY)),
        ),
        (record({"name": "itself", "type": "Order"}), struct(itself=ANY)),
        (
            {
                "type": "record",
                "name": "Outer",
                "namespace": "shop",
                "fields": [
                    {"name": "of", "type": {"type": "fixed", "namespace": "", "name": "Id", "size": 2}},
                    {"name": "same", "type": {"type": "fixed", "name": "Id", "size": 3}},
                    {"name": "other", "type": "shop.Id"},
                ],
            },
            struct(of=BYTES, same=BYTES, other=BYTES),
        ),
        (
            {
                "type": "record",
                "name": "Outer",
                "fields": [
                    {
                        "name": "in",
                        "type": record(
                            {"name": "id", "type": {"type": "fixed", "namespace": "", "name": "Id", "size": 2}}
                        )
                        | {"namespace": "shop"},
                    },
                    {"name": "again", "type": "Id"},
                ],
            },
            struct(**{"in": struct(id=BYTES), "again": BYTES}),
        ),
    ],
)
def test_what_java_reads_is_read(schema: Any, held: Type) -> None:
    """The kinds of Avro's own test schemas: without fields, only null, recursive, and with an empty namespace."""
    assert of(schema) == held
    assert find_mismatch(parse(json.dumps(schema)), parse(json.dumps(schema))) is None


def test_recursive_schemas_are_compared_through_their_recursion() -> None:
    def tree(of: str) -> Part:
        leaf = record({"name": "value", "type": of}, {"name": "next", "type": ["null", "Leaf"]}, name="Leaf")
        children = {"name": "children", "type": {"type": "array", "items": "Node"}}
        return parse(json.dumps(record({"name": "leaf", "type": leaf}, children, name="Node")))

    assert find_mismatch(tree("int"), tree("long")) is None
    assert find_mismatch(tree("string"), tree("long")) == "Field `leaf.value` is written as string and read as long"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"type":' * 300 + '"long"' + "}" * 300])
def test_a_text_that_is_no_schema_is_refused(text: str) -> None:
    with pytest.raises(SchemaNotRead):
        read_type(text)


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

    assert fits(Side("avro", held, FormatSchema(text))) is fitting


def test_avro_without_a_schema_fits_nothing() -> None:
    assert not fits(Side("avro", STRING))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "logicalType": "timestamp-millis"},
        {"type": "long", "logicalType": "something-new"},
        {"type": "bytes", "logicalType": "decimal", "precision": 2, "scale": 3},
        {"type": "bytes", "logicalType": "decimal"},
        {"type": "bytes", "logicalType": "decimal", "precision": 39},
        {"type": "fixed", "name": "F", "size": 2, "logicalType": "decimal", "precision": 5},
        {"type": "fixed", "name": "F", "size": 8, "logicalType": "uuid"},
    ],
)
def test_a_logical_type_that_is_not_valid_where_it_stands_is_ignored(schema: dict[str, Any]) -> None:
    assert of(schema) == of({name: each for name, each in schema.items() if name != "logicalType"})


MICROS = {"type": "long", "logicalType": "timestamp-micros"}


@pytest.mark.parametrize(
    ("schema", "held", "fitting"),
    [
        (MICROS, INTEGER, True),
        (MICROS, Type(Kind.INTEGER, logical="local-timestamp-micros"), True),
        (MICROS, Type(Kind.INTEGER, logical="timestamp-millis"), False),
        ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}, decimal(4, 2), True),
        ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}, decimal(5, 2), False),
        ({"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 2}, BYTES, True),
        (["null", "int", "string"], STRING, True),
        (["null", "int", "string"], BYTES, False),
        (["null", "int", "string"], union(string=STRING), True),
        (["null", "int", "string"], union(long=INTEGER), False),
    ],
)
def test_a_schema_takes_what_it_can_write(schema: Any, held: Type, fitting: bool) -> None:
    assert fits(Side("avro", held, FormatSchema(json.dumps(schema)))) is fitting


ENUM = {"type": "enum", "name": "a.Status", "symbols": ["NEW", "SENT"]}


@pytest.mark.parametrize(
    ("writer", "reader", "why"),
    [
        ("int", "double", None),
        ("string", "bytes", None),
        ("long", "int", "It is written as long and read as int"),
        ("int", ["null", "string"], "It is written as int and read as union of null, string"),
        (["null", "string"], "string", None),
        (["null", "int"], "string", "It is written as null and read as string"),
        (MICROS, {"type": "long", "logicalType": "timestamp-millis"}, "timestamp-micros"),
        (MICROS, "long", None),
        (ENUM, ENUM | {"name": "b.Status", "symbols": ["NEW"]}, None),
        (ENUM, ENUM | {"name": "State"}, "written as enum a.Status and read as enum State"),
        (ENUM, ENUM | {"name": "State", "aliases": ["a.Status"]}, None),
        (record({"name": "a", "type": "int"}), record({"name": "a", "type": "string"}), "Field `a` is written as int"),
        (record({"name": "a", "type": "int"}), record({"name": "a", "type": "int"}, name="Other"), "record Order"),
        (
            record({"name": "a", "type": "int"}),
            record({"name": "a", "type": "int"}, {"name": "b", "type": "int"}),
            "Field `b` is not written, and has no default",
        ),
        (
            record({"name": "a", "type": "int"}),
            record({"name": "a", "type": "int"}, {"name": "b", "type": "int", "default": "x"}),
            "Field `b` is not written, and its default is not of its type",
        ),
        (
            record({"name": "a", "type": "int"}),
            record({"name": "c", "type": "long", "aliases": ["a"]}, {"name": "b", "type": "int", "default": 1}),
            None,
        ),
        ({"type": "array", "items": "int"}, {"type": "array", "items": "string"}, r"Field `[]` is written as int"),
        (
            {"type": "fixed", "name": "F", "size": 2},
            {"type": "fixed", "name": "F", "size": 3},
            "fixed F of 2 bytes and read as fixed F of 3 bytes",
        ),
    ],
)
def test_a_reader_takes_a_writer_by_the_rules_of_the_specification(writer: Any, reader: Any, why: str | None) -> None:
    found = find_mismatch(parse(json.dumps(writer)), parse(json.dumps(reader)))

    assert (found is None) if why is None else (found is not None and why in found)


def test_a_schema_that_doubles_from_type_to_type_is_judged_at_once() -> None:
    held: Any = "int"
    for number in range(25):
        twice = [{"name": name, "type": held, "default": {} if number else 0} for name in ("a", "b")]
        named = twice if number == 0 else [twice[0], twice[1] | {"type": held["name"]}]
        held = record(*named, name=f"R{number}")
    bomb = parse(json.dumps(held))

    assert find_mismatch(bomb, bomb) is None
    assert find_mismatch(parse(json.dumps(record({"name": "x", "type": "int"}, name="R24"))), bomb) is not None


@pytest.mark.parametrize(
    "text",
    ['{"type": "fixed", "name": "A", "size": ' + "9" * 5_000 + "}", '"\\' * 50_000, "/* " * 50_000, '/* "\\"' * 50_000],
    ids=["digits", "texts", "comments", "both"],
)
def test_what_never_ends_is_not_read_and_said_at_once(text: str) -> None:
    start = time.thread_time()
    with pytest.raises(SchemaNotRead, match="not valid JSON"):
        parse(text)

    assert time.thread_time() - start < 2


def test_large_unions_and_records_are_read_and_compared_in_linear_time() -> None:
    wide = [{"type": "fixed", "name": f"F{each}", "size": 1} for each in range(4_000)]
    fields = [{"name": f"f{each}", "type": "int"} for each in range(4_000)]
    start = time.thread_time()

    assert len(of(wide).fields) == 4_000
    assert find_mismatch(*(parse(json.dumps(record(*each))) for each in (fields, fields[::-1]))) is None
    assert time.thread_time() - start < 2


def nested_records(*fields: dict[str, Any]) -> Part:
    """60 records that each have the next one twice. The last has these fields."""
    inner = record(*fields, name="R59")
    for each in reversed(range(59)):
        inner = record({"name": "a", "type": inner}, {"name": "b", "type": f"R{each + 1}"}, name=f"R{each}")
    return parse(json.dumps(inner))


def test_absent_fields_are_found_in_records_that_many_fields_have() -> None:
    old, new = nested_records(), nested_records({"name": "x", "type": "int"})

    assert find_absent_fields(old, nested_records()) == []
    assert len(find_absent_fields(old, new)) == MAX_ABSENCES


def test_a_field_is_found_by_its_name_before_an_alias() -> None:
    reader = parse(json.dumps(record(*({"name": n, "type": "int", "aliases": ["b", "c"]} for n in ("a", "b")))))

    assert isinstance(reader, Record)
    assert [find_field(reader, name) for name in ("a", "b", "c", "d")] == [*reader.fields, reader.fields[0], None]
