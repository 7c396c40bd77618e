"""Text in UTF-8, as Kafka's StringSerializer and StringDeserializer: what is not UTF-8 is replaced, as Java does."""

from __future__ import annotations

import codecs
import re
from typing import Any

from designer.values.schemas import Type
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import EncodeError

AS_JAVA = "replace-as-java"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
HALF_A_PAIR = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]?")
"""The bytes that UTF-8 would have for half a surrogate pair, whole or cut off."""


def make_decoder(type_: Type) -> Decoder:
    return _decode


def make_encoder(type_: Type) -> Encoder:
    return _encode


def is_text(data: bytes) -> bool:
    """Whether nothing is replaced when bytes are read in this format."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _decode(data: bytes) -> str:
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        return str(data, "utf-8", AS_JAVA)


def _encode(value: Any) -> bytes:
    if type(value) is not str:
        raise EncodeError(f"The format string takes text, not {type(value).__name__}.")
    try:
        return value.encode()
    except UnicodeEncodeError:
        return value.encode(errors="replace")  # `?` for half a surrogate pair, as String.getBytes


def _replace_as_java(error: UnicodeError) -> tuple[str, int]:
    """Takes the bytes of half a surrogate pair for one character, which Python's `replace` takes for two or three."""
    assert isinstance(error, UnicodeDecodeError)
    data, start, end = error.object, error.start, error.end
    half = HALF_A_PAIR.match(data, start)
    return REPLACEMENT, half.end() if half else end


codecs.register_error(AS_JAVA, _replace_as_java)
