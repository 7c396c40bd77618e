"""How keys and values stand in state and in rows between stages."""

from __future__ import annotations

import json
from collections.abc import Callable
from struct import Struct
from typing import Any, NamedTuple

import orjson

from designer.schemas import Kind, Schema, Side, Type, WindowSpec
from designer.values import Windowed
from runner.formats import format_named
from runner.formats.json import finite, holds_doubles

TIMESTAMP = Struct(">q")
BOUNDS = Struct(">qq")
ITSELF = frozenset({Kind.STRING, Kind.INTEGER, Kind.BOOLEAN})
"""Kinds whose values are equal exactly when their bytes are, so that a dict can hold them as they are."""


class KeyCodec(NamedTuple):
    """Bytes of a key and back; both keep null. `plain`: a key can stand for its bytes in a dict."""

    encode: Callable[[Any], bytes]
    decode: Callable[[bytes], Any]
    plain: bool


def key_codec(side: Side, window: WindowSpec | None = None) -> KeyCodec:
    """The bytes of the key's format; behind those of a windowed key stand its start and end, 8 bytes each."""
    made = format_named(side.format)
    encode, decode = made.encoder(side.type), made.decoder(side.type)
    plain = side.type.kind in ITSELF
    if window is None:
        return KeyCodec(encode, decode, plain)

    def encode_windowed(key: Windowed) -> bytes:
        return encode(key.key) + BOUNDS.pack(key.start, key.end)

    def decode_windowed(data: bytes) -> Windowed:
        return Windowed(decode(data[: -BOUNDS.size]), *BOUNDS.unpack(data[-BOUNDS.size :]))

    return KeyCodec(encode_windowed, decode_windowed, plain)


def record_key_codec(schema: Schema) -> KeyCodec:
    return key_codec(schema.key, schema.window)


def value_codec(held: Type) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    """`pack` and `unpack` for values of a type (of that type they must be), without care for doubles it has not."""
    return (pack, unpack) if holds_doubles(held) else (orjson.dumps, orjson.loads)


def pack(value: Any) -> bytes:
    """Any value as JSON; unlike the format json it also keeps infinite numbers and NaN."""
    data = orjson.dumps(value)
    if b"null" in data and not finite(value):
        return json.dumps(value, separators=(",", ":")).encode()
    return data


def unpack(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data)
