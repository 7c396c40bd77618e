"""Content of a slot as of a committed batch, or of an earlier one, for a process that only reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import lmdb

from designer.refusals import Refusal
from runner.spark.codes import RunCode

from .changelog import NO_NONCE
from .copy_file import copy_file
from .entry import Delta
from .history import History
from .pending import Pending
from .rows import Rows
from .view import View
from .working_copy import read_place


def open_committed(directory: Path, nonce: bytes) -> View | None:
    """The rows as of the head with that nonce. The caller must close them.

    None if the working copy is not there: it does not exist yet, or is already a batch further, which is
    about to be committed. So ask again with the new nonce.
    """
    try:
        file = copy_file(directory, reads_only=True)
        txn = file.read()
    except lmdb.Error:
        return None
    place = read_place(txn, file).nonce
    entries = [] if place == nonce else Pending(directory).find_between(place, nonce)
    view = View(Rows(txn, file.rows))
    if entries is None:
        view.close()
        return None
    for entry in entries:
        view.apply(entry.read_delta())
    return view


class NotKept(Refusal):
    """The history of a slot does not reach back to a batch."""

    code = RunCode.FOLLOW_NOT_KEPT
    status = 404


class Past:
    """A slot as it was before the batch of a time (ms), whatever is written meanwhile. The caller must close it."""

    def __init__(self, directory: Path, time: int) -> None:
        """Raises NotKept."""
        try:
            file = copy_file(directory, reads_only=True)
        except lmdb.Error as error:
            raise NotKept("The state is not on this host.", "Follow the record in a trial.") from error
        self._txn, self._db = file.read(), file.rows
        try:
            self._changes = _find_delta_to(directory, read_place(self._txn, file).nonce, time)
        except NotKept:
            self.close()
            raise

    def view(self) -> View:
        """The rows at that time. The caller may write on them, and must not close them."""
        view = View(Rows(self._txn, self._db))
        view.apply(self._changes)
        return view

    def close(self) -> None:
        self._txn.abort()


def _find_delta_to(directory: Path, place: bytes, time: int) -> Delta:
    """The delta from the place of the working copy to the state before a time. The newest batch may be after it."""
    pending = Pending(directory).find_behind(place)
    deltas = [entry.read_delta() for entry in pending]
    if pending:  # the history begins at the newest state, and the copy may still be one batch behind it
        place = pending[-1].nonce
    for undo in History(directory).lead_back_from(place):
        if undo.time < time:
            return _sum(deltas)
        deltas.append(undo.read_delta())
        place = undo.parent
        if undo.time == time:
            return _sum(deltas)
    if place != NO_NONCE:
        raise NotKept(
            "The state before this record's batch is no longer kept.",
            "Follow a newer record, or follow this one in a trial.",
        )
    return _sum(deltas)


def _sum(deltas: Iterable[Delta]) -> Delta:
    """Joins deltas in order."""
    deleted_ranges, rows = list[tuple[bytes, bytes]](), dict[bytes, bytes | None]()
    for delta in deltas:
        for start, end in delta.deleted_ranges:
            rows = {key: value for key, value in rows.items() if not start <= key < end}
        deleted_ranges += delta.deleted_ranges
        rows.update(zip(delta.keys, delta.values, strict=True))
    return Delta(deleted_ranges, list(rows), list(rows.values()))
