"""Orders in formats with a schema, in Confluent's frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import orjson

from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, Side
from runner.engine.formats.sides import make_encoder_of
from tests.bench.workloads import ORDER

ID = 1
"""The id of the schema in each record."""
AVRO_TYPES = {"string": "string", "double": "double", "integer": "long"}
PROTO_TYPES = {"string": "string", "double": "double", "integer": "int64"}
JSON_TYPES = {"string": "string", "double": "number", "integer": "integer"}
FIELDS = {name: type_["kind"] for name, type_ in ORDER.items()}
SCHEMAS: Mapping[str, str] = {
    "avro": orjson.dumps(
        {
            "type": "record",
            "name": "Order",
            "fields": [{"name": name, "type": AVRO_TYPES[kind]} for name, kind in FIELDS.items()],
        }
    ).decode(),
    "protobuf": 'syntax = "proto3"; message Order { '
    + " ".join(f"{PROTO_TYPES[kind]} {name} = {number};" for number, (name, kind) in enumerate(FIELDS.items(), 1))
    + " }",
    "json_schema": orjson.dumps(
        {"type": "object", "properties": {name: {"type": JSON_TYPES[kind]} for name, kind in FIELDS.items()}}
    ).decode(),
}
"""The fields of an order as a schema of each format."""


def make_encoder(name: str, *, is_framed: bool = True) -> Callable[[Any], bytes]:
    """Writes orders in a format."""
    text = SCHEMAS[name]
    schema = FormatSchema(text, header=is_framed, id=ID)
    return make_encoder_of(Side(name, SCHEMA_FORMATS[name].read_type(text), schema))


def encode_orders(rows: Iterable[tuple[str, str, int]], name: str) -> Iterator[tuple[str, str | bytes, int]]:
    """The same orders in a format; in JSON they are texts."""
    if name == "json":
        yield from rows
        return
    encode = make_encoder(name)
    for key, value, at in rows:
        yield key, encode(orjson.loads(value)), at


def write_source(name: str) -> dict[str, Any]:
    """What the form of a source says of values in a format."""
    if name == "json":
        return {}
    header = {"avro_header": "confluent", "value_schema_id": ID}
    return {"value_format": name, "value_schema": SCHEMAS[name], "value_type": None, **header}
