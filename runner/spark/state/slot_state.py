"""The state of a slot during one batch. Tasks read and write it."""

from __future__ import annotations

from pathlib import Path

from .change import Writes, find_change
from .changelog import Changelog, Head
from .entry import NOTHING
from .history import Undo
from .roll import find_least_span
from .sizes import Sizes, StoreSize, count_rows
from .view import View
from .working_copy import WorkingCopy


class SlotState(View):
    """The working copy as of the last batch, under the writes of this batch.

    Nothing leaves the process before `commit`. Then it goes to Spark's state store, which keeps it only if the
    batch succeeds. So a failed attempt leaves nothing behind. Use it as a context:

        with SlotState.load(changelog, directory) as state:
            ...
            state.commit()
    """

    def __init__(self, changelog: Changelog, copy: WorkingCopy, head: Head) -> None:
        self._changelog = changelog
        self._copy = copy
        super().__init__(copy.catch_up(changelog, head))
        self._stores: Sizes = count_rows(self._base.items()) if head.stores is None else head.stores
        self._head = head._replace(stores=self._stores)

    @classmethod
    def load(cls, changelog: Changelog, directory: Path) -> SlotState:
        """The state at the changelog's head, its working copy in the directory. One state call if that is current."""
        return cls(changelog, WorkingCopy(directory), changelog.head())

    @property
    def size(self) -> StoreSize:
        """Exact number of rows, and bytes of keys and values, as of the last commit."""
        return self._head.size

    @property
    def stores(self) -> Sizes:
        """Exact number of rows, and bytes of keys and values, of each store as of the last commit."""
        return self._stores

    @property
    def nonce(self) -> bytes:
        """The nonce that names the state as of the last commit."""
        return self._head.nonce

    def commit(self, time: int = 0, history_bytes: int | None = None) -> None:
        """Write the changes to the changelog and close the state. A batch without changes writes nothing.

        1. Append the change to the changelog. Spark keeps it only if the whole batch succeeds.
        2. Keep its entries beside the working copy (`Pending`), so that the next batch need not ask Spark for them.
        3. Append what undoes the change to the history.

        The working copy itself does not change here, because nobody knows yet whether the batch succeeds. The next
        batch reads the new head from Spark, and brings the copy to it (`WorkingCopy.catch_up`). So a crash anywhere
        leaves a copy that is behind at most, and files of 2 and 3 that name states which the head may never reach:
        readers skip those. `test_an_attempt_that_does_not_commit_leaves_nothing_behind` and
        `test_a_second_attempt_is_not_taken_for_the_first` show it.

        It changes one entry, the head, and one or two removed entries (more if megabytes changed), all in one round
        trip. `time` names the batch (ms) in the history, of which so many bytes are kept.
        """
        cursor, least = self._head.roll.cursor, find_least_span(self._head.size.bytes)
        writes = Writes(self._writes, list(self._deleted_ranges), cursor, least)
        change = find_change(self._base, writes, self._read)
        if change.deltas:
            parent = self._head.nonce
            self._head, entries = self._changelog.append(self._head, change)  # 1
            self._stores = self._head.stores or {}
            self._copy.pending.save(entries)  # 2
            if change.undo is not None:  # 3
                self._copy.history.append(Undo(time, self._head.nonce, parent, change.undo), history_bytes)
        # a reader that goes back in time must find the present state, also behind a batch whose change was too large
        elif not self._copy.history.leads_to(self._head.nonce):
            undo = Undo(time, self._head.nonce, self._head.nonce, NOTHING.encode())
            self._copy.history.append(undo, history_bytes)
        self.close()
