"""Earlier values that batches changed. With them a reader goes back from the newest state to that before a batch.

It is beside the working copy, and is lost with it. Each record names the state after its batch
and the state before it. So readers skip attempts that came to nothing.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgpack

from .entry import Delta

SEGMENT_BYTES = 4 << 20
KEPT_BYTES = 32 << 20
"""Bytes of a slot's records that are kept, unless its run keeps more (`Program.history_bytes`)."""
SPARE = 1 << 30
"""Bytes of the disk that the records leave free. With less, only `KEPT_BYTES` are kept."""
MAX_BYTES = 16 << 20
"""A batch with more changes is not kept, because that would cost it time. The way back ends there."""
Place = tuple[int, int]
"""Number of a segment, and bytes in it that are known."""
BEGIN: Place = (0, 0)
_HEADER = struct.Struct(">IQ16s16s")
_newest: dict[Path, bytes] = {}
"""The state after a directory's newest record, as far as this process knows. A batch then need not read the file."""
_ends: dict[Path, Place] = {}
"""Up to where a directory's newest segment was whole when this process wrote there."""


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

    def append(self, undo: Undo, kept_bytes: int | None = None) -> None:
        """Add a record. If there are too many segments, remove the oldest ones."""
        numbers = self._list_numbers()
        newest = numbers[-1] if numbers else 0
        if numbers and self._make_path(newest).stat().st_size > SEGMENT_BYTES:
            newest += 1
            left = self._choose_bytes(kept_bytes) - SEGMENT_BYTES  # of the one that begins
            for number in reversed(numbers):
                # the segment that was just closed stays whatever its size: without it, no way would lead back at all
                left -= self._measure(number)
                if left < 0 and number != numbers[-1]:
                    self._make_path(number).unlink(missing_ok=True)
        record = _HEADER.pack(len(undo.blob), *undo[:3]) + undo.blob
        with self._make_path(newest).open("a+b") as file:
            end = self._find_whole(newest, file)
            if end < file.seek(0, os.SEEK_END):  # a worker that was killed, or a full disk, has left a part of a record
                file.truncate(end)
            file.write(record)
        _newest[self._directory], _ends[self._directory] = undo.nonce, (newest, end + len(record))

    def remove_older(self, time: float) -> None:
        """Remove segments whose newest record was added before a time (seconds since 1970), but never the last one."""
        for number in self._list_numbers()[:-1]:
            with suppress(FileNotFoundError):  # the batches of the slot remove segments, too
                if (path := self._make_path(number)).stat().st_mtime < time:
                    path.unlink()

    def _choose_bytes(self, kept_bytes: int | None) -> int:
        disk = os.statvfs(self._directory)
        return KEPT_BYTES if kept_bytes is None or disk.f_bavail * disk.f_frsize < SPARE else kept_bytes

    def leads_to(self, nonce: bytes) -> bool:
        """Return whether the newest record made that state.

        It did not if a batch changed too much, or if the run was on another host.
        """
        if not self._list_numbers():
            return False
        if _newest.get(self._directory) != nonce:
            newest = next(self.read_newest_first(), None)
            _newest[self._directory] = newest.nonce if newest else b""
        return _newest[self._directory] == nonce

    def lead_back_from(self, nonce: bytes) -> Iterator[Undo]:
        """Yield the records that lead back from a state, newest first, as far as they are kept."""
        for undo in self.read_newest_first():
            if undo.nonce == nonce:
                yield undo
                nonce = undo.parent

    def read_newest_first(self) -> Iterator[Undo]:
        """Yield all records, also those of attempts that came to nothing."""
        for number in reversed(self._list_numbers()):
            yield from reversed(list(self._read(number)))

    def read_after(self, place: Place, most: int) -> tuple[list[Undo], Place]:
        """Return the records after a place, oldest first, and the place after them: about `most` bytes at the most.

        Records that were removed meanwhile are left out.
        """
        number, at = place
        numbers = self._list_numbers()
        if not numbers or numbers[-1] < number or (numbers[-1] == number and self._measure(number) < at):
            number, at = BEGIN  # the slot has begun again
        found, left = list[Undo](), most
        for each in numbers:
            if each < number:
                continue
            if each > number:
                number, at = each, 0
            for undo in self._read(each, at):
                found.append(undo)
                at += _HEADER.size + len(undo.blob)
                left -= len(undo.blob)
                if left <= 0:
                    return found, (number, at)
        return found, (number, at)

    def knows(self, nonce: bytes) -> bool:
        """Return whether a record of the newest segments made that state."""
        return any(undo.nonce == nonce for number in self._list_numbers()[-2:] for undo in self._read(number))

    def read_oldest(self) -> Undo | None:
        """Return the oldest record, without its delta. None if there is none."""
        for number in self._list_numbers():
            with suppress(FileNotFoundError), self._make_path(number).open("rb") as file:
                if len(header := file.read(_HEADER.size)) == _HEADER.size:
                    _, time, nonce, parent = _HEADER.unpack(header)
                    return Undo(time, nonce, parent, b"")
        return None

    def _read(self, number: int, at: int = 0) -> Iterator[Undo]:
        """Yield the records of a segment, from a byte on. The last one may be half-written, and is left out."""
        try:
            with self._make_path(number).open("rb") as file:
                file.seek(at)
                data = file.read()
        except FileNotFoundError:
            return
        at = 0
        while at + _HEADER.size <= len(data):
            length, time, nonce, parent = _HEADER.unpack_from(data, at)
            at += _HEADER.size + length
            if at <= len(data):
                yield Undo(time, nonce, parent, data[at - length : at])

    def _find_whole(self, number: int, file: BinaryIO) -> int:
        """Return the bytes of a segment up to the end of its last whole record."""
        known, at = _ends.get(self._directory, BEGIN)
        at = at if known == number and at <= file.seek(0, os.SEEK_END) else 0
        file.seek(at)
        data, whole = file.read(), 0
        while whole + _HEADER.size <= len(data):
            end = whole + _HEADER.size + _HEADER.unpack_from(data, whole)[0]
            if end > len(data):
                break
            whole = end
        return at + whole

    def _measure(self, number: int) -> int:
        try:
            return self._make_path(number).stat().st_size
        except FileNotFoundError:
            return 0

    def _list_numbers(self) -> list[int]:
        return sorted(int(path.suffix[1:]) for path in self._directory.glob("history.*"))

    def _make_path(self, number: int) -> Path:
        return self._directory / f"history.{number}"
