"""What a sample of messages shows of a topic."""

from __future__ import annotations

from typing import Any

import pytest

from designer.limits import check_storable
from designer.streams.inference import infer, infer_with_doubts
from designer.streams.topics import UNKNOWN
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Schema, Side, Type, map_of, struct


def value_of(*messages: bytes | None) -> Side:
    return infer((None, message) for message in messages).value


def key_of(*messages: bytes | None) -> Side:
    return infer((message, None) for message in messages).key


def test_an_empty_topic_shows_nothing() -> None:
    assert infer([]) == UNKNOWN == Schema(Side("string", STRING), Side("json", ANY))


def test_a_field_whose_name_no_database_stores_is_left_out() -> None:
    side = value_of(b'{"a\\u0000b": 1, "of": {"\\u0000": 2}, "id": 3}')

    assert side == Side("json", struct(of=struct(), id=INTEGER))
    assert check_storable(side.to_json()) == side.to_json()


def test_objects_are_structs_of_all_the_fields_seen() -> None:
    side = value_of(b'{"id": 1, "ok": true}', b'{"id": 2, "name": "b"}')

    assert side == Side("json", struct(id=INTEGER, ok=BOOLEAN, name=STRING))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (b"1", b"2", INTEGER),
        (b"1", b"2.5", DOUBLE),
        (b"1", b"null", INTEGER),
        (b"null", b"null", ANY),
        (b"1", b'"1"', ANY),
        (b"1", b"true", ANY),
        (b"1", b"9223372036854775808", ANY),
        (b"[]", b"[]", Type(Kind.LIST, item=ANY)),
        (b"[]", b"[1, 2.5]", Type(Kind.LIST, item=DOUBLE)),
        (b'{"x": 1}', b'{"x": null}', struct(x=INTEGER)),
        (b"[1]", b'{"x": 1}', ANY),
    ],
)
def test_types_are_merged_and_conflicts_are_any(one: bytes, other: bytes, expected: Any) -> None:
    wrapped = value_of(b'{"f": ' + one + b"}", b'{"f": ' + other + b"}").type.field("f")

    assert wrapped == expected


def test_a_few_broken_messages_do_not_hide_what_most_are() -> None:
    side = value_of(b'{"id": 1}', b'{"id": 2}', b'{"id": ', b'{"id": 3}', b"")

    assert side == Side("json", struct(id=INTEGER))


def test_one_malformed_value_does_not_widen_a_field() -> None:
    samples = [(None, b'{"order": {"amount": %d}}' % amount) for amount in range(19)]

    learned = infer_with_doubts(
        [*samples, (None, b'{"order": {"amount": "three hundred"}}'), (None, b'{"order": {"amount": 2.5}}')]
    )

    assert learned.schema.value.type == struct(order=struct(amount=DOUBLE))
    (doubt,) = learned.doubts
    assert (doubt.side, doubt.path, doubt.type) == ("value", "order.amount", DOUBLE)
    assert (doubt.counts, doubt.odd) == ({"double": 20, "string": 1}, "three hundred")


def test_a_field_of_which_many_disagree_is_in_doubt_and_of_any_type() -> None:
    learned = infer_with_doubts([(None, b'{"id": 1}'), (None, b'{"id": "a"}'), (None, b'{"id": "b"}')])

    assert learned.schema.value.type == struct(id=ANY)
    assert [(doubt.path, doubt.type, doubt.counts) for doubt in learned.doubts] == [
        ("id", ANY, {"string": 2, "integer": 1})
    ]


def test_values_that_are_not_json_are_in_doubt() -> None:
    learned = infer_with_doubts([(None, b'{"id": 1}'), (None, b'{"id": 2}'), (None, b"broken")])

    assert [(doubt.path, doubt.counts, doubt.odd) for doubt in learned.doubts] == [
        ("", {"struct": 2, "something else": 1}, "broken")
    ]


def test_plain_text_is_a_string() -> None:
    assert value_of(b"hello", b"world") == Side("string", STRING)


def test_keys_of_digits_are_text_and_not_numbers() -> None:
    assert key_of(b"1", b"22") == Side("string", STRING)


def test_keys_in_quotes_or_braces_are_json() -> None:
    assert key_of(b'"a"', b'"b"') == Side("json", STRING)
    assert key_of(b'{"id": 1}') == Side("json", struct(id=INTEGER))


def test_eight_bytes_that_are_no_text_are_a_long() -> None:
    assert value_of((5).to_bytes(8, "big"), (-1).to_bytes(8, "big", signed=True)) == Side("long", INTEGER)
    assert key_of(b"20130101", b"20130102") == Side("string", STRING)


def test_tombstones_say_nothing() -> None:
    assert infer([(b"a", None), (b"b", b'{"x": 1}')]).value == Side("json", struct(x=INTEGER))


def test_deep_nesting_ends_in_any() -> None:
    side = value_of(b"[" * 100 + b"]" * 100)

    depth, held = 0, side.type
    while held.item is not None:
        depth, held = depth + 1, held.item
    assert depth < 100
    assert held == ANY


def test_objects_with_data_in_their_names_are_maps() -> None:
    wide = b"{" + b",".join(b'"k%d": 1' % number for number in range(1_000)) + b"}"

    assert value_of(wide) == Side("json", map_of(INTEGER))
