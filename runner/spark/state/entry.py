"""The entries of a changelog and their bytes.

An entry is a header, a delta (the changes of a batch) and a span (a stretch of the store after the batch):

    version 1 byte, 3 empty, length of the delta 4, seq 8, nonce 16, parent nonce 16 | delta | span

Delta and span are msgpack of a `Delta` each, the span's with puts only. A batch with many changes is written as several
entries, so no entry exceeds about 4 MiB. Only a single row above that makes a larger one.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import add
from typing import NamedTuple

import msgpack

VERSION = 1
PIECE = 2 << 20
_HEADER = struct.Struct(">B3xIQ16s16s")


class UnknownCodec(Exception):
    """A version of the product that this one does not know has written the state."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The state has format {version}, this version reads format {VERSION}. "
            "Run the version that wrote it, or deploy the job fresh."
        )


class Delta(NamedTuple):
    """The changes of a batch: first it deletes ranges [start, end), then sets each key's value (None: deletes it)."""

    deleted_ranges: Sequence[tuple[bytes, bytes]]
    keys: Sequence[bytes]
    values: Sequence[bytes | None]

    def size(self) -> int:
        """Bytes of all keys and values."""
        range_bytes = sum(len(start) + len(end) for start, end in self.deleted_ranges)
        return range_bytes + sum(map(len, self.keys)) + sum(map(len, filter(None, self.values)))

    def pieces(self) -> Iterator[Delta]:
        """Deltas of at most PIECE bytes that together do the same in order. None for an empty delta."""
        cuts = _find_cuts(self.keys, self.values)
        if len(cuts) <= 1:
            yield from [self] if self.keys or self.deleted_ranges else []
            return
        # in front of all pieces with values, as in one delta: a range must not delete what the batch then put there
        yield from [Delta(self.deleted_ranges, [], [])] if self.deleted_ranges else []
        for low, high in cuts:
            yield Delta([], self.keys[low:high], self.values[low:high])

    def encode(self) -> bytes:
        blob: bytes = msgpack.packb(self)
        return blob


NOTHING = Delta([], [], [])


class Span(NamedTuple):
    """All rows of the store from one stored key to another, `end` (None: the end of the store), in stored order."""

    end: bytes | None
    keys: Sequence[bytes]
    values: Sequence[bytes]

    def size(self) -> int:
        """Bytes of all keys and values."""
        return sum(map(len, self.keys)) + sum(map(len, self.values))

    def pieces(self) -> Iterator[Delta]:
        """Its rows as puts, at most PIECE bytes together."""
        return Delta([], self.keys, self.values).pieces()


class Entry(NamedTuple):
    """One link of the chain. `delta` and `span` are encoded. An empty one means that there is none."""

    seq: int
    nonce: bytes
    parent: bytes
    delta: bytes
    span: bytes

    def encode(self) -> bytes:
        return _HEADER.pack(VERSION, len(self.delta), self.seq, self.nonce, self.parent) + self.delta + self.span

    @classmethod
    def decode(cls, blob: bytes) -> Entry:
        version, length, seq, nonce, parent = _HEADER.unpack_from(blob)
        if version != VERSION:
            raise UnknownCodec(version)
        end = _HEADER.size + length
        return cls(seq, nonce, parent, blob[_HEADER.size : end], blob[end:])

    def read_delta(self) -> Delta:
        return decode_delta(self.delta)


def decode_delta(data: bytes) -> Delta:
    """Reads an encoded delta. No bytes are an empty one."""
    return Delta(*msgpack.unpackb(data)) if data else NOTHING


def _find_cuts(keys: Sequence[bytes], values: Sequence[bytes | None]) -> list[tuple[int, int]]:
    """Index ranges whose rows have at most PIECE bytes each, or are a single row."""
    present = values if all(values) else [value or b"" for value in values]
    weights = list(accumulate(map(add, map(len, keys), map(len, present))))  # type: ignore[arg-type]
    cuts, low, low_weight = [], 0, 0
    while low < len(weights):
        high = max(bisect_right(weights, low_weight + PIECE), low + 1)
        cuts.append((low, high))
        low, low_weight = high, weights[high - 1]
    return cuts
