"""Booleans as Kafka's BooleanSerializer writes them: one byte, 1 or 0."""

from __future__ import annotations

from typing import Any

from designer.values.schemas import Type
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError, EncodeError

_VALUES = {b"\x00": False, b"\x01": True}


def make_decoder(type_: Type) -> Decoder:
    return _decode


def make_encoder(type_: Type) -> Encoder:
    return _encode


def _decode(data: bytes) -> bool:
    value = _VALUES.get(data)
    if value is None:
        raise DecodeError(f"It is {data[:8].hex(' ') or 'empty'}; the format boolean is one byte, 00 or 01.")
    return value


def _encode(value: Any) -> bytes:
    if type(value) is not bool:
        raise EncodeError(f"The format boolean takes true and false, not {type(value).__name__}.")
    return b"\x01" if value else b"\x00"
