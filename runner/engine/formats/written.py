"""Keys and values as a sink writes them with the schemas of a registry, and the headers that name these schemas."""

from __future__ import annotations

import uuid
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import orjson

from designer.streams.registering import KINDS
from designer.streams.topics import SinkHeader
from designer.values.schemas import Kind, Side, SideName, WrittenSchema
from designer.values.tuples import UnionValue
from runner.engine.formats import EncodeError, Encoder
from runner.engine.formats.framed import make_indexes
from runner.engine.formats.framing import KEY_HEADER, PREFIX, VALUE_HEADER
from runner.engine.formats.sides import make_encoder_of

NameSchema = Callable[[Any], str | None]
"""Returns the content of the header that names the schema of a key or value, in base64. None: no header names it."""
MAX_KNOWN = 1_000


class WrittenSide(NamedTuple):
    """How one side is written. `side` is the form of its bytes, None if values have several."""

    side: Side | None
    encode: Encoder
    name_schema: NameSchema


def make_written_side(side: Side, name: SideName, header: SinkHeader, written: Iterable[WrittenSchema]) -> WrittenSide:
    """Writes a side with the registry's schemas for it, or as it is if there are none.

    The records of a union may have a schema for each option. A value then says with its tag which one it has.
    """
    own = [each for each in written if each.side == name]
    if any(each.record for each in own):
        return _write_by_record(side, header, {each.record: each for each in own})
    number, guid = side.schema.id if side.schema is not None else None, None
    if own:
        side, number, guid = KINDS[side.format].adopt(side, own[0].schema, own[0].id), own[0].id, own[0].guid
    if number is None:
        return WrittenSide(side, make_encoder_of(side), lambda value: None)
    contents = {tag: _make_content(header, number, guid, indexes) for tag, indexes in make_indexes(side).items()}
    if "" not in contents:
        return WrittenSide(side, make_encoder_of(side), lambda value: contents.get(getattr(value, "tag", "")))
    content = contents[""]
    return WrittenSide(side, make_encoder_of(side), lambda value: content)


def _write_by_record(side: Side, header: SinkHeader, written: Mapping[str, WrittenSchema]) -> WrittenSide:
    options = {field.name: field.type for field in side.type.fields} if side.type.kind is Kind.UNION else {}
    adopt = KINDS[side.format].adopt
    sides = {
        record: adopt(Side(side.format, options[record], side.schema), each.schema, each.id, record)
        for record, each in written.items()
        if record in options
    }
    encoders = {record: make_encoder_of(own) for record, own in sides.items()}
    contents = {
        record: _make_content(header, written[record].id, written[record].guid, make_indexes(own)[""])
        for record, own in sides.items()
    }

    def encode(value: Any) -> bytes:
        if type(value) is not UnionValue or value.tag not in encoders:
            tag = value.tag if type(value) is UnionValue else type(value).__name__
            raise EncodeError(f"No schema is known for {tag}; expected one of {', '.join(encoders)}.")
        return encoders[value.tag](value.value)

    return WrittenSide(None, encode, lambda value: contents.get(value.tag) if type(value) is UnionValue else None)


def _make_content(header: SinkHeader, number: int, guid: str | None, indexes: bytes = b"") -> str | None:
    """0 and 4 bytes of id, or 1 and 16 bytes of GUID (Confluent's HeaderSchemaIdSerializer).

    Protobuf's message indexes follow.
    """
    if header == "id_header":
        return b64encode(PREFIX.pack(0, number) + indexes).decode()
    if header == "guid_header" and guid is not None:
        return b64encode(b"\1" + uuid.UUID(guid).bytes + indexes).decode()
    return None


class Stamp:
    """Headers that name the schemas of the written bytes. `stale` are the headers that may name those of the source.

    A reader looks at the header first, so one that came with the record would name a schema that the bytes do not
    have.
    """

    def __init__(self, stale: tuple[str, ...], name_key: NameSchema, name_value: NameSchema) -> None:
        self.stale = stale
        self.name_key = name_key
        self.name_value = name_value
        self.known: dict[tuple[str | None, str | None, str | None], str | None] = {}

    def __call__(self, headers: str | None, key: Any, value: Any) -> str | None:
        """Takes the headers of a record as JSON text, its key and its value. Returns its headers as it is written."""
        of_key = None if key is None else self.name_key(key)
        of_value = None if value is None else self.name_value(value)
        if headers is None and of_key is None and of_value is None:
            return None
        called, known = (headers, of_key, of_value), self.known
        if called not in known:
            if len(known) >= MAX_KNOWN:
                known.clear()
            known[called] = _write(headers, self.stale, {KEY_HEADER: of_key, VALUE_HEADER: of_value})
        return known[called]


def _write(headers: str | None, stale: tuple[str, ...], more: Mapping[str, str | None]) -> str | None:
    present = orjson.loads(headers) if headers is not None and any(name in headers for name in stale) else None
    kept = (
        (orjson.loads(headers) if headers else [])
        if present is None
        else [each for each in present if each["key"] not in stale]
    )
    added = [{"key": name, "value": content} for name, content in more.items() if content is not None]
    if not added and present is None:
        return headers
    return orjson.dumps([*kept, *added]).decode() if kept or added else None
