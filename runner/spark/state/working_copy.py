"""The working copy of a slot: its rows on the local disk of a host, which all Python workers there share."""

from __future__ import annotations

import logging
import os
import struct
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import lmdb

from .changelog import NO_NONCE, Changelog, Head
from .copy_file import CopyFile, copy_file, remove_file
from .entry import VERSION, Delta, Entry
from .history import History
from .pending import Pending
from .rows import Row, Rows
from .sizes import AT_ONCE, Sizes, add, measure_rows, sum_sizes

ATTEMPTS = 20
GROWTH = 4
_AT = b"at"
_PLACE = struct.Struct(">BQ16s")
log = logging.getLogger(__name__)


class Contended(Exception):
    """Other processes kept moving the working copy away from this batch."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            f"Another run writes the state in {directory}. Stop the other run, or give this one another directory."
        )


class ChainPlace(NamedTuple):
    """Place of a copy in the chain. An empty copy is at the chain's beginning."""

    seq: int = 0
    nonce: bytes = NO_NONCE


class WorkingCopy:
    """Disposable rows that can be read at the speed of a local file.

    The changelog in Spark's state is the truth. The copy names the nonce of the entry up to which it has applied it,
    and a read restores it first:

    1. If the copy has the nonce of the head, read it.
    2. Otherwise find the entries between both. Each names its parent, so entries of another attempt or another life of
       the query do not fit, and the copy is not on the head's chain.
    3. If it is on the chain, apply the missing deltas.
    4. If not, empty the copy and apply every entry from the oldest one that is needed. Each entry has a delta and a
       stretch of a snapshot that moves through the store (`roll.py`), so these entries hold the whole store.
    5. Write the head's nonce in the same transaction of LMDB.

    A crash before 5 leaves the copy as it was. A file that LMDB cannot read is removed, and step 4 follows.
    `test_working_copy.py` has a test for each content that a copy may have: behind, ahead, of another life, forged,
    cut off, and full of rubbish.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.pending = Pending(directory)
        self.history = History(directory)

    def catch_up(self, changelog: Changelog, head: Head) -> Rows:
        """Return the rows as of the head, in a read transaction that the caller must close."""
        try:
            return self._read_rows_at(changelog, head)
        except lmdb.Error:  # whatever is wrong with the copy, the changelog makes it again
            remove_file(self.directory)
            return self._read_rows_at(changelog, head)

    def fill(self, entries: Iterable[Entry], head: Head) -> Rows:
        """Put the rows of entries `head.oldest`..`head.seq` into an empty directory of the caller. Return them."""
        file = copy_file(self.directory)
        file.check_room(head.size.bytes)
        for entry in entries:
            file.write(partial(_apply, file, entry))
        file.write(partial(_write_place, file, head))
        return Rows(file.read(), file.rows)

    def begin(self, rows: Iterable[Row], head: Head) -> Head:
        """Add rows to a directory of the caller, in any order, as one entry after a head. Return the next head."""
        file, left = copy_file(self.directory), iter(rows)
        sizes: Sizes = head.stores or {}
        while some := sorted(islice(left, AT_ONCE)):
            keys, values = zip(*some, strict=True)
            file.write(partial(_put, file, keys, values))
            sizes = add(sizes, measure_rows(keys, values))
        after = head._replace(seq=head.seq + 1, nonce=os.urandom(16), size=sum_sizes(sizes), stores=sizes)
        file.write(partial(_write_place, file, after))
        return after

    def _read_rows_at(self, changelog: Changelog, head: Head) -> Rows:
        # between the write and the next look, a worker with another batch of the same slot may move the copy on
        for _ in range(ATTEMPTS):
            file = copy_file(self.directory)
            txn = file.read()
            if read_place(txn, file).nonce == head.nonce:
                return Rows(txn, file.rows)
            # LMDB keeps every page that an open reader may need, and a write transaction could not reuse any
            txn.abort()
            file.reserve(GROWTH * head.size.bytes)
            file.write(partial(self._move_to_head, file, changelog, head))
        raise Contended(self.directory)

    def _move_to_head(self, file: CopyFile, changelog: Changelog, head: Head, txn: Any) -> None:
        """Bring the copy to the head, unless another process just did."""
        place, rows = read_place(txn, file), Rows(txn, file.rows)
        if place.nonce == head.nonce:
            return
        if place.seq == 0:  # an empty copy may follow from the first entry on
            file.check_room(head.size.bytes)
        if not self._follow(rows, place, changelog, head):
            log.info("Rebuilding %s from entries %d to %d.", self.directory, head.oldest, head.seq)
            file.check_room(head.size.bytes)
            rows.clear()
            for entry in changelog.entries(head, head.oldest):
                _apply(file, entry, txn)
        _write_place(file, head, txn)

    def _follow(self, rows: Rows, place: ChainPlace, changelog: Changelog, head: Head) -> bool:
        """Apply the deltas between the copy's place and the head. False if the place is not on the head's chain."""
        # usually one batch is missing, and it is beside the copy: no state call, and no bytes through Spark's socket
        missing: Iterable[Entry] | None = self.pending.find_between(place.nonce, head.nonce)
        if missing is None:
            if not head.oldest <= place.seq + 1 <= head.seq:
                return False
            missing = changelog.entries(head, place.seq + 1)
        parent = place.nonce
        for entry in missing:
            if entry.parent != parent:  # what is applied by now does not matter: the caller empties the copy
                return False
            rows.apply_encoded(entry.delta)
            parent = entry.nonce
        return True


def _apply(file: CopyFile, entry: Entry, txn: Any) -> None:
    rows = Rows(txn, file.rows)
    rows.apply_encoded(entry.delta)
    rows.apply_encoded(entry.span)


def _put(file: CopyFile, keys: Sequence[bytes], values: Sequence[bytes], txn: Any) -> None:
    Rows(txn, file.rows).apply(Delta([], keys, values))


def read_place(txn: Any, file: CopyFile) -> ChainPlace:
    """Return the place of the copy in a transaction."""
    place = txn.get(_AT, None, file.facts)
    if place is None:
        return ChainPlace()
    version, seq, nonce = _PLACE.unpack(place) if len(place) == _PLACE.size else (0, 0, b"")
    return ChainPlace(seq, nonce if version == VERSION else b"")


def _write_place(file: CopyFile, head: Head, txn: Any) -> None:
    txn.put(_AT, _PLACE.pack(VERSION, head.seq, head.nonce), db=file.facts)
