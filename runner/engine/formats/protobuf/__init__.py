"""Protobuf's binary encoding of one message, by descriptors without generated classes.

`indexes.py` finds the message in its frame, `reading.py` and `writing.py` turn messages into our values and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError as BrokenMessage
from google.protobuf.message import EncodeError as UnwritableMessage
from google.protobuf.message_factory import GetMessageClass

from designer.protobuf import list_messages, parse
from designer.protobuf.types import is_map, is_repeated, make_type
from designer.values.exact_json import TOO_DEEP, is_too_deep
from designer.values.schemas import FormatSchema, Kind, Type
from designer.values.tuples import UnionValue
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError, EncodeError
from runner.engine.formats.protobuf.indexes import FIRST, check_message, find_message, read_indexes, write_indexes
from runner.engine.formats.protobuf.reading import make_reader
from runner.engine.formats.protobuf.writing import Misfit, make_writer


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
        check_message(written, read_indexes(indexes, 0)[0], own)
    elif indexes is not None:
        check_message(written, FIRST, own)
    checked: set[tuple[int, ...]] = set()
    needs_all = _has_required(own, set())
    from_bytes = make.FromString

    def decode(data: bytes) -> Any:
        if is_framed:
            if data[start : start + 1] == b"\0":
                found, begin = FIRST, start + 1
            else:
                found, begin = read_indexes(data, start)
            if found not in checked:
                check_message(written, found, own)
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
