"""Integers as Kafka's LongSerializer writes them: 8 bytes, the most significant first."""

from __future__ import annotations

from struct import Struct, error
from typing import Any

from designer.schemas import Type
from runner.formats import Decoder, Encoder
from runner.formats.errors import DecodeError, EncodeError

LONG = Struct(">q")


def decoder(held: Type) -> Decoder:
    return _decode


def encoder(held: Type) -> Encoder:
    return _encode


def _decode(data: bytes) -> int:
    if len(data) != LONG.size:
        raise DecodeError(f"It is {len(data)} bytes long; the format long has {LONG.size}.")
    value: int = LONG.unpack(data)[0]
    return value


def _encode(value: Any) -> bytes:
    if type(value) is not int:
        raise EncodeError(f"The format long takes integers, not {type(value).__name__}.")
    try:
        return LONG.pack(value)
    except error as too_wide:
        raise EncodeError(f"{value} does not fit into 64 bits.") from too_wide
