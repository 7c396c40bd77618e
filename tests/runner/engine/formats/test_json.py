from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from designer.values.exact_json import MAX_DEPTH
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type, decimal, map_of, struct
from runner.engine.formats import DecodeError, EncodeError, get_format
from runner.engine.records.codecs import pack, unpack

JSON = get_format("json")
ORDER = struct(id=INTEGER, amount=DOUBLE, paid=BOOLEAN, note=STRING)


def test_a_struct_comes_back_with_its_types():
    order = JSON.make_decoder(ORDER)(b'{"id": 7, "amount": 5, "paid": true, "note": "x"}')

    assert order == {"id": 7, "amount": 5.0, "paid": True, "note": "x"}
    assert type(order["amount"]) is float


def test_missing_fields_and_nulls_are_right():
    decode = JSON.make_decoder(ORDER)

    assert decode(b"{}") == {}
    assert decode(b'{"id": null, "amount": null, "note": null}') == {"id": None, "amount": None, "note": None}
    assert decode(b"null") is None


def test_fields_that_are_not_declared_pass():
    assert JSON.make_decoder(ORDER)(b'{"id": 1, "more": [1.5]}') == {"id": 1, "more": [1.5]}


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (b'{"id": 1.5}', "id"),
        (b'{"id": "1"}', "id"),
        (b'{"id": true}', "id"),
        (b'{"amount": "5"}', "amount"),
        (b'{"amount": true}', "amount"),
        (b'{"paid": 1}', "paid"),
        (b'{"note": 1}', "note"),
        (b'{"note": {}}', "note"),
        (b'{"id": 9223372036854775808}', "id"),
        (b'{"id": -9223372036854775809}', "id"),
        (b'{"id": 100000000000000000000}', "id"),
    ],
)
def test_a_wrong_type_names_its_field(document: bytes, field: str):
    with pytest.raises(DecodeError, match=f"Field `{field}`") as raised:
        JSON.make_decoder(ORDER)(document)

    assert raised.value.field == field


def test_a_wrong_type_is_found_however_many_right_ones_came_before():
    decode = JSON.make_decoder(ORDER)
    right = b'{"id": 7, "amount": 5.5, "paid": true, "note": "x"}'

    assert [decode(right)["id"] for _ in range(3)] == [7, 7, 7]
    with pytest.raises(DecodeError, match="Field `id` does not fit into 64 bits"):
        decode(b'{"id": 9223372036854775808, "amount": 5.5, "paid": true, "note": "x"}')


def test_the_limits_of_64_bits_are_right():
    decode = JSON.make_decoder(ORDER)

    assert decode(b'{"id": 9223372036854775807}') == {"id": 2**63 - 1}
    assert decode(b'{"id": -9223372036854775808}') == {"id": -(2**63)}


def test_structs_and_lists_inside_are_enforced_with_their_path():
    nested = struct(lines=Type(Kind.LIST, item=struct(price=DOUBLE)), to=struct(zip=STRING))
    decode = JSON.make_decoder(nested)

    assert decode(b'{"lines": [{"price": 1}, null], "to": {"zip": "1"}}') == {
        "lines": [{"price": 1.0}, None],
        "to": {"zip": "1"},
    }
    with pytest.raises(DecodeError, match=r"Field `lines\[1\].price`"):
        decode(b'{"lines": [{"price": 1}, {"price": "2"}]}')
    with pytest.raises(DecodeError, match=r"Field `to.zip`"):
        decode(b'{"to": {"zip": 1}}')
    with pytest.raises(DecodeError, match="expected struct"):
        decode(b'{"to": []}')


@pytest.mark.parametrize(
    "document",
    [b"", b"{", b"1 2", b"{}{}", b"\xef\xbb\xbf{}", b"NaN", b"Infinity", b'"\xff"', b'"\\ud800"', b"\x00"],
)
def test_what_is_no_single_document_is_an_error(document: bytes):
    with pytest.raises(DecodeError):
        JSON.make_decoder(ANY)(document)


@pytest.mark.parametrize("document", [b"NaN", b'{"a": NaN}', b"[1, -Infinity]", b"Infinity"])
def test_numbers_that_json_has_not_are_named(document: bytes):
    with pytest.raises(DecodeError, match="infinite or not a number"):
        JSON.make_decoder(ANY)(document)


@pytest.mark.parametrize("document", [b"[]", b"1", b'"x"', b"true"])
def test_a_wrong_type_of_the_whole_is_an_error(document: bytes):
    with pytest.raises(DecodeError, match="expected struct"):
        JSON.make_decoder(ORDER)(document)


def test_any_takes_every_document():
    assert JSON.make_decoder(ANY)(b'[1, 1.5, "x", null, {"a": true}]') == [1, 1.5, "x", None, {"a": True}]


@pytest.mark.parametrize("value", ["x", 5, 5.0, True, [1], {"a": None, "b": [1.0]}, -(2**63)])
def test_what_is_written_is_read_back(value: object):
    data = JSON.make_encoder(ANY)(value)

    assert JSON.make_decoder(ANY)(data) == value
    assert type(JSON.make_decoder(ANY)(data)) is type(value)


def test_fields_are_written_in_the_order_of_the_value():
    assert JSON.make_encoder(ANY)({"b": 1, "a": 2}) == b'{"b":1,"a":2}'


@pytest.mark.parametrize("value", [float("inf"), float("nan"), {"a": [float("-inf")]}, {"a": object()}])
def test_what_json_cannot_hold_is_an_error(value: object):
    with pytest.raises(EncodeError):
        JSON.make_encoder(ANY)(value)


def test_odd_field_names_are_just_names():
    odd = Type(Kind.STRUCT, fields=struct(**{"a'b\"\\": INTEGER, "class": STRING, "": DOUBLE}).fields)

    assert JSON.make_decoder(odd)(b'{"a\'b\\"\\\\": 1, "class": "x", "": 2}') == {"a'b\"\\": 1, "class": "x", "": 2.0}


def test_what_a_map_holds_is_enforced_under_any_name() -> None:
    held = struct(prices=map_of(DOUBLE), names=Type(Kind.MAP))
    read = JSON.make_decoder(held)

    assert read(b'{"prices": {"CHF": 2, "x y": null}, "names": {"a": [1]}}') == {
        "prices": {"CHF": 2.0, "x y": None},
        "names": {"a": [1]},
    }
    with pytest.raises(DecodeError, match=r"`prices\['CHF'\]` is text; expected double"):
        read(b'{"prices": {"CHF": "2"}}')
    with pytest.raises(DecodeError, match="`prices` is a list; expected map"):
        read(b'{"prices": []}')
    with pytest.raises(EncodeError):
        JSON.make_encoder(held)({"prices": {"CHF": float("inf")}})


PIECES = [
    *(
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b":",
        b"1",
        b"-",
        b"1e400",
        b"1.50",
        b"0",
        b"1e99999999999999999999",
        b"null",
        b"true",
    ),
    *(
        b'"a"',
        b'"\\ud83d"',
        b'"\\ud83d\\ude00"',
        b'"',
        b"\\",
        b"\xff",
        b"\xef\xbb\xbf",
        b"NaN",
        b" ",
        b"\x00",
        b'{"a":',
        b'{"n":',
    ),
    *(b"9" * 20, b"9" * 5_000, b"[" * 200, b"[" * 1_100, b"]" * 200, b"1e400]"),
]
TYPES = [
    ANY,
    ORDER,
    struct(a=STRING),
    struct(a=decimal(5, 2)),
    struct(n=ANY),
    map_of(DOUBLE),
    Type(Kind.LIST, item=ANY),
]


@given(st.sampled_from(TYPES), st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join))
@example(ANY, b'[1e400,"\\ud83d"]')
def test_whatever_the_bytes_are_the_only_error_is_that_they_cannot_be_decoded(type_: Type, data: bytes) -> None:
    with suppress(DecodeError):
        value = JSON.make_decoder(type_)(data)
        JSON.make_encoder(type_)(value)
        assert unpack(pack(value)) == value


@pytest.mark.parametrize(
    ("type_", "wrapped"),
    [
        (ANY, b"[%b]"),
        (ANY, b'[{"b":[]},%b]'),
        (ANY, b'{"a":%b}'),
        (struct(n=ANY), b'{"a":%b}'),
        (struct(a=ANY, b=decimal(5, 2)), b'{"a":%b}'),
        (struct(a=STRING), b'{"a":"x","n":%b}'),
    ],
)
@pytest.mark.parametrize("leaf", [b"1", b"1.50", b"1e400", b'"[[["'])
def test_readers_and_writers_have_one_limit_of_levels(type_: Type, wrapped: bytes, leaf: bytes) -> None:
    def nest(levels: int) -> bytes:
        return wrapped % (b"[" * levels + leaf + b"]" * levels)

    read, write = JSON.make_decoder(type_), JSON.make_encoder(type_)
    value = read(nest(MAX_DEPTH - 1))

    assert read(write(value)) == value
    with pytest.raises(DecodeError, match="deeper than 200 levels"):
        read(nest(MAX_DEPTH))
    with pytest.raises(EncodeError, match="deeper than 200 levels"):
        write({"n": value})


@pytest.mark.parametrize("nothing", [b"", b"  \n"])
def test_an_empty_text_is_named_as_what_it_is(nothing: bytes):
    with pytest.raises(DecodeError, match=r"^It is empty, and an empty text is not valid JSON"):
        JSON.make_decoder(ORDER)(nothing)
