"""The whole content of a slot, from one checkpoint to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from .changelog import HEAD, BrokenChangelog, Changelog, Head, read_chain
from .copy_file import remove_file
from .entry import Delta
from .rows import Row, Rows
from .working_copy import WorkingCopy


def read_content(pieces: Iterable[tuple[int, bytes]], scratch: Path) -> Iterator[Row]:
    """All rows of a slot in key order, from the pieces of its changelog (seq, entry) by ascending seq: the head first.

    The rows are put together in the directory `scratch`, which must not exist. It is removed after the last row is
    read. Raises BrokenChangelog.
    """
    rows = fill_copy(pieces, scratch)
    try:
        yield from rows.items()
    finally:
        rows.close()
        remove_file(scratch)


def fill_copy(pieces: Iterable[tuple[int, bytes]], directory: Path) -> Rows:
    """Makes a working copy of the same pieces in a directory that does not exist. The caller must close the rows.

    Raises BrokenChangelog.
    """
    entries = iter(pieces)
    first, head = next(entries)
    if first != HEAD:
        raise BrokenChangelog(HEAD, "is missing", Head(oldest=HEAD, seq=max((first, *(seq for seq, _ in entries)))))
    newest = Head.decode(head)
    needed_entries = ((seq, entry) for seq, entry in entries if newest.oldest <= seq <= newest.seq)
    return WorkingCopy(directory).fill(read_chain(needed_entries, newest, newest.oldest), newest)


def write_rows(changelog: Changelog, rows: Iterable[Row]) -> None:
    """Adds rows to a slot without their keys. `handleInitialState` calls it for each chunk."""
    pairs = sorted(rows)
    changelog.seed(changelog.head(), Delta([], [key for key, _ in pairs], [value for _, value in pairs]))
