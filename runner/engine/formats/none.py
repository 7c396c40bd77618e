"""Not needed: every value is written as null, and only null is read (Kafka's VoidSerializer)."""

from __future__ import annotations

from typing import Any

from designer.values.schemas import Type
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError


def make_decoder(type_: Type) -> Decoder:
    return _decode


def make_encoder(type_: Type) -> Encoder:
    return _encode


def _decode(data: bytes) -> Any:
    raise DecodeError(f"It is {len(data)} bytes long; the format none reads only null.")


def _encode(value: Any) -> Any:
    return None
