"""What a slot holds as of a batch that is committed, for a process that only reads."""

from __future__ import annotations

from pathlib import Path

import lmdb

from .copy_file import copy_file
from .pending import Pending
from .rows import Rows
from .view import View
from .working_copy import place_of


def open_committed(directory: Path, nonce: bytes) -> View | None:
    """The rows as of the head with that nonce, for the caller to close.

    None where the working copy does not stand there: it is not made yet, or it is a batch further already, which is
    itself about to be committed. So ask again with the nonce of then.
    """
    try:
        file = copy_file(directory, reads_only=True)
        txn = file.read()
    except lmdb.Error:
        return None
    place = place_of(txn, file).nonce
    entries = [] if place == nonce else Pending(directory).between(place, nonce)
    view = View(Rows(txn, file.rows))
    if entries is None:
        view.close()
        return None
    for entry in entries:
        view.apply(entry.read_delta())
    return view
