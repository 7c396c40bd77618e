"""Kafka's hash of record keys, for whole Arrow columns at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from runner import kernel
from runner.spark.buffers import get_blobs

U32 = np.uint32
M = U32(0x5BD1E995)
SEED = U32(0x9747B28C)
POSITIVE = U32(0x7FFFFFFF)
Array = npt.NDArray[Any]


def hash_keys(column: pa.BinaryArray) -> Array:
    """`Utils.toPositive(Utils.murmur2(key))` for each element. The number of a null has no meaning."""
    module = kernel.load()
    if module is not None:
        return np.frombuffer(module.hash_keys(len(column), get_blobs(column)), np.int32)
    starts, lengths, quads = _lay_out_keys(column)
    state = SEED ^ lengths
    words = lengths >> U32(2)
    for number in range(int(words.max(initial=0))):
        longer = np.flatnonzero(words > number)
        mixed_quads = _mix(_read_quad(quads, starts[longer] + 4 * number))
        state[longer] = (state[longer] * M) ^ mixed_quads
    rest = lengths & U32(3)
    tail = _read_quad(quads, starts + 4 * words.astype(np.int64)) & ((U32(1) << (rest << U32(3))) - U32(1))
    state = np.where(rest > 0, (state ^ tail) * M, state)
    state ^= state >> U32(13)
    state *= M
    state ^= state >> U32(15)
    return (state & POSITIVE).astype(np.int32)


def _lay_out_keys(column: pa.BinaryArray) -> tuple[Array, Array, Array]:
    """Start and length of each element, and all groups of four adjacent bytes of the data."""
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, np.int32, column.offset + len(column) + 1)[column.offset :].astype(np.int64)
    content = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    padded_content = np.concatenate([content, np.zeros(4, np.uint8)])
    return bounds[:-1], np.diff(bounds).astype(np.uint32), np.lib.stride_tricks.sliding_window_view(padded_content, 4)


def _read_quad(quads: Array, at: Array) -> Array:
    """The little-endian numbers of four bytes at the given places."""
    return quads[at].view("<u4").ravel()


def _mix(words: Array) -> Array:
    words = words * M
    words ^= words >> U32(24)
    return words * M
