"""What changed a row: the batches that did, and the inputs of these batches."""

from __future__ import annotations

import time as clock
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from designer.refusals import NotFound
from designer.values.tuples import Windowed
from runner.engine.following.follow import NOBODY, FollowedInput, describe_row
from runner.engine.following.steps import ShownRecord
from runner.engine.following.traced_state import TracedState
from runner.engine.formats.display import write_shown
from runner.engine.planning.layout import Store
from runner.engine.queryable import Query
from runner.engine.queryable.tables import TableReader
from runner.engine.records.record import Origin
from runner.engine.stores.by_key import MARK
from runner.engine.stores.state import PREFIX, MemoryState, State
from runner.spark.past.answers import ShownWrite, StoredRow
from runner.spark.past.following import BatchFollower
from runner.spark.program import Program
from runner.spark.replay import BatchInputs
from runner.spark.state import had_records
from runner.spark.state.changelog import NO_NONCE
from runner.spark.state.history import History, Undo

MAX_CHANGES = 10
"""Most batches that changed a row in one answer."""
SECONDS = 5.0
"""Longest search through the changes that batches made."""


class Changes(NamedTuple):
    """The batches that changed a row, newest first, by their times (ms).

    `key` is that of the row in the state, empty if no batch changed it. The search went back to the time `since`, and
    at 0 to the beginning of the state. If `has_more`, it ended before the kept past does.
    """

    times: list[int]
    key: bytes
    node: str
    since: int
    has_more: bool


def find_changes(
    program: Program, row: StoredRow, times: Collection[int], until: int, limit: int = MAX_CHANGES
) -> Changes:
    """Find the batches that changed a row, from those of a time (ms) back.

    `times` are those of committed batches, because a batch that is not committed yet has changed rows, too. Raises
    NotFound.
    """
    number, store = find_store(program, row["store"])
    reader = TableReader(program.layout, store, 0, MemoryState(), Query.model_validate({}))
    depth, deadline = program.depth_of_store(store), clock.monotonic() + SECONDS
    slots = [program.kept_directory(depth, slot) for slot in program.slot_ids] if depth is not None else []
    found = [_find_in_slot(directory, reader, number, row, times, until, limit, deadline) for directory in slots]
    newest = max((each for each in found if each.times), key=lambda each: each.times[0], default=None)
    if newest is None:
        since, has_more = max((each.since for each in found), default=0), any(each.has_more for each in found)
        newest = Changes([], b"", "", since, has_more)
    return newest._replace(node=store.node)


def _find_in_slot(
    directory: Path,
    reader: TableReader,
    number: int,
    row: StoredRow,
    times: Collection[int],
    until: int,
    limit: int,
    deadline: float,
) -> Changes:
    changed, key, oldest = list[int](), b"", min(times, default=0)
    since, undo = until if had_records(directory) else 0, None
    for undo in History(directory).read_newest_first():
        if len(changed) == limit or clock.monotonic() > deadline:
            return Changes(changed, key, "", since, has_more=True)
        if undo.time < oldest:
            return Changes(changed, key, "", oldest, has_more=False)
        since = min(since, undo.time)
        if undo.time <= until and undo.time in times and undo.time not in changed:
            key = key or _find_key(reader, number, undo, row)
            if key and key in undo.read_delta().keys:
                changed.append(undo.time)
    if undo is not None and undo.parent == NO_NONCE:
        since = 0
    return Changes(changed, key, "", since, has_more=False)


def _find_key(reader: TableReader, number: int, undo: Undo, row: StoredRow) -> bytes:
    for key in undo.read_delta().keys:
        rest = key[PREFIX.size :]
        if PREFIX.unpack_from(key)[1] == number and rest[:1] != MARK and _is_row(reader, rest, row):
            return key
    return b""


def _is_row(reader: TableReader, key: bytes, row: StoredRow) -> bool:
    row_key, window = reader.decode_key(key), None
    if isinstance(row_key, Windowed):
        row_key, window = row_key.key, {"start": row_key.start, "end": row_key.end}
    return bool(write_shown(row_key) == row["key"] and window == row["window"])


def find_store(program: Program, name: str) -> tuple[int, Store]:
    """Return the number of a table's store, and the store. Raises NotFound."""
    for number, store in enumerate(program.layout.stores):
        if store.name == name:
            return number, store
    raise NotFound(f"The job has no table `{name[:80]}`.", "List its tables.")


class Write(NamedTuple):
    """A write of a row: the input that caused it, and the row before and after."""

    origin: Origin
    before: bytes | None
    after: bytes | None


class WatchedState(TracedState):
    """Notes each write of one row."""

    watched: bytes
    writes: list[Write]
    until: Origin | None
    """After this input, nothing is noted any more."""
    is_over = False

    def begin(self, mark: Any) -> None:
        if self.until is not None and self.now == self.until and mark != self.until:
            self.is_over = True
        super().begin(mark)

    def put(self, key: bytes, value: bytes) -> None:
        before = self.peek(key)
        super().put(key, value)
        self._note(key, before)

    def delete(self, key: bytes) -> None:
        before = self.peek(key)
        super().delete(key)
        self._note(key, before)

    def _note(self, key: bytes, before: bytes | None) -> None:
        if key == self.watched and not self.is_over and (after := self.peek(key)) != before:
            self.writes.append(Write(self.now, before, after))


class WatchedInput(FollowedInput):
    """Follows no input, but notes the writes of one row, whichever input causes them."""

    def __init__(self, key: bytes, until: Origin | None, *of_input: Any) -> None:
        super().__init__(*of_input)
        self.key = key
        self.until = until
        self.writes: list[Write] = []

    def trace_state(self, state: State) -> TracedState:
        watched = WatchedState(state, self.needs, self.writers)
        watched.watched, watched.writes, watched.until = self.key, self.writes, self.until
        return watched


def list_writes(
    program: Program, batches: Sequence[BatchInputs], key: bytes, until: tuple[int, Origin] | None = None
) -> list[ShownWrite]:
    """Return the writes of a row in some batches, newest first.

    `until` names the time of a batch and an input of it: later writes of that batch are left out. Raises NotKept.
    """
    written = list[ShownWrite]()
    for batch in sorted(batches, key=lambda each: -each.time):
        follower = BatchFollower(program, batch)
        try:
            last = until[1] if until is not None and until[0] == batch.time else None
            seen = WatchedInput(key, last, follower.layout, NOBODY)
            follower.process(seen)
            records = follower.describe_inputs({each.origin for each in seen.writes})
            written += [
                _describe_write(follower, batch.time, key, each, records.get(each.origin))
                for each in reversed(seen.writes)
            ]
            if not seen.writes and last is None:
                written.append({"time": batch.time, "origin": None, "record": None, "before": None, "after": None})
        finally:
            follower.close()
    return written


def _describe_write(
    follower: BatchFollower, time: int, key: bytes, write: Write, record: ShownRecord | None
) -> ShownWrite:
    _, number = PREFIX.unpack_from(key)
    row = describe_row(follower.layout, number, MemoryState(), key, write.before, write.after)
    origin = None if write.origin == NOBODY else write.origin.to_json()
    return {"time": time, "origin": origin, "record": record, "before": row["before"], "after": row["after"]}
