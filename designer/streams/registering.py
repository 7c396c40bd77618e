"""The schemas that a sink writes with a schema registry: which they are, and the subjects that they belong to.

Each kind of schema that a registry keeps has one entry in `KINDS`, by the name of its format.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol

from designer import json_schema, protobuf
from designer.avro import parse
from designer.avro.references import inline_references
from designer.avro.text import load
from designer.avro.tree import Array, FixedType, Map, Part, Record, Union
from designer.avro.tree import Enum as AvroEnum
from designer.protobuf.files import MAIN, split_files
from designer.streams.formats import SCHEMA_FORMATS, choose_side
from designer.values import exact_json
from designer.values.schemas import Field, FormatSchema, Kind, SchemaText, Side, SideName, Type

Registration = Literal["none", "register", "require", "latest", "id"]
"""How a sink takes its schemas from the registry."""
Strategy = Literal["topic", "record", "topic_record", "associated", "by_hand"]
"""How the subject of a schema is named. The first three are Confluent's TopicNameStrategy, RecordNameStrategy and
TopicRecordNameStrategy. The fourth asks the registry (AssociatedNameStrategy)."""
BY_RECORD: tuple[Strategy, ...] = ("record", "topic_record")


class SchemaKind(Protocol):
    """What writing needs to know of one kind of schema."""

    def get_schema(self, side: Side) -> SchemaText | None:
        """The schema of a side as a registry keeps it, with its names, docs and defaults."""

    def name_record(self, schema: SchemaText, message: str = "") -> str | None:
        """The full name of the type that the schema describes. None if it has no name."""

    def split(self, side: Side) -> Mapping[str, SchemaText]:
        """The schemas of a union's options by their names. Empty if the side is not a union of named types."""

    def replace_type(self, text: str, name: str, own: str) -> str:
        """The text of a union with another schema for one of its options."""

    def adopt(self, side: Side, schema: SchemaText, number: int, record: str = "") -> Side:
        """The side written with a schema of the registry and its id. `record` is the option of a union, if it is one.

        A schema of Protobuf may have several messages.
        """

    def add_defaults(self, schema: SchemaText, type_: Type) -> Type:
        """The type with the fields that it lacks and for which the schema has a default."""


class AvroKind:
    def get_schema(self, side: Side) -> SchemaText | None:
        return None if side.schema is None else SchemaText("AVRO", side.schema.text)

    def name_record(self, schema: SchemaText, message: str = "") -> str | None:
        part = parse(inline_references(schema))
        part = part.only or part if isinstance(part, Union) else part
        return part.name if isinstance(part, Record | FixedType | AvroEnum) else None

    def split(self, side: Side) -> Mapping[str, SchemaText]:
        schema = self.get_schema(side)
        text = "" if schema is None else inline_references(schema)
        if not text:
            return {}
        part = parse(text)
        if not isinstance(part, Union) or part.only is not None:
            return {}
        named = [option for option in part.options if isinstance(option, Record | FixedType | AvroEnum)]
        texts = [json.dumps(each, ensure_ascii=False) for each in load(text) if each != "null"]
        if len(named) < len(texts):
            return {}
        # an option may use types that another one defines
        options = tuple((option.name, own) for option, own in zip(named, texts, strict=True))
        return {name: SchemaText("AVRO", inline_references(SchemaText("AVRO", own, options))) for name, own in options}

    def replace_type(self, text: str, name: str, own: str) -> str:
        part = parse(text)
        names = [option.name for option in part.options] if isinstance(part, Union) else []
        return json.dumps(
            [load(own) if each == name else option for each, option in zip(names, load(text), strict=True)],
            ensure_ascii=False,
        )

    def adopt(self, side: Side, schema: SchemaText, number: int, record: str = "") -> Side:
        text = inline_references(schema)
        has_header = side.schema is not None and side.schema.header
        return Side("avro", side.type, FormatSchema(text, has_header, number))

    def add_defaults(self, schema: SchemaText, type_: Type) -> Type:
        return _add_defaults(parse(inline_references(schema)), type_)


def _add_defaults(part: Part, type_: Type) -> Type:
    part = part.only or part if isinstance(part, Union) else part
    match part:
        case Record(fields=members) if type_.kind is Kind.STRUCT:
            own = {field.name: field.type for field in type_.fields}
            fields = {
                each.name: _add_defaults(each.of, own[each.name]) if each.name in own else each.of.type
                for each in members
                if each.name in own or each.has_default
            }
            return replace(type_, fields=tuple(Field(name, of) for name, of in {**own, **fields}.items()))
        case Array(items=inner) | Map(values=inner) if type_.item is not None:
            return replace(type_, item=_add_defaults(inner, type_.item))
        case _:
            return type_


class JsonKind:
    def get_schema(self, side: Side) -> SchemaText | None:
        return None if side.schema is None else SchemaText("JSON", side.schema.text)

    def name_record(self, schema: SchemaText, message: str = "") -> str | None:
        """JSON Schema has no names of types. Confluent's serializer takes the title."""
        document = json.loads(schema.text)
        title = document.get("title") if isinstance(document, dict) else None
        return title if isinstance(title, str) and title else None

    def split(self, side: Side) -> Mapping[str, SchemaText]:
        schema = self.get_schema(side)
        if schema is None:
            return {}
        parsed = json_schema.parse(json_schema.inline_references(schema))
        dialect = {"$schema": parsed.schema["$schema"]} if parsed.types else {}
        return {
            name: SchemaText("JSON", exact_json.dumps({**dialect, **_drop_address(each)}).decode())
            for name, each in parsed.types.items()
        }

    def replace_type(self, text: str, name: str, own: str) -> str:
        document = json.loads(text)
        new = {word: each for word, each in json.loads(own).items() if word != "$schema"}
        for place, each in document["definitions"].items():
            if each.get("title") == name:
                document["definitions"][place] = {"$id": each["$id"], **new}
        return json.dumps(document, ensure_ascii=False)

    def adopt(self, side: Side, schema: SchemaText, number: int, record: str = "") -> Side:
        has_header = side.schema is not None and side.schema.header
        return Side("json_schema", side.type, FormatSchema(json_schema.inline_references(schema), has_header, number))

    def add_defaults(self, schema: SchemaText, type_: Type) -> Type:
        return type_


def _drop_address(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema without the address that only the union gave it."""
    is_ours = str(schema["$id"]).startswith(json_schema.BASE)
    return {name: each for name, each in schema.items() if name != "$id" or not is_ours}


class ProtobufKind:
    def get_schema(self, side: Side) -> SchemaText | None:
        """The file of the messages, with all others. The main one, if the messages are in several files."""
        if side.schema is None:
            return None
        files = split_files(side.schema.text)
        (first, main), *others = files.items()
        own = list_message_files(side)
        if own.keys() <= {first} or len(own) > 1:
            return SchemaText("PROTOBUF", main, tuple(others))
        return _cut_out(next(iter(own.values())), files)

    def name_record(self, schema: SchemaText, message: str = "") -> str | None:
        messages = protobuf.list_messages(protobuf.inline_references(schema), message)
        return str(messages[0].full_name) if len(messages) == 1 else None

    def split(self, side: Side) -> Mapping[str, SchemaText]:
        if side.schema is None or side.type.kind is not Kind.UNION:
            return {}
        files = split_files(side.schema.text)
        messages = protobuf.list_messages(side.schema.text, side.schema.message)
        return {each.full_name: _cut_out(each.file, files) for each in messages}

    def replace_type(self, text: str, name: str, own: str) -> str:
        """The new text in place of the file that has the message, and of those that come with it."""
        changed = protobuf.parse(text).find_message(name).file.name
        (_, main), *others = split_files(own).items()
        (first, _), *_ = (files := split_files(text)).items()
        (head, whole), *rest = (files | {changed: main} | dict(others)).items()
        section = "" if first == MAIN else f"// file: {head}\n"
        return section + protobuf.inline_references(SchemaText("PROTOBUF", whole, tuple(rest)))

    def adopt(self, side: Side, schema: SchemaText, number: int, record: str = "") -> Side:
        has_header = side.schema is not None and side.schema.header
        message = _name_messages(side)
        text = protobuf.inline_references(schema)
        return Side("protobuf", side.type, FormatSchema(text, has_header, number, message=record or message))

    def add_defaults(self, schema: SchemaText, type_: Type) -> Type:
        return type_


def list_message_files(side: Side) -> dict[str, protobuf.FileDescriptor]:
    """The files of the messages of a side, by their paths. Empty in other formats."""
    if side.schema is None or side.format != "protobuf":
        return {}
    messages = protobuf.list_messages(side.schema.text, side.schema.message)
    return {each.file.name: each.file for each in messages}


def _name_messages(side: Side) -> str:
    """The full names of the messages that the form names. A form may leave out the package of the first file."""
    schema = side.schema
    if schema is None or not schema.message:
        return ""
    return ", ".join(each.full_name for each in protobuf.list_messages(schema.text, schema.message))


def _cut_out(file: protobuf.FileDescriptor, files: Mapping[str, str]) -> SchemaText:
    """A file with those that it imports."""
    needed, waiting = dict[str, str](), [*file.dependencies]
    while waiting:
        each = waiting.pop()
        if each.name in files and each.name not in needed:
            needed[each.name] = files[each.name]
            waiting += each.dependencies
    return SchemaText("PROTOBUF", files[file.name], tuple(needed.items()))


KINDS: Mapping[str, SchemaKind] = {"avro": AvroKind(), "protobuf": ProtobufKind(), "json_schema": JsonKind()}
"""The kinds of schemas that a registry keeps, by format."""


class RegistryUse(NamedTuple):
    """One schema that a sink writes with a registry, as its form asks for it.

    `record` is the option of a union that has a schema of its own. `subject` is empty if the naming strategy gives
    none. `asks_registry`: the registry may name another subject for the topic. `needs_guid`: records name the schema by
    its GUID.
    """

    topic: str
    side: SideName
    side_written: Side
    registration: Registration
    subject: str
    schema: SchemaText
    id: int | None = None
    record: str = ""
    asks_registry: bool = False
    needs_guid: bool = False


@dataclass(frozen=True)
class SubjectNames:
    """How a form names subjects: by a strategy, or by hand for each side."""

    strategy: Strategy = "topic"
    key: str | None = None
    value: str | None = None

    def name(self, topic: str, side: SideName, record: str | None) -> str:
        """The subject of a schema. Empty if the strategy needs a name that is not there."""
        match self.strategy:
            case "by_hand":
                return (self.key if side == "key" else self.value) or ""
            case "record":
                return record or ""
            case "topic_record":
                return f"{topic}-{record}" if record else ""
            case _:
                return f"{topic}-{side}"


def list_subjects(topic: str, side: SideName, read: Side, names: SubjectNames) -> Iterator[str]:
    """The subjects of one side of a topic that is read: one for each record type, if they are named by record."""
    kind = KINDS.get(read.format)
    if kind is None:
        return
    schema = kind.get_schema(read)
    records: list[str | None] = [] if schema is None else [*kind.split(read)]
    if schema is not None and not records:
        records = [kind.name_record(schema, _name_messages(read))]
    by_record = records if names.strategy in BY_RECORD else [None]
    yield from filter(None, (names.name(topic, side, record) for record in by_record))


def list_uses(
    topic: str, side: SideName, written: Side, registration: Registration, names: SubjectNames, number: int | None
) -> Iterator[RegistryUse]:
    """The schemas with which one side of a topic is written: one, or one for each record type of a union."""
    kind = KINDS.get(written.format)
    schema = None if kind is None else kind.get_schema(written)
    if registration == "none" or kind is None or schema is None:
        return
    has_parts = names.strategy in BY_RECORD and registration != "id" and written.type.kind is Kind.UNION
    options, schema_format = kind.split(written) if has_parts else {}, SCHEMA_FORMATS[written.format]
    for record, own in options.items():
        type_ = schema_format.read_type(schema_format.inline_references(own), record)
        part = kind.adopt(Side(written.format, type_, written.schema), own, 0, record)
        yield RegistryUse(topic, side, part, registration, names.name(topic, side, record), own, number, record)
    if not options:
        subject = names.name(topic, side, kind.name_record(schema, _name_messages(written)))
        asks = names.strategy == "associated"
        yield RegistryUse(topic, side, written, registration, subject, schema, number, asks_registry=asks)


def choose_option(union: Side, name: str) -> Side:
    """The side of one option of a union. It keeps the schema of the option, and is JSON without one."""
    type_ = union.type.field(name)
    kind = KINDS.get(union.format)
    schema = None if kind is None else kind.get_schema(union)
    if type_ is None:
        return union
    if kind is None or schema is None or (own := kind.split(union).get(name)) is None:
        return choose_side(type_, "json")
    side = kind.adopt(Side(union.format, type_), own, 0, name)
    return side if side.schema is None else replace(side, schema=side.schema._replace(id=None))
