"""The sample's flights with schemas of a registry: one topic for each kind of schema.

`flights` alone says where a stopped feed continues. After a kill these topics may have some flights twice.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from designer.refusals import Refusal
from designer.values.schemas import FormatSchema, SchemaText
from runner.demo.samples.flights import FOREVER, PARTITIONS, Row
from runner.engine.formats import Encoder
from runner.engine.formats.avro import make_encoder
from runner.kafka import KafkaCluster
from runner.registry import Registry

log = logging.getLogger(__name__)
AGAIN_SECONDS = 10.0
"""Time between two attempts to register the schemas: the registry may start after the feed."""

TEXTS = ("carrier", "tailnum", "origin", "dest", "time_hour")
NUMBERS = ("year", "month", "day", "dep_time", "sched_dep_time", "dep_delay", "arr_time", "sched_arr_time", "arr_delay")
NUMBERS += ("flight", "air_time", "distance", "hour", "minute")


def make_avro_schema() -> SchemaText:
    """The Avro schema of a flight. Every field may be missing, as NA in the data."""
    types = {**dict.fromkeys(NUMBERS, "long"), **dict.fromkeys(TEXTS, "string")}
    fields = [{"name": name, "type": ["null", type_], "default": None} for name, type_ in types.items()]
    record: dict[str, Any] = {"type": "record", "name": "Flight", "namespace": "nycflights13", "fields": fields}
    return SchemaText("AVRO", json.dumps(record | {"doc": "A flight that left New York City in 2013."}))


def _make_avro_encoder(schema: SchemaText, number: int) -> Encoder:
    return make_encoder(FormatSchema(schema.text, True, number))


KINDS: dict[str, tuple[Callable[[], SchemaText], Callable[[SchemaText, int], Encoder]]] = {
    "flights-avro": (make_avro_schema, _make_avro_encoder),
}
"""By topic, its schema, and how to encode with the schema and its id."""


class RegisteredFlights:
    """Encodes flights for the topics of `KINDS`, once the registry has their schemas."""

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
            for topic, (make_schema, make_encoder_of) in KINDS.items():
                schema = make_schema()
                number = self.registry.register(f"{topic}-value", schema)
                self.cluster.create(topic, PARTITIONS, FOREVER)
                self.encoders[topic] = make_encoder_of(schema, number)
        except Refusal as refusal:
            log.warning("The sample's topics with schemas wait: %s", refusal.message)
            self.encoders.clear()
            self.again_at = time.monotonic() + AGAIN_SECONDS
