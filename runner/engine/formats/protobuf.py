"""Protobuf's binary encoding of one message, by descriptors without generated classes.

In Confluent's frame, message indexes come before the message: how many, and the place of the message at each level of
nesting, as zig-zag varints; one byte 0 stands for [0], the first message. In a record header they follow the id.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import DecodeError as BrokenMessage
from google.protobuf.message import EncodeError as UnwritableMessage
from google.protobuf.message_factory import GetMessageClass

from designer.protobuf import ProtoSchema, list_messages, list_nested, parse
from designer.protobuf.types import WELL_KNOWN, is_map, is_repeated, make_type
from designer.values.exact_json import TOO_DEEP, JsonNumber, is_too_deep
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import FormatSchema, Kind, Type
from designer.values.tuples import MapValue, StructValue, UnionValue
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError, EncodeError

Read = Callable[[Any], Any]
"""A message, or a value of a field, to our value."""
Write = Callable[[Any, Any], None]
"""Our value into a message. Raises `Misfit`."""
Convert = Callable[[Any], Any]

FIRST: tuple[int, ...] = (0,)
MAX_INDEXES = 64
MAX_SHIFT = 28
MICRO, NANO = 1_000_000, 1_000
JSON_VALUES = ("google.protobuf.Value", "google.protobuf.ListValue")
WRAPPERS = frozenset(name for name in WELL_KNOWN if name.endswith("Value") and name not in JSON_VALUES)


class Misfit(ValueError):
    """A value is not one of its field. `path` is the place of the value."""

    def __init__(self, expectation: str, value: Any, path: str = "") -> None:
        super().__init__(expectation, value, path)
        self.expectation, self.value, self.path = expectation, value, path

    def prefix(self, name: str) -> Misfit:
        path = f"{name}{self.path}" if self.path[:1] in ("", "[") else f"{name}.{self.path}"
        return Misfit(self.expectation, self.value, path)

    def __str__(self) -> str:
        what = f"field `{self.path}`" if self.path else "the value"
        shown = "null" if self.value is None else repr(self.value)
        return f"{what} is {shown if len(shown) <= 60 else f'{shown[:59]}…'}; expected {self.expectation}."


def make_body_decoder(schema: FormatSchema, writer: str, start: int, indexes: bytes | None = None) -> Decoder:
    """Reads a message from the byte `start` on, behind its indexes if there is a frame. Raises SchemaNotRead.

    Several messages of the schema become a union. Its tags are their full names.
    """
    options = list_messages(schema.text, schema.message)
    if len(options) > 1:
        names = [each.full_name for each in options]
        return _make_union_decoder(schema, names, writer, start, indexes)
    own, written = parse(schema.text).find_message(schema.message), parse(writer)
    make, read = GetMessageClass(own), make_reader(own)
    is_framed = start > 0
    if indexes:
        _check_message(written, _read_indexes(indexes, 0)[0], own)
    elif indexes is not None:
        _check_message(written, FIRST, own)
    checked: set[tuple[int, ...]] = set()
    needs_all = _has_required(own, set())
    from_bytes = make.FromString

    def decode(data: bytes) -> Any:
        if is_framed:
            if data[start : start + 1] == b"\0":
                found, begin = FIRST, start + 1
            else:
                found, begin = _read_indexes(data, start)
            if found not in checked:
                _check_message(written, found, own)
                checked.add(found)
            data = data[begin:]
        try:
            message = from_bytes(data)
            if needs_all and not message.IsInitialized():
                raise DecodeError(
                    f"Not a message {own.full_name}: the required fields {_list_missing(message)} are missing."
                )
            return read(message)
        except (BrokenMessage, UnicodeDecodeError, RecursionError) as error:
            raise DecodeError(
                f"Not a message {own.full_name}: its {len(data)} bytes are cut off, of another message, or nested "
                "deeper than 100 levels."
            ) from error

    return decode


def _make_union_decoder(
    schema: FormatSchema, names: Sequence[str], writer: str, start: int, indexes: bytes | None
) -> Decoder:
    """Only indexes say which message the bytes hold."""
    decoders: dict[str, Decoder] = {}

    def decode(data: bytes) -> Any:
        if not start and indexes is None:
            raise DecodeError(f"Only message indexes could say whether it is {' or '.join(names)}, and it has none.")
        name, _ = find_message(writer, data, start, indexes or b"")
        if name not in names:
            raise DecodeError(f"It is a message {name}; the source reads {', '.join(names)}.")
        if name not in decoders:
            decoders[name] = make_body_decoder(schema._replace(message=name), writer, start, indexes)
        return UnionValue(name, decoders[name](data))

    return decode


def make_body_encoder(schema: FormatSchema) -> Encoder:
    options = list_messages(schema.text, schema.message)
    if len(options) > 1:
        return _make_union_encoder(schema, [each.full_name for each in options])
    own = parse(schema.text).find_message(schema.message)
    make, write = GetMessageClass(own), make_writer(own)
    fill = _make_filler(own, make)
    indexes = write_indexes(schema) if schema.header else b""
    may_be_deep = _may_be_deep(make_type(own))
    needs_all = _has_required(own, set())

    def encode(value: Any) -> bytes:
        if may_be_deep and is_too_deep(value):
            raise EncodeError(f"Protobuf cannot hold it: {TOO_DEEP}.")
        message = fill(value)
        try:
            if message is None:
                message = make()
                write(message, value)
            missing = _list_missing(message) if needs_all and not message.IsInitialized() else ""
            written = message.SerializePartialToString(deterministic=True)
        except Misfit as error:
            raise EncodeError(f"The Protobuf schema does not accept it: {error}") from error
        except (UnwritableMessage, RecursionError, ValueError) as error:
            raise EncodeError(f"Protobuf cannot hold it: {str(error)[:200]}.") from error
        if missing:
            raise EncodeError(f"Protobuf cannot hold it: the required fields {missing} are missing.")
        return bytes(indexes + written)

    return encode


def _make_union_encoder(schema: FormatSchema, names: Sequence[str]) -> Encoder:
    encoders = {name: make_body_encoder(schema._replace(message=name)) for name in names}

    def encode(value: Any) -> bytes:
        if type(value) is not UnionValue or value.tag not in encoders:
            raise EncodeError(f"The Protobuf schema does not accept it: expected one of {', '.join(names)}.")
        return encoders[value.tag](value.value)

    return encode


PLAIN = {Kind.BOOLEAN: bool, Kind.INTEGER: int, Kind.DOUBLE: float, Kind.STRING: str}


def _make_filler(message: Descriptor, make: Callable[..., Any]) -> Callable[[Any], Any]:
    """Makes the message of a value in one call, if all fields are plain and the value is right. None otherwise.

    Protobuf itself takes a true for a 1, so the types are compared first.
    """
    fields = make_type(message).fields
    names, types = tuple(field.name for field in fields), tuple(PLAIN.get(field.type.kind) for field in fields)
    is_plain = all(field.enum_type is None and field.message_type is None for field in message.fields)
    if None in types or not is_plain or message.oneofs:
        return lambda value: None

    def fill(value: Any) -> Any:
        if type(value) is dict and tuple(map(type, value.values())) == types and tuple(value) == names:
            try:
                return make(**value)
            except (TypeError, ValueError):  # too large for its field: the writer of single fields says which one
                return None
        return None

    return fill


@lru_cache(maxsize=256)
def _may_be_deep(type_: Type) -> bool:
    """Whether the type holds a message inside itself, or JSON."""
    inner = [field.type for field in type_.fields] + ([] if type_.item is None else [type_.item])
    return type_.kind is Kind.ANY or any(map(_may_be_deep, inner))


def write_indexes(schema: FormatSchema) -> bytes:
    """The message indexes of a schema's message."""
    place: list[int] = []
    message: Descriptor | None = parse(schema.text).find_message(schema.message)
    while message is not None:
        outer = message.containing_type
        siblings = message.file.message_types_by_name.values() if outer is None else list_nested(outer)
        place.append([each.name for each in siblings].index(message.name))
        message = outer
    if place == [0]:
        return b"\0"
    return b"".join(_write_zigzag(number) for number in (len(place), *reversed(place)))


def find_message(text: str, data: bytes, start: int, indexes: bytes) -> tuple[str, int]:
    """The name of the message in a frame, and where it begins. Raises DecodeError.

    `indexes` are those of a header, for data without a prefix.
    """
    found, begin = _read_indexes(data, start) if start else (FIRST, 0)
    if not start and indexes:
        found, _ = _read_indexes(indexes, 0)
    message = parse(text).find_by_indexes(found)
    if message is None:
        raise DecodeError(f"Its message indexes {list(found)} name no message of its schema.")
    return str(message.full_name), begin


def _write_zigzag(number: int) -> bytes:
    number <<= 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


def _read_indexes(data: bytes, at: int) -> tuple[tuple[int, ...], int]:
    """The indexes, and where the message begins. Raises DecodeError."""
    count, at = _read_zigzag(data, at)
    if count == 0:
        return FIRST, at
    if not 0 < count <= MAX_INDEXES:
        raise DecodeError(f"It does not begin with message indexes: it says that it has {count}.")
    indexes = []
    for _ in range(count):
        index, at = _read_zigzag(data, at)
        indexes.append(index)
    return tuple(indexes), at


def _read_zigzag(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and shift <= MAX_SHIFT:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return (number >> 1) ^ -(number & 1), at
    raise DecodeError("It does not begin with message indexes: they are cut off, or too large.")


def _check_message(writer: ProtoSchema, indexes: tuple[int, ...], own: Descriptor) -> None:
    """Raises DecodeError if the indexes name another message than the source reads."""
    found = writer.find_by_indexes(indexes)
    if found is None:
        raise DecodeError(f"Its message indexes {list(indexes)} name no message of its schema.")
    if found.full_name != own.full_name:
        raise DecodeError(f"It is a message {found.full_name}; the source reads {own.full_name}.")


def _has_required(message: Descriptor, seen: set[str]) -> bool:
    if message.full_name in seen:
        return False
    seen.add(message.full_name)
    return any(
        field.is_required or (field.message_type is not None and _has_required(field.message_type, seen))
        for field in message.fields
    )


def _list_missing(message: Any) -> str:
    """The paths of required fields that are missing, for a message about them.

    Protobuf's own list of them ends the process if a message beside a map lacks one (upb of protobuf 6.33).
    """
    return ", ".join(_find_missing(message, ""))[:200]


def _find_missing(message: Any, path: str) -> Iterator[str]:
    for field in message.DESCRIPTOR.fields:
        place = f"{path}{field.name}"
        if field.is_required and not message.HasField(field.name):
            yield place
        if is_map(field):
            if field.message_type.fields_by_name["value"].message_type is not None:
                entries = getattr(message, field.name)
                for key in sorted(entries):
                    yield from _find_missing(entries[key], f"{place}[{key!r}].")
        elif field.message_type is not None and is_repeated(field):
            for index, each in enumerate(getattr(message, field.name)):
                yield from _find_missing(each, f"{place}[{index}].")
        elif field.message_type is not None and message.HasField(field.name):
            yield from _find_missing(getattr(message, field.name), f"{place}.")


# reading


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


# writing

NUMBERS = (int, float, JsonNumber)
EXPECTATIONS = {
    FieldDescriptor.CPPTYPE_INT32: "an integer of 32 bits",
    FieldDescriptor.CPPTYPE_INT64: "an integer of 64 bits",
    FieldDescriptor.CPPTYPE_UINT32: "an integer from 0 to 4294967295",
    FieldDescriptor.CPPTYPE_UINT64: "an integer from 0 to 18446744073709551615",
    FieldDescriptor.CPPTYPE_DOUBLE: "a number",
    FieldDescriptor.CPPTYPE_FLOAT: "a number that a float of 32 bits can hold",
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
}


def make_writer(message: Descriptor) -> Write:
    return _make_writer(message, {})


def _make_writer(message: Descriptor, made: dict[str, Write]) -> Write:
    name = message.full_name
    if name in WRITERS:
        return WRITERS[name]
    if name in WRAPPERS:
        convert = make_scalar(message.fields_by_name["value"])

        def write_wrapped(into: Any, value: Any) -> None:
            into.value = convert(value)
            into.SetInParent()

        return write_wrapped
    if name in made:
        return lambda into, value: made[name](into, value)
    made[name] = lambda into, value: write(into, value)
    fields = [(field.name, _write_field(field, made)) for field in message.fields]
    choices = [[each.name for each in oneof.fields] for oneof in message.oneofs if len(oneof.fields) > 1]

    def write(into: Any, value: Any) -> None:
        if type(value) is not dict:
            raise Misfit(f"a message {name}", value)
        for choice in choices:
            given = [each for each in choice if value.get(each) is not None]
            if len(given) > 1:
                raise Misfit(f"null, because `{given[0]}` of the same oneof is set", value[given[1]], given[1])
        member = ""
        try:
            for member, write_field in fields:
                if member in value:
                    write_field(into, value[member])
        except Misfit as error:
            raise error.prefix(member) from None

    made[name] = write
    return write


def _write_field(field: FieldDescriptor, made: dict[str, Write]) -> Write:
    name = field.name
    if is_map(field):
        return _write_map(field, made)
    if field.message_type is not None:
        write_message = _make_writer(field.message_type, made)
        if is_repeated(field):

            def write_messages(into: Any, value: Any) -> None:
                target = getattr(into, name)
                for index, each in enumerate(_take_list(value)):
                    _write_at(f"[{index}]", write_message, target.add(), each)

            return write_messages
        is_value = field.message_type.full_name == "google.protobuf.Value"

        def write_one(into: Any, value: Any) -> None:
            if value is not None or is_value:
                target = getattr(into, name)
                target.SetInParent()
                write_message(target, value)

        return write_one
    convert = make_scalar(field)
    if is_repeated(field):

        def write_scalars(into: Any, value: Any) -> None:
            converted = []
            for index, each in enumerate(_take_list(value)):
                try:
                    converted.append(convert(each))
                except Misfit as error:
                    raise error.prefix(f"[{index}]") from None
            getattr(into, name).extend(converted)

        return write_scalars
    may_be_null = field.has_presence

    def write_scalar(into: Any, value: Any) -> None:
        if value is not None or not may_be_null:
            setattr(into, name, convert(value))

    return write_scalar


def _take_list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Misfit("a list", value)
    return value


def _write_at(place: str, write: Write, into: Any, value: Any) -> None:
    try:
        write(into, value)
    except Misfit as error:
        raise error.prefix(place) from None


def _write_map(field: FieldDescriptor, made: dict[str, Write]) -> Write:
    name, entry = field.name, field.message_type
    key, value_field = entry.fields_by_name["key"], entry.fields_by_name["value"]
    read_key = _make_key(key)
    convert = make_scalar(value_field) if value_field.message_type is None else None
    write_message = _make_writer(value_field.message_type, made) if convert is None else None

    def write(into: Any, value: Any) -> None:
        if type(value) is not dict:
            raise Misfit("a map", value)
        target = getattr(into, name)
        for text, each in value.items():
            try:
                if convert is not None:
                    target[read_key(text)] = convert(each)
                elif write_message is not None:
                    write_message(target[read_key(text)], each)
            except Misfit as error:
                raise error.prefix(f"[{text!r:.60}]") from None

    return write


def _make_key(field: FieldDescriptor) -> Convert:
    convert = make_scalar(field)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return convert
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return lambda text: convert({"true": True, "false": False}.get(text))

    def read_number(text: Any) -> Any:
        try:
            return convert(int(text))
        except ValueError as error:
            raise error if isinstance(error, Misfit) else Misfit("a key that is an integer", text) from None

    return read_number


RANGES = {
    FieldDescriptor.CPPTYPE_INT32: range(-(2**31), 2**31),
    FieldDescriptor.CPPTYPE_INT64: range(-(2**63), 2**63),
    FieldDescriptor.CPPTYPE_UINT32: range(2**32),
    FieldDescriptor.CPPTYPE_UINT64: range(2**64),
}
MAX_FLOAT = 3.4028235677973366e38


def make_scalar(field: FieldDescriptor) -> Convert:
    """The value of a scalar field from ours. It raises Misfit."""
    if field.enum_type is not None:
        return _write_enum(field.enum_type)
    kind = field.cpp_type
    if kind in RANGES:
        allowed, expectation = RANGES[kind], EXPECTATIONS[kind]

        def write_integer(value: Any) -> int:
            if type(value) is Decimal and value == value.to_integral_value():
                value = int(value)
            if type(value) is not int or value not in allowed:
                raise Misfit(expectation, value)
            return value

        return write_integer
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        is_float = kind == FieldDescriptor.CPPTYPE_FLOAT

        def write_number(value: Any) -> float:
            if type(value) not in NUMBERS:
                raise Misfit("a number", value)
            number = _to_double(value)
            if is_float and MAX_FLOAT <= abs(number) < float("inf"):
                raise Misfit(EXPECTATIONS[kind], value)
            return number

        return write_number
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return _make_exact(bool, EXPECTATIONS[kind])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _make_exact(bytes, "bytes")

    def write_text(value: Any) -> str:
        if type(value) is not str:
            raise Misfit("text", value)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Misfit("text that UTF-8 can hold", value) from None
        return value

    return write_text


def _to_double(value: float | Decimal) -> float:
    try:
        return float(value)
    except OverflowError:
        raise Misfit("a number that a double can hold", value) from None


def _make_exact(kind: type, expectation: str) -> Convert:
    def write(value: Any) -> Any:
        if type(value) is not kind:
            raise Misfit(expectation, value)
        return value

    return write


def _write_enum(enum: EnumDescriptor) -> Convert:
    """A name, or for an open enum also a number as text, as it is read."""
    numbers = {value.name: value.number for value in enum.values}
    expectation = f"one of the values {', '.join(numbers)[:200]} of the enum {enum.name}"

    def write(value: Any) -> Any:
        number = numbers.get(value) if type(value) is str else None
        if number is not None:
            return number
        if not enum.is_closed and type(value) is str and value.removeprefix("-").isdecimal() and len(value) < 12:
            return int(value)
        raise Misfit(expectation, value)

    return write


def _write_time(into: Any, value: Any) -> None:
    if type(value) is not int or not -62_135_596_800 * MICRO <= value < 253_402_300_800 * MICRO:
        raise Misfit("microseconds since 1970, of the years 1 to 9999", value)
    into.seconds, micros = divmod(value, MICRO)
    into.nanos = micros * NANO


def _write_duration(into: Any, value: Any) -> None:
    if type(value) is not int or abs(value) > 315_576_000_000 * MICRO:
        raise Misfit("microseconds, of at most 10,000 years", value)
    seconds, micros = divmod(abs(value), MICRO)
    sign = 1 if value >= 0 else -1
    into.seconds, into.nanos = sign * seconds, sign * micros * NANO


def _write_any(into: Any, value: Any) -> None:
    if type(value) is not dict or type(value.get("type_url")) is not str or type(value.get("value")) is not bytes:
        raise Misfit("a struct of type_url (text) and value (bytes)", value)
    into.type_url, into.value = value["type_url"], value["value"]


def _write_struct(into: Any, value: Any) -> None:
    if type(value) is not dict:
        raise Misfit("a map", value)
    for name, each in value.items():
        _write_at(f"[{name!r:.60}]", _write_value, into.fields[name], each)


def _write_value(into: Any, value: Any) -> None:
    match value:
        case None:
            into.null_value = 0
        case bool():
            into.bool_value = value
        case str():
            into.string_value = value
        case int() | float() | Decimal():
            into.number_value = _to_double(value)
        case dict():
            into.struct_value.SetInParent()
            _write_struct(into.struct_value, value)
        case list():
            into.list_value.SetInParent()
            _write_items(into.list_value, value)
        case _:
            raise Misfit("a value of JSON", value)


def _write_items(into: Any, value: Any) -> None:
    for index, each in enumerate(_take_list(value)):
        _write_at(f"[{index}]", _write_value, into.values.add(), each)


WRITERS: Mapping[str, Write] = {
    "google.protobuf.Timestamp": _write_time,
    "google.protobuf.Duration": _write_duration,
    "google.protobuf.Any": _write_any,
    "google.protobuf.Struct": _write_struct,
    "google.protobuf.Value": _write_value,
    "google.protobuf.ListValue": _write_items,
}
