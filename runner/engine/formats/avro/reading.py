"""Readers of Avro values, made once for a writer's and a reader's schema, which are mostly the same.

If they differ, the value follows the reader's schema: fields by name and alias, defaults, promoted numbers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from designer.avro.defaults import read_default
from designer.avro.logical import decode_duration, decode_uuid, make_decimal_decoder
from designer.avro.resolution import find_field, find_mismatch, find_option
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
    Reference,
    Union,
    resolve_reference,
    takes_no_bytes,
)
from designer.values.tuples import MapValue, StructValue, UnionValue
from runner.engine.formats.avro.misread import READ_ERRORS, Misread, make_misread
from runner.engine.formats.avro.primitives import PRIMITIVES, Read, read_fixed, read_long, read_null, read_string
from runner.engine.formats.avro.straight import make_straight_reader

Convert = Callable[[Any], Any]
MAX_EMPTY_ITEMS = 100_000
"""Maximum number of items without bytes in one value, as many as a list of an expression may have."""


# Our own code: fastavro loses which option of a union a value has, accepts negative indexes, and raises errors
# without text. Tests compare the two.
@lru_cache(maxsize=4_096)
def make_reader(writer: Part, reader: Part) -> Read:
    """A reader of bytes in the writer's schema. It returns values of the reader's schema.

    The two must agree (`designer.avro.resolution.find_mismatch`). The reader raises `READ_ERRORS`.
    """
    if isinstance(writer, Reference) or isinstance(reader, Reference):
        return _read_reference(resolve_reference(writer), resolve_reference(reader))
    if isinstance(writer, Union):
        return _read_union(writer, reader)
    if isinstance(reader, Union):
        option = find_option(reader, writer)
        assert option is not None
        read = make_reader(writer, option)
        return read if reader.only is not None else _with_tag(option.name, read)
    match writer, reader:
        case Primitive(), Primitive():
            return _convert(PRIMITIVES[writer.name], _find_promotion(writer.name, reader.name), _find_logical(reader))
        case FixedType(), FixedType():
            return _convert(read_fixed(writer.size), None, _find_logical(reader))
        case Enum(), Enum():
            return _read_enum(writer, reader)
        case Array(), Array():
            read_items = _count_empty_items if takes_no_bytes(writer.items) else _refuse_more_than_bytes
            return _read_array(make_reader(writer.items, reader.items), read_items)
        case Map(), Map():
            return _map(make_reader(writer.values, reader.values))
        case Record(), Record():
            return _read_record(writer, reader)
    raise AssertionError(f"{writer.name} is not read as {reader.name}")


def _find_plain(writer: Part, reader: Part) -> str | None:
    """The primitive type that both have, if its bytes are its value."""
    match writer, reader:
        case Primitive(name=name), Primitive(name=other) if name == other and name != "null":
            return name if _find_logical(reader) is None else None
    return None


def _find_promotion(writer_type: str, reader_type: str) -> Convert | None:
    if reader_type in ("float", "double") and writer_type in ("int", "long"):
        return float
    if writer_type == "string" and reader_type == "bytes":
        return str.encode
    return bytes.decode if writer_type == "bytes" and reader_type == "string" else None


def _find_logical(part: Primitive | FixedType) -> Convert | None:
    """The function from a written value to the value of its logical type. None if both are the same."""
    logical = part.logical
    if logical is None:
        return None
    if logical.name == "decimal":
        return _make_decimal(logical)
    if isinstance(part, FixedType):
        return {"uuid": decode_uuid, "duration": decode_duration}[logical.name]
    return None


def _make_decimal(logical: Logical) -> Callable[[bytes], Decimal]:
    read, most = make_decimal_decoder(logical.scale), 10**logical.precision

    def read_decimal(data: bytes) -> Decimal:
        number = int.from_bytes(data, "big", signed=True)
        if not data or not -most < number < most:
            raise ValueError(f"its {len(data)} bytes are not a decimal of at most {logical.precision} digits")
        return read(data)

    return read_decimal


def _convert(read: Read, *converts: Convert | None) -> Read:
    for convert in converts:
        if convert is not None:
            read = _convert_behind(read, convert)
    return read


def _convert_behind(read: Read, convert: Convert) -> Read:
    def read_and_convert(data: bytes, at: int) -> tuple[Any, int]:
        value, end = read(data, at)
        try:
            return convert(value), end
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            raise Misread(str(error), at) from error

    return read_and_convert


def _with_tag(tag: str, read: Read) -> Read:
    def with_tag(data: bytes, at: int) -> tuple[UnionValue, int]:
        value, at = read(data, at)
        return UnionValue(tag, value), at

    return with_tag


def _read_union(writer: Union, reader: Part) -> Read:
    """Reads each option by its index, which is mostly one byte."""
    options = [_read_option(option, reader) for option in writer.options]
    in_a_byte = {2 * index: option for index, option in enumerate(options[:64])}.get

    def read(data: bytes, at: int) -> tuple[Any, int]:
        option = in_a_byte(data[at])
        if option is not None:
            return option(data, at + 1)
        index, start = read_long(data, at)
        if not 0 <= index < len(options):
            raise Misread(f"union index {index} is out of range; the union has {len(options)} types", at)
        return options[index](data, start)

    return read


def _read_option(option: Part, reader: Part) -> Read:
    if option is NULL:
        takes_null = isinstance(reader, Union) and NULL in reader.options
        return read_null if takes_null else _refuse("null is written, and the reader's schema takes none")
    why = find_mismatch(option, reader)
    return make_reader(option, reader) if why is None else _refuse(why)


def _refuse(why: str) -> Read:
    def refuse(data: bytes, at: int) -> tuple[Any, int]:
        raise Misread(why, at)

    return refuse


def _read_enum(writer: Enum, reader: Enum) -> Read:
    symbols = [symbol if symbol in reader.symbols else reader.default for symbol in writer.symbols]
    in_a_byte = {2 * index: symbol for index, symbol in enumerate(symbols[:64])}.get

    def read(data: bytes, at: int) -> tuple[str, int]:
        symbol = in_a_byte(data[at])
        if symbol is not None:
            return symbol, at + 1
        index, end = read_long(data, at)
        if not 0 <= index < len(symbols):
            raise Misread(f"the symbol {index} of an enum of {len(symbols)} is written", at)
        symbol = symbols[index]
        if symbol is None:
            mismatch = f"the symbol {writer.symbols[index]} is none of {', '.join(reader.symbols)[:200]}"
            raise Misread(f"{mismatch}, and the enum {reader.name} has no default", at)
        return symbol, end

    return read


def _read_reference(writer: Part, reader: Part) -> Read:
    """A record inside itself. Its reader is made when there is one to read."""

    @cache
    def make() -> Read:
        why = find_mismatch(writer, reader)
        return make_reader(writer, reader) if why is None else _refuse(why)

    return lambda data, at: make()(data, at)


Check = Callable[[int, bytes, int, int], None]
"""Takes a count of items, the bytes, where the items begin, and where the count does. Raises Misread."""


def _refuse_more_than_bytes(count: int, data: bytes, at: int, start: int) -> None:
    if count > len(data) - at:
        raise Misread(f"it says that {count} entries follow in {len(data) - at} bytes", start)


class EmptyItems(threading.local):
    """How many more items without bytes the value may hold that is being read."""

    left = MAX_EMPTY_ITEMS


empty_items = EmptyItems()


def _count_empty_items(count: int, data: bytes, at: int, start: int) -> None:
    """Items of null, or of records without fields, take no bytes: a list of a billion is as long as one of two."""
    empty_items.left -= count
    if empty_items.left < 0:
        raise Misread(f"its lists hold more than {MAX_EMPTY_ITEMS:,} items that take no bytes", start)


def _read_blocks(
    read_entries: Callable[[bytes, int, int, Any], int], make: Callable[[], Any], check: Check = _refuse_more_than_bytes
) -> Read:
    """Lists and maps come in blocks with a count of entries. If it is negative, the size in bytes follows. 0 ends."""

    def read(data: bytes, at: int) -> tuple[Any, int]:
        entries = make()
        while True:
            start = at
            count, at = read_long(data, at)
            if count == 0:
                return entries, at
            if count < 0:
                count = -count
                _, at = read_long(data, at)
            check(count, data, at, start)
            at = read_entries(data, at, count, entries)

    return read


def _read_array(read: Read, check: Check) -> Read:
    def read_entries(data: bytes, at: int, count: int, entries: list[Any]) -> int:
        try:
            for _ in range(count):
                value, at = read(data, at)
                entries.append(value)
        except READ_ERRORS as error:
            raise make_misread(error, at).prefix_place(f"[{len(entries)}]") from error
        return at

    return _read_blocks(read_entries, list, check)


def _map(read: Read) -> Read:
    def read_entries(data: bytes, at: int, count: int, entries: MapValue) -> int:
        key = ""
        try:
            for _ in range(count):
                key = ""
                key, at = read_string(data, at)
                entries[key], at = read(data, at)
        except READ_ERRORS as error:
            raise make_misread(error, at).prefix_place(f"[{key!r:.60}]") from error
        return at

    return _read_blocks(read_entries, dict)


def _read_record(writer: Record, reader: Record) -> Read:
    """The reader's fields in its order. Fields that the reader lacks are read and left out."""
    steps: list[tuple[str, Read]] = []
    skipped_names: list[str] = []
    for field in writer.fields:
        into = find_field(reader, field.name)
        if into is None:
            steps.append((field.name, make_reader(field.of, field.of)))
            skipped_names.append(field.name)
        else:
            steps.append((into.name, make_reader(field.of, into.of)))
    fields = tuple(steps)

    def read(data: bytes, at: int) -> tuple[StructValue, int]:
        record = {}
        name = ""
        try:
            for name, read_field in fields:
                record[name], at = read_field(data, at)
        except READ_ERRORS as error:
            raise make_misread(error, at).prefix_place(name) from error
        return record, at

    names = [field.name for field in reader.fields]
    if [name for name, _ in fields] == names and not skipped_names:
        pairs = zip(writer.fields, reader.fields, strict=True)
        plain = [(into.name, _find_plain(field.of, into.of)) for field, into in pairs]
        types = [(name, type_) for name, type_ in plain if type_ is not None]
        return make_straight_reader(types, read) if fields and len(types) == len(fields) else read
    written_names = {name for name, _ in fields} - set(skipped_names)
    defaults = {field.name: read_default(field) for field in reader.fields if field.name not in written_names}

    def read_resolved(data: bytes, at: int) -> tuple[StructValue, int]:
        record, at = read(data, at)
        return {name: record[name] if name in written_names else defaults[name] for name in names}, at

    return read_resolved
