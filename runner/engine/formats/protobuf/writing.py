"""Our value as a Protobuf message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from designer.protobuf.types import is_map, is_repeated
from designer.values.exact_json import JsonNumber
from runner.engine.formats.protobuf.well_known import MICRO, NANO, WRAPPERS

Write = Callable[[Any, Any], None]
"""Our value into a message. Raises `Misfit`."""
Convert = Callable[[Any], Any]
NUMBERS = (int, float, JsonNumber)
RANGES = {
    FieldDescriptor.CPPTYPE_INT32: range(-(2**31), 2**31),
    FieldDescriptor.CPPTYPE_INT64: range(-(2**63), 2**63),
    FieldDescriptor.CPPTYPE_UINT32: range(2**32),
    FieldDescriptor.CPPTYPE_UINT64: range(2**64),
}
MAX_FLOAT = 3.4028235677973366e38
EXPECTATIONS = {
    FieldDescriptor.CPPTYPE_INT32: "an integer of 32 bits",
    FieldDescriptor.CPPTYPE_INT64: "an integer of 64 bits",
    FieldDescriptor.CPPTYPE_UINT32: "an integer from 0 to 4294967295",
    FieldDescriptor.CPPTYPE_UINT64: "an integer from 0 to 18446744073709551615",
    FieldDescriptor.CPPTYPE_DOUBLE: "a number",
    FieldDescriptor.CPPTYPE_FLOAT: "a number that a float of 32 bits can hold",
    FieldDescriptor.CPPTYPE_BOOL: "true or false",
}


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


def make_writer(message: Descriptor) -> Write:
    return _make_writer(message, {})


def _make_writer(message: Descriptor, made: dict[str, Write]) -> Write:
    name = message.full_name
    if name in WRITERS:
        return WRITERS[name]
    if name in WRAPPERS:
        convert = _make_scalar(message.fields_by_name["value"])

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
    convert = _make_scalar(field)
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
    convert = _make_scalar(value_field) if value_field.message_type is None else None
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
    convert = _make_scalar(field)
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


def _make_scalar(field: FieldDescriptor) -> Convert:
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
