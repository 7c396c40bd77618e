"""A Protobuf message as our value."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import DecodeError as BrokenMessage

from designer.protobuf.types import is_map, is_repeated
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.tuples import MapValue, StructValue
from runner.engine.formats.errors import DecodeError
from runner.engine.formats.protobuf.well_known import MICRO, NANO, WRAPPERS

Read = Callable[[Any], Any]
"""A message, or a value of a field, to our value."""
Convert = Callable[[Any], Any]


def make_reader(message: Descriptor) -> Read:
    return _make_reader(message, {})


def _make_reader(message: Descriptor, made: dict[str, Read]) -> Read:
    """Reads all fields in one call, and then converts those that need it."""
    name = message.full_name
    if name in READERS:
        return READERS[name]
    if name in WRAPPERS:
        wrapped = _find_conversion(message.fields_by_name["value"], made)
        return attrgetter("value") if wrapped is None else lambda found: wrapped(found.value)
    if name in made:
        return lambda found: made[name](found)
    made[name] = lambda found: read(found)
    names = [field.name for field in message.fields]
    optional: list[str] = []
    conversions: list[tuple[str, Convert]] = []
    nested: list[tuple[str, Convert]] = []
    for field in message.fields:
        convert = _find_conversion(field, made)
        if is_repeated(field):
            conversions.append((field.name, _read_entries(convert, field) if is_map(field) else _read_list(convert)))
        elif field.has_presence and not field.has_default_value:
            if convert is None:
                optional.append(field.name)
            else:
                nested.append((field.name, convert))
        elif convert is not None:
            conversions.append((field.name, convert))
    read_all = _make_plain_reader(names)
    if not (optional or conversions or nested):
        made[name] = read_all
        return read_all

    def read(found: Any) -> StructValue:
        record = read_all(found)
        for member, convert_member in conversions:
            record[member] = convert_member(record[member])
        for member in optional:
            if not found.HasField(member):
                record[member] = None
        for member, convert_member in nested:
            record[member] = convert_member(record[member]) if found.HasField(member) else None
        return record

    made[name] = read
    return read


def _make_plain_reader(names: Sequence[str]) -> Callable[[Any], StructValue]:
    """Reads all fields into a struct: one expression, made of syntax trees in which the names are constants."""
    values: list[ast.expr] = [ast.Attribute(ast.Name("found", ast.Load()), name, ast.Load()) for name in names]
    tree = ast.parse("lambda found: None", mode="eval")
    cast(ast.Lambda, tree.body).body = ast.Dict([ast.Constant(name) for name in names], values)
    code = compile(ast.fix_missing_locations(tree), f"<message of {len(names)} fields>", "eval")
    return cast(Callable[[Any], StructValue], eval(code, {}))


def _find_conversion(field: FieldDescriptor, made: dict[str, Read]) -> Convert | None:
    """From one value of the field to ours. None if both are the same."""
    if is_map(field):
        return _find_conversion(field.message_type.fields_by_name["value"], made)
    if field.message_type is not None:
        return _make_reader(field.message_type, made)
    if field.enum_type is not None:
        return _read_enum(field.enum_type)
    if field.type in (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_FIXED64):
        return Decimal
    return None


def _read_enum(enum: EnumDescriptor) -> Convert:
    """A number without a name stays, as text."""
    names = {value.number: value.name for value in reversed(enum.values)}
    return lambda number: names.get(number) or str(number)


def _read_list(convert: Convert | None) -> Convert:
    return list if convert is None else lambda found: [convert(each) for each in found]


def _read_entries(convert: Convert | None, field: FieldDescriptor) -> Convert:
    """Keys are texts, as in JSON. They are in order, because the message's own order differs between processes."""
    is_boolean = field.message_type.fields_by_name["key"].type == FieldDescriptor.TYPE_BOOL

    def read(found: Any) -> MapValue:
        if any(type(key) is bytes for key in found):
            raise BrokenMessage("A key is not UTF-8.")
        names = {key: ("false", "true")[key] if is_boolean else str(key) for key in sorted(found)}
        if convert is None:
            return {name: found[key] for key, name in names.items()}
        return {name: convert(found[key]) for key, name in names.items()}

    return read


def _read_time(found: Any) -> int:
    return _fit_long(int(found.seconds) * MICRO + int(found.nanos) // NANO)


def _read_duration(found: Any) -> int:
    nanos = int(found.seconds) * 1_000_000_000 + int(found.nanos)
    return _fit_long(nanos // NANO if nanos >= 0 else -(-nanos // NANO))


def _fit_long(micros: int) -> int:
    """The same number. The seconds of a broken message may be up to 2**63."""
    if not MIN_LONG <= micros <= MAX_LONG:
        raise DecodeError(f"A time or duration in it is {micros} microseconds, which do not fit into 64 bits.")
    return micros


def _read_any(found: Any) -> StructValue:
    return {"type_url": found.type_url, "value": found.value}


def _read_struct(found: Any) -> MapValue:
    return {name: _read_value(found.fields[name]) for name in sorted(found.fields)}


def _read_value(found: Any) -> Any:
    match found.WhichOneof("kind"):
        case "struct_value":
            return _read_struct(found.struct_value)
        case "list_value":
            return _read_items(found.list_value)
        case None | "null_value":
            return None
        case kind:
            return getattr(found, kind)


def _read_items(found: Any) -> list[Any]:
    return [_read_value(each) for each in found.values]


READERS: Mapping[str, Read] = {
    "google.protobuf.Timestamp": _read_time,
    "google.protobuf.Duration": _read_duration,
    "google.protobuf.Any": _read_any,
    "google.protobuf.Struct": _read_struct,
    "google.protobuf.Value": _read_value,
    "google.protobuf.ListValue": _read_items,
}
