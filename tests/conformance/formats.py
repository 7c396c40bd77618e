"""The kept cases with topics in a format with a schema: what Kafka Streams answered does not depend on the bytes.

A value is then a record of `text` or `number`, as the cases have texts and integers. A node behind each stream takes
it out, and one before each sink puts it in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from designer.streams.formats import SCHEMA_FORMATS
from designer.topology.graph import Edge, Graph, Node
from designer.values.schemas import FormatSchema, Side
from runner.engine.formats.sides import make_decoder_of
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case, expected
from tests.conformance.product.translation import counts_bytes

SCHEMAS: Mapping[str, str] = {
    "avro": json.dumps(
        {
            "type": "record",
            "name": "Value",
            "fields": [
                {"name": "text", "type": ["null", "string"]},
                {"name": "number", "type": ["null", "long"]},
            ],
        }
    ),
    "protobuf": 'syntax = "proto3"; message Value { oneof value { string text = 1; int64 number = 2; } }',
    "json_schema": json.dumps(
        {
            "type": "object",
            "properties": {"text": {"type": ["string", "null"]}, "number": {"type": ["integer", "null"]}},
            "additionalProperties": False,
        }
    ),
}
TABLES = ("table", "global_table")
TAKE = "coalesce(parse_json(to_json(value.text)), parse_json(to_json(value.number)))"
TEXT = "CASE WHEN typeof(value) = 'string' THEN CAST(value AS STRING) END"
NUMBER = "CASE WHEN typeof(value) = 'bigint' THEN CAST(value AS BIGINT) END"
PUT = f"CASE WHEN value IS NOT NULL THEN named_struct('text', {TEXT}, 'number', {NUMBER}) END"


def cases_in(format_name: str, one_in: int) -> list[tuple[Case, Graph]]:
    """One kept case in so many that fit, with streams and sinks in the format."""
    fitting = [(case, graph) for case, graph in graphs() if _fits(case, graph)]
    return [_put_in(case, graph, format_name) for case, graph in fitting[::one_in]]


def read_plain(format_name: str) -> Callable[[bytes], bytes]:
    """A function that makes JSON of a value in a sink's topic, as the case has it."""
    decode = make_decoder_of(_side(format_name))

    def read(data: bytes) -> bytes:
        value = decode(data)
        return orjson.dumps(next((each for each in value.values() if each is not None), None))

    return read


def _side(format_name: str) -> Side:
    text = SCHEMAS[format_name]
    return Side(format_name, SCHEMA_FORMATS[format_name].read_type(text), FormatSchema(text, header=True, id=7))


def _fits(case: Case, graph: Graph) -> bool:
    """Whether all values are texts and integers, and a table reads no topic of a stream or sink."""
    taken = [*case["inputs"], *expected(case)]
    of_tables = {node.config["topic"] for node in graph.nodes if node.operator in TABLES}
    others = {node.config["topic"] for node in graph.nodes if node.operator in ("stream", "to")}
    plain = all(type(each["value"]) in (str, int, type(None)) for each in taken)
    return plain and not counts_bytes(case) and of_tables.isdisjoint(others)


def _put_in(case: Case, graph: Graph, format_name: str) -> tuple[Case, Graph]:
    schema = {
        "value_format": format_name,
        "value_schema": SCHEMAS[format_name],
        "avro_header": "confluent",
        "value_schema_id": 7,
    }
    nodes: list[Node] = []
    edges = list(graph.edges)
    streams = set[str]()
    for node in graph.nodes:
        config = {name: each for name, each in node.config.items() if name != "value_type"}
        if node.operator == "stream":
            streams.add(node.config["topic"])
            inner = f"{node.id}-taken"
            nodes += [replace(node, config=config | schema), Node(inner, "map_values", {"value": TAKE})]
            edges = [replace(each, source=inner) if each.source == node.id else each for each in edges]
            edges.append(Edge(node.id, "result", inner, "records"))
        elif node.operator == "to":
            inner = f"{node.id}-put"
            nodes += [Node(inner, "map_values", {"value": PUT}), replace(node, config=config | schema)]
            edges = [
                replace(each, target=inner, target_port="records") if each.target == node.id else each for each in edges
            ]
            edges.append(Edge(inner, "result", node.id, "stream"))
        else:
            nodes.append(node)
    inputs = [{**each, "value": _put(each["value"])} if each["topic"] in streams else each for each in case["inputs"]]
    return {**case, "inputs": inputs}, Graph(tuple(nodes), tuple(edges))


def _put(value: Any) -> Any:
    if value is None:
        return None
    return {"text": value if isinstance(value, str) else None, "number": value if isinstance(value, int) else None}
