"""Graphs with what the cases lack: typed values, decimals, times, functions, and texts that would end a literal."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from designer.topology.graph import Graph
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, decimal, struct
from designer.values.tuples import UnionValue
from tests.conformance.product.cases import Case
from tests.conformance.product.compare import Answer
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=INTEGER, amount=decimal(10, 2), weight=DOUBLE, name=STRING, paid=BOOLEAN)
HOSTILE = '"; System.exit(1); // */ \\u000a \\u0022 \n \r \t \\ \u2028 \x00 \x7f 😀 {0} %s $x'
NAME = '"+\\u0022*/ //'
"""What would end a literal, a comment or a line, if it got into the source as it is."""


def _orders(*values: Any) -> list[dict[str, Any]]:
    return [
        {"topic": "orders", "key": "ab"[number % 2], "value": value, "timestamp": 1_000 * number}
        for number, value in enumerate(values)
    ]


SOME = _orders(
    {"id": 1, "amount": Decimal("12.50"), "weight": 1.5, "name": "tea", "paid": True},
    {"id": 2, "amount": Decimal("0.10"), "weight": None, "name": "Äpfel 😀", "paid": False},
    {"id": 3, "amount": None, "weight": 7.0, "name": None, "paid": None},
    {"id": None, "amount": Decimal("99999999.99"), "weight": 1e300, "name": "", "paid": True},
    {"id": -4, "amount": Decimal("-3.00"), "weight": -0.25, "name": "tea", "paid": False},
    None,
)
COMPUTED = {
    "half": "amount / 2",
    "total": "amount * 1.19 + id",
    "rounded": "round(amount, 1)",
    "ratio": "CASE WHEN weight > 0 THEN id / weight END",
    "big": "id > 1 OR paid",
    "known": "NOT (name IS NULL) AND weight BETWEEN 0 AND 10",
    "label": "upper(coalesce(name, 'none')) || '-' || id",
    "first": "substring(name, 1, 1)",
    "kind": "CASE name WHEN 'tea' THEN 'drink' WHEN '' THEN 'nothing' ELSE name END",
    "among": "name IN ('tea', 'coffee')",
    "or_null": "id IN (1, NULL)",
    "like_tea": "name LIKE 't_%'",
    "safe": "TRY_CAST(name AS BIGINT)",
    "when": "to_iso(timestamp)",
    "items": "array(id, 2, NULL)",
    "nested": "named_struct('a', id, 'b', map('x', weight))",
    "same": "name <=> NULL",
    "rest": "id % 3",
    "text": "to_json(named_struct('n', name, 'i', id))",
}


def write_case(name: str, builder: GraphBuilder, inputs: Sequence[Any] = SOME) -> tuple[Case, Graph]:
    """The case and the graph, whose sinks write JSON."""
    sinks = {"key_format": "json", "value_format": "json"}
    nodes = (
        replace(each, config={**each.config, **(sinks if each.operator == "to" else {})}) for each in builder.nodes
    )
    return {"name": name, "inputs": list(inputs)}, Graph(tuple(nodes), tuple(builder.edges))


def typed() -> tuple[Case, Graph]:
    """Values of declared types through expressions of all kinds."""
    fields = [{"name": name, "expression": text} for name, text in COMPUTED.items()]
    builder = (
        GraphBuilder()
        .stream("orders", ORDER)
        .add("there", "filter", {"predicate": "value IS NOT NULL"}, records="orders")
    )
    builder.add("computed", "map_values", {"fields": fields, "keep": True}, records="there").to("out", "computed")
    return write_case("typed", builder)


def folded() -> tuple[Case, Graph]:
    """The functions of aggregate, over decimals, doubles and integers, by key and by session."""
    functions = [
        {"name": "n", "function": "count"},
        {"name": "amounts", "function": "sum", "expression": "amount"},
        {"name": "mean", "function": "avg", "expression": "amount"},
        {"name": "weights", "function": "avg", "expression": "weight"},
        {"name": "ids", "function": "sum", "expression": "id"},
        {"name": "least", "function": "min", "expression": "name"},
        {"name": "most", "function": "max", "expression": "weight"},
        {"name": "one", "function": "first", "expression": "id"},
        {"name": "other", "function": "last", "expression": "id"},
        {"name": "all", "function": "collect", "expression": "name"},
    ]
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("totals", "aggregate", {"functions": functions}, grouped="grouped").updates_to("out", "totals")
    builder.add("sessions", "windowed_by", {"type": "session", "gap_ms": 3_000}, grouped="grouped")
    builder.add("merged", "aggregate", {"functions": functions}, grouped="sessions").updates_to(
        "out-sessions", "merged"
    )
    return write_case("folded", builder)


def undeclared() -> tuple[Case, Graph]:
    """Members without a type: integers beyond 64 bits, and money in an aggregate whose type its expressions change."""
    money = "'sum', agg.sum + coalesce(amount, CAST(0 AS DECIMAL(10, 2)))"
    builder = GraphBuilder().stream("orders", struct(amount=decimal(10, 2), extra=ANY))
    builder.add("there", "filter", {"predicate": "value IS NOT NULL"}, records="orders").to("out", "there")
    config = {"key": "value.extra", "key_format": "json"}
    builder.add("any", "group_by", config, records="there").add("counts", "count", grouped="any")
    builder.updates_to("counted", "counts").add("grouped", "group_by_key", stream="there")
    init = "named_struct('n', 0, 'sum', CAST(0 AS DECIMAL(10, 2)), 'data', CAST('' AS BINARY))"
    add = f"named_struct('n', agg.n + 1, {money}, 'data', CAST(concat(CAST(agg.data AS STRING), 'x') AS BINARY))"
    builder.add("totals", "aggregate", {"init": init, "add": add}, grouped="grouped")
    fields = [{"name": "open", "expression": "100 - sum"}, {"name": "text", "expression": "CAST(data AS STRING)"}]
    builder.add("open", "map_values", {"fields": fields, "keep": True}, records="totals").updates_to("sums", "open")
    texts = ("12.50", "0.10", "99999999.99", "-0.01")
    extras = (2**64, -(10**30), 7, [2**63, {"n": 2**63 - 1}])
    values = [{"amount": Decimal(text), "extra": extra} for text in texts for extra in extras]
    return write_case("undeclared", builder, _orders(*values, None, *values[:3]))


def versions() -> tuple[Case, Graph]:
    """Decimals and bytes computed from a table that keeps its history, and joined with another such table."""
    rates = struct(rate=decimal(12, 6))
    builder = GraphBuilder().table("rates", rates, history_ms=60_000)
    value = "named_struct('twice', rate * 2, 'data', CAST('a' AS BINARY))"
    builder.add("twice", "map_values", {"value": value}, records="rates")
    builder.add("high", "filter", {"predicate": "rate > 1"}, records="rates")
    fields = [{"name": "twice", "expression": "left.twice"}, {"name": "rate", "expression": "right.rate"}]
    builder.add("both", "left_join", {"fields": fields, "keep": False}, left="twice", right="high")
    builder.updates_to("out", "both")
    given = [("a", "1.100000", 5), ("a", "0.900000", 9), ("b", "2.000000", 7), ("a", "1.300000", 6), ("b", None, 20)]
    inputs = [
        {"topic": "rates", "key": key, "value": rate and {"rate": Decimal(rate)}, "timestamp": 1_000 * at}
        for key, rate, at in given
    ]
    return write_case("versions", builder, inputs)


def timed() -> tuple[Case, Graph]:
    """Every step that may ask for the record's time or headers."""
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("even", "filter", {"predicate": "timestamp % 2000 = 0 AND size(headers) = 1"}, records="orders")
    builder.add("odd", "filter_not", {"predicate": "timestamp % 2000 = 0"}, records="orders")
    builder.add("both", "merge", streams=("even", "odd"))
    builder.add("keyed", "select_key", {"key": "key || timestamp", "key_format": "string"}, stream="both")
    builder.add("mapped", "map", {"key": "key || '!'", "value": "timestamp + 1"}, stream="keyed")
    builder.add("times", "flat_map_values", {"values": "array(timestamp, value)"}, stream="mapped")
    builder.add(
        "many", "flat_map", {"items": "array(1, 2)", "key": "key", "value": "item + index + timestamp"}, stream="times"
    )
    builder.to("out", "many")
    builder.add("parts", "split", {"branches": [{"name": "tea", "predicate": "name = 'tea'"}]}, stream="orders")
    builder.to("teas", "parts:tea").to("others", "parts:default")
    return write_case("timed", builder, [{**each, "headers": [["trace", "1"]]} for each in SOME])


def joined() -> tuple[Case, Graph]:
    """A stream with a table, by key and time."""
    builder = GraphBuilder().stream("orders", ORDER).table("names", struct(name=STRING))
    fields = [{"name": "who", "expression": "right.name"}, {"name": "at", "expression": "timestamp"}]
    builder.add("known", "left_join", {"fields": fields, "keep": True}, left="orders", right="names").to("out", "known")
    there = [each for each in SOME if each["value"] is not None]
    names = [{"topic": "names", "key": "b", "value": {"name": "Bo"}, "timestamp": 0}]
    return write_case("joined", builder, [there[0], *names, *there[1:]])


def hostile() -> tuple[Case, Graph]:
    """User texts wherever the form takes any."""
    literal = "'" + HOSTILE.replace("\\", "\\\\").replace("'", "\\'") + "'"
    builder = GraphBuilder().stream("orders", ORDER)
    fields = [{"name": "class", "expression": literal}, {"name": NAME, "expression": f"length({literal})"}]
    builder.add("value", "map_values", {"fields": fields}, records="orders")
    builder.add("left", "filter", {"predicate": f"`class` = {literal}"}, records="value")
    builder.add("builder", "peek", {"message": literal}, stream="left")
    pattern = "'\"; System.exit%u000a%\n%'"
    predicate = f"`class` LIKE {pattern} AND NOT `class` RLIKE '\"\n*/'"
    builder.add("1st", "split", {"branches": [{"name": "new", "predicate": predicate}]}, stream="builder")
    return write_case("hostile", builder.to("out", "1st:new").to("main", "1st:default"))


def once() -> tuple[Case, Graph]:
    """Repeats by key, in a batch of stream times that go back and forth; and by a value, behind a new key."""
    builder = GraphBuilder().stream("orders", ORDER).add("first", "deduplicate", {"within_ms": 50}, stream="orders")
    builder.to("firsts", "first").add("named", "select_key", {"key": "name"}, stream="orders")
    builder.add("by-id", "deduplicate", {"within_ms": 50, "by": "id % 3"}, stream="named").to("ids", "by-id")
    draw, at, inputs = random.Random(7), 1_000, []
    for number in range(120):
        at += draw.choice([0, 5, 20, -30, 60])
        value = {"id": number % 7, "name": draw.choice(["tea", "salt", "oil"])}
        inputs.append({"topic": "orders", "key": draw.choice(["a", "b", None]), "value": value, "timestamp": at})
    return write_case("once", builder, inputs)


RICH_SCHEMAS = {
    "avro": json.dumps(
        {
            "type": "record",
            "name": "Order",
            "namespace": "shop",
            "doc": 'Quotes " and \\\\ stay.',
            "fields": [
                {"name": "id", "type": "int"},
                {"name": "amount", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
                {"name": "note", "type": ["null", "string"], "default": None},
                {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["NEW", "PAID"]}},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "weight", "type": "float"},
                {"name": "tags", "type": {"type": "map", "values": "string"}},
                {
                    "name": "lines",
                    "type": {
                        "type": "array",
                        "items": {"type": "record", "name": "Line", "fields": [{"name": "sku", "type": "string"}]},
                    },
                },
                {"name": "picture", "type": "bytes"},
                {"name": "token", "type": {"type": "fixed", "name": "Token", "size": 16, "logicalType": "uuid"}},
            ],
        }
    ),
    "protobuf": """syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
import "google/protobuf/struct.proto";
import "shop/line.proto";
message Shop { message Order {
  int32 id = 1; uint64 amount = 2; optional string note = 3; State state = 4; google.protobuf.Timestamp at = 5;
  float weight = 6; map<string, string> tags = 7; repeated Line lines = 8; bytes picture = 9;
  oneof token { string text = 10; sint64 number = 11; } google.protobuf.Duration took = 12;
  google.protobuf.Int64Value count = 13; google.protobuf.Struct rest = 14;
} }
enum State { NEW = 0; PAID = 1; }
// file: shop/line.proto
syntax = "proto3";
package shop;
message Line { string sku = 1; }""",
    "json_schema": json.dumps(
        {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": {"type": "integer"},
                "amount": {"type": "number"},
                "note": {"type": ["string", "null"]},
                "state": {"enum": ["NEW", "PAID"]},
                "tags": {"type": "object", "additionalProperties": {"type": "string"}},
                "lines": {"type": "array", "items": {"$ref": "#/definitions/line"}},
            },
            "definitions": {"line": {"type": "object", "properties": {"sku": {"type": "string"}}}},
        }
    ),
}
_COMMON = {"id": 1, "note": "Äpfel", "state": "PAID", "tags": {"a": "b"}, "lines": [{"sku": "x"}, {"sku": ""}]}
RICH_VALUES: dict[str, dict[str, Any]] = {
    "avro": _COMMON
    | {
        "amount": Decimal("-12.50"),
        "at": 1_700_000_000_123,
        "weight": 0.5,
        "picture": b"\x00\xff",
        "token": "123e4567-e89b-12d3-a456-426614174000",
    },
    "protobuf": _COMMON
    | {
        "amount": Decimal(2**64 - 1),
        "at": -1_500_000,
        "weight": 0.5,
        "picture": b"\x00\xff",
        "text": None,
        "number": -7,
        "took": -1_500_000,
        "count": 0,
        "rest": {"a": [1.5, None, {"b": "c"}]},
    },
    "json_schema": _COMMON | {"amount": 12.5},
}


def rich(format_name: str, sinks_header: str = "confluent", schema_id: int = 3_000_000_000) -> tuple[Case, Graph]:
    """Values of many types from a topic into one of the same format, one field changed; and through a store."""
    schema = {
        "value_format": format_name,
        "value_schema": RICH_SCHEMAS[format_name],
        "avro_header": "confluent",
        "value_schema_id": schema_id,
    }
    if format_name == "protobuf":
        schema["value_message"] = "shop.Shop.Order"
    reads = {"key_format": "string", **schema}
    writes = {"key_format": "json", **schema, "avro_header": sinks_header}
    builder = GraphBuilder().add("orders", "stream", {"topic": "orders", **reads})
    builder.add("names", "table", {"topic": "names", **reads})
    fields = [{"name": "id", "expression": "id + 1"}]
    builder.add("there", "filter", {"predicate": "value IS NOT NULL"}, records="orders")
    builder.add("more", "map_values", {"fields": fields, "keep": True}, records="there").to("out", "more", **writes)
    fields = [{"name": "id", "expression": "right.id"}]
    builder.add("known", "join", {"fields": fields, "keep": True}, left="there", right="names")
    builder.to("known-out", "known", **writes)
    first = RICH_VALUES[format_name]
    second = first | {"id": 2, "note": None, "lines": [], "tags": {}}
    inputs = [
        {"topic": topic, "key": "a", "value": value, "timestamp": 1_000}
        for topic, value in (("names", first), ("orders", second), ("orders", None), ("names", None), ("orders", first))
    ]
    return {"name": f"rich-{format_name}", "inputs": inputs}, builder.graph


def rich_again(graph: Graph, written: Answer) -> tuple[Case, Graph]:
    """What a graph of `rich` wrote into a topic, read from there and written again. Values of the answer are base64."""
    form = next(node.config for node in graph.nodes if node.id == "orders")
    builder = GraphBuilder().add("out", "stream", {**form, "topic": "out"})
    builder.add("again", "to", {**form, "topic": "again", "key_format": "json"}, stream="out")
    inputs = [
        {**each, "key": "a", "value": each["value"] and base64.b64decode(each["value"])}
        for each in written.results
        if each["topic"] == "out"
    ]
    return {"name": "rich-again", "inputs": inputs}, builder.graph


PAID = {
    "type": "record",
    "name": "shop.Paid",
    "fields": [
        {"name": "id", "type": "int"},
        {"name": "by", "type": ["null", "string", "long", {"type": "enum", "name": "Card", "symbols": ["VISA"]}]},
    ],
}
SENT = {
    "type": "record",
    "name": "shop.Sent",
    "fields": [
        {"name": "id", "type": "int"},
        {
            "name": "parts",
            "type": {
                "type": "array",
                "items": [
                    {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
                    "double",
                    {"type": "map", "values": ["int", "string"]},
                ],
            },
        },
        {"name": "weight", "type": ["double", "null"], "default": 0.5},
    ],
}
UNION_SCHEMAS = {
    "avro": json.dumps([PAID, SENT, "null"]),
    "json_schema": json.dumps(
        {
            "oneOf": [{"$ref": "#/definitions/Paid"}, {"$ref": "#/definitions/a%20sent~0%20thing"}],
            "definitions": {
                "Paid": {
                    "type": "object",
                    "required": ["by"],
                    "properties": {"id": {"type": "integer"}, "by": {"type": ["string", "integer", "number", "null"]}},
                },
                "a sent~ thing": {
                    "title": "Sent",
                    "type": "object",
                    "required": ["parts"],
                    "properties": {
                        "id": {"type": "integer"},
                        "parts": {
                            "type": "array",
                            "items": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "object"}]},
                        },
                    },
                },
            },
        }
    ),
    "protobuf": """
        syntax = "proto3";
        package shop;
        import "google/protobuf/timestamp.proto";
        // message Comment { }
        message Order {
            map<string, int64> counts = 1;
            message Paid { int64 id = 1; optional string by = 2; google.protobuf.Timestamp at = 3; }
        }
        /* message Other { } */
        message Sent { int64 id = 1; repeated Part parts = 2; oneof how { string car = 3; int32 bike = 4; } }
        message Part { double weight = 1; }
    """,
}
UNION_VALUES: dict[str, list[Any]] = {
    "avro": [
        UnionValue("shop.Paid", {"id": 1, "by": UnionValue("shop.Card", "VISA")}),
        UnionValue("shop.Sent", {"id": 2, "parts": [], "weight": None}),
        UnionValue("shop.Paid", {"id": 3, "by": UnionValue("string", "VISA")}),
        None,
        UnionValue(
            "shop.Sent",
            {
                "id": 4,
                "parts": [
                    UnionValue("bytes", Decimal("1.50")),
                    UnionValue("double", 1.5),
                    UnionValue("map", {"a": UnionValue("int", 7), "b": UnionValue("string", "7")}),
                ],
                "weight": 2.0,
            },
        ),
        UnionValue("shop.Paid", {"id": 5, "by": UnionValue("long", 2**40)}),
        UnionValue("shop.Paid", {"id": 6, "by": None}),
    ],
    "json_schema": [
        UnionValue("Paid", {"id": 1, "by": UnionValue("string", "VISA")}),
        UnionValue("Sent", {"id": 2, "parts": []}),
        UnionValue("Paid", {"id": 3, "by": UnionValue("number", 7.5)}),
        None,
        UnionValue("Sent", {"id": 4, "parts": [UnionValue("string", "abc"), UnionValue("object", {"a": 1.5})]}),
        UnionValue("Paid", {"id": 5, "by": None}),
    ],
    "protobuf": [
        UnionValue("shop.Order.Paid", {"id": 1, "by": "VISA", "at": 1_000_001}),
        UnionValue("shop.Sent", {"id": 2, "parts": [], "car": None, "bike": 3}),
        UnionValue("shop.Order.Paid", {"id": 3, "by": None, "at": None}),
        None,
        UnionValue("shop.Sent", {"id": 4, "parts": [{"weight": 1.5}], "car": "", "bike": None}),
        UnionValue("shop.Order.Paid", {"id": 2**40, "by": "", "at": None}),
    ],
}
UNION_TYPES = {
    "avro": ("shop.Paid", "shop.Sent"),
    "json_schema": ("Paid", "Sent"),
    "protobuf": ("shop.Order.Paid", "shop.Sent"),
}


def unions(format_name: str) -> tuple[Case, Graph]:
    """Values of unions: as they are, by type, in stores, in expressions, and written as values without a type."""
    schema = {
        "value_format": format_name,
        "value_schema": UNION_SCHEMAS[format_name],
        "avro_header": "confluent",
        "value_schema_id": 7,
    }
    paid, sent = UNION_TYPES[format_name]
    if format_name == "protobuf":
        schema["value_message"] = f"{paid}, {sent}"
    builder = GraphBuilder().add("events", "stream", {"topic": "events", "key_format": "string", **schema})
    builder.add("kept", "table", {"topic": "kept", "key_format": "string", **schema})
    as_json = {"key_format": "json", "value_format": "json"}
    builder.to("plain", "events", **as_json)
    branches = [{"name": "paid", "type": paid}, {"name": "sent", "type": sent}]
    builder.add("kinds", "split", {"branches": branches}, stream="events").to("others", "kinds:default", **as_json)
    builder.add("by", "map_values", {"value": "value.by"}, records="kinds:paid").to("by-out", "by", **as_json)
    builder.add("many", "filter", {"predicate": "size(value.parts) > 0"}, records="kinds:sent")
    builder.to("sent", "many", key_format="json", **(schema if format_name == "avro" else {}))
    fields = [
        {"name": "tag", "expression": "union_tag(value)"},
        {"name": "type", "expression": "typeof(value)"},
        {"name": "id", "expression": f"union_extract(value, '{paid}').id + 1"},
        {"name": "made", "expression": "union_value('long', timestamp)"},
        {"name": "whole", "expression": "value"},
        {"name": "kind", "expression": "to_json(array(value, value))"},
    ]
    builder.add("told", "map_values", {"fields": fields}, records="events").to("told-out", "told", **as_json)
    builder.add("there", "filter", {"predicate": "value IS NOT NULL"}, records="events")
    builder.add("grouped", "group_by_key", stream="there")
    chosen = f"CASE WHEN union_tag(value) = '{sent}' THEN agg ELSE value END"
    builder.add("newest", "reduce", {"add": chosen}, grouped="grouped").add("changes", "to_stream", table="newest")
    builder.to("newest-out", "changes", key_format="json", **schema)
    fields = [{"name": "left", "expression": "left"}, {"name": "right", "expression": "right"}]
    builder.add("both", "join", {"fields": fields, "keep": False}, left="there", right="kept").to(
        "both-out", "both", **as_json
    )
    inputs = [
        {"topic": topic, "key": "a", "value": value, "timestamp": 1_000 + at}
        for at, value in enumerate(UNION_VALUES[format_name])
        for topic in ("kept", "events")
    ]
    return {"name": f"unions-{format_name}", "inputs": inputs}, builder.graph


ALL = (typed(), folded(), timed(), joined(), hostile(), once(), undeclared(), versions())
