"""Random Avro for both engines: schemas of writers and readers, values, and their bytes in frames."""

from __future__ import annotations

import struct
from decimal import Decimal
from random import Random
from typing import Any, Literal, NamedTuple

import orjson

from designer.avro import parse
from designer.avro.resolution import find_mismatch
from designer.values.schemas import FormatSchema, RegistrySchemas, Side, read_registry_schemas
from runner.engine.formats.errors import EncodeError
from runner.engine.formats.sides import make_encoder_of

Json = Any
Framing = Literal["plain", "confluent", "registry"]
TEXTS = ["", "a", "ä€", "\U0001f600", "x" * 70]
LONGS = [0, 1, -1, 63, -64, 64, 300, 2**31 - 1, -(2**31), 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]
DOUBLES = [0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, float("inf"), float("nan"), 0.1]
PROMOTIONS = {"int": ["long", "float", "double"], "long": ["float", "double"], "float": ["double"]}
PROMOTIONS |= {"string": ["bytes"], "bytes": ["string"]}
TIMES = [("int", "date"), ("long", "timestamp-millis"), ("string", "uuid")]
HEADER = "__value_schema_id"


class Draw:
    """Draws schemas of records and values of them."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.names = 0

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def record(self, depth: int) -> Json:
        fields = [self.field(depth) for _ in range(self.chance.randrange(1, 6))]
        return {"type": "record", "name": self.name("R"), "fields": fields}

    def field(self, depth: int) -> Json:
        return {"name": self.name("f"), "type": self.type(depth)}

    def type(self, depth: int) -> Json:
        chance = self.chance
        match chance.randrange(14 if depth else 7):
            case 0 | 1 | 2 | 3:
                return chance.choice(["boolean", "int", "long", "float", "double", "bytes", "string", "string"])
            case 4:
                if chance.random() < 0.4:
                    size = {"type": "fixed", "name": self.name("D"), "size": chance.choice([5, 16, 17])}
                    precision = chance.choice([1, 4, 10])
                    digits = {"precision": precision, "scale": chance.randrange(precision + 1)}
                    return {**chance.choice([size, {"type": "bytes"}]), "logicalType": "decimal", **digits}
                base, logical = chance.choice(TIMES)
                return {"type": base, "logicalType": logical}
            case 5:
                return {"type": "enum", "name": self.name("E"), "symbols": ["A", "B", "C"]}
            case 6:
                sizes: list[dict[str, Any]] = [
                    {"size": 3},
                    {"size": 16, "logicalType": "uuid"},
                    {"size": 12, "logicalType": "duration"},
                ]
                return {"type": "fixed", "name": self.name("F"), **chance.choice(sizes)}
            case 7 | 8:
                return {"type": "array", "items": self.type(depth - 1)}
            case 9:
                return {"type": "map", "values": self.type(depth - 1)}
            case 10 | 11:
                option = self.type(0)
                return ["null", option] if chance.random() < 0.7 else [option, "null"]
            case _:
                return self.record(depth - 1)

    def evolve(self, schema: Json) -> Json:
        """A schema that may read what the first one wrote."""
        chance = self.chance
        match schema:
            case str(name) if name in PROMOTIONS and chance.random() < 0.4:
                return chance.choice(PROMOTIONS[name])
            case str(name) if chance.random() < 0.1:
                return ["null", name]
            case {"type": "record", "fields": fields}:
                made = []
                for field in fields:
                    if chance.random() < 0.15:
                        continue
                    new = {**field, "type": self.evolve(field["type"])}
                    if chance.random() < 0.15:
                        new |= {"name": self.name("f"), "aliases": [field["name"]]}
                    made.append(new)
                for _ in range(chance.randrange(2)):
                    of, default = chance.choice([("int", 3), ("string", "ä"), (["null", "long"], None)])
                    made.append({"name": self.name("f"), "type": of, "default": default})
                if chance.random() < 0.3:
                    chance.shuffle(made)
                return {**schema, "fields": made}
            case {"type": "enum"} if chance.random() < 0.5:
                return {**schema, "symbols": ["C", "A", "D"], **chance.choice([{}, {"default": "A"}])}
            case {"type": "array", "items": items}:
                return {**schema, "items": self.evolve(items)}
            case {"type": "map", "values": values}:
                return {**schema, "values": self.evolve(values)}
        return schema

    def value(self, schema: Json) -> Any:
        chance = self.chance
        match schema:
            case [*options]:
                return self.value(chance.choice(options))
            case {"type": "record", "fields": fields}:
                return {field["name"]: self.value(field["type"]) for field in fields}
            case {"type": "array", "items": items}:
                return [self.value(items) for _ in range(chance.randrange(4))]
            case {"type": "map", "values": values}:
                return {chance.choice(TEXTS): self.value(values) for _ in range(chance.randrange(4))}
            case {"type": "enum", "symbols": symbols}:
                return chance.choice(symbols)
            case {"logicalType": "decimal", "precision": precision, "scale": scale}:
                number = chance.choice([0, 1, 127, 128, 129, 10**precision - 1, chance.randrange(10**precision)])
                return Decimal(number % 10**precision * chance.choice([1, -1])).scaleb(-scale)
            case {"type": "fixed", "size": size}:
                return chance.randbytes(size)
            case {"type": "string", "logicalType": "uuid"}:
                return "123e4567-e89b-12d3-a456-426614174000"
            case {"type": str(base)}:
                return self.value(base)
            case "boolean":
                return chance.random() < 0.5
            case "int":
                return chance.choice([number for number in LONGS if -(2**31) <= number < 2**31])
            case "long":
                return chance.choice(LONGS)
            case "float":
                return chance.choice([number for number in DOUBLES if abs(number) < 1e30])
            case "double":
                return chance.choice(DOUBLES)
            case "bytes":
                return chance.choice([b"", b"abc", b"\xff\x00", *(text.encode() for text in TEXTS)])
            case "string":
                return chance.choice(TEXTS)
        return None


class Topic(NamedTuple):
    """A topic in Avro: the form of a source that reads it, what its registry knows, and records."""

    config: dict[str, Any]
    registry: RegistrySchemas
    values: list[tuple[bytes, dict[str, bytes | None]]]
    """Bytes and headers."""


def draw_topic(chance: Random, count: int) -> Topic:
    """A topic whose records were written with up to three schemas."""
    draw = Draw(chance)
    writers = [draw.record(2) if chance.random() < 0.85 else draw.type(1)]
    for _ in range(chance.randrange(3)):
        writers.append(draw.evolve(writers[-1]))
    reader = draw.evolve(writers[-1]) if chance.random() < 0.6 else writers[-1]
    framing: Framing = chance.choice(["plain", "confluent", "registry"])
    texts = [orjson.dumps(writer).decode() for writer in writers]
    reader_text = orjson.dumps(reader if framing != "plain" else writers[0]).decode()
    if framing != "plain":
        texts = [text for text in texts if find_mismatch(parse(text), parse(reader_text)) is None]
    texts = [texts[0]] if framing == "plain" else texts
    config: dict[str, Any] = {"value_format": "avro", "value_schema": reader_text, "value_type": None}
    if framing == "confluent":
        config |= {"avro_header": "confluent", "value_schema_id": 1}
        config["value_writer_schemas"] = [{"id": 10 + n, "avro_schema": text} for n, text in enumerate(texts)]
    if framing == "registry":
        config |= {"schema_registry": True, "avro_header": "confluent", "value_schema_id": 1}
    registry = {str(10 + n): ["AVRO", text, []] for n, text in enumerate(texts)}
    registry |= {"123e4567-e89b-12d3-a456-426614174000": ["AVRO", reader_text, []]}
    schemas = [(1, reader), *((10 + n, orjson.loads(text)) for n, text in enumerate(texts))]
    values = []
    for _ in range(count):
        number, schema = schemas[1] if framing == "plain" else chance.choice(schemas)
        data = _encode(draw, schema)
        headers: dict[str, bytes | None] = {"other": b"\x01"} if chance.random() < 0.2 else {}
        if framing != "plain":
            number = 99 if chance.random() < 0.03 else number
            prefix = struct.pack(">bI", 0, number)
            if chance.random() < 0.3:
                guid = b"\1" + bytes.fromhex("123e4567e89b12d3a456426614174000")
                headers[HEADER] = guid if number == 1 and chance.random() < 0.5 else prefix
            else:
                data = prefix + data
        values.append((data, headers))
    return Topic(config, read_registry_schemas(registry) if framing == "registry" else {}, values)


def _encode(draw: Draw, schema: Json) -> bytes:
    text = orjson.dumps(schema).decode()
    side = Side("avro", parse(text).type, FormatSchema(text))
    while True:
        try:
            return make_encoder_of(side)(draw.value(schema))
        except EncodeError:
            continue
