"""Records of a topic as text, in the format of their key and value."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

from ninja import Schema as NinjaSchema
from pydantic import ConfigDict
from typing_extensions import TypedDict

from designer.refusals import Refusal
from designer.streams.formats import NATURAL, SCHEMA_FORMATS
from designer.streams.inference import infer
from designer.values import exact_json
from designer.values.schemas import Kind, Schema, Side, Type
from runner.control.clusters.schemas import MAX_BYTES, MessageOut
from runner.control.clusters.topic_schemas import Side as SideName
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.formats.display import read_shown, write_shown
from runner.engine.formats.framed import open_frame
from runner.engine.formats.sides import make_decoder_of, make_encoder_of
from runner.engine.formats.string import is_text
from runner.kafka import Message
from runner.watch.codes import WatchCode
from runner.watch.topics.registry import RecordSchemas, make_side
from runner.watch.topics.texts import encode_text

AS_TEXT = frozenset({"json", "string", "bytes", "none"})
"""Formats whose bytes are shown unchanged: as text if possible, else as base64."""


class Undecoded(Refusal):
    """A text does not fit the format of its side."""

    code = WatchCode.RECORD_NOT_ENCODED
    status = 422


class RecordSchemaOut(NinjaSchema):
    """The schema that a key or value is written with. Without `subject` and `version`, the registry has only its id."""

    id: int | str
    kind: str
    subject: str | None
    version: int | None


class DecodedMessageOut(MessageOut):
    """A record whose key and value are shown in a format.

    Where the format makes another text of the bytes, `key_raw` and `value_raw` are these bytes in base64. Where they
    do not fit it, `key_problem` and `value_problem` say why, and they are shown as they are. `key_schema` and
    `value_schema` are those of the cluster's schema registry, if the record names one that it has.
    """

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    key_raw: str | None = None
    value_raw: str | None = None
    key_problem: str | None = None
    value_problem: str | None = None
    key_schema: RecordSchemaOut | None = None
    value_schema: RecordSchemaOut | None = None


class Text(TypedDict, total=False):
    text: str
    problem: str


Read = Callable[[bytes | None], Text]
"""Bytes read in a format, or nothing if they are shown unchanged."""


def find_side(name: str | None, side: Side | None) -> Side | None:
    """The side for a format's name: with the known schema if it has that format.

    None without a name, and for a format whose schema is not known.
    """
    if name is None or (side is not None and side.format == name):
        return side
    return None if name in SCHEMA_FORMATS else Side(name, NATURAL[name])


def guess(messages: Sequence[Message], schemas: Sequence[Schema]) -> Schema:
    """The schema of a topic: that of the topology whose formats fit these records best, else a guess."""
    candidates = [*schemas, infer((message.key, message.value) for message in messages)]
    keys, values = [message.key for message in messages], [message.value for message in messages]
    return Schema(
        key=min((each.key for each in candidates), key=lambda side: _count_misfits(side, keys)),
        value=min((each.value for each in candidates), key=lambda side: _count_misfits(side, values)),
    )


def decode(
    message: Message,
    key: Side | None,
    value: Side | None,
    schemas: RecordSchemas | None = None,
    chosen_sides: Collection[SideName] = (),
) -> DecodedMessageOut:
    """The record in the form of the HTTP API.

    With `schemas`, a side that names a schema of the registry is read with that one, unless the user chose its format.
    """
    fields = MessageOut.of(message).model_dump()
    sides: tuple[tuple[SideName, bytes | None, Side | None, bool], ...] = (
        ("key", message.key, key, False),
        ("value", message.value, value, message.whole is not None),
    )
    for name, content, side, cut in sides:
        own_schemas = None if name in chosen_sides else schemas
        read = {} if cut else read_side(message, name, side, own_schemas)
        if schemas is not None and (found := schemas.find(message, name)[0]) is not None:
            fields[f"{name}_schema"] = {
                "id": found.id,
                "kind": found.schema.kind,
                "subject": found.subject,
                "version": found.version,
            }
        if "text" in read and content is not None:
            whole = read["text"].encode()
            fields |= {
                name: whole[:MAX_BYTES].decode(errors="ignore"),
                f"is_{name}_base64": False,
                f"is_{name}_cut": len(whole) > MAX_BYTES,
                f"{name}_raw": b64encode(content).decode() if len(content) <= MAX_BYTES else None,
            }
        fields[f"{name}_problem"] = read.get("problem")
    return DecodedMessageOut(**fields)


def read_side(message: Message, name: SideName, side: Side | None, schemas: RecordSchemas | None) -> Text:
    """The text of a key or value: by its own schema in the registry if it has one, else in the format of a side."""
    content = message.key if name == "key" else message.value
    if schemas is not None and content is not None:
        found, frame = schemas.find(message, name)
        own = make_side(found) if found is not None else None
        if own is not None:
            try:
                own, data = open_frame(own, content, frame)
            except DecodeError as error:
                return {"problem": f"Not {own.format}: {error.message}"}
            return read_text(own)(data)
    return read_text(side)(content)


@lru_cache(maxsize=256)
def read_text(side: Side | None) -> Read:
    """The conversion of a side's bytes to text."""
    if side is None or side.format in AS_TEXT:
        return lambda content: {}
    decode_bytes = make_decoder_of(side)

    def read(content: bytes | None) -> Text:
        if content is None:
            return {}
        try:
            return {"text": write_shown(decode_bytes(content))}
        except DecodeError as error:
            return {"problem": f"Not {side.format}: {error.message}"}

    return read


def encode(text: str | None, side: Side | None, what: str) -> bytes | None:
    """The bytes of typed text: unchanged, or in the format of a side. Raises NotBase64 and Undecoded."""
    if text is None or side is None or side.format in AS_TEXT or text.startswith("base64:"):
        return encode_text(text, what)
    try:
        value = read_shown(exact_json.loads(text), side.type)
        return make_encoder_of(side)(_as_double(value, side.type))
    except (EncodeError, ValueError, KeyError, TypeError) as error:
        raise Undecoded(
            f"The {what} cannot be written as {side.format}: {str(error).rstrip('.')}.",
            "Correct it, or send it as text.",
        ) from error


def _as_double(value: Any, type_: Type) -> Any:
    """A number without a point where a double is required."""
    return float(value) if type_.kind is Kind.DOUBLE and isinstance(value, int | float) else value


def _count_misfits(side: Side, contents: Sequence[bytes | None]) -> int:
    """Number of contents that do not fit a side's format. The types of its fields do not matter.

    The format string reads any bytes. Here those that it would replace do not fit.
    """
    if side.format == "string":
        return sum(not is_text(content) for content in filter(None, contents))
    decode_bytes = make_decoder_of(side if side.schema is not None else Side(side.format, NATURAL[side.format]))
    misfits = 0
    for content in filter(None, contents):
        try:
            decode_bytes(content)
        except DecodeError:
            misfits += 1
    return misfits
