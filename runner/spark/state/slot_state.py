"""The state of a slot during one batch. Tasks read and write it."""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress, repeat
from operator import ne
from pathlib import Path
from typing import Any

from .changelog import Change, Changelog, Head
from .entry import NOTHING, Delta, Span
from .history import MAX_BYTES, Undo
from .long_keys import make_stored_key, sort_stored
from .roll import choose_span_size
from .sizes import Sizes, StoreSize, add, count_rows, measure_rows, remove, sum_sizes
from .view import UNKNOWN, View
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
        self._head = head
        self._undo: Delta | None = None
        super().__init__(copy.catch_up(changelog, head))
        self._stores: Sizes = count_rows(self._base.items()) if head.stores is None else head.stores

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
        """The same for each store."""
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
        if change := self._change():
            parent = self._head.nonce
            self._head, entries = self._changelog.append(self._head, change)  # 1
            self._stores = change.stores
            self._copy.pending.save(entries)  # 2
            if self._undo is not None:  # 3
                self._copy.history.append(Undo(time, self._head.nonce, parent, self._undo.encode()), history_bytes)
        # a reader that goes back in time must find the present state, also behind a batch whose change was too large
        elif not self._copy.history.leads_to(self._head.nonce):
            self._copy.history.append(Undo(time, self._head.nonce, self._head.nonce, NOTHING.encode()))
        self.close()

    def _change(self) -> Change | None:
        """The changes of this batch, if any. Writing the earlier value is not a change."""
        deleted_ranges, went = self._find_deleted_ranges()
        keys, values, before = self._find_changed_rows()
        if not keys and not deleted_ranges:
            return None
        delta = Delta(deleted_ranges, keys, values)
        lost_sizes = add(went, measure_rows(keys, before))
        stores = remove(add(self._stores, measure_rows(keys, values)), lost_sizes)
        if delta.size() + sum_sizes(lost_sizes).bytes <= MAX_BYTES:
            deleted_rows = [row for bounds in deleted_ranges for row in self._base.items(*bounds)]
            self._undo = Delta(
                [], [*keys, *(key for key, _ in deleted_rows)], [*before, *(value for _, value in deleted_rows)]
            )
        size = choose_span_size(delta.size(), self._head.size.bytes)
        return Change(delta, self._choose_span(keys, size), stores)

    def _find_changed_rows(self) -> tuple[list[bytes], list[bytes | None], list[bytes | None]]:
        """Keys of rows that this batch changed, in stored order, with their values now and before."""
        # a batch may write 100,000 rows, so each step takes all of them at once
        keys = sort_stored(self._writes)
        values = [*map(self._writes.__getitem__, keys)]
        before: list[Any] = [*map(self._read.get, keys, repeat(UNKNOWN))]
        if UNKNOWN in before:
            before = [self._read_before(key) if old is UNKNOWN else old for key, old in zip(keys, before, strict=True)]
        changed = [*map(ne, values, before)]
        if all(changed):
            return keys, values, before
        return [*compress(keys, changed)], [*compress(values, changed)], [*compress(before, changed)]

    def _find_deleted_ranges(self) -> tuple[list[tuple[bytes, bytes]], Sizes]:
        """The range deletes that delete something, and how much they delete."""
        ranges = [(bounds, count_rows(self._base.items(*bounds))) for bounds in self._deleted_ranges]
        went: Sizes = {}
        for _, sizes in ranges:
            went = add(went, sizes)
        return [bounds for bounds, sizes in ranges if sizes], went

    def _choose_span(self, changes: list[bytes], size: int) -> Span:
        """The next stretch of the roll after this batch. `changes` is in stored order."""
        # the stretch is read as it was before this batch, so the batch's own changes to it are laid over: a span must
        # show the store after the whole delta, or a restore would bring an older value back
        start = self._head.roll.cursor
        end, keys, values = self._base.stretch(start, size)
        rows = dict(zip(keys, values, strict=True))
        for key in [key for key in rows if key in self._deleted_ranges] if self._deleted_ranges else ():
            del rows[key]
        low = bisect_left(changes, start, key=make_stored_key)
        high = len(changes) if end is None else bisect_left(changes, end, key=make_stored_key)
        same_keys = len(rows) == len(keys)
        for key in changes[low:high]:
            value = self._writes[key]
            if value is None:
                rows.pop(key, None)
                same_keys = False
            else:
                same_keys = same_keys and key in rows
                rows[key] = value
        if same_keys:
            return Span(end, keys, list(rows.values()))
        ordered_keys = sort_stored(rows)
        return Span(end, ordered_keys, [rows[key] for key in ordered_keys])
