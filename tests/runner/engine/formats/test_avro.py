"""Avro in its binary encoding, as Java's writers give it, with Confluent's header and without."""

import json
import tracemalloc
from contextlib import suppress
from decimal import Decimal
from io import BytesIO
from typing import Any

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.avro import read_type
from designer.values.exact_json import MAX_DEPTH
from designer.values.schemas import FormatSchema, Side
from designer.values.tuples import UnionValue
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.formats.sides import make_decoder_of, make_encoder_of

ORDER = json.dumps(
    {
        "type": "record",
        "name": "Order",
        "namespace": "shop",
        "fields": [
            {"name": "id", "type": "long"},
            {"name": "items", "type": "int"},
            {"name": "price", "type": "double"},
            {"name": "paid", "type": "boolean"},
            {"name": "note", "type": ["null", "string"], "default": None},
            {"name": "status", "type": {"type": "enum", "name": "Status", "symbols": ["NEW", "SENT"]}},
            {"name": "tags", "type": {"type": "array", "items": "string"}},
            {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
            {"name": "raw", "type": "bytes"},
        ],
    }
)


def side(schema: str, header: bool = False, number: int | None = None) -> Side:
    return Side("avro", read_type(schema), FormatSchema(schema, header, number))


ORDERS = st.fixed_dictionaries(
    {
        "id": st.integers(-(2**63), 2**63 - 1),
        "items": st.integers(-(2**31), 2**31 - 1),
        "price": st.floats(allow_nan=False),
        "paid": st.booleans(),
        "note": st.none() | st.text(st.characters(codec="utf-8")),
        "status": st.sampled_from(["NEW", "SENT"]),
        "tags": st.lists(st.text(st.characters(codec="utf-8")), max_size=3),
        "at": st.integers(0, 2**50),
        "raw": st.binary(max_size=8),
    }
)


@given(ORDERS, st.sampled_from([side(ORDER), side(ORDER, True, 7)]))
def test_what_is_written_is_read_again(order: dict[str, Any], written: Side) -> None:
    assert make_decoder_of(written)(make_encoder_of(written)(order)) == order


def test_bytes_are_those_of_the_specification() -> None:
    test = side(
        '{"type": "record", "name": "t", "fields": [{"name": "a", "type": "long"}, {"name": "b", "type": "string"}]}'
    )

    assert make_encoder_of(test)({"a": 27, "b": "foo"}).hex(" ") == "36 06 66 6f 6f"
    assert make_decoder_of(test)(bytes.fromhex("3606666f6f")) == {"a": 27, "b": "foo"}


def test_confluents_header_names_the_schema() -> None:
    numbers = side('"long"', True, 258)

    assert make_encoder_of(numbers)(1).hex(" ") == "00 00 00 01 02 02"
    assert make_decoder_of(numbers)(bytes.fromhex("000000010202")) == 1


def test_an_id_that_is_not_listed_is_an_error_that_names_it() -> None:
    data = bytes.fromhex("000000000702")

    assert make_decoder_of(side('"long"', True, 7))(data) == 1
    with pytest.raises(DecodeError, match=r"written with the schema of id 7\. Known: 8"):
        make_decoder_of(side('"long"', True, 8))(data)


def test_a_plan_older_than_the_check_for_an_id_goes_on_reading_any() -> None:
    assert make_decoder_of(side('"long"', True))(bytes.fromhex("000000000702")) == 1


@pytest.mark.parametrize("data", [b"", b"\x00\x00\x00\x00", b"\x01\x00\x00\x00\x07\x02"])
def test_a_header_that_is_none_is_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError, match="header"):
        make_decoder_of(side('"long"', True))(data)


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x02\x02\x02", b"\xff" * 30])
def test_bytes_that_do_not_follow_the_schema_are_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError, match="Not Avro of this schema"):
        make_decoder_of(side(ORDER))(data)


@given(st.binary(max_size=64))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(DecodeError):
        assert make_decoder_of(side(ORDER))(data).keys() == {field.name for field in read_type(ORDER).fields}


def test_bytes_that_are_left_over_are_an_error() -> None:
    with pytest.raises(DecodeError, match="1 of 2 bytes are left over"):
        make_decoder_of(side('"long"'))(b"\x02\x00")


@pytest.mark.parametrize(("schema", "value"), [('"int"', 2**31), ('"long"', "1"), ('"string"', None), ('"long"', True)])
def test_values_the_schema_does_not_take_are_not_written(schema: str, value: object) -> None:
    with pytest.raises(EncodeError, match="does not accept it"):
        make_encoder_of(side(schema))(value)


def test_a_symbol_that_an_enum_does_not_have_is_not_written() -> None:
    status = side('{"type": "enum", "name": "Status", "symbols": ["NEW"]}')

    with pytest.raises(EncodeError):
        make_encoder_of(status)("OLD")


def test_a_map_comes_back_and_holds_one_type() -> None:
    prices = side('{"type": "map", "values": ["null", "double"]}')

    assert make_decoder_of(prices)(make_encoder_of(prices)({"CHF": 2.5, "EUR": None})) == {"CHF": 2.5, "EUR": None}
    with pytest.raises(EncodeError, match="does not accept it"):
        make_encoder_of(prices)({"CHF": "2.5"})


def logical(meaning: str, written: str = "long", **more: Any) -> str:
    return json.dumps({"type": written, "logicalType": meaning} | more)


SMALL = logical("decimal", "bytes", precision=3, scale=1)


@pytest.mark.parametrize(
    ("schema", "value", "data"),
    [
        (logical("timestamp-micros"), 1_774_740_600_000_001, "82b8c0f0bf87a706"),
        (logical("date", "int"), -1, "01"),
        (logical("decimal", "bytes", precision=4, scale=1), Decimal("10.0"), "0264"),
        (logical("decimal", "bytes", precision=4, scale=1), Decimal("-0.1"), "02ff"),
        (logical("decimal", "bytes", precision=4, scale=1), Decimal("0.0"), "0200"),
        (logical("decimal", "bytes", precision=4, scale=1), Decimal("12.8"), "040080"),
        (logical("decimal", "fixed", name="F", size=4, precision=9, scale=2), Decimal("-1.00"), "ffffff9c"),
        (logical("uuid", "string"), "not checked", "166e6f7420636865636b6564"),
        (
            logical("uuid", "fixed", name="Id", size=16),
            "123e4567-e89b-12d3-a456-426614174000",
            "123e4567e89b12d3a456426614174000",
        ),
        (
            logical("duration", "fixed", name="Span", size=12),
            {"months": 1, "days": 258, "milliseconds": 4_294_967_295},
            "0100000002010000ffffffff",
        ),
    ],
)
def test_a_logical_type_is_read_as_what_it_means_and_written_as_it_came(schema: str, value: Any, data: str) -> None:
    read = make_decoder_of(side(schema))(bytes.fromhex(data))

    assert (read, str(read)) == (value, str(value))
    assert make_encoder_of(side(schema))(read).hex() == data


@pytest.mark.parametrize(
    ("schema", "data", "said"),
    [
        (logical("decimal", "bytes", precision=2), "0464aa", "its 2 bytes are not a decimal of at most 2 digits"),
        (logical("decimal", "bytes", precision=2), "00", "its 0 bytes are not a decimal"),
        ('"boolean"', "02", "a byte 0 or 1, not 2"),
        ('"int"', "feffffffff01", "does not fit into 32 bits"),
        ('"long"', "ffffffffffffffffffff01", "does not end within 10 bytes"),
        ('"long"', "ffffffffffffffffff7f", "does not fit into 64 bits"),
        ('"string"', "01616263", "says that it has -1 bytes"),
        ('"string"', "0a616263", "says that it has 5 bytes, and 3 are left"),
        ('"string"', "02ff", "not valid UTF-8"),
        ('"double"', "0000", "ends too early"),
        ('["null", "string"]', "01", "union index -1 is out of range"),
        ('{"type": "enum", "name": "S", "symbols": ["A"]}', "02", "the symbol 1 of an enum of 1"),
        ('{"type": "enum", "name": "S", "symbols": ["A"]}', "01", "the symbol -1 of an enum of 1"),
        ('{"type": "array", "items": "long"}', "feffffffff01", "34359738367 entries follow in 0 bytes"),
        ('{"type": "array", "items": "long"}', "040280", r"field `\[1\]`, at byte 2 of 3: the value ends too early"),
        (ORDER, "020200000000000000000004", "field `note`, at byte 11 of 12: union index 2 is out of range"),
    ],
)
def test_an_error_says_where_and_what(schema: str, data: str, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        make_decoder_of(side(schema))(bytes.fromhex(data))


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        (ORDER, {"id": "7"}, "field `id` is '7'; expected an integer of 64 bits"),
        ('{"type": "array", "items": "int"}', [1, 2**31], r"field `\[1\]` is 2147483648; expected an integer of 32"),
        ('{"type": "map", "values": "string"}', {"a": None}, "field `\\['a'\\]` is null; expected text"),
        ('{"type": "enum", "name": "S", "symbols": ["A", "B"]}', "C", "'C'; expected one of the symbols A, B"),
        ('{"type": "fixed", "name": "F", "size": 4}', b"abc", "3 bytes; expected 4 bytes, as the fixed F has"),
        ('"float"', 1e39, "a float of 32 bits"),
        ('"float"', 10**400, "a float of 32 bits"),
        ('"double"', 10**400, "a number that a double can hold"),
        ('"string"', "\ud800", "text that UTF-8 can hold"),
        (
            logical("decimal", "bytes", precision=3, scale=1),
            Decimal("100.0"),
            r"100.0; expected a number of decimal\(3,1\)",
        ),
        (
            logical("decimal", "bytes", precision=3, scale=1),
            Decimal("1.25"),
            r"1.25; expected a number of decimal\(3,1\)",
        ),
        (logical("uuid", "fixed", name="Id", size=16), "x", "expected a UUID"),
        (logical("duration", "fixed", name="Span", size=12), {"months": -1}, "each an integer from 0 to 4294967295"),
        ('["int", "string"]', True, "true; expected one of int, string"),
        ('["int", "string"]', UnionValue("int", "x"), "'x'; expected what int is in its union"),
        ('"string"', UnionValue("int", 1), "a union's int; expected text"),
    ],
)
def test_a_value_that_is_not_written_is_named_with_what_is_expected(schema: str, value: Any, said: str) -> None:
    with pytest.raises(EncodeError, match=said):
        make_encoder_of(side(schema))(value)


CITY = {"type": "record", "name": "City", "namespace": "shop", "fields": [{"name": "name", "type": "string"}]}
PLACE = CITY | {"name": "Place"}
UNION = json.dumps(["null", "int", "long", "string", {"type": "array", "items": "shop.City"} | {"items": CITY}, PLACE])


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, "00"),
        (UnionValue("int", 7), "020e"),
        (UnionValue("long", 7), "040e"),
        (UnionValue("string", "7"), "060237"),
        (UnionValue("array", [{"name": "Bern"}]), "0802084265726e00"),
        (UnionValue("shop.Place", {"name": "Bern"}), "0a084265726e"),
    ],
)
def test_a_union_keeps_which_of_its_types_a_value_has(value: Any, data: str) -> None:
    both = side(UNION)

    assert make_decoder_of(both)(bytes.fromhex(data)) == value
    assert make_encoder_of(both)(value).hex() == data


def test_a_value_that_comes_from_elsewhere_is_written_as_the_first_type_that_takes_it() -> None:
    write = make_encoder_of(side(UNION))

    assert write(7).hex() == "020e"
    assert write(2**40)[:1].hex() == "04"
    assert write({"name": "Bern"}).hex() == "0a084265726e"


def test_a_named_type_may_be_used_twice() -> None:
    fields = [{"name": "home", "type": CITY}, {"name": "work", "type": ["null", "City"]}]
    person = side(json.dumps({"type": "record", "name": "Person", "namespace": "shop", "fields": fields}))
    value = {"home": {"name": "Bern"}, "work": {"name": "Thun"}}

    assert make_decoder_of(person)(make_encoder_of(person)(value)) == value


def written(*fields: dict[str, Any], name: str = "E", **more: Any) -> str:
    return json.dumps({"type": "record", "name": name, "fields": list(fields)} | more)


def named(name: str, held: Any = "string", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": held} | more


READER = written(
    named("first"),
    named("last", "string", aliases=["surname"]),
    named("size", "double", default=1),
    named("raw", "bytes", default="\u00ff"),
    named("price", {"type": "bytes", "logicalType": "decimal", "precision": 4, "scale": 1}, default="d"),
    named("mark", ["null", "int", "string"], default=None),
    named("status", {"type": "enum", "name": "S", "symbols": ["NEW"], "default": "NEW"}, default="NEW"),
    aliases=["Old"],
)
FILLED = {"size": 1.0, "raw": b"\xff", "price": Decimal("10.0"), "mark": None, "status": "NEW"}


@pytest.mark.parametrize(
    ("writer", "data", "value"),
    [
        (written(named("last"), named("first")), "02610262", {"first": "b", "last": "a"}),
        (written(named("surname"), named("first"), name="Old"), "02610262", {"first": "b", "last": "a"}),
        (
            written(named("gone", {"type": "array", "items": "int"}), named("first"), named("last")),
            "0402040002620261",
            {"first": "b", "last": "a"},
        ),
        (
            written(named("first"), named("last", ["null", "string"]), named("size", "int")),
            "026202026106",
            {"first": "b", "last": "a", "size": 3.0},
        ),
        (
            written(named("first", "bytes"), named("last"), named("raw", "string"), named("mark", "string")),
            "0262026102780279",
            {"first": "b", "last": "a", "raw": b"x", "mark": UnionValue("string", "y")},
        ),
        (
            written(
                named("first"), named("last"), named("status", {"type": "enum", "name": "S", "symbols": ["X", "NEW"]})
            ),
            "0262026100",
            {"first": "b", "last": "a"},
        ),
    ],
)
def test_records_of_other_writers_become_the_readers(writer: str, data: str, value: dict[str, Any]) -> None:
    both = Side("avro", read_type(READER), FormatSchema(READER, True, 7, ((8, writer),)))

    read = make_decoder_of(both)(b"\0\0\0\0\x08" + bytes.fromhex(data))

    assert read == FILLED | value
    assert list(read) == [field.name for field in read_type(READER).fields]


def test_a_null_for_which_the_reader_has_no_type_fails_alone() -> None:
    writer = written(named("first"), named("last", ["null", "string"]))
    both = Side("avro", read_type(READER), FormatSchema(READER, True, 7, ((8, writer),)))

    with pytest.raises(DecodeError, match="field `last`, at byte 8 of 8: null is written"):
        make_decoder_of(both)(b"\0\0\0\0\x08" + bytes.fromhex("026200"))


SCHEMAS = [json.loads(text) for text in (ORDER, UNION)] + [
    {"type": "map", "values": ["null", "float"]},
    {"type": "record", "name": "Deep", "fields": [named("in", {"type": "array", "items": CITY}), named("f", "float")]},
]


@given(st.sampled_from(SCHEMAS), st.binary(max_size=40))
def test_what_is_read_is_what_fastavro_reads(schema: Any, data: bytes) -> None:
    """fastavro also reads what Java refuses: negative places in unions and enums, integers that are too large."""
    try:
        read = make_decoder_of(side(json.dumps(schema)))(data)
    except DecodeError:
        return
    stripped = json.loads(json.dumps(schema).replace("logicalType", "meaning"))
    plain = fastavro.schemaless_reader(BytesIO(data), fastavro.parse_schema(stripped), None)
    assert repr(unwrapped(read)) == repr(plain)


TREE = json.dumps(
    {
        "type": "record",
        "name": "Node",
        "fields": [
            named("label", "string"),
            named("next", ["null", "Node"]),
            named("children", {"type": "array", "items": "Node"}),
            named("odd", ["null", "long", "Node"]),
        ],
    }
)
EMPTY = {"type": "record", "name": "Empty", "fields": []}
NOTHING = json.dumps({"type": "array", "items": {"type": "array", "items": EMPTY}})


def test_a_record_inside_itself_is_read_and_written() -> None:
    leaf: dict[str, Any] = {"label": "b", "next": None, "children": [], "odd": None}
    tree = {"label": "a", "next": leaf, "children": [leaf, leaf], "odd": UnionValue("Node", leaf)}

    data = make_encoder_of(side(TREE))(tree)

    assert make_decoder_of(side(TREE))(data) == tree
    assert fastavro.schemaless_reader(BytesIO(data), json.loads(TREE), None) == unwrapped(tree)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 400, 10_000, 300_000])
def test_a_record_too_deep_inside_itself_is_an_error_for_reader_and_writer(depth: int) -> None:
    tree: dict[str, Any] | None = None
    for _ in range(depth):
        tree = {"label": "", "next": tree, "children": [], "odd": None}
    prefix, suffix = bytes([0, 2]), bytes([0, 0])

    with pytest.raises(DecodeError, match="deeper than 200 levels"):
        make_decoder_of(side(TREE))(prefix * (depth - 1) + bytes([0, 0]) + suffix * depth)
    with pytest.raises(EncodeError, match="deeper than 200 levels"):
        make_encoder_of(side(TREE))(tree)


def test_a_tree_as_deep_as_the_limit_is_read_and_written() -> None:
    tree: dict[str, Any] | None = None
    for _ in range(MAX_DEPTH - 1):
        tree = {"label": "", "next": tree, "children": [], "odd": None}

    assert make_decoder_of(side(TREE))(make_encoder_of(side(TREE))(tree)) == tree


def test_a_record_of_only_itself_is_an_error_whatever_the_bytes() -> None:
    itself = json.dumps({"type": "record", "name": "R", "fields": [named("r", "R")]})

    for data in (b"", b"\0", bytes(1_000)):
        with pytest.raises(DecodeError):
            make_decoder_of(side(itself))(data)
    with pytest.raises(EncodeError):
        make_encoder_of(side(itself))({"r": None})


def test_another_writer_of_a_recursive_schema_is_read_by_the_readers() -> None:
    def chain(of: str, *more: dict[str, Any]) -> str:
        fields = [named("value", of), named("next", ["null", "Node"]), *more]
        return json.dumps({"type": "record", "name": "Node", "fields": fields})

    reader = chain("long", named("note", "string") | {"default": "-"})
    both = Side("avro", read_type(reader), FormatSchema(reader, True, 7, ((8, chain("int")),)))

    read = make_decoder_of(both)(b"\0\0\0\0\x08" + bytes.fromhex("02020400"))

    assert read == {"value": 1, "next": {"value": 2, "next": None, "note": "-"}, "note": "-"}


@pytest.mark.parametrize(
    ("schema", "value", "data"),
    [
        (json.dumps(EMPTY), {}, ""),
        (
            json.dumps({"type": "record", "name": "R", "fields": [named("a", "null"), named("b", "int")]}),
            {"a": None, "b": 1},
            "02",
        ),
        (json.dumps({"type": "array", "items": "null"}), [None] * 3, "0600"),
        (NOTHING, [[{}, {}], []], "04040000" + "00"),
        (json.dumps({"type": "fixed", "name": "F", "size": 0}), b"", ""),
        (json.dumps(["null"]), None, "00"),
    ],
)
def test_values_that_take_no_bytes_are_read_and_written(schema: str, value: Any, data: str) -> None:
    assert make_decoder_of(side(schema))(bytes.fromhex(data)) == value
    assert make_encoder_of(side(schema))(value).hex() == data


def test_a_struct_becomes_the_record_of_a_union_that_loses_no_member_of_it() -> None:
    schema = json.dumps([EMPTY, {"type": "record", "name": "Paid", "fields": [named("cents", "long")]}])

    encode = make_encoder_of(side(schema))

    assert [encode(value).hex() for value in ({}, {"cents": 300}, {"other": 1})] == ["00", "02d804", "00"]


def varint(number: int) -> bytes:
    data, number = bytearray(), (number << 1) ^ (number >> 63)
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes([*data, number])


BOMBS = {
    "a list of a billion empty records": (json.dumps({"type": "array", "items": EMPTY}), varint(10**9) + b"\0"),
    "a list of a billion nulls in blocks": (
        json.dumps({"type": "array", "items": "null"}),
        (varint(50_000)) * 3 + b"\0",
    ),
    "a billion nulls with a size": (json.dumps({"type": "array", "items": "null"}), varint(-(10**9)) + b"\0\0"),
    "many lists of nothing in a list": (NOTHING, varint(60_000) + (varint(1_000) + b"\0") * 60_000 + b"\0"),
    "more entries than bytes": (json.dumps({"type": "map", "values": "int"}), varint(10**12)),
    "a negative count of more than bytes": (json.dumps({"type": "array", "items": "int"}), varint(-(2**62)) + b"\0"),
    "a text of 2**60 bytes": (json.dumps("string"), varint(2**60) + b"x"),
    "bytes of a negative length": (json.dumps("bytes"), varint(-5) + b"x"),
    "a varint without an end": (json.dumps("long"), b"\xff" * 100_000),
    "a decimal of a megabyte": (
        json.dumps({"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 2}),
        varint(10**6) + b"\x7f" * 10**6,
    ),
    "no end of records": (TREE, b"\0\2" * 500_000),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_few_bytes_that_claim_to_be_much_are_an_error_at_once(name: str) -> None:
    schema, data = BOMBS[name]
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError):
            make_decoder_of(side(schema))(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 100_000_000


@given(ORDERS, st.integers(0, 200))
def test_bytes_that_are_cut_short_are_an_error_that_says_where(order: dict[str, Any], at: int) -> None:
    data = make_encoder_of(side(ORDER))(order)

    with pytest.raises(DecodeError, match=r"field `\w+(\[\d\])?`, at byte \d+ of \d+: \w+"):
        make_decoder_of(side(ORDER))(data[: min(at, len(data) - 1)])


@given(ORDERS)
def test_fastavro_reads_what_is_written(order: dict[str, Any]) -> None:
    stripped = fastavro.parse_schema(json.loads(ORDER.replace("logicalType", "meaning")))

    assert fastavro.schemaless_reader(BytesIO(make_encoder_of(side(ORDER))(order)), stripped, None) == order


def unwrapped(value: Any) -> Any:
    match value:
        case UnionValue(_, held):
            return unwrapped(held)
        case dict():
            return {name: unwrapped(each) for name, each in value.items()}
        case list():
            return [unwrapped(each) for each in value]
        case _:
            return value


FLAT = json.dumps(
    {
        "type": "record",
        "name": "Flat",
        "fields": [
            {"name": name, "type": name} for name in ("string", "long", "int", "double", "float", "boolean", "bytes")
        ],
    }
)


@pytest.mark.parametrize("text", ["", "a", "zoë", "\U0001f600", "x" * 63, "x" * 64, "ü" * 40, "x" * 2_000])
@pytest.mark.parametrize("number", [0, -1, 63, 64, -65, 2**31 - 1])
def test_a_record_of_plain_fields_is_read_as_it_was_written(text: str, number: int) -> None:
    flat = side(FLAT)
    value = {
        "string": text,
        "long": number * 2**30,
        "int": number,
        "double": 1.5,
        "float": -0.5,
        "boolean": True,
        "bytes": text.encode(),
    }
    data = make_encoder_of(flat)(value)

    assert make_decoder_of(flat)(data) == value
    for end in range(0, len(data), max(1, len(data) // 20)):
        with pytest.raises(DecodeError, match="field `"):
            make_decoder_of(flat)(data[:end])


def test_a_text_of_a_plain_record_that_is_not_utf_8_names_its_field() -> None:
    with pytest.raises(DecodeError, match=r"field `string`.*not valid UTF-8"):
        make_decoder_of(side(FLAT))(b"\x02\xff" + bytes(20))


def test_a_schema_may_have_comments_as_for_java():
    text = """/* Licensed to nobody. */
    {"type": "record", "name": "A", "fields": [ // all of them
        {"name": "x", "type": "string", "doc": "no // comment"}]}"""
    side = Side("avro", read_type(text), FormatSchema(text))

    assert make_decoder_of(side)(make_encoder_of(side)({"x": "/* kept */"})) == {"x": "/* kept */"}
