"""Random Protobuf for both engines: schemas of writers and readers, values, and their bytes in frames."""

from __future__ import annotations

import struct
from decimal import Decimal
from random import Random
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from designer.protobuf import parse
from designer.protobuf.types import is_map, is_repeated
from designer.values.schemas import FormatSchema, read_registry_schemas
from runner.engine.formats.protobuf import make_body_encoder
from runner.engine.formats.protobuf.indexes import write_indexes
from tests.runner.engine.kernel.schemas import DOUBLES, HEADER, LONGS, TEXTS, Topic

SCALARS = ["double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64"]
SCALARS += ["sfixed32", "sfixed64", "bool", "string", "bytes"]
KEYS = ["int32", "int64", "uint64", "sint32", "bool", "string", "string"]
KNOWN = ["Timestamp", "Duration", "StringValue", "Int64Value", "UInt64Value", "BoolValue", "DoubleValue", "Any"]
IMPORTS = "".join(f'import "google/protobuf/{name}.proto";\n' for name in ("timestamp", "duration", "wrappers", "any"))
GUID = "123e4567-e89b-12d3-a456-426614174000"


def draw_fields(chance: Random, *, is_old: bool) -> list[str]:
    """Lines of a message, some of which name other messages."""
    lines = list[str]()
    for number in chance.sample([1, 2, 3, 4, 5, 9, 15, 16, 17, 900, 2**29 - 2_000], chance.randrange(1, 7)):
        name = f"f{number}"
        kind = chance.choice([*SCALARS, "Inner", "Color", "Main", f"google.protobuf.{chance.choice(KNOWN)}"])
        label = "optional " if is_old else chance.choice(["", "optional "])
        match chance.randrange(8):
            case 0 | 1:
                is_packable = kind in SCALARS[:13]
                packed = chance.choice(["", " [packed=true]", " [packed=false]"]) if is_packable else ""
                lines.append(f"repeated {kind} {name} = {number}{packed};")
            case 2:
                lines.append(f"map<{chance.choice(KEYS)}, {kind}> {name} = {number};")
            case 3:
                lines.append(f"oneof o{number} {{ {kind} {name} = {number}; string g{number} = {number + 1_000}; }}")
            case 4 if is_old and kind in ("int32", "sint64", "double", "float"):
                lines.append(f"optional {kind} {name} = {number} [default = {chance.choice(['7', '0'])}];")
            case 5 if is_old:
                lines.append(f"required {kind if kind != 'Main' else 'int32'} {name} = {number};")
            case _:
                lines.append(f"{label}{kind} {name} = {number};")
    return lines


def draw_text(chance: Random) -> str:
    """A file with three messages and an enum."""
    is_old = chance.random() < 0.3
    syntax = "proto2" if is_old else "proto3"
    names = chance.choice(["A = 0; B = 1; C = -3;", "A = 0; B = 5;"])
    inner = " ".join(line for line in draw_fields(chance, is_old=is_old) if "Main" not in line and "Inner" not in line)
    main = " ".join(draw_fields(chance, is_old=is_old))
    message = f"message Main {{ message Inner {{ {inner} }} {main} }}"
    before = "message First { int32 a = 1; }\n" if chance.random() < 0.5 else ""
    return f'syntax = "{syntax}";\npackage p;\n{IMPORTS}enum Color {{ {names} }}\n{before}{message}\n'


def draw_value(chance: Random, message: Descriptor, depth: int = 3) -> dict[str, Any]:
    """A value of a message, mostly right."""
    value = dict[str, Any]()
    for field in message.fields:
        oneof = field.containing_oneof
        if oneof is not None and any(each.name in value for each in oneof.fields) and chance.random() < 0.97:
            continue
        if not field.is_required and chance.random() < 0.3:
            continue
        value[field.name] = _draw_field(chance, field, depth)
    return value


def _draw_field(chance: Random, field: FieldDescriptor, depth: int) -> Any:
    if is_map(field):
        entry = field.message_type.fields_by_name
        keys = [_draw_one(chance, entry["key"], depth) for _ in range(chance.randrange(4))]
        texts = [("false", "true")[key] if type(key) is bool else str(key) for key in keys]
        return {text: _draw_one(chance, entry["value"], depth - 1) for text in texts}
    if is_repeated(field):
        return [_draw_one(chance, field, depth - 1) for _ in range(chance.randrange(4))]
    return None if field.has_presence and chance.random() < 0.2 else _draw_one(chance, field, depth)


def _draw_one(chance: Random, field: FieldDescriptor, depth: int) -> Any:
    if field.message_type is not None:
        match field.message_type.full_name:
            case "google.protobuf.Timestamp" | "google.protobuf.Duration":
                return chance.choice([0, 1, -1, 1_700_000_000_123_456, -62_135_596_800_000_000, 10**17])
            case "google.protobuf.Any":
                return {"type_url": chance.choice(TEXTS), "value": chance.choice([b"", b"\x01\xff"])}
            case name if name.startswith("google."):
                return _draw_one(chance, field.message_type.fields_by_name["value"], depth)
        return draw_value(chance, field.message_type, depth - 1) if depth > 0 else {}
    if field.enum_type is not None:
        return chance.choice([value.name for value in field.enum_type.values] * 4 + ["77"])
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_INT32:
            return chance.choice([number for number in LONGS if abs(number) < 2**31])
        case FieldDescriptor.CPPTYPE_UINT32:
            return chance.choice([0, 1, 127, 128, 2**32 - 1])
        case FieldDescriptor.CPPTYPE_INT64:
            return chance.choice(LONGS)
        case FieldDescriptor.CPPTYPE_UINT64:
            return chance.choice([0, Decimal(1), Decimal(2**64 - 1), 300, 2**63])
        case FieldDescriptor.CPPTYPE_BOOL:
            return chance.random() < 0.5
        case FieldDescriptor.CPPTYPE_STRING:
            return chance.choice(TEXTS) if field.type == FieldDescriptor.TYPE_STRING else chance.choice([b"", b"a\xff"])
    return chance.choice([*DOUBLES, 3])


def draw_topic(chance: Random, count: int) -> Topic:
    """A topic of Protobuf: how a source reads it, the registry, and records of one or two schemas."""
    text = draw_text(chance)
    other = chance.choice([text, text.replace("int32 a", "int64 a").replace("= 1;", "= 1; ")])
    config: dict[str, Any] = {"value_format": "protobuf", "value_type": None, "value_schema": text}
    config |= {"value_message": "p.Main"}
    framing = chance.choice(["plain", "confluent", "registry"])
    if framing != "plain":
        config |= {"avro_header": "confluent", "value_schema_id": 1}
    registry: dict[str, Any] = {}
    if framing == "registry":
        config |= {"schema_registry": True}
        registry = {"10": ["PROTOBUF", other, []], GUID: ["PROTOBUF", text, []]}
    message = parse(text).find_message("p.Main")
    encode = make_body_encoder(FormatSchema(text, message="p.Main"))
    indexes = write_indexes(FormatSchema(text, message="p.Main"))
    values: list[tuple[bytes, dict[str, bytes | None]]] = []
    while len(values) < count:
        try:
            data = encode(draw_value(chance, message))
        except ValueError:  # a value that the schema does not accept
            continue
        headers: dict[str, bytes | None] = {"other": b"\x01"} if chance.random() < 0.2 else {}
        if framing != "plain":
            number = 99 if chance.random() < 0.03 else chance.choice([1, 10] if framing == "registry" else [1])
            prefix = struct.pack(">bI", 0, number)
            found = chance.choice([indexes] * 8 + [b"\0", b"\x02\x00", b"\x02\x02", b""])
            if chance.random() < 0.3:
                guid = b"\1" + bytes.fromhex(GUID.replace("-", ""))
                headers[HEADER] = (guid if number == 1 and chance.random() < 0.5 else prefix) + found
            else:
                data = prefix + found + data
        values.append((data, headers))
    return Topic(config, read_registry_schemas(registry) if registry else {}, values)
