"""The deltas of the newest batch, kept beside the working copy so that Spark need not send them back."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from .entry import Entry

_LENGTH = struct.Struct(">Q")


class Pending:
    """The output of an attempt at a batch. Only the next head says, by its nonce, whether the batch was committed."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "pending"

    def save(self, entries: Sequence[Entry]) -> None:
        """Replaces the kept entries. No other process ever sees half of them."""
        # a copy that follows batch by batch has all rows, so only a restore needs spans
        blobs = [entry._replace(span=b"").encode() for entry in entries]
        # two attempts at a batch may run in two workers of this host: each has a file of its own until the rename
        part = self._path.with_name(f"pending.{os.getpid()}")
        part.write_bytes(b"".join(_LENGTH.pack(len(blob)) + blob for blob in blobs))
        part.replace(self._path)

    def find_between(self, parent: bytes, nonce: bytes) -> list[Entry] | None:
        """The entries from the nonce `parent` to `nonce`, if they are kept."""
        entries = self.find_behind(parent)
        return entries if entries and entries[-1].nonce == nonce else None

    def find_behind(self, parent: bytes) -> list[Entry]:
        """The entries after the nonce `parent`, if they are kept. Otherwise none."""
        try:
            entries = list(_split(self._path.read_bytes()))
        except FileNotFoundError:
            return []
        return entries if entries and entries[0].parent == parent else []


def _split(blobs: bytes) -> Iterator[Entry]:
    at = 0
    while at < len(blobs):
        end = at + _LENGTH.size + _LENGTH.unpack_from(blobs, at)[0]
        yield Entry.decode(blobs[at + _LENGTH.size : end])
        at = end
