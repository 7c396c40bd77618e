"""The formats are Kafka's serializers: bytes that Java writes are read, and the other way round."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.values.schemas import BOOLEAN, BYTES, DOUBLE, INTEGER, STRING, Side, Type
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.formats.sides import make_decoder_of, make_encoder_of

LONG = Side("long", INTEGER)
INT = Side("integer", INTEGER)
DOUBLES = Side("double", DOUBLE)
BOOLEANS = Side("boolean", BOOLEAN)
RAW = Side("bytes", BYTES)
TEXT = Side("string", STRING)
JSON = Side("json", BYTES)

FROM_JAVA = [
    ("LongSerializer", LONG, 1, "0000000000000001"),
    ("LongSerializer", LONG, -2, "fffffffffffffffe"),
    ("IntegerSerializer", INT, 1, "00000001"),
    ("IntegerSerializer", INT, -(2**31), "80000000"),
    ("DoubleSerializer", DOUBLES, 1.5, "3ff8000000000000"),
    ("DoubleSerializer", DOUBLES, -0.0, "8000000000000000"),
    ("BooleanSerializer", BOOLEANS, True, "01"),
    ("BooleanSerializer", BOOLEANS, False, "00"),
    ("ByteArraySerializer", RAW, b"\x00\xff", "00ff"),
    ("StringSerializer", TEXT, "zoë", "7a6fc3ab"),
]


@pytest.mark.parametrize(("serializer", "side", "value", "written"), FROM_JAVA)
def test_bytes_are_those_of_kafkas_serializers(serializer: str, side: Side, value: Any, written: str) -> None:
    assert make_encoder_of(side)(value).hex() == written, serializer
    assert make_decoder_of(side)(bytes.fromhex(written)) == value


VALUES: list[tuple[Side, st.SearchStrategy[Any]]] = [
    (LONG, st.integers(-(2**63), 2**63 - 1)),
    (INT, st.integers(-(2**31), 2**31 - 1)),
    (DOUBLES, st.floats(allow_nan=False)),
    (BOOLEANS, st.booleans()),
    (RAW, st.binary()),
    (JSON, st.binary()),
    (TEXT, st.text(st.characters(codec="utf-8"))),
]


@given(st.sampled_from(VALUES).flatmap(lambda each: st.tuples(st.just(each[0]), each[1])))
def test_what_is_written_is_read_again(case: tuple[Side, Any]) -> None:
    side, value = case

    found = make_decoder_of(side)(make_encoder_of(side)(value))

    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("side", "data", "said"),
    [
        (INT, bytes(8), "4"),
        (DOUBLES, bytes(4), "8"),
        (BOOLEANS, b"\x02", "00 or 01"),
        (BOOLEANS, b"", "empty"),
        (Side("none", STRING), b"x", "only null"),
        (JSON, b'"?"', "base64"),
        (JSON, '"zoë"'.encode(), "base64"),
        (JSON, b"1", "base64"),
    ],
)
def test_other_bytes_are_an_error_that_says_what_was_expected(side: Side, data: bytes, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        make_decoder_of(side)(data)


@pytest.mark.parametrize(
    ("side", "value"),
    [(INT, 2**31), (INT, "1"), (INT, True), (DOUBLES, "1.0"), (DOUBLES, True), (BOOLEANS, 1), (RAW, "text")],
)
def test_values_of_another_kind_are_not_written(side: Side, value: object) -> None:
    with pytest.raises(EncodeError):
        make_encoder_of(side)(value)


@pytest.mark.parametrize(
    ("side", "value", "said"),
    [
        (LONG, 2**63, "^9223372036854775808 does not fit into 64 bits.$"),
        pytest.param(LONG, 10**5_000, "^The integer does not fit into 64 bits.$", id="more digits than Python prints"),
        (INT, 2**31, "^2147483648 does not fit into 32 bits; the format long has 64.$"),
        (DOUBLES, 10**400, "^The integer does not fit into 64 bits.$"),
    ],
)
def test_integers_that_are_too_large_are_not_written(side: Side, value: int, said: str) -> None:
    with pytest.raises(EncodeError, match=said):
        make_encoder_of(side)(value)


@pytest.mark.parametrize("held", [STRING, INTEGER])
def test_none_writes_null_whatever_it_gets(held: Type) -> None:
    assert make_encoder_of(Side("none", held))("x") is None
