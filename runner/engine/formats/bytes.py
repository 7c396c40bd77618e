"""Bytes as is (Kafka's ByteArraySerializer)."""

from __future__ import annotations

from typing import Any

from designer.values.schemas import Type
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import EncodeError


def make_decoder(type_: Type) -> Decoder:
    return bytes


def make_encoder(type_: Type) -> Encoder:
    return _encode


def _encode(value: Any) -> bytes:
    if type(value) is not bytes:
        raise EncodeError(f"The format bytes takes bytes, not {type(value).__name__}; CAST turns text into bytes.")
    return value
