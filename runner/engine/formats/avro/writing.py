"""Writers of Avro values, made once for a schema. Each looks at the value and appends its bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, DecimalException
from functools import lru_cache
from typing import Any

from designer.avro.defaults import read_default
from designer.avro.logical import encode_duration, encode_shortest, encode_uuid, to_unscaled
from designer.avro.tree import (
    NULL,
    Array,
    Enum,
    FixedType,
    Logical,
    Map,
    Part,
    Primitive,
    Record,
    RecordField,
    Reference,
    Union,
    resolve_reference,
)
from designer.values.decimals import make_fit
from designer.values.exact_json import JsonNumber, to_exact
from designer.values.tuples import UnionValue
from runner.engine.formats.avro.primitives import INTS, LONGS

Write = Callable[[Any, bytearray], None]
"""Appends the bytes of a value. Raises Unwritable."""

MAX_TEXT_LENGTH = 60
NUMBERS = (float, int, JsonNumber)
_FLOAT, _DOUBLE = struct.Struct("<f").pack, struct.Struct("<d").pack


class AvroMismatch(ValueError):
    """A value has the wrong type for its schema. `why` says what is expected, `path` is the place of the value."""

    def __init__(self, value: Any, expectation: str, path: str = "") -> None:
        super().__init__(value, expectation, path)
        self.value = value
        self.expectation = expectation
        self.path = path

    def prefix_place(self, name: str) -> AvroMismatch:
        path = f"{name}{self.path}" if self.path[:1] in ("", "[") else f"{name}.{self.path}"
        return AvroMismatch(self.value, self.expectation, path)

    def __str__(self) -> str:
        what = f"field `{self.path}`" if self.path else "the value"
        return f"{what} is {_format_value(self.value)}; expected {self.expectation}."


@lru_cache(maxsize=4_096)
def make_writer(part: Part) -> Write:
    match part:
        case Primitive(logical=Logical(name="decimal") as logical):
            return _write_decimal(logical, None)
        case Primitive(name=name):
            return _PRIMITIVES[name]
        case FixedType():
            return _write_fixed(part)
        case Enum():
            return _write_enum(part)
        case Array():
            return _write_array(make_writer(part.items))
        case Map():
            return _map(make_writer(part.values))
        case Union():
            return _write_union(part)
        case Record():
            return _write_record(part)
        case Reference():
            return _write_reference(part)


def _write_varint(number: int, out: bytearray) -> None:
    """Writes a signed integer as 7 bits a byte, the lowest first."""
    number = number << 1 if number >= 0 else ~(number << 1)
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _write_null(value: Any, out: bytearray) -> None:
    if value is not None:
        raise AvroMismatch(value, "null")


def _write_boolean(value: Any, out: bytearray) -> None:
    if type(value) is not bool:
        raise AvroMismatch(value, "true or false")
    out.append(value)


def _write_int(value: Any, out: bytearray) -> None:
    if type(value) is not int or value not in INTS:
        raise AvroMismatch(value, "an integer of 32 bits")
    _write_varint(value, out)


def _write_long(value: Any, out: bytearray) -> None:
    if type(value) is not int or value not in LONGS:
        raise AvroMismatch(value, "an integer of 64 bits")
    _write_varint(value, out)


def _write_float(value: Any, out: bytearray) -> None:
    if type(value) not in NUMBERS:
        raise AvroMismatch(value, "a number")
    try:
        out += _FLOAT(value)
    except (OverflowError, struct.error):
        raise AvroMismatch(value, "a number that a float of 32 bits can hold") from None


def _write_double(value: Any, out: bytearray) -> None:
    if type(value) not in NUMBERS:
        raise AvroMismatch(value, "a number")
    try:
        out += _DOUBLE(value)
    except (OverflowError, struct.error):  # struct's own is for integers
        raise AvroMismatch(value, "a number that a double can hold") from None


def _write_bytes(value: Any, out: bytearray) -> None:
    if type(value) is not bytes:
        raise AvroMismatch(value, "bytes")
    _write_varint(len(value), out)
    out += value


def _write_string(value: Any, out: bytearray) -> None:
    if type(value) is not str:
        raise AvroMismatch(value, "text")
    try:
        data = value.encode()
    except UnicodeEncodeError:
        raise AvroMismatch(value, "text that UTF-8 can hold") from None
    _write_varint(len(data), out)
    out += data


_PRIMITIVES: Mapping[str, Write] = {
    "null": _write_null,
    "boolean": _write_boolean,
    "int": _write_int,
    "long": _write_long,
    "float": _write_float,
    "double": _write_double,
    "bytes": _write_bytes,
    "string": _write_string,
}


def _write_fixed(part: FixedType) -> Write:
    size, logical = part.size, part.logical
    if logical is not None and logical.name == "decimal":
        return _write_decimal(logical, size)
    to_bytes: Callable[[Any], bytes] | None = None
    expectation = f"{size} bytes, as the fixed {part.name} has"
    if logical is not None and logical.name == "uuid":
        to_bytes, expectation = encode_uuid, "a UUID such as 123e4567-e89b-12d3-a456-426614174000"
    elif logical is not None:
        to_bytes, expectation = encode_duration, "months, days and milliseconds, each an integer from 0 to 4294967295"

    def write(value: Any, out: bytearray) -> None:
        data = value
        if to_bytes is not None and type(value) is not bytes:
            try:
                data = to_bytes(value)
            except (ValueError, TypeError, KeyError, AttributeError, struct.error):
                raise AvroMismatch(value, expectation) from None
        if type(data) is not bytes or len(data) != size:
            raise AvroMismatch(value, expectation)
        out += data

    return write


def _write_decimal(logical: Logical, size: int | None) -> Write:
    """Writes the fewest bytes that hold it, or all bytes of a fixed. Input bytes count as an already written number."""
    fit, scale = make_fit(logical.precision, logical.scale), logical.scale
    expectation = f"a number of decimal({logical.precision},{scale})"

    def write(value: Any, out: bytearray) -> None:
        if type(value) is bytes and size in (None, len(value)):
            data = value
        elif type(value) not in (Decimal, int, JsonNumber):
            raise AvroMismatch(value, expectation)
        else:
            try:
                number = to_unscaled(fit(to_exact(value)), scale)
            except DecimalException:
                raise AvroMismatch(value, expectation) from None
            data = encode_shortest(number) if size is None else number.to_bytes(size, "big", signed=True)
        if size is None:
            _write_varint(len(data), out)
        out += data

    return write


def _write_enum(part: Enum) -> Write:
    index_by_symbol: dict[Any, bytes] = {}
    for index, symbol in enumerate(part.symbols):
        encoded_index = bytearray()
        _write_varint(index, encoded_index)
        index_by_symbol[symbol] = bytes(encoded_index)
    expectation = f"one of the symbols {', '.join(part.symbols)[:200]} of the enum {part.name}"

    def write(value: Any, out: bytearray) -> None:
        if type(value) is not str or value not in index_by_symbol:
            raise AvroMismatch(value, expectation)
        out += index_by_symbol[value]

    return write


def _write_array(write_item: Write) -> Write:
    def write(value: Any, out: bytearray) -> None:
        if type(value) is not list:
            raise AvroMismatch(value, "a list")
        if value:
            _write_varint(len(value), out)
            for index, item in enumerate(value):
                try:
                    write_item(item, out)
                except AvroMismatch as error:
                    raise error.prefix_place(f"[{index}]") from None
        out.append(0)

    return write


def _map(write_value: Write) -> Write:
    def write(value: Any, out: bytearray) -> None:
        if type(value) is not dict:
            raise AvroMismatch(value, "a map")
        if value:
            _write_varint(len(value), out)
            for key, item in value.items():
                try:
                    _write_string(key, out)
                    write_value(item, out)
                except AvroMismatch as error:
                    raise error.prefix_place(f"[{key!r:.60}]") from None
        out.append(0)

    return write


def _write_record(part: Record) -> Write:
    fields = tuple((field.name, make_writer(field.of), _write_missing(field)) for field in part.fields)

    def write(value: Any, out: bytearray) -> None:
        if type(value) is not dict:
            raise AvroMismatch(value, f"a record of {part.name}")
        name = ""
        try:
            for name, write_field, missing in fields:
                write_field(value.get(name, missing), out)
        except AvroMismatch as error:
            raise error.prefix_place(name) from None

    return write


def _write_reference(part: Reference) -> Write:
    """A record inside itself. Its writer is made when there is one to write."""
    return lambda value, out: make_writer(part.record)(value, out)


def _write_missing(field: RecordField) -> Any:
    """Bytes for a missing field of a record: its default, else null."""
    try:
        return read_default(field)
    except ValueError:
        return None


def _write_union(part: Union) -> Write:
    writers = {option.name: (index, make_writer(option)) for index, option in enumerate(part.options)}
    nothing = part.options.index(NULL) if NULL in part.options else None
    if part.only is not None:
        index, write_only = writers[part.only.name]
        return _write_nullable(nothing, index, write_only)
    expectation = f"one of {', '.join(writers)[:200]}"
    records = [
        ({field.name for field in record.fields}, writers[option.name])
        for option in part.options
        if isinstance(record := resolve_reference(option), Record)
    ]

    def find_choices(content: Any) -> Iterable[tuple[int, Write]]:
        """The options in their order. Records that lack members of a struct come last: they would lose these."""
        if type(content) is not dict or len(records) < 2:
            return writers.values()
        lossy = [choice for names, choice in records if not names.issuperset(content)]
        return [*(choice for choice in writers.values() if choice not in lossy), *lossy]

    def write(value: Any, out: bytearray) -> None:
        content = value.value if type(value) is UnionValue else value
        choice = writers.get(value.tag) if type(value) is UnionValue else None
        for index, write_option in [choice] if choice else find_choices(content):
            encoded_option = bytearray()
            _write_varint(index, encoded_option)
            try:
                write_option(content, encoded_option)
            except AvroMismatch:
                continue
            out += encoded_option
            return
        raise AvroMismatch(content, f"what {value.tag} is in its union" if choice else expectation)

    return write


def _write_nullable(nothing: int | None, index: int, write_only: Write) -> Write:
    """Writes null or one type, without a choice."""
    assert index < 64
    as_null, as_value = 2 * (nothing or 0), 2 * index

    def write(value: Any, out: bytearray) -> None:
        if value is None and nothing is not None:
            out.append(as_null)
        else:
            out.append(as_value)
            write_only(value, out)

    return write


def _format_value(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case bytes():
            return f"{len(value)} bytes"
        case dict():
            return "a struct or map"
        case list():
            return "a list"
        case UnionValue():
            return f"a union's {value.tag}"
        case _:
            text = str(value) if isinstance(value, Decimal) else repr(value)
            return text if len(text) <= MAX_TEXT_LENGTH else f"{text[: MAX_TEXT_LENGTH - 1]}…"
