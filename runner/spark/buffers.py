"""Arrow's columns as the kernel takes and gives them: by their buffers, in place."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

Blobs = tuple[pa.Buffer | None, pa.Buffer, pa.Buffer | None, int]
"""Which rows have a value, the ends of values, their bytes, and the place of the first row."""


def get_numbers(array: pa.Array) -> tuple[pa.Buffer, int]:
    """A column of numbers without nulls."""
    return array.buffers()[1], array.offset


def get_blobs(array: pa.Array) -> Blobs:
    """A column of bytes or text."""
    valid, ends, data = array.buffers()
    return valid, ends, data, array.offset


def get_headers(array: pa.Array) -> Blobs | None:
    """A column of text, or None if it is empty."""
    return None if array.null_count == len(array) else get_blobs(array)


def make_numbers(data: bytes, type_: pa.DataType) -> pa.Array:
    """An array of numbers that the kernel gave."""
    count = len(data) * 8 // type_.bit_width
    return pa.Array.from_buffers(type_, count, [None, pa.py_buffer(data)])


def make_blobs(count: int, column: tuple[int, bytes, bytes, Any], type_: pa.DataType) -> pa.Array:
    """An array of bytes or text that the kernel gave."""
    null_count, valid, ends, data = column
    buffers = [pa.py_buffer(valid) if null_count else None, pa.py_buffer(ends), pa.py_buffer(data)]
    return pa.Array.from_buffers(type_, count, buffers, null_count)
