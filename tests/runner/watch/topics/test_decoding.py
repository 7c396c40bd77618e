"""Records as text in a format, and what someone typed as bytes."""

from __future__ import annotations

import struct
from base64 import b64encode

import pytest

from designer.avro import read_type
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import DOUBLE, INTEGER, STRING, FormatSchema, Schema, Side
from designer.values.schemas import struct as struct_of
from runner.engine.formats import DecodeError
from runner.engine.formats.framed import open_frame
from runner.engine.formats.framing import Frame
from runner.engine.formats.sides import make_encoder_of
from runner.kafka import Message
from runner.watch.topics.decoding import Undecoded, decode, encode, find_side, guess, read_text
from runner.watch.topics.texts import NotBase64

LONG, TEXT, JSON = Side("long", INTEGER), Side("string", STRING), Side("json", struct_of(id=INTEGER))
PERSON = '{"type": "record", "name": "Person", "fields": [{"name": "first", "type": "string"}]}'
AVRO = Side("avro", read_type(PERSON), FormatSchema(PERSON, header=True, id=7))


def message(key: bytes | None, value: bytes | None) -> Message:
    return Message(0, 5, 1_000, key, value)


def test_binary_formats_are_shown_as_text_with_their_bytes_beside() -> None:
    value = make_encoder_of(AVRO)({"first": "Ada"})

    shown = decode(message(struct.pack(">q", 12), value), LONG, AVRO)

    assert (shown.key, shown.is_key_base64, shown.key_raw) == ("12", False, "AAAAAAAAAAw=")
    assert (shown.value, shown.value_raw) == ('{"first":"Ada"}', b64encode(value).decode())
    assert (shown.key_problem, shown.value_problem) == (None, None)


def test_text_is_shown_as_it_is_and_null_as_null() -> None:
    shown = decode(message(None, b'{"id":  1.50}'), TEXT, JSON)

    assert (shown.key, shown.value, shown.value_raw) == (None, '{"id":  1.50}', None)


def test_bytes_that_do_not_fit_are_shown_as_they_are_with_the_reason() -> None:
    shown = decode(message(b"a", b"\xff"), LONG, AVRO)

    assert (shown.key, shown.value, shown.is_value_base64) == ("a", "/w==", True)
    assert shown.key_problem == "Not long: It is 1 bytes long; the format long has 8."
    assert shown.value_problem is not None
    assert shown.value_problem.startswith("Not avro: ")


@pytest.mark.parametrize(
    ("text", "side", "data"),
    [
        ("12", LONG, struct.pack(">q", 12)),
        ("1", Side("double", DOUBLE), struct.pack(">d", 1.0)),
        ('{"first": "Ada"}', AVRO, b"\0\0\0\0\7\6Ada"),
        ('{"id": 1}', JSON, b'{"id": 1}'),
        ("12", None, b"12"),
        ("base64:/w==", LONG, b"\xff"),
        (None, LONG, None),
    ],
)
def test_what_is_typed_becomes_the_bytes_of_the_format(text: str | None, side: Side | None, data: bytes | None) -> None:
    assert encode(text, side, "value") == data


@pytest.mark.parametrize(("text", "side"), [("x", LONG), ("1.5", LONG), ('{"first": 1}', AVRO), ("{}", AVRO)])
def test_what_the_format_cannot_hold_is_refused(text: str, side: Side) -> None:
    with pytest.raises(Undecoded, match=f"The value cannot be written as {side.format}: "):
        encode(text, side, "value")


def test_bytes_that_are_no_base64_are_refused() -> None:
    with pytest.raises(NotBase64):
        encode("base64:?", LONG, "key")


def test_formats_are_those_of_a_topology_where_they_fit_and_else_guessed() -> None:
    known = Schema(key=TEXT, value=AVRO)
    avro = [message(b"a", make_encoder_of(AVRO)({"first": name})) for name in ("Ada", "Bob")]

    assert guess(avro, [known]) == known
    assert guess([message(b"a", b'{"id": 1}')], [known]).value == JSON
    assert guess([message(struct.pack(">q", 1), b"x")], []).key.format == "long"


def test_a_chosen_format_keeps_the_schema_that_is_known_of_it() -> None:
    assert find_side("avro", AVRO) == AVRO
    assert find_side("avro", LONG) is None
    assert find_side("double", LONG) == Side("double", DOUBLE)
    assert find_side(None, LONG) == LONG


def test_a_frame_of_protobuf_names_the_message_that_is_shown() -> None:
    text = 'syntax = "proto3"; message A {} message B { int64 id = 1; }'
    side = Side("protobuf", SCHEMA_FORMATS["protobuf"].read_type(text), FormatSchema(text))

    for data, frame in ((b"\0\0\0\0\7\2\2\x08\5", Frame(7, 5)), (b"\x08\5", Frame(7, 0, b"\2\2"))):
        own, content = open_frame(side, data, frame)
        assert read_text(own)(content) == {"text": '{"id":5}'}
    with pytest.raises(DecodeError, match="name no message"):
        open_frame(side, b"\0\0\0\0\7\2\4", Frame(7, 5))
