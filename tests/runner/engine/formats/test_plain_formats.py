import struct

import pytest

from designer.values.exact_json import JsonNumber
from designer.values.schemas import DOUBLE, INTEGER, STRING
from runner.engine.formats import DecodeError, EncodeError, get_format

STRINGS = get_format("string")
LONGS = get_format("long")


def test_text_is_utf_8():
    assert STRINGS.make_encoder(STRING)("zoë") == b"zo\xc3\xab"
    assert STRINGS.make_decoder(STRING)(b"zo\xc3\xab") == "zoë"
    assert STRINGS.make_decoder(STRING)(b"") == ""


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("636166e921", "caf\ufffd!"),
        ("ff", "\ufffd"),
        ("c0af", "\ufffd\ufffd"),
        ("e282", "\ufffd"),
        ("e28241", "\ufffdA"),
        ("f09f98", "\ufffd"),
        ("f8ceedacdfed", "\ufffd\ufffd\ufffd\ufffd\ufffd"),
        ("eda080", "\ufffd"),
        ("eda0", "\ufffd"),
        ("a0edbf5c90ac", "\ufffd\ufffd\\\ufffd\ufffd"),
        ("edac90901a", "\ufffd\ufffd\x1a"),
    ],
)
def test_bytes_that_are_not_utf_8_are_replaced_as_by_kafkas_string_deserializer(data: str, text: str):
    """The expected texts are those of Java's `new String(data, UTF_8)`."""
    assert STRINGS.make_decoder(STRING)(bytes.fromhex(data)) == text


def test_half_a_surrogate_pair_is_written_as_a_question_mark_as_by_kafkas_string_serializer():
    assert STRINGS.make_encoder(STRING)("a\ud83db") == b"a?b"


@pytest.mark.parametrize("value", [1, None, b"x"])
def test_only_text_is_written_as_text(value: object):
    with pytest.raises(EncodeError):
        STRINGS.make_encoder(STRING)(value)


@pytest.mark.parametrize(
    ("value", "data"),
    [(0, bytes(8)), (1, bytes(7) + b"\x01"), (-1, b"\xff" * 8), (2**63 - 1, b"\x7f" + b"\xff" * 7)],
)
def test_a_long_is_eight_bytes_with_the_greatest_first(value: int, data: bytes):
    assert LONGS.make_encoder(INTEGER)(value) == data
    assert LONGS.make_decoder(INTEGER)(data) == value


@pytest.mark.parametrize("data", [b"", b"1", bytes(7), bytes(9)])
def test_a_long_of_another_length_is_an_error(data: bytes):
    with pytest.raises(DecodeError, match="8"):
        LONGS.make_decoder(INTEGER)(data)


@pytest.mark.parametrize("value", ["1", 1.0, True, 2**63])
def test_only_64_bit_integers_are_written_as_long(value: object):
    with pytest.raises(EncodeError):
        LONGS.make_encoder(INTEGER)(value)


@pytest.mark.parametrize("value", [14.5, JsonNumber("14.50"), JsonNumber("14.500000000000000001")])
def test_a_double_takes_each_number_of_a_json_text(value: float):
    assert get_format("double").make_encoder(DOUBLE)(value) == struct.pack(">d", 14.5)


def test_an_unknown_format_is_said_by_its_name():
    with pytest.raises(LookupError, match="`thrift`"):
        get_format("thrift")
