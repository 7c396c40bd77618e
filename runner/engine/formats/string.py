"""Text in UTF-8, as Kafka's StringSerializer writes it. Bytes that are not UTF-8 are an error, never replaced."""

from __future__ import annotations

from typing import Any

from designer.values.schemas import Type
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError, EncodeError


def make_decoder(type_: Type) -> Decoder:
    return _decode


def make_encoder(type_: Type) -> Encoder:
    return _encode


def _decode(data: bytes) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError as error:
        raise DecodeError(f"Not UTF-8 text: {error.reason} at byte {error.start}.") from error


def _encode(value: Any) -> bytes:
    if type(value) is not str:
        raise EncodeError(f"The format string takes text, not {type(value).__name__}.")
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(f"The text cannot be written in UTF-8: {error.reason}.") from error
