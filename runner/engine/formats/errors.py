"""Errors between bytes and values."""

from __future__ import annotations


class DecodeError(ValueError):
    """Bytes do not match the format and the type. `field` is the path of the member, or empty."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class EncodeError(ValueError):
    """A value cannot be written in the format."""
