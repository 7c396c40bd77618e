"""Avro in whole topologies: headers, schemas of other writers, logical types and unions, from topic to topic."""

import json
from collections import defaultdict
from typing import Any

import pytest

from designer.streams.flows import find_flows
from designer.values.schemas import INTEGER, STRING, FormatSchema, Side
from runner.engine.driver import Driver
from tests.runner.graph_builder import GraphBuilder

NAMES = {"type": "record", "name": "E", "fields": [{"name": each, "type": "string"} for each in ("first", "last")]}
SWAPPED = NAMES | {"fields": NAMES["fields"][::-1]}
ADA = "06416461104c6f76656c616365"
ADA_SWAPPED = "104c6f76656c61636506416461"


def avro(schema: Any, **config: Any) -> dict[str, Any]:
    return {
        "key_format": "string",
        "value_format": "avro",
        "value_type": None,
        "value_schema": json.dumps(schema),
    } | config


def confluent(schema: Any, number: int | None = None, **config: Any) -> dict[str, Any]:
    return avro(schema, avro_header="confluent", value_schema_id=number, **config)


def values(driver: Driver) -> dict[str, list[str]]:
    """What was written, in hex, by topic."""
    found = defaultdict(list)
    for topic, row in driver.rows():
        found[topic].append((row[2] or b"").hex())
    return found


def test_a_sink_without_formats_writes_confluents_header_as_it_arrives() -> None:
    builder = GraphBuilder().stream("in", STRING, **confluent(NAMES, 21))
    builder.add("ada", "filter", {"predicate": "first = 'Ada'"}, records="in")
    driver = builder.to("out", "ada").driver()

    driver.pipe_bytes("in", b"k", bytes.fromhex("0000000015" + ADA))

    assert values(driver) == {"out": ["0000000015" + ADA]}


def test_a_sink_may_name_another_id_and_leave_the_header_away() -> None:
    builder = GraphBuilder().stream("in", STRING, **confluent(NAMES, 21)).to("numbered", "in", value_schema_id=5)
    driver = builder.to("plain", "in", value_format="avro").driver()

    driver.pipe_bytes("in", b"k", bytes.fromhex("0000000015" + ADA))

    assert values(driver) == {"numbered": ["0000000005" + ADA], "plain": [ADA]}


WRITERS = [{"id": 22, "avro_schema": json.dumps(SWAPPED)}]


@pytest.mark.parametrize("writers", [WRITERS, []])
def test_records_of_several_writers_become_one_schema_or_dead_letters(writers: list[dict[str, Any]]) -> None:
    builder = GraphBuilder().stream("in", STRING, **confluent(NAMES, 21, value_writer_schemas=writers))
    builder.add("short", "map_values", {"value": "named_struct('f', first, 'l', last)"}, records="in")
    driver = builder.to("out", "short", value_format="json").driver()

    driver.pipe_bytes("in", b"k", bytes.fromhex("0000000015" + ADA))
    driver.pipe_bytes("in", b"k", bytes.fromhex("0000000016" + ADA_SWAPPED))

    ada = ("k", {"f": "Ada", "l": "Lovelace"})
    assert driver.read("out") == [ada] * (2 if writers else 1)
    said = b"It is written with the schema of id 22. Known: 21."
    letters = [dict(letter.headers)["__streams.errors.message"] or b"" for letter in driver.dead_letters()]
    assert [said in letter for letter in letters] == ([] if writers else [True])


ORDER = {
    "type": "record",
    "name": "Order",
    "namespace": "x.y",
    "fields": [
        {"name": "id", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 4}},
        {
            "name": "fee",
            "type": {"type": "fixed", "name": "Fee", "size": 8, "logicalType": "decimal", "precision": 16, "scale": 2},
        },
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "at_us", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "color", "type": {"type": "enum", "name": "Color", "symbols": ["RED", "GREEN"]}},
        {
            "name": "addr",
            "type": [
                "null",
                {
                    "type": "record",
                    "name": "Addr",
                    "fields": [{"name": "city", "type": ["null", "string"], "default": None}],
                },
            ],
            "default": None,
        },
        {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "props", "type": {"type": "map", "values": "long"}},
        {"name": "prev", "type": ["null", "Addr"], "default": None},
    ],
}
ORDERS = [
    "0000000007"
    "4835633065356239652d386635632d346630612d396435632d3162326133633464356536660601863cffffffffffffff83b4a402809ac2"
    "e58e5e8099aa8dc9a3df050202020a4bc3b66c6e04026102620002026e8280808080808020000200",
    "0000000007"
    "4835633065356239652d386635632d346630612d396435632d31623261336334643565366612ff54ab567314e0f52e0000000000000000"
    "01cf0f8080fc85c8d79384070000000000",
]


def test_logical_types_are_what_they_mean_and_go_out_as_they_came() -> None:
    builder = GraphBuilder().stream("in", STRING, **confluent(ORDER, 7))
    shape = "named_struct('price', price, 'fee', fee, 'day', to_iso(day), 'at', to_iso(at), 'us', to_iso(at_us))"
    builder.add("told", "map_values", {"value": shape}, records="in").to("same", "in")
    driver = builder.to("out", "told", value_format="json").driver()

    for order in ORDERS:
        driver.pipe_bytes("in", b"k", bytes.fromhex(order))

    written = values(driver)
    assert [bytes.fromhex(value) for value in written["out"]] == [
        b'{"price":9.9900,"fee":-1.25,"day":"2021-03-28T00:00:00.000Z","at":"2021-03-28T01:00:00.000Z",'
        b'"us":"2021-03-28T01:00:00.123Z"}',
        b'{"price":-1234567890123456.7890,"fee":0.00,"day":"1969-12-31T00:00:00.000Z",'
        b'"at":"1969-12-31T23:59:59.000Z","us":"9999-01-01T00:00:00.000Z"}',
    ]
    assert written["same"] == ORDERS


@pytest.mark.parametrize(
    ("logical", "at", "ms"),
    [
        ("timestamp-millis", 1_774_740_600_000, 1_774_740_600_000),
        ("timestamp-micros", 1_774_740_600_000_999, 1_774_740_600_000),
        ("local-timestamp-micros", 1_774_740_600_000_999, 1_774_740_600_000),
        ("timestamp-nanos", 1_774_740_600_000_999_999, 1_774_740_600_000),
        ("date", 20_540, 1_774_656_000_000),
    ],
)
def test_the_time_of_a_record_may_be_a_field_of_any_unit(logical: str, at: int, ms: int) -> None:
    held = {"type": "int" if logical == "date" else "long", "logicalType": logical}
    event = {"type": "record", "name": "Event", "fields": [{"name": "at", "type": held}]}
    builder = GraphBuilder().stream("in", STRING, **avro(event, timestamp_from="field", timestamp_field="at"))
    driver = builder.to("out", "in").driver()

    driver.pipe("in", key="k", value={"at": at})

    assert [row[3] for _, row in driver.rows()] == [ms]


READING = {
    "type": "record",
    "name": "Reading",
    "fields": [
        {"name": "of", "type": ["null", "int", "long", {"type": "record", "name": "E", "fields": NAMES["fields"]}]}
    ],
}
VALUES = ["020e", "040e", "06" + ADA, "00"]


def test_a_union_passes_state_and_shuffles_and_says_which_type_it_has() -> None:
    builder = GraphBuilder().stream("in", STRING, **avro(READING))
    builder.add("again", "repartition", {}, stream="in").add("kept", "to_table", {"store": "kept"}, stream="again")
    builder.add("updates", "to_stream", table="kept")
    shape = "named_struct('tag', union_tag(of), 'first', union_extract(of, 'E').first, 'of', of)"
    builder.add("told", "map_values", {"value": shape}, records="updates")
    driver = builder.to("same", "updates").to("out", "told", value_format="json").driver(is_one_life=False)

    for value in VALUES:
        driver.pipe_bytes("in", value.encode(), bytes.fromhex(value))

    written = values(driver)
    assert written["same"] == VALUES
    assert [json.loads(bytes.fromhex(value)) for value in written["out"]] == [
        {"tag": "int", "first": None, "of": 7},
        {"tag": "long", "first": None, "of": 7},
        {"tag": "E", "first": "Ada", "of": {"first": "Ada", "last": "Lovelace"}},
        {"tag": None, "first": None, "of": None},
    ]


def test_streams_that_name_different_logical_types_merge() -> None:
    keys = {"type": "long", "logicalType": "timestamp-millis"}
    builder = GraphBuilder().stream("a", INTEGER, key_format="avro", key_schema=json.dumps(keys), key_type=None)
    builder.stream("b", INTEGER, key_format="avro", key_schema='"long"', key_type=None)
    builder.add("both", "merge", streams=("a", "b")).to("out", "both")

    both = find_flows(builder.graph)["both"].outputs["result"].schema

    assert both.key == Side("avro", INTEGER, FormatSchema(json.dumps(keys)))
