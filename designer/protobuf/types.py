"""The type of a message, and whether messages of one schema can be read with another.

Well-known types have the values that they stand for: see `WELL_KNOWN` and docs/formats.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from designer.values.schemas import (
    ANY,
    BOOLEAN,
    BYTES,
    DOUBLE,
    INTEGER,
    STRING,
    Field,
    Kind,
    Type,
    decimal,
    map_of,
    struct,
)

MAX_DEPTH = 64
UNSIGNED = decimal(20)
"""Numbers up to 2^64 - 1, which need more than 63 bits."""
MICROS = Type(Kind.INTEGER, logical="timestamp-micros")
SCALARS: Mapping[int, Type] = {
    FieldDescriptor.TYPE_DOUBLE: DOUBLE,
    FieldDescriptor.TYPE_FLOAT: DOUBLE,
    FieldDescriptor.TYPE_INT64: INTEGER,
    FieldDescriptor.TYPE_UINT64: UNSIGNED,
    FieldDescriptor.TYPE_INT32: INTEGER,
    FieldDescriptor.TYPE_FIXED64: UNSIGNED,
    FieldDescriptor.TYPE_FIXED32: INTEGER,
    FieldDescriptor.TYPE_BOOL: BOOLEAN,
    FieldDescriptor.TYPE_STRING: STRING,
    FieldDescriptor.TYPE_BYTES: BYTES,
    FieldDescriptor.TYPE_UINT32: INTEGER,
    FieldDescriptor.TYPE_ENUM: STRING,
    FieldDescriptor.TYPE_SFIXED32: INTEGER,
    FieldDescriptor.TYPE_SFIXED64: INTEGER,
    FieldDescriptor.TYPE_SINT32: INTEGER,
    FieldDescriptor.TYPE_SINT64: INTEGER,
}
WELL_KNOWN: Mapping[str, Type] = {
    "google.protobuf.Timestamp": MICROS,
    "google.protobuf.Duration": INTEGER,
    "google.protobuf.Any": struct(type_url=STRING, value=BYTES),
    "google.protobuf.Struct": map_of(ANY),
    "google.protobuf.Value": ANY,
    "google.protobuf.ListValue": Type(Kind.LIST, item=ANY),
    "google.protobuf.DoubleValue": DOUBLE,
    "google.protobuf.FloatValue": DOUBLE,
    "google.protobuf.Int64Value": INTEGER,
    "google.protobuf.UInt64Value": UNSIGNED,
    "google.protobuf.Int32Value": INTEGER,
    "google.protobuf.UInt32Value": INTEGER,
    "google.protobuf.BoolValue": BOOLEAN,
    "google.protobuf.StringValue": STRING,
    "google.protobuf.BytesValue": BYTES,
}
WIRE: Mapping[int, str] = {
    **dict.fromkeys(
        (
            FieldDescriptor.TYPE_INT32,
            FieldDescriptor.TYPE_INT64,
            FieldDescriptor.TYPE_UINT32,
            FieldDescriptor.TYPE_UINT64,
            FieldDescriptor.TYPE_BOOL,
            FieldDescriptor.TYPE_ENUM,
        ),
        "varint",
    ),
    **dict.fromkeys((FieldDescriptor.TYPE_SINT32, FieldDescriptor.TYPE_SINT64), "zigzag"),
    **dict.fromkeys((FieldDescriptor.TYPE_FIXED32, FieldDescriptor.TYPE_SFIXED32), "fixed32"),
    **dict.fromkeys((FieldDescriptor.TYPE_FIXED64, FieldDescriptor.TYPE_SFIXED64), "fixed64"),
    **dict.fromkeys((FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES), "text"),
    FieldDescriptor.TYPE_FLOAT: "float",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_MESSAGE: "message",
    FieldDescriptor.TYPE_GROUP: "group",
}
"""Types whose bytes can be read as each other (Protobuf's "Updating a Message Type")."""
WORDS = {
    getattr(FieldDescriptor, name): name.removeprefix("TYPE_").lower()
    for name in vars(FieldDescriptor)
    if name.startswith("TYPE_")
}


def make_type(message: Descriptor) -> Type:
    """The type of a message's values. A message inside itself is of unknown type there."""
    return _make_type(message, {})


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def is_repeated(field: FieldDescriptor) -> bool:
    return bool(field.is_repeated)


def _make_type(message: Descriptor, made: dict[str, Type], depth: int = 0) -> Type:
    name = message.full_name
    if name in WELL_KNOWN:
        return WELL_KNOWN[name]
    if name not in made:
        made[name] = ANY  # for fields that lead back to it
        if depth < MAX_DEPTH:
            fields = tuple(Field(each.name, _make_field_type(each, made, depth + 1)) for each in message.fields)
            made[name] = Type(Kind.STRUCT, fields=fields)
    return made[name]


def _make_field_type(field: FieldDescriptor, made: dict[str, Type], depth: int) -> Type:
    if is_map(field):
        return map_of(_make_field_type(field.message_type.fields_by_name["value"], made, depth))
    inner = SCALARS[field.type] if field.message_type is None else _make_type(field.message_type, made, depth)
    return Type(Kind.LIST, item=inner) if is_repeated(field) else inner


class Absence(NamedTuple):
    """A field that only the reader's message has."""

    path: tuple[str, ...]
    is_required: bool


MAX_ABSENCES = 1_000
"""A message that many fields have is in many places."""


def find_absent(writer: Descriptor, reader: Descriptor) -> Iterator[Absence]:
    """The reader's fields whose numbers the writer does not have, also inside others.

    Those of a message inside itself are left out.
    """
    return _Comparison().find_absent(writer, reader)


class _Comparison:
    """Looks at each message of the writer beside that of the reader.

    A message that many fields have is in many places, and one inside itself may be on exponentially many ways. So it
    goes only where it will find an absence.
    """

    def __init__(self) -> None:
        self.complete: set[tuple[str, str]] = set()
        """Messages that lack nothing wherever they are."""

    def find_absent(self, writer: Descriptor, reader: Descriptor) -> Iterator[Absence]:
        path: tuple[str, ...] = ()
        waiting = [(writer, reader, iter(reader.fields), path, frozenset((reader.full_name,)))]
        while waiting:
            writer, reader, fields, path, around = waiting[-1]
            if (field := next(fields, None)) is None:
                waiting.pop()
                continue
            written = writer.fields_by_number.get(field.number)
            place = path if reader.GetOptions().map_entry else (*path, field.name)
            if written is None:
                yield Absence(place, field.is_required)
            elif (inner := _find_inner(written, field)) and self._lacks(*inner, around):
                waiting.append((*inner, iter(inner[1].fields), place, around | {inner[1].full_name}))

    def _lacks(self, writer: Descriptor, reader: Descriptor, around: frozenset[str]) -> bool:
        """Whether a message, or one inside it that is not `around` it, lacks a field."""
        waiting, seen, is_cut = [(writer, reader)], set[tuple[str, str]](), False
        while waiting:
            writer, reader = waiting.pop()
            names = writer.full_name, reader.full_name
            if reader.full_name in around:
                is_cut = True
            elif names not in seen and names not in self.complete:
                seen.add(names)
                for field in reader.fields:
                    written = writer.fields_by_number.get(field.number)
                    if written is None:
                        return True
                    if inner := _find_inner(written, field):
                        waiting.append(inner)
        if not is_cut:
            self.complete |= seen
        return False


def _find_inner(written: FieldDescriptor, field: FieldDescriptor) -> tuple[Descriptor, Descriptor] | None:
    """The messages in a field of writer and reader."""
    if written.message_type is None or field.message_type is None:
        return None
    return written.message_type, field.message_type


def compare(writer: Descriptor, reader: Descriptor, *, all_fit: bool = False) -> str | None:
    """Why fields of one message cannot be read as those of the other with the same numbers.

    With `all_fit`, why it is not known of all values.
    """
    return next(_find_differences(writer, reader, all_fit), None)


def _find_differences(writer: Descriptor, reader: Descriptor, all_fit: bool) -> Iterator[str]:
    waiting, seen = [(writer, reader, "")], set[tuple[str, str]]()
    while waiting:
        writer, reader, path = waiting.pop()
        if (writer.full_name, reader.full_name) in seen:
            continue
        seen.add((writer.full_name, reader.full_name))
        for field in reader.fields:
            written = writer.fields_by_number.get(field.number)
            place = f"{path}.{field.name}" if path else field.name
            if written is None:
                if all_fit and field.is_required:
                    yield f"Field `{place}` is not written, and is required"
            elif WIRE[written.type] != WIRE[field.type] or (all_fit and written.type != field.type):
                yield f"Field `{place}` is written as {WORDS[written.type]} and read as {WORDS[field.type]}"
            elif all_fit and is_repeated(written) != is_repeated(field):
                yield f"Field `{place}` is a list in only one of the schemas"
            elif inner := _find_inner(written, field):
                waiting.append((*inner, place))
