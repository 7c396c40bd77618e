"""Formats: bytes to values and back, one file each. They use the designer's types, and no other part of the engine.

A module of this package that defines `make_decoder` and `make_encoder` is the format of its name. Both are called
once for a declared type. The functions that they make never get null, which is None beside the bytes. Begin with
`long.py`, the shortest.

- `avro`, `protobuf`, `json_schema`: the formats that are made for a schema and not for a type.
- `framed`: what these share: the id of the schema before the bytes, and the schemas of other writers.
- `sides`: the format of a key or a value, with its type or schema.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from designer.values.schemas import Type
from runner.engine.formats.errors import DecodeError, EncodeError

__all__ = ["DecodeError", "Decoder", "EncodeError", "Encoder", "Format", "get_format", "register"]

Decoder = Callable[[bytes], Any]
Encoder = Callable[[Any], bytes]


class Format(Protocol):
    """The functions of a format."""

    def make_decoder(self, type_: Type, /) -> Decoder:
        """Bytes to a value of the type. Raises `DecodeError`."""

    def make_encoder(self, type_: Type, /) -> Encoder:
        """A value of the type to bytes. Raises `EncodeError`."""


_formats: dict[str, Format] = {}


def register(name: str, format_: Format) -> None:
    """Register a format that is not a module of this package."""
    _formats[name] = format_


def get_format(name: str) -> Format:
    """The format of that name. Raises LookupError if there is none."""
    if name not in _formats:
        try:
            _formats[name] = cast(Format, import_module(f"{__name__}.{name}"))
        except ModuleNotFoundError as error:
            raise LookupError(f"There is no format called `{name}`.") from error
    return _formats[name]
