"""Content of a slot as of a committed batch, or of an earlier one, for a process that only reads."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

import lmdb

from designer.refusals import Refusal
from runner.spark.codes import RunCode

from .changelog import NO_NONCE
from .copy_file import copy_file
from .entry import Delta, Entry
from .far import AWAY, Away, FarView
from .history import History
from .pending import Pending
from .rows import Rows
from .view import View
from .working_copy import read_place

BRING_SECONDS = 5.0
"""Longest wait for changes that the run brings here from an executor (`runner.spark.changes`)."""
LOOK_SECONDS = 0.05


def open_committed(directory: Path, nonce: bytes) -> View | None:
    """Open the rows as of the head with that nonce. The caller must close them.

    Returns None if the working copy does not exist yet, or is a batch further that is about to be committed. Then ask
    again with the new nonce.
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


def open_newest(directory: Path) -> tuple[View | None, bytes]:
    """Open the rows as of the newest batch that ran here, committed or not. Return the nonce of that state, too.

    The caller must close the rows. They are None if there is no working copy yet.
    """
    try:
        file = copy_file(directory, reads_only=True)
        txn = file.read()
    except lmdb.Error:
        return None, NO_NONCE
    nonce, view = read_place(txn, file).nonce, View(Rows(txn, file.rows))
    for entry in Pending(directory).find_behind(nonce):
        view.apply(entry.read_delta())
        nonce = entry.nonce
    return view, nonce


class NotKept(Refusal):
    """The history of a slot does not reach back to a batch."""

    code = RunCode.FOLLOW_NOT_KEPT
    status = 404


def had_records(directory: Path) -> bool:
    """Return whether anything is known of a slot. If not, it had no record since this host was started."""
    return (
        any((directory / name).exists() for name in ("data.mdb", AWAY)) or History(directory).read_oldest() is not None
    )


class Past:
    """A slot as it was before the batch of a time (ms), whatever is written meanwhile. The caller must close it.

    The rows are on this host, or with an executor of a Spark cluster (`Away`). The history is here in both cases.
    """

    def __init__(self, directory: Path, time: int) -> None:
        """Raises NotKept."""
        away = Away.read(directory)
        self._rows, nonce, pending = _open_here(directory) if away is None else _open_there(directory, away)
        try:
            self._changes = _find_delta_to(History(directory), nonce, pending, time)
        except NotKept:
            self.close()
            raise

    def view(self) -> View:
        """Return the rows at that time. The caller may write on them, and must not close them."""
        view = View(self._rows)
        view.apply(self._changes)
        return view

    def close(self) -> None:
        self._rows.close()


Opened = tuple[Rows, bytes, Sequence[Entry]]
"""The rows of a slot, the nonce of their state, and the entries of the newest batch if the rows are before it."""


def _open_here(directory: Path) -> Opened:
    try:
        file = copy_file(directory, reads_only=True)
    except lmdb.Error as error:
        raise NotKept("The state is not on this host.", "Follow the record in a trial.") from error
    txn = file.read()
    nonce = read_place(txn, file).nonce
    return Rows(txn, file.rows), nonce, Pending(directory).find_behind(nonce)


def _open_there(directory: Path, away: Away) -> Opened:
    """Open the newest rows of an executor, once the history here has reached them."""
    view = FarView.open(*away)
    if view is None:
        raise NotKept(
            "The executor of the Spark cluster that has this state does not answer.",
            "Start the job if it does not run. Otherwise try again after its next batch.",
        )
    until = time.monotonic() + BRING_SECONDS
    while not (view.nonce == NO_NONCE or History(directory).knows(view.nonce)):
        if time.monotonic() > until:
            view.close()
            raise NotKept("The newest changes of state are not on this host yet.", "Try again after the next batch.")
        time.sleep(LOOK_SECONDS)
    return cast(Rows, view), view.nonce, ()  # they read like rows of this host


def _find_delta_to(history: History, place: bytes, pending: Sequence[Entry], time: int) -> Delta:
    """Return the delta from the state of the rows, after which `pending` came, to the state before a time (ms)."""
    deltas = [entry.read_delta() for entry in pending]
    if pending:  # the history begins at the newest state, and the copy may still be one batch behind it
        place = pending[-1].nonce
    for undo in history.lead_back_from(place):
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
    """Join deltas in order into one."""
    deleted_ranges, rows = list[tuple[bytes, bytes]](), dict[bytes, bytes | None]()
    for delta in deltas:
        for start, end in delta.deleted_ranges:
            rows = {key: value for key, value in rows.items() if not start <= key < end}
        deleted_ranges += delta.deleted_ranges
        rows.update(zip(delta.keys, delta.values, strict=True))
    return Delta(deleted_ranges, list(rows), list(rows.values()))
