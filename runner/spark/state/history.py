"""Earlier values that batches changed. With them a reader goes back from the newest state to that before a batch.

It is beside the working copy, is lost with it, and holds some megabytes. Each record names the state after its batch
and the state before it. So readers skip attempts that came to nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgpack

from .entry import Delta

SEGMENT_BYTES = 4 << 20
SEGMENTS = 8
MAX_BYTES = 1 << 20
"""A batch with more changes is not kept, because that would cost it time. The way back ends there."""
_HEADER = struct.Struct(">IQ16s16s")
_newest: dict[Path, bytes] = {}
"""The state after a directory's newest record, as far as this process knows. A batch then need not read the file."""


class Undo(NamedTuple):
    """Undoes the changes of the batch of a time (ms) to the state `parent`. `blob` is the delta for that.

    If `nonce` and `parent` are equal, the batch changed nothing: the record says since when the slot exists.
    """

    time: int
    nonce: bytes
    parent: bytes
    blob: bytes

    def read_delta(self) -> Delta:
        return Delta(*msgpack.unpackb(self.blob))


class History:
    """The newest records of a slot. Only its own batch writes."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def append(self, undo: Undo) -> None:
        """Adds a record. If there are too many segments, the oldest one goes."""
        numbers = self._list_numbers()
        newest = numbers[-1] if numbers else 0
        if numbers and self._make_path(newest).stat().st_size > SEGMENT_BYTES:
            newest += 1
            for number in numbers[: max(0, len(numbers) + 1 - SEGMENTS)]:
                self._make_path(number).unlink()
        with self._make_path(newest).open("ab") as file:
            file.write(_HEADER.pack(len(undo.blob), *undo[:3]) + undo.blob)
        _newest[self._directory] = undo.nonce

    def leads_to(self, nonce: bytes) -> bool:
        """True if the newest record made that state. It did not if a batch changed too much, or another host ran."""
        if not self._list_numbers():
            return False
        if _newest.get(self._directory) != nonce:
            newest = next(self.read_newest_first(), None)
            _newest[self._directory] = newest.nonce if newest else b""
        return _newest[self._directory] == nonce

    def lead_back_from(self, nonce: bytes) -> Iterator[Undo]:
        """Records that lead back from a state, newest first, as far as they are kept."""
        for undo in self.read_newest_first():
            if undo.nonce == nonce:
                yield undo
                nonce = undo.parent

    def read_newest_first(self) -> Iterator[Undo]:
        """All records, also those of attempts that came to nothing."""
        for number in reversed(self._list_numbers()):
            yield from reversed(list(self._read(number)))

    def _read(self, number: int) -> Iterator[Undo]:
        """The records of a segment. The last one may be half-written."""
        try:
            data = self._make_path(number).read_bytes()
        except FileNotFoundError:
            return
        at = 0
        while at + _HEADER.size <= len(data):
            length, time, nonce, parent = _HEADER.unpack_from(data, at)
            at += _HEADER.size + length
            if at <= len(data):
                yield Undo(time, nonce, parent, data[at - length : at])

    def _list_numbers(self) -> list[int]:
        return sorted(int(path.suffix[1:]) for path in self._directory.glob("history.*"))

    def _make_path(self, number: int) -> Path:
        return self._directory / f"history.{number}"
