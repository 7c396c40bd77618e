"""The place where the bytes of an Avro value do not match its schema."""

from __future__ import annotations

import struct


class Misread(ValueError):
    """`why` describes the value at the byte `at`. `path` is its path from the root, such as `lines[2].price`."""

    def __init__(self, why: str, at: int, path: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.at = at
        self.path = path

    def prefix_place(self, name: str) -> Misread:
        """The same error, seen from the outer value: a field of that name, or an item such as `[2]`."""
        path = f"{name}{self.path}" if self.path[:1] in ("", "[", "{") else f"{name}.{self.path}"
        return Misread(self.why, self.at, path)


READ_ERRORS = (Misread, IndexError, UnicodeDecodeError, struct.error)
"""Exceptions of readers. An IndexError and a struct.error mean that the bytes end too early."""


def make_misread(error: Exception, at: int) -> Misread:
    """Any of `READ_ERRORS` as a Misread of the value that begins at that byte."""
    if isinstance(error, Misread):
        return error
    if isinstance(error, UnicodeDecodeError):
        return Misread(f"a text is not valid UTF-8 ({error.reason} at its byte {error.start})", at)
    return Misread("the value ends too early", at)
