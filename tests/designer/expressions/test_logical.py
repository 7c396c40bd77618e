"""Times of every unit that Avro's logical types count in, and values of unions."""

from __future__ import annotations

from typing import Any

import pytest

from designer.expressions import RecordError, check
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, BYTES, INTEGER, STRING, Field, Kind, Type, struct
from designer.values.tuples import UnionValue
from tests.designer.expressions.sample import compute, refusal

NOON = 1_774_785_600_123
TIMES = {
    "ms": NOON,
    "timestamp-millis": NOON,
    "timestamp-micros": NOON * 1_000 + 456,
    "timestamp-nanos": NOON * 1_000_000 + 456_789,
    "local-timestamp-micros": NOON * 1_000,
    "date": 20_541,
    "time-micros": 3_600_000_001,
}
UNION = Type(Kind.UNION, fields=(Field("int", INTEGER), Field("shop.Place", struct(city=STRING))))
VALUE = Type(
    Kind.STRUCT,
    fields=(
        *(Field(name, Type(Kind.INTEGER, logical=None if name == "ms" else name)) for name in TIMES),
        Field("uuid", Type(Kind.STRING, logical="uuid")),
        Field("of", UNION),
    ),
)
SCOPE = Scope({"key": STRING, "value": VALUE, "timestamp": INTEGER}, spread="value")
RECORD: dict[str, Any] = TIMES | {"uuid": "123e4567", "of": UnionValue("int", 7)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to_iso(`timestamp-micros`)", "2026-03-29T12:00:00.123Z"),
        ("to_iso(`timestamp-nanos`)", "2026-03-29T12:00:00.123Z"),
        ("to_iso(`local-timestamp-micros`)", "2026-03-29T12:00:00.123Z"),
        ("date_format(`date`, 'yyyy-MM-dd HH')", "2026-03-29 00"),
        ("date_trunc('HOUR', `timestamp-micros`)", NOON - 123),
        ("year(`timestamp-nanos`)", 2026),
        ("hour(`time-micros`)", 1),
        ("unix_seconds(`timestamp-micros`)", NOON // 1_000),
        ("unix_millis(`timestamp-nanos`)", NOON),
        ("unix_millis(`timestamp-millis`)", NOON),
        ("unix_micros(`timestamp-nanos`)", NOON * 1_000 + 456),
        ("unix_micros(`timestamp-micros`)", NOON * 1_000 + 456),
        ("unix_micros(ms)", NOON * 1_000),
        ("unix_micros(`date`)", 20_541 * 86_400_000_000),
        ("to_iso(`timestamp-micros` DIV 1000)", "2026-03-29T12:00:00.123Z"),
        ("to_iso(NULL)", None),
        ("`timestamp-millis` = ms", True),
        ("`timestamp-micros` > 1774785600123000", True),
        ("unix_millis(`timestamp-micros`) = `timestamp-millis`", True),
        ("uuid || '!'", "123e4567!"),
        ("upper(uuid)", "123E4567"),
        ("uuid LIKE '123%'", True),
        ("CAST(CAST(uuid AS BINARY) AS STRING)", "123e4567"),
        ("coalesce(uuid, 'none')", "123e4567"),
        ("coalesce(`timestamp-micros`, 0)", NOON * 1_000 + 456),
        ("union_tag(of)", "int"),
        ("union_extract(of, 'int') + 1", 8),
        ("union_extract(of, 'shop.Place').city", None),
        ("of IS NULL", False),
        ("to_json(of)", "7"),
        ("CASE union_tag(of) WHEN 'int' THEN 'a number' ELSE 'a place' END", "a number"),
        ("union_value('long', 7)", UnionValue("long", 7)),
        ("union_value('long', NULL)", None),
    ],
)
def test_logical_types_and_unions_in_expressions(text: str, expected: object) -> None:
    assert compute(text, RECORD, scope=SCOPE) == expected


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "`timestamp-micros` > `timestamp-millis`",
            "counts microseconds and ``timestamp-millis`` milliseconds; their numbers cannot be compared",
            "unix_millis",
        ),
        ("`date` IN (`timestamp-nanos`)", "counts days and ``timestamp-nanos`` nanoseconds", "unix_millis"),
        ("of = 7", "`of` is a union of int, shop.Place, which cannot be compared", "union_extract(of, 'int')"),
        ("of || 'x'", "`of` is a union of int, shop.Place", "union_extract(of, 'int')"),
        ("CAST(of AS STRING)", "A union of int, shop.Place cannot be cast to string", "union_extract(of, 'int')"),
        ("union_extract(of, 'long')", "one of 'int', 'shop.Place', but `'long'` is not", "in quotes"),
        ("union_extract(of, uuid)", "one of 'int', 'shop.Place', but `uuid` is not", "in quotes"),
        ("union_tag(uuid)", "needs a union of several types, but `uuid` is a string (uuid)", "Use the value itself"),
        ("union_value(uuid, 1)", "must be a text in quotes", "Write a text in quotes"),
        ("to_iso(uuid)", "`uuid` is a string (uuid)", "CAST(uuid AS BIGINT)"),
    ],
)
def test_what_does_not_go_together_is_said(text: str, message: str, hint: str) -> None:
    error = refusal(text, SCOPE)

    assert message in error.message
    assert hint in error.hint


def test_a_union_of_unknown_type_is_looked_at_when_it_comes() -> None:
    unknown = Scope({"value": ANY}, spread="value")

    assert check("union_tag(of)", unknown).type == STRING
    assert check("union_extract(of, 'int')", unknown).type == ANY


def test_a_result_names_its_logical_type_only_where_it_is_the_field_itself() -> None:
    assert check("`timestamp-micros`", SCOPE).type.logical == "timestamp-micros"
    assert check("`timestamp-micros` + 0", SCOPE).type == INTEGER
    assert check("coalesce(`timestamp-micros`, `timestamp-millis`)", SCOPE).type == INTEGER
    assert check("CAST(uuid AS BINARY)", SCOPE).type == BYTES


@pytest.mark.parametrize("text", ["unix_millis(`date`)", "unix_seconds(`date`)", "unix_micros(`date`)"])
def test_a_time_beyond_64_bits_is_a_record_error(text: str) -> None:
    with pytest.raises(RecordError, match="64 bits"):
        compute(text, RECORD | {"date": 2**63 - 1}, scope=SCOPE)
