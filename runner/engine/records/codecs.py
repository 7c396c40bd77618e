"""The form of keys and values in state and in rows between stages."""

from __future__ import annotations

import json
from collections.abc import Callable
from struct import Struct
from typing import Any, NamedTuple

import orjson

from designer.topology.catalogue import Flow
from designer.topology.ports import PortType
from designer.values.schemas import Kind, Side, Type, WindowSpec
from designer.values.tuples import Windowed
from runner.engine.formats.json import holds, holds_doubles, holds_structs, is_finite
from runner.engine.formats.sides import make_decoder_of, make_key_encoder_of
from runner.engine.records.tagging import TAG, tag_deep, tag_value, untag_value

TIMESTAMP = Struct(">q")
BOUNDS = Struct(">qq")
LENGTHS = Struct(">ii")
ITSELF = frozenset({Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.BYTES})
"""Kinds whose values are equal exactly if their bytes are, so a dict can hold them unchanged."""


WINDOWED_STREAMS = frozenset(
    {
        PortType.TIME_WINDOWED_KSTREAM,
        PortType.SESSION_WINDOWED_KSTREAM,
        PortType.TIME_WINDOWED_COGROUPED_KSTREAM,
        PortType.SESSION_WINDOWED_COGROUPED_KSTREAM,
    }
)


TAGGED_KINDS = (Kind.BYTES, Kind.DECIMAL, Kind.UNION)
"""Kinds whose values JSON does not distinguish from others."""


class KeyCodec(NamedTuple):
    """Bytes of a key and back. Both keep null. `is_plain`: a key can represent its bytes in a dict."""

    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    is_plain: bool


def make_key_codec(side: Side, window: WindowSpec | None = None) -> KeyCodec:
    """The bytes of the key's format. A windowed key's start and end follow, 8 bytes each."""
    encode, decode = make_key_encoder_of(side), make_decoder_of(side)
    plain = side.type.kind in ITSELF
    if window is None:
        return KeyCodec(encode, decode, plain)

    def encode_windowed(key: Windowed) -> bytes:
        return encode(key.key) + BOUNDS.pack(key.start, key.end)

    def decode_windowed(data: bytes) -> Windowed:
        return Windowed(decode(data[: -BOUNDS.size]), *BOUNDS.unpack(data[-BOUNDS.size :]))

    return KeyCodec(encode_windowed, decode_windowed, plain)


def make_record_key_codec(flow: Flow) -> KeyCodec:
    """The keys of a flow. Those of a windowed stream are plain until its aggregation."""
    return make_key_codec(flow.schema.key, None if flow.type in WINDOWED_STREAMS else flow.schema.window)


def make_value_codec(type_: Type) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    """`pack` and `unpack` for values that must be of the type, without code for parts that it lacks."""
    if holds_doubles(type_) or any(holds(kind, type_) for kind in TAGGED_KINDS):
        return pack, unpack
    return (_pack_struct, _unpack_struct) if holds_structs(type_) else (orjson.dumps, orjson.loads)


def _pack_struct(value: Any) -> bytes:
    """A struct may have undeclared members that orjson does not write: other numbers, and too many levels.

    And it may have a member with the name of the tag.
    """
    try:
        data = orjson.dumps(value)
    except TypeError:
        return pack(value)
    return pack(value) if TAG in data else data


def _unpack_struct(data: bytes) -> Any:
    value = orjson.loads(data)
    return untag_value(value) if TAG in data else value


def change_codec(type_: Type) -> tuple[Callable[[Any, Any], bytes], Callable[[bytes], tuple[Any, Any]]]:
    """`pack` and `unpack` for the new and the old value of an update (ChangedSerializer). Either may be null."""
    pack_value, unpack_value = make_value_codec(type_)

    def pack_change(new: Any, old: Any) -> bytes:
        news, olds = None if new is None else pack_value(new), None if old is None else pack_value(old)
        lengths = LENGTHS.pack(-1 if news is None else len(news), -1 if olds is None else len(olds))
        return lengths + (news or b"") + (olds or b"")

    def unpack_change(data: bytes) -> tuple[Any, Any]:
        news, olds = LENGTHS.unpack_from(data)
        end = LENGTHS.size + max(news, 0)
        new = None if news < 0 else unpack_value(data[LENGTHS.size : end])
        return new, None if olds < 0 else unpack_value(data[end:])

    return pack_change, unpack_change


def pack(value: Any) -> bytes:
    """Any value as JSON. Unlike the format json it also keeps infinite numbers, NaN, bytes, decimals, all digits of
    numbers, and any number of levels."""
    try:
        data = orjson.dumps(value, tag_value)
        is_tagged = TAG in data
    except TypeError:
        is_tagged = True
    if is_tagged:
        value, data = _tag(value)
    if b"null" in data and not is_finite(value):
        return json.dumps(value, separators=(",", ":")).encode()
    return data


def _tag(value: Any) -> tuple[Any, bytes]:
    """The value tagged, and its JSON."""
    try:
        tagged = tag_value(value)
        return tagged, orjson.dumps(tagged)
    except (TypeError, RecursionError):
        tagged = tag_deep(value)
        return tagged, orjson.dumps(tagged)


def unpack(data: bytes) -> Any:
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = json.loads(data)
    return untag_value(value) if TAG in data else value
