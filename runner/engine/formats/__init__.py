"""Formats: bytes to values and back, one file each.

A module of this package that defines `decoder` and `encoder` is the format of its name. Both are made once for a
declared type; null is never given to either, since it stands as None beside the bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, cast

from designer.values.schemas import Type
from runner.engine.formats.errors import DecodeError, EncodeError

__all__ = ["DecodeError", "Decoder", "EncodeError", "Encoder", "Format", "format_named", "register"]

Decoder = Callable[[bytes], Any]
Encoder = Callable[[Any], bytes]


class Format(Protocol):
    """What a format offers."""

    def decoder(self, held: Type, /) -> Decoder:
        """Bytes to a value of the type; raises `DecodeError`."""

    def encoder(self, held: Type, /) -> Encoder:
        """A value of the type to bytes; raises `EncodeError`."""


_registered: dict[str, Format] = {}


def register(name: str, made: Format) -> None:
    """Make a format known that is not a module of this package."""
    _registered[name] = made


def format_named(name: str) -> Format:
    """The format of that name; raises LookupError when there is none."""
    if name not in _registered:
        try:
            _registered[name] = cast(Format, import_module(f"{__name__}.{name}"))
        except ModuleNotFoundError as error:
            raise LookupError(f"There is no format called `{name}`.") from error
    return _registered[name]
