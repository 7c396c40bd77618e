"""Protobuf by descriptors. Google's compiler and its JSON are the judges, and Confluent's client of the frame."""

from __future__ import annotations

import base64
import struct as binary
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.schema_registry.serde import SchemaId
from google.protobuf import descriptor_pb2, duration_pb2, json_format, timestamp_pb2
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

from designer.issues import SchemaNotRead
from designer.protobuf import find_absent_fields, find_mismatch, inline_references, is_same, parse, read_type
from designer.protobuf.types import MAX_ABSENCES
from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    FormatSchema,
    Kind,
    RegistrySchemas,
    SchemaText,
    Side,
    Type,
    decimal,
    map_of,
    struct,
)
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.formats.framed import make_registry_decoder
from runner.engine.formats.framing import VALUE_HEADER
from runner.engine.formats.sides import make_decoder_of, make_encoder_of

SHOP = """
syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/any.proto";
import "validate/validate.proto";  // only its options are used
/* An order */
message Order {
  option (validate.ignored) = true;
  enum Status { NEW = 0; PAID = 1; }
  message Line { string sku = 1; sint32 count = 2; optional double price = 3; }
  int64 id = 1 [(validate.rules).int64.gt = 0];
  string city = 2;
  bool is_paid = 3;
  repeated Line lines = 4;
  map<string, int32> stock = 5;
  map<int32, Line> by_number = 6;
  Status status = 7;
  oneof payment { string card = 8; uint64 cash = 9; }
  optional int32 rating = 10;
  bytes photo = 11;
  google.protobuf.Timestamp at = 12;
  google.protobuf.Duration took = 13;
  google.protobuf.StringValue note = 14;
  google.protobuf.Struct more = 15;
  google.protobuf.Any any = 16;
  Order parent = 17;
  repeated fixed32 codes = 18;
  reserved 19, 30 to 40;
  reserved "old";
}
message Refund { int64 id = 1; message Reason { string text = 1; } }
service Shop { rpc Get(Order) returns (stream Order) { option deprecated = true; } }
"""
OLD = """
syntax = "proto2";
package old;
message Event {
  required string name = 1;
  optional int32 size = 2 [default = 5];
  optional string text = 3 [default = "a\\"\\n\\303\\266"];
  optional bytes raw = 4 [default = "\\001\\377"];
  optional double ratio = 5 [default = -inf];
  repeated int32 packed = 6 [packed = true];
  optional group Inner = 7 { optional Kind kind = 1 [default = B]; }
  enum Kind { option allow_alias = true; A = 1; B = -2; C = -2; }
  extensions 100 to max;
}
extend Event { optional int32 more = 100; }
"""
EDITION = """
edition = "2023";
package new;
option features.field_presence = IMPLICIT;
message Event {
  int32 a = 1;
  int64 b = 2 [features.field_presence = EXPLICIT];
  Inner c = 3 [features.message_encoding = DELIMITED];
  repeated int32 d = 4 [features.repeated_field_encoding = EXPANDED];
  message Inner { string text = 1; }
  reserved foo, bar;
}
"""
VALIDATE = """
syntax = "proto2";
package validate;
import "google/protobuf/descriptor.proto";
extend google.protobuf.MessageOptions { optional bool ignored = 1071; }
extend google.protobuf.FieldOptions { optional Rules rules = 1071; }
message Rules { optional Int64Rules int64 = 4; }
message Int64Rules { optional int64 gt = 4; }
"""


def side(text: str, **options: Any) -> Side:
    return Side("protobuf", read_type(text, options.get("message", "")), FormatSchema(text, **options))


def make(text: str, json: dict[str, Any], name: str = "") -> bytes:
    message = json_format.ParseDict(json, GetMessageClass(parse(text).find_message(name))())
    return bytes(message.SerializeToString())


def list_of(item: Type) -> Type:
    return Type(Kind.LIST, item=item)


LINE = struct(sku=STRING, count=INTEGER, price=DOUBLE)


def test_the_types_of_a_message():
    assert read_type(SHOP) == struct(
        id=INTEGER,
        city=STRING,
        is_paid=BOOLEAN,
        lines=list_of(LINE),
        stock=map_of(INTEGER),
        by_number=map_of(LINE),
        status=STRING,
        card=STRING,
        cash=decimal(20),
        rating=INTEGER,
        photo=BYTES,
        at=Type(Kind.INTEGER, logical="timestamp-micros"),
        took=INTEGER,
        note=STRING,
        more=map_of(ANY),
        any=struct(type_url=STRING, value=BYTES),
        parent=ANY,
        codes=list_of(INTEGER),
    )
    assert read_type(SHOP, "shop.Refund") == read_type(SHOP, "Refund") == struct(id=INTEGER)
    assert read_type(SHOP, "shop.Refund.Reason") == struct(text=STRING)


FULL = {
    "id": "7",
    "city": "Zürich",
    "isPaid": True,
    "lines": [{"sku": "a", "count": -2, "price": 1.5}, {}],
    "stock": {"a": 1},
    "byNumber": {"-3": {"sku": "b"}},
    "status": "PAID",
    "cash": "18446744073709551615",
    "photo": "AP8=",
    "at": "2013-01-01T00:00:00.123456Z",
    "took": "-1.500s",
    "note": "",
    "more": {"a": [1, None, {"b": True}]},
    "any": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": "x"},
    "parent": {"id": "8"},
    "codes": [1, 2],
}
READ = {
    "id": 7,
    "city": "Zürich",
    "is_paid": True,
    "lines": [{"sku": "a", "count": -2, "price": 1.5}, {"sku": "", "count": 0, "price": None}],
    "stock": {"a": 1},
    "by_number": {"-3": {"sku": "b", "count": 0, "price": None}},
    "status": "PAID",
    "card": None,
    "cash": Decimal(18446744073709551615),
    "rating": None,
    "photo": b"\0\xff",
    "at": 1356998400123456,
    "took": -1_500_000,
    "note": "",
    "more": {"a": [1.0, None, {"b": True}]},
    "any": {"type_url": "type.googleapis.com/google.protobuf.StringValue", "value": b"\n\x01x"},
    "codes": [1, 2],
}


def test_every_kind_of_field_is_read_and_written_back():
    data = make(SHOP, FULL)
    value = make_decoder_of(side(SHOP))(data)

    parent = value.pop("parent")
    assert value == READ
    assert (parent["id"], parent["city"], parent["at"], parent["parent"], parent["lines"]) == (8, "", None, None, [])
    back = make_encoder_of(side(SHOP))({**value, "parent": parent})
    class_ = GetMessageClass(parse(SHOP).find_message())
    assert class_.FromString(back) == class_.FromString(data)


def test_an_empty_message_has_the_defaults_of_its_fields():
    value = make_decoder_of(side(SHOP))(b"")

    assert (value["id"], value["city"], value["lines"], value["status"]) == (0, "", [], "NEW")
    assert (value["card"], value["cash"], value["rating"], value["at"], value["note"]) == (None,) * 5


def test_proto2_has_defaults_required_fields_and_groups():
    text = side(OLD)

    assert make_decoder_of(text)(make(OLD, {"name": "x", "inner": {}})) == {
        "name": "x",
        "size": 5,
        "text": 'a"\nö',
        "raw": b"\x01\xff",
        "ratio": float("-inf"),
        "packed": [],
        "inner": {"kind": "B"},
    }
    with pytest.raises(DecodeError, match="required fields name"):
        make_decoder_of(text)(b"")
    with pytest.raises(EncodeError, match="required"):
        make_encoder_of(text)({"size": 1})


def test_required_fields_that_are_missing_beside_a_map_are_named():
    text = side(
        'syntax = "proto2"; message M { message I { required int32 a = 1; } repeated I i = 2; '
        "map<string, I> by_name = 1; required int32 b = 3; }"
    )

    with pytest.raises(EncodeError, match=r"the required fields i\[1\]\.a are missing"):
        make_encoder_of(text)({"i": [{"a": 1}, {}], "by_name": {"x": {"a": 1}}, "b": 1})
    with pytest.raises(DecodeError, match=r"the required fields i\[0\]\.a, by_name\['x'\]\.a, b are missing"):
        make_decoder_of(text)(b"\x0a\x05\x0a\x01x\x12\x00" + b"\x12\x00")


def test_entries_of_maps_are_in_order_of_their_keys():
    text = side('syntax = "proto3"; message M { map<string, int32> names = 1; map<int32, int32> numbers = 2; }')
    value = {"names": dict.fromkeys("zyxwvutsrq", 1), "numbers": dict.fromkeys(["300", "-5", "20", "3"], 1)}

    read = make_decoder_of(text)(make_encoder_of(text)(value))

    assert list(read["names"]) == list("qrstuvwxyz")
    assert list(read["numbers"]) == ["-5", "3", "20", "300"]


def test_a_key_that_is_no_text_is_refused():
    text = side('syntax = "proto2"; message M { map<string, int32> m = 1; }')

    with pytest.raises(DecodeError, match="Not a message M"):
        make_decoder_of(text)(b"\x0a\x05\x0a\x01\xff\x10\x01")


def test_an_edition_says_what_may_be_absent():
    assert make_decoder_of(side(EDITION))(b"") == {"a": 0, "b": None, "c": None, "d": []}
    assert make_encoder_of(side(EDITION))({"a": 1, "b": 0, "c": {"text": "x"}, "d": [1, 2]}).hex() == (
        "08011000" + "1b0a01781c" + "20012002"
    )


@pytest.mark.parametrize("text", [SHOP, OLD, EDITION])
def test_googles_compiler_gives_the_same_descriptors(text: str, tmp_path: Path):
    (tmp_path / "validate").mkdir()
    (tmp_path / "validate/validate.proto").write_text(VALIDATE)
    (tmp_path / "main.proto").write_text(text)
    includes = [f"-I{tmp_path}", f"-I{Path(protoc.__file__).parent / '_proto'}"]
    assert (
        protoc.main(["protoc", *includes, f"--descriptor_set_out={tmp_path / 'out'}", str(tmp_path / "main.proto")])
        == 0
    )
    (theirs,) = descriptor_pb2.FileDescriptorSet.FromString((tmp_path / "out").read_bytes()).file

    ours = descriptor_pb2.FileDescriptorProto()
    parse(text).main.CopyToProto(ours)

    for message in (*ours.message_type, *theirs.message_type):
        strip(message)
    assert list(ours.message_type) == list(theirs.message_type)
    as_base64 = base64.b64encode(theirs.SerializeToString()).decode()
    assert read_type(as_base64) == read_type(text)


def strip(message: descriptor_pb2.DescriptorProto) -> None:
    """Without what changes no bytes: reserved numbers, extensions, and options of others."""
    del message.reserved_range[:], message.reserved_name[:], message.extension_range[:]
    if not message.options.map_entry:
        message.ClearField("options")
    for field in message.field:
        field.ClearField("json_name")
        for extension, _ in field.options.ListFields():
            if extension.name not in ("packed", "features"):
                field.options.ClearField(extension.name)
        field.options.DiscardUnknownFields()
        if not field.options.ByteSize():
            field.ClearField("options")
    for nested in message.nested_type:
        strip(nested)


@pytest.mark.parametrize(
    ("message", "indexes"),
    [("", [0]), ("shop.Order.Line", [0, 0]), ("shop.Refund", [1]), ("shop.Refund.Reason", [1, 0])],
)
def test_a_frame_names_the_message_by_its_indexes_as_confluents_client_does(message: str, indexes: list[int]):
    framed = side(SHOP, header=True, id=300, message=message)
    ours = make_encoder_of(framed)({})
    theirs = SchemaId("PROTOBUF", schema_id=300, message_indexes=indexes).id_to_bytes()
    as_array = binary.pack(">bI", 0, 300) + b"".join(bytes([2 * n]) for n in (len(indexes), *indexes))

    assert ours in (theirs, theirs[:5] + b"\0")
    for data in (ours, theirs, as_array):
        assert make_decoder_of(framed)(data) == make_decoder_of(side(SHOP, message=message))(b"")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "5 bytes|header"),
        (b"\0\0\0\0\x07", "cut off"),
        (b"\0\0\0\0\x07\x02", "cut off"),
        (b"\0\0\0\0\x07\x02\x04", r"indexes \[2\] name no message"),
        (b"\0\0\0\0\x07\x02\x01", r"indexes \[-1\] name no message"),
        (b"\0\0\0\0\x07\x04\x00\x02", r"indexes \[0, 1\] name no message"),
        (b"\0\0\0\0\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff", "cut off, or too large"),
        (b"\0\0\0\0\x07\x80\x80\x04", "it says that it has"),
        (b"\0\0\0\0\x07\x02\x02", "It is a message shop.Refund; the source reads shop.Order"),
        (b"\0\0\0\0\x07\0\x08", "cut off"),
        (b"\0\0\0\0\x07\0" + b"\x08" + b"\xff" * 11, "cut off"),
        (b"\0\0\0\0\x07\0\x12\x02\xff\xff", "cut off"),
        (b"\0\0\0\0\x07\0\x0b\x0b\x0b", "cut off"),
        (b"\0\0\0\0\x07\0" + b"\x8a\x01\x80\x80\x80\x80\x08", "cut off"),
    ],
)
def test_hostile_bytes_are_dead_letters(data: bytes, why: str):
    with pytest.raises(DecodeError, match=why):
        make_decoder_of(side(SHOP, header=True, id=7))(data)


def test_messages_that_nest_too_deep_are_neither_read_nor_written():
    data = b""
    for _ in range(150):
        size = len(data)
        data = b"\x8a\x01" + (bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])) + data
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"parent": deep}

    with pytest.raises(DecodeError, match="100 levels"):
        make_decoder_of(side(SHOP))(data)
    with pytest.raises(EncodeError, match="200 levels"):
        make_encoder_of(side(SHOP))(deep)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"id": None}, "field `id` is null; expected an integer of 64 bits"),
        ({"id": "7"}, "field `id` is '7'; expected an integer of 64 bits"),
        ({"id": 2**63}, "an integer of 64 bits"),
        ({"id": True}, "an integer of 64 bits"),
        ({"lines": [{}, {"count": 2**31}]}, r"field `lines\[1\].count` is 2147483648; expected an integer of 32 bits"),
        ({"stock": {"a": None}}, r"field `stock\['a'\]` is null"),
        ({"by_number": {"x": {}}}, "a key that is an integer"),
        ({"status": "LOST"}, "one of the values NEW, PAID of the enum Status"),
        ({"card": "a", "cash": 1}, "`card` of the same oneof is set"),
        ({"cash": -1}, "from 0 to 18446744073709551615"),
        ({"at": 2**62}, "microseconds"),
        ({"city": "\ud800"}, "text that UTF-8 can hold"),
        ({"lines": None}, "expected a list"),
        ([], "expected a message shop.Order"),
    ],
)
def test_a_value_that_does_not_fit_names_its_field(value: Any, why: str):
    with pytest.raises(EncodeError, match=why):
        make_encoder_of(side(SHOP))(value)


@pytest.mark.parametrize(("type_", "value"), [("Timestamp", 1_500_000), ("Duration", -1_500_000), ("Int64Value", 0)])
def test_a_message_of_only_well_known_numbers_is_written(type_: str, value: int):
    file = {"Int64Value": "wrappers"}.get(type_, type_.lower())
    text = f'syntax = "proto3"; import "google/protobuf/{file}.proto"; message A {{ google.protobuf.{type_} x = 1; }}'
    side = Side("protobuf", read_type(text), FormatSchema(text))

    data = make_encoder_of(side)({"x": value})

    assert make_decoder_of(side)(data) == {"x": value}


@pytest.mark.parametrize("type_", ["Timestamp", "Duration"])
@pytest.mark.parametrize("seconds", [2**62, -(2**62)])
def test_a_time_beyond_64_bits_of_microseconds_is_not_read(type_: str, seconds: int):
    header = f'syntax = "proto3"; import "google/protobuf/{type_.lower()}.proto";'
    text = f"{header} message A {{ google.protobuf.{type_} x = 1; }}"
    message = {"Timestamp": timestamp_pb2.Timestamp, "Duration": duration_pb2.Duration}[type_](seconds=seconds)
    body = message.SerializeToString()

    with pytest.raises(DecodeError, match="microseconds, which do not fit into 64 bits"):
        make_decoder_of(Side("protobuf", read_type(text), FormatSchema(text)))(bytes((10, len(body))) + body)


def test_json_takes_no_integer_that_no_double_holds():
    text = 'syntax = "proto3"; import "google/protobuf/struct.proto"; message A { google.protobuf.Value x = 1; }'

    with pytest.raises(EncodeError, match=r"field `x\['a'\]` is .* expected a number that a double can hold"):
        make_encoder_of(Side("protobuf", read_type(text), FormatSchema(text)))({"x": {"a": 10**400}})


def test_an_enum_number_without_a_name_stays():
    data = b"\x38\x09"

    assert make_decoder_of(side(SHOP))(data)["status"] == "9"
    assert make_encoder_of(side(SHOP))({"status": "9"}) == data


def test_records_of_other_writers_are_read_by_field_number():
    header = 'syntax = "proto3"; package shop;'
    own = f"{header} message Order {{ int64 id = 1; string city = 2; }}"
    schemas: RegistrySchemas = {
        8: SchemaText("PROTOBUF", f"{header} message Other {{}} message Order {{ int32 number = 1; bytes more = 9; }}"),
        9: SchemaText("PROTOBUF", f"{header} message Order {{ string id = 1; }}"),
        10: SchemaText("PROTOBUF", f"{header} message Invoice {{}}"),
        11: SchemaText("JSON", "{}"),
    }
    decode = make_registry_decoder(side(own, header=True, id=7, registry=True), schemas, VALUE_HEADER)

    def prefix(number: int, rest: bytes) -> bytes:
        return binary.pack(">bI", 0, number) + rest

    in_header = f'[{{"key": "{VALUE_HEADER}", "value": "{base64.b64encode(prefix(8, bytes([2, 2]))).decode()}"}}]'
    assert decode(prefix(8, b"\x02\x02\x08\x05"), None) == {"id": 5, "city": ""}
    assert decode(prefix(7, b"\0\x08\x05\x12\x01a"), None) == {"id": 5, "city": "a"}
    assert decode(b"\x08\x05", in_header) == {"id": 5, "city": ""}
    for data, why in (
        (prefix(8, b"\0\x08\x05"), "It is a message shop.Other"),
        (prefix(9, b"\0"), "Field `id` is written as string and read as int64"),
        (prefix(10, b"\0"), "It has no message `shop.Order`"),
        (prefix(11, b"\0"), "expected PROTOBUF"),
        (prefix(12, b"\0"), "did not give"),
    ):
        with pytest.raises(DecodeError, match=why):
            decode(data, None)


def test_imports_follow_in_the_text_as_a_registry_refers_to_them():
    main = 'syntax = "proto3"; package a; import "b.proto"; message A { b.B b = 1; c.C c = 2; }'
    b = 'syntax = "proto3"; package b; import public "c.proto"; message B { c.C c = 1; }'
    c = 'syntax = "proto3"; package c; message C { int32 n = 1; }'

    text = inline_references(SchemaText("PROTOBUF", main, (("c.proto", c), ("b.proto", b))))

    assert read_type(text) == struct(b=struct(c=struct(n=INTEGER)), c=struct(n=INTEGER))


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        ('syntax = "proto3";\nmessage M { string a = ; }', "protobuf.syntax", "line 2"),
        ("{", "protobuf.syntax", "line 1"),
        ("", "protobuf.no_message", "no message"),
        ("message M { Money m = 1; }", "protobuf.invalid", "Money"),
        ('import "money.proto"; message M { Money m = 1; }', "protobuf.invalid", "imports are missing: money.proto"),
        ('import "a";\n// file: a\nimport "b";\n// file: b\nimport "a";', "protobuf.circle", "a → b → a"),
        ('import "main.proto";', "protobuf.circle", "main.proto → main.proto"),
        ("message M { string a = 1; string b = 1; }", "protobuf.invalid", "duplicate field number"),
        ('syntax = "proto4";', "protobuf.invalid", "unknown syntax"),
        ("message M { string a = 1; message M2 { M3 x = 1; } }", "protobuf.invalid", "M3"),
        ("message M {" * 100 + "}" * 100, "protobuf.invalid", "too deep"),
        ("// " + "x" * 300_000, "schema.too_large", "300000 characters"),
        ("AAAA", "protobuf.invalid", "no serialized descriptor"),
        (
            'edition = "2023"; option features.field_presence = FOO;',
            "protobuf.invalid",
            "field_presence has no value FOO",
        ),
    ],
)
def test_what_is_no_schema_is_said(text: str, code: str, why: str):
    with pytest.raises(SchemaNotRead) as raised:
        read_type(text)

    assert raised.value.issue.code == code
    assert why in str(raised.value)


def test_a_message_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(SchemaNotRead, match=r"no message `shop.Ordr`, but shop.Order, shop.Refund"):
        read_type(SHOP, "shop.Ordr")


def test_a_name_that_cannot_be_written_is_the_name_of_no_message():
    with pytest.raises(SchemaNotRead, match="no message"):
        read_type(SHOP, "\ud800")


def test_files_that_import_the_same_ones_are_compared_once():
    files = [
        f'// file: {each}\nsyntax = "proto3"; import "{each + 1}"; import "{each + 2}"; message M{each} {{}}'
        for each in range(60)
    ]
    text = "\n".join([*files, *(f'// file: {each}\nsyntax = "proto3";' for each in (60, 61))])

    assert is_same(text, text + " ")
    assert not is_same(text, text.replace("M59", "N59"))


def nested_messages(*fields: str) -> str:
    """60 messages that each have the next one twice. The last has these fields."""
    outer = [f"message M{each} {{ M{each + 1} a = 1; M{each + 1} b = 2; }}" for each in range(59)]
    return "\n".join(['syntax = "proto3";', *outer, f"message M59 {{ {' '.join(fields)} }}"])


def test_absent_fields_are_found_in_messages_that_many_fields_have():
    old, new = nested_messages(), nested_messages("int32 x = 1;")

    assert list(find_absent_fields(old, old + " ")) == []
    assert len(list(find_absent_fields(old, new))) == MAX_ABSENCES


def test_absent_fields_are_named_at_each_place_of_a_message_that_is_inside_itself():
    text = 'syntax = "proto3"; message R {{ A a = 1; B b = 2; }} message A {{ B b = 1; {} }} message B {{ A a = 1; }}'

    absent = find_absent_fields(text.format(""), text.format("int32 x = 2;"))

    assert [".".join(each.path) for each in absent] == ["a.x", "b.a.x"]


def test_messages_match_by_number_and_wire_type():
    header = 'syntax = "proto3";'
    one = f"{header} message M {{ int32 a = 1; M inner = 2; string t = 3; }}"
    other = f"{header} message M {{ int64 b = 1; M inner = 2; bytes t = 3; string more = 4; }}"
    bad = f"{header} message M {{ int32 a = 1; string inner = 2; }}"

    assert find_mismatch(one, other) is None
    assert find_mismatch(one, bad) == "Field `inner` is written as message and read as string"


def test_absent_fields_of_messages_that_are_inside_each_other_are_found_in_a_short_time():
    def make_text(of_first: str = "", of_last: str = "") -> str:
        links = " ".join(f"M{number} m{number} = {number + 1};" for number in range(20))
        more = {0: of_first, 19: of_last}
        messages = (f"message M{number} {{ {links} {more.get(number, '')} }}" for number in range(20))
        return "\n".join(['syntax = "proto3";', *messages])

    assert list(find_absent_fields(make_text(), make_text() + " ")) == []
    assert [each.path for each in find_absent_fields(make_text(), make_text("int32 x = 99;"))] == [("x",)]
    assert len(list(find_absent_fields(make_text(), make_text(of_last="int32 x = 99;")))) == MAX_ABSENCES


def test_messages_in_a_long_chain_are_compared():
    def make_text(field: str) -> str:
        chain = "".join(f"message M{number} {{ M{number + 1} m = 1; }}" for number in range(1_100))
        return f'syntax = "proto3"; {chain} message M1100 {{ {field} }}'

    (absent,) = find_absent_fields(make_text(""), make_text("int32 x = 1;"))

    assert len(absent.path) == 1_101
    assert find_mismatch(make_text("int32 x = 1;"), make_text("string x = 1;")) is not None
