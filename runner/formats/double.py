"""Doubles as Kafka's DoubleSerializer writes them: 8 bytes of IEEE 754, the most significant first."""

from __future__ import annotations

from struct import Struct
from typing import Any

from designer.schemas import Type
from runner.formats import Decoder, Encoder
from runner.formats.errors import DecodeError, EncodeError

DOUBLE = Struct(">d")


def decoder(held: Type) -> Decoder:
    return _decode


def encoder(held: Type) -> Encoder:
    return _encode


def _decode(data: bytes) -> float:
    if len(data) != DOUBLE.size:
        raise DecodeError(f"It is {len(data)} bytes long; the format double has {DOUBLE.size}.")
    value: float = DOUBLE.unpack(data)[0]
    return value


def _encode(value: Any) -> bytes:
    if type(value) is not float and type(value) is not int:
        raise EncodeError(f"The format double takes numbers, not {type(value).__name__}.")
    return DOUBLE.pack(value)
