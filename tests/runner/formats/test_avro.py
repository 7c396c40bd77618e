"""Avro in its binary encoding, as Java's writers give it, with Confluent's header and without."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.avro import type_of
from designer.schemas import Avro, Side
from runner.formats import DecodeError, EncodeError
from runner.formats.sides import decoder_of, encoder_of

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
    return Side("avro", type_of(schema), Avro(schema, header, number))


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
    assert decoder_of(written)(encoder_of(written)(order)) == order


def test_bytes_are_those_of_the_specification() -> None:
    test = side(
        '{"type": "record", "name": "t", "fields": [{"name": "a", "type": "long"}, {"name": "b", "type": "string"}]}'
    )

    assert encoder_of(test)({"a": 27, "b": "foo"}).hex(" ") == "36 06 66 6f 6f"
    assert decoder_of(test)(bytes.fromhex("3606666f6f")) == {"a": 27, "b": "foo"}


def test_confluents_header_names_the_schema() -> None:
    numbers = side('"long"', True, 258)

    assert encoder_of(numbers)(1).hex(" ") == "00 00 00 01 02 02"
    assert decoder_of(numbers)(bytes.fromhex("000000010202")) == 1


def test_a_source_without_an_id_reads_any_and_one_with_an_id_only_its_own() -> None:
    data = bytes.fromhex("000000000702")

    assert decoder_of(side('"long"', True))(data) == 1
    with pytest.raises(DecodeError, match="the schema 7; expected 8"):
        decoder_of(side('"long"', True, 8))(data)


@pytest.mark.parametrize("data", [b"", b"\x00\x00\x00\x00", b"\x01\x00\x00\x00\x07\x02"])
def test_a_header_that_is_none_is_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError, match="header"):
        decoder_of(side('"long"', True))(data)


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x02\x02\x02", b"\xff" * 30])
def test_bytes_that_do_not_follow_the_schema_are_an_error(data: bytes) -> None:
    with pytest.raises(DecodeError, match="no Avro of this schema"):
        decoder_of(side(ORDER))(data)


@given(st.binary(max_size=64))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(DecodeError):
        assert decoder_of(side(ORDER))(data).keys() == {field.name for field in type_of(ORDER).fields}


def test_bytes_that_are_left_over_are_an_error() -> None:
    with pytest.raises(DecodeError, match="1 bytes are left over"):
        decoder_of(side('"long"'))(b"\x02\x00")


@pytest.mark.parametrize(("schema", "value"), [('"int"', 2**31), ('"long"', "1"), ('"string"', None), ('"long"', True)])
def test_values_the_schema_does_not_take_are_not_written(schema: str, value: object) -> None:
    with pytest.raises(EncodeError, match="does not take it"):
        encoder_of(side(schema))(value)


def test_a_symbol_that_an_enum_does_not_have_is_not_written() -> None:
    status = side('{"type": "enum", "name": "Status", "symbols": ["NEW"]}')

    with pytest.raises(EncodeError):
        encoder_of(status)("OLD")


def test_a_map_comes_back_and_holds_one_type() -> None:
    prices = side('{"type": "map", "values": ["null", "double"]}')

    assert decoder_of(prices)(encoder_of(prices)({"CHF": 2.5, "EUR": None})) == {"CHF": 2.5, "EUR": None}
    with pytest.raises(EncodeError, match="does not take it"):
        encoder_of(prices)({"CHF": "2.5"})
