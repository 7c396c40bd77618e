"""Messages of Protobuf as the kernel takes them: fields by number, with what stands for a field that is not there.

Names, imports and message indexes are resolved here. What the kernel does not read or write as the Python engine does
is `NotInKernel`: groups, extensions, and the JSON values of `google.protobuf.Struct`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from designer.issues import SchemaNotRead
from designer.protobuf import list_nested, parse
from designer.protobuf.types import WELL_KNOWN, WORDS, is_map, is_repeated
from designer.values.schemas import FormatSchema, Kind, RegistrySchemas, SchemaId, Side
from runner.engine.formats.protobuf.indexes import write_indexes
from runner.engine.formats.protobuf.well_known import WRAPPERS
from runner.engine.kernel.expressions import NotInKernel
from runner.engine.kernel.framing import list_writers, write_frame

Json = Any
OWN_TYPES = {"google.protobuf.Timestamp": "timestamp", "google.protobuf.Duration": "duration"}
OWN_TYPES |= {"google.protobuf.Any": "any"}


def write_codec(side: Side, schemas: RegistrySchemas, header: str) -> Json:
    """The bytes of a side in Protobuf. `header` is the name of the record header that may hold the id, or empty.

    Raises NotInKernel.
    """
    assert side.schema is not None
    schema = side.schema
    if side.type.kind is Kind.UNION:
        raise NotInKernel("several messages of Protobuf in one topic")
    own = parse(schema.text).find_message(schema.message)
    if own.full_name in WELL_KNOWN:
        raise NotInKernel(f"{own.full_name} as a whole value in Protobuf")
    indexes = [list(_list_indexes(schema.text, own))]
    ids = dict[SchemaId, int]()
    for number, text in list_writers(side, schemas):
        if text == schema.text:
            ids[number] = 0
        elif found := list(_list_indexes(text, own)):
            ids[number] = len(indexes)
            indexes.append(found)
    written = list(write_indexes(schema)) if schema.header else []
    frame = write_frame(schema, header, ids)
    frame["prefix"] += written
    return {"format": "protobuf", **frame, "indexes": indexes, "messages": _Messages().write(own)}


def _list_indexes(text: str, own: Descriptor) -> Iterator[list[int]]:
    """The bytes of message indexes that name the message in a schema. None if it is not in its main file."""
    try:
        main = parse(text).main
        name = own.full_name
        place = _find_place(main.message_types_by_name.values(), name)
        if place is None:
            return
        canonical = write_indexes(FormatSchema(text, message=name))
    except SchemaNotRead:
        return
    yield list(canonical)
    if place == [0]:
        yield [2, 0]


def _find_place(messages: Any, name: str) -> list[int] | None:
    for index, message in enumerate(messages):
        if message.full_name == name:
            return [index]
        inner = _find_place(list_nested(message), name)
        if inner is not None:
            return [index, *inner]
    return None


class _Messages:
    """The messages that a message holds, each once, so that a message may be inside itself."""

    def __init__(self) -> None:
        self.place_of: dict[str, int] = {}
        self.messages: list[Json] = []

    def write(self, own: Descriptor) -> Json:
        self._place(own)
        return self.messages

    def _place(self, message: Descriptor) -> int:
        name = message.full_name
        if name not in self.place_of:
            if message.is_extendable:
                raise NotInKernel("extensions in Protobuf")
            place = self.place_of[name] = len(self.messages)
            self.messages.append(None)
            self.messages[place] = [self._field(field) for field in message.fields]
        return self.place_of[name]

    def _field(self, field: FieldDescriptor) -> Json:
        oneof = field.containing_oneof
        described = {
            "number": field.number,
            "name": field.name,
            "label": "list" if is_repeated(field) else "one",
            "key": None,
            "missing": None,
            "has_presence": bool(field.has_presence),
            "is_required": bool(field.is_required),
            "is_packed": bool(field.is_packed),
            "oneof": oneof.index if oneof is not None and len(oneof.fields) > 1 else None,
        }
        if is_map(field):
            entry = field.message_type.fields_by_name
            key, value = self._type(entry["key"]), self._type(entry["value"])
            return described | {"label": "map", "key": key, "of": value}
        of = self._type(field)
        if described["label"] == "one" and (field.has_default_value or not field.has_presence):
            described["missing"] = _write_default(field)
            if described["oneof"] is not None:
                raise NotInKernel("a default in a oneof of Protobuf")
        return described | {"of": of}

    def _type(self, field: FieldDescriptor) -> Json:
        if field.type == FieldDescriptor.TYPE_GROUP:
            raise NotInKernel("groups in Protobuf")
        if field.message_type is not None:
            name = field.message_type.full_name
            if name in OWN_TYPES:
                return OWN_TYPES[name]
            if name in WRAPPERS:
                return ["wrapper", self._type(field.message_type.fields_by_name["value"])]
            if name in WELL_KNOWN:
                raise NotInKernel(f"{name} in Protobuf")
            return ["message", self._place(field.message_type)]
        if field.enum_type is not None:
            names = [[value.number, value.name] for value in field.enum_type.values]
            return ["enum", names, bool(field.enum_type.is_closed)]
        return WORDS[field.type]


def _write_default(field: FieldDescriptor) -> Json:
    """The value of a field that is not there. True stands for the zero of its type."""
    if not field.has_default_value:
        return True
    default = field.default_value
    if field.enum_type is not None:
        return [field.enum_type.values_by_number[default].name]
    unsigned = field.type in (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64)
    if isinstance(default, bytes) or unsigned or (isinstance(default, float) and default - default != 0):
        raise NotInKernel("such a default in Protobuf")
    return [default]
