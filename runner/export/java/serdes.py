"""Java that reads and writes keys and values: Kafka's own serdes, and `Json`, `Avro`, `Protobuf` and `JsonSchema` of
the program.

Only topics of users have Avro, Protobuf and JSON Schema. Topics and stores of Kafka Streams itself hold such values as
JSON, so they need no subjects.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from designer import json_schema, protobuf
from designer.expressions.java import NotInJava, find_java_type, quote_text
from designer.json_schema.parts import Part
from designer.protobuf.files import split_files
from designer.streams.formats import SCHEMA_FORMATS
from designer.streams.registering import KINDS
from designer.streams.topics import SinkHeader
from designer.values.schemas import FormatSchema, Kind, SchemaText, Side, SideName, Type, WindowSpec
from runner.engine.formats.json import holds
from runner.engine.formats.protobuf.indexes import write_indexes
from runner.registry.imports import list_imports

KAFKA_S = {"string": "String", "long": "Long", "double": "Double", "boolean": "Boolean", "bytes": "ByteArray"}
JSON = {Kind.BOOLEAN: "BOOLEAN", Kind.INTEGER: "LONG", Kind.DOUBLE: "DOUBLE", Kind.STRING: "STRING"}
JSON |= {Kind.BYTES: "BYTES", Kind.ANY: "ANY"}


MAX_LITERAL = 65_535
"""Bytes that a string in a class file may have."""
PLACES: Mapping[SinkHeader, str] = {
    "plain": "readsHeader",
    "confluent": "readsHeader",
    "id_header": "writesHeader",
    "guid_header": "writesGuid",
}
"""Methods of `SchemaFrame`."""
SERDES = {"avro": "Avro", "protobuf": "Protobuf", "json_schema": "JsonSchema"}


class Ids(NamedTuple):
    """Where the ids of the schemas of a topic come from: the registry, or the form."""

    subject: str = ""
    """The subject in the registry; one that begins with a hyphen comes after the topic. Empty: no registry."""
    registers: bool = False
    header: SinkHeader = "confluent"
    """Where the id is written."""
    by_type: Mapping[str, str] = MappingProxyType({})
    """The subject of each type of a union that has one of its own."""

    @property
    def in_header(self) -> bool:
        """Whether the id is written into a header of the record, and not before the data."""
        return self.header in ("id_header", "guid_header")


FORM = Ids()
"""The ids of the form, if it has some."""


def write_topic_serde(side: Side, name: SideName, ids: Ids) -> str:
    """The serde of keys or values (`name`) in a user's topic. Raises NotInJava."""
    if side.format not in SCHEMA_FORMATS:
        return write_serde(side, is_users=True)
    if side.schema is None:
        raise NotInJava(f"its {name}s are {side.format} without a schema")
    java_type = f"<{find_java_type(side.type)}>"
    if ids.by_type:
        return _write_serde_by_type(side, name, ids)
    text, frame = _quote_schema(side.schema.text), _write_frame(side, name, ids)
    match side.format:
        case "avro":
            return f"Avro.{java_type}serde({text}, {frame})"
        case "json_schema":
            part = json_schema.parse(side.schema.text).part
            written = _write_json_part(part) if part.type == side.type else write_json_type(side.type)
            return f"JsonSchema.{java_type}serde({text}, {frame}, schema -> {written})"
    messages = protobuf.list_messages(side.schema.text, side.schema.message)
    files, seen = FileDescriptorSet(), set[str]()
    for message in messages:
        for file in _list_files(message.file, seen):
            file.CopyToProto(files.file.add())
    descriptors = _quote_schema(base64.b64encode(files.SerializeToString()).decode())
    has_id = side.schema.header or ids.in_header
    options = [_write_message(side.schema, each.full_name, has_id) for each in messages]
    if len(options) == 1:
        return f"Protobuf.{java_type}serde({descriptors}, {', '.join([options[0][0], frame, *options[0][1:]])})"
    of = "".join(f", new Protobuf.Option({', '.join(each)})" for each in options)
    return f"Protobuf.union({descriptors}, {frame}{of})"


def _write_message(schema: FormatSchema, name: str, has_id: bool) -> list[str]:
    """The full name of a message, and the bytes of its indexes if an id comes before them."""
    indexes = write_indexes(schema._replace(message=name)) if has_id else b""
    return [quote_text(name), *(f"(byte) {byte}" for byte in indexes)]


def _list_files(file: FileDescriptor, seen: set[str]) -> Iterator[FileDescriptor]:
    """A file after those that it imports, each once."""
    if file.name not in seen:
        seen.add(file.name)
        for imported in file.dependencies:
            yield from _list_files(imported, seen)
        yield file


def _quote_schema(text: str) -> str:
    if len(text.encode()) > MAX_LITERAL:
        raise NotInJava(f"its schema has more than {MAX_LITERAL:,} bytes, which is more than a string of Java may have")
    return quote_text(text)


def _write_serde_by_type(side: Side, name: SideName, ids: Ids) -> str:
    """The serde of a union of records that have a subject each."""
    assert side.schema is not None
    kind = KINDS[side.format]
    schema = kind.get_schema(side)
    assert schema is not None
    options = []
    for record, own in kind.split(side).items():
        text = SCHEMA_FORMATS[side.format].inline_references(own)
        part = kind.adopt(replace(side, type=SCHEMA_FORMATS[side.format].read_type(text, record)), own, 0, record)
        serde = write_topic_serde(part, name, ids._replace(subject=ids.by_type[record], by_type={}))
        options.append(f", new SchemaFrame.Type({quote_text(record)}, {serde})")
    reads = write_topic_serde(side, name, ids._replace(by_type={}))
    return f"SchemaFrame.byType({reads}{''.join(options)})"


def _write_json_part(part: Part) -> str:
    """Type with which `Json` reads values of a part of a JSON Schema. `schema` finds the types of its unions."""
    if not holds(Kind.UNION, part.type):
        return write_json_type(part.type)
    if part.options:
        options = [
            f"new JsonSchema.Option({quote_text(field.name)}, {quote_text(option.pointer)}, {quote_text(option.word)}, "
            f"{_write_json_part(option)})"
            for field, option in zip(part.type.fields, part.options, strict=True)
        ]
        return f"schema.union({', '.join(options)})"
    if part.item is not None:
        return f"Json.{part.type.kind.value}({_write_json_part(part.item)})"
    fields = [f"Json.field({quote_text(name)}, {_write_json_part(member)})" for name, member in part.members.items()]
    return f"Json.struct({', '.join(fields)})"


def _write_frame(side: Side, name: SideName, ids: Ids) -> str:
    """How records name their schema: not at all, by an id of the form, or by one of the registry."""
    schema = side.schema
    assert schema is not None
    if not schema.header and not ids.in_header:
        return "SchemaFrame.none()"
    place = f".{PLACES[ids.header]}({quote_text(f'__{name}_schema_id')})"
    return _write_ids(side, schema, ids) + place


def _write_ids(side: Side, schema: FormatSchema, ids: Ids) -> str:
    if ids.subject:
        text = KINDS[side.format].get_schema(side)
        assert text is not None
        quoted = [quote_text(text.kind), _quote_schema(text.text), quote_text(ids.subject), *_write_files(text)]
        return f"SchemaFrame.registered({str(ids.registers).lower()}, {', '.join(quoted)})"
    number = schema.id or 0
    known = [(number, schema.text), *schema.writers]
    if side.format == "protobuf":  # message indexes count in the first file
        known = [(each, next(iter(split_files(text).values()))) for each, text in known]
    frame = f"SchemaFrame.of({_write_id(number)})"
    frame += "".join(f".knows({_write_id(each)}, {_quote_schema(text)})" for each, text in known)
    return f"{frame}.asks()" if schema.registry else frame


def _write_files(schema: SchemaText) -> Iterator[str]:
    """The files that a Protobuf schema imports, and the schema itself; nothing without imports."""
    if schema.references:
        texts = dict(schema.references)
        for path, imports in list_imports(schema).items():
            quoted = [quote_text(path), _quote_schema(texts.get(path, schema.text)), *map(quote_text, imports)]
            yield f"new SchemaFrame.File({', '.join(quoted)})"


def _write_id(number: int) -> str:
    """An id of 32 bits as Java's int, which has a sign."""
    return str(number - 2**32 if number >= 2**31 else number)


def write_serde(side: Side, *, is_users: bool = False, is_key: bool = False) -> str:
    """The serde of a side in a topic or store of Kafka Streams itself, or in a topic of users. Raises NotInJava.

    There, a value whose type is not known keeps its decimals. Keys of equal numbers must have equal bytes, so they do
    not.
    """
    if side.format == "none":
        return "Formats.none()"
    if side.format == "json" or side.format in SCHEMA_FORMATS:
        has_tags = holds(Kind.UNION, side.type) or (holds(Kind.ANY, side.type) and not is_key)
        how = "tagged" if has_tags and not is_users else "serde"
        return f"Json.<{find_java_type(side.type)}>{how}({write_json_type(side.type)})"
    if side.format == "integer":
        return "Formats.integer()"
    serde = f"Serdes.{KAFKA_S[side.format]}()"
    return serde if side.type.kind is not Kind.ANY else f"Formats.<Object>untyped({serde})"


def write_json_type(type_: Type) -> str:
    """Type with which `Json` reads values."""
    match type_.kind:
        case Kind.DECIMAL:
            return f"Json.decimal({type_.precision}, {type_.scale})"
        case Kind.LIST | Kind.MAP:
            item = "Json.ANY" if type_.item is None else write_json_type(type_.item)
            return f"Json.{type_.kind.value}({item})"
        case Kind.STRUCT:
            fields = [f"Json.field({quote_text(field.name)}, {write_json_type(field.type)})" for field in type_.fields]
            return f"Json.struct({', '.join(fields)})"
        case Kind.UNION:
            fields = [f"Json.field({quote_text(field.name)}, {write_json_type(field.type)})" for field in type_.fields]
            return f"Json.union({', '.join(fields)})"
        case _:
            return f"Json.{JSON[type_.kind]}"


def write_key_serde(side: Side, window: WindowSpec | None, inner: str = "") -> str:
    """The serde of keys, which may be windowed, in Kafka's own bytes. `inner` is that of plain keys."""
    inner = inner or write_serde(side, is_key=True)
    if window is None:
        return inner
    class_ = find_java_type(side.type)
    if window.kind == "session":
        return f"new WindowedSerdes.SessionWindowedSerde<{class_}>({inner})"
    return f"new WindowedSerdes.TimeWindowedSerde<{class_}>({inner}, {window.length_ms}L)"
