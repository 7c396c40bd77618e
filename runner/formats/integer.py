"""Integers as Kafka's IntegerSerializer writes them: 4 bytes, the most significant first."""

from __future__ import annotations

from struct import Struct, error
from typing import Any

from designer.schemas import Type
from runner.formats import Decoder, Encoder
from runner.formats.errors import DecodeError, EncodeError

INTEGER = Struct(">i")


def decoder(held: Type) -> Decoder:
    return _decode


def encoder(held: Type) -> Encoder:
    return _encode


def _decode(data: bytes) -> int:
    if len(data) != INTEGER.size:
        raise DecodeError(f"It is {len(data)} bytes long; the format integer has {INTEGER.size}.")
    value: int = INTEGER.unpack(data)[0]
    return value


def _encode(value: Any) -> bytes:
    if type(value) is not int:
        raise EncodeError(f"The format integer takes integers, not {type(value).__name__}.")
    try:
        return INTEGER.pack(value)
    except error as too_wide:
        raise EncodeError(f"{value} does not fit into 32 bits; the format long has 64.") from too_wide
