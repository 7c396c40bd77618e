"""Reads Spark's checkpoint: which batches were planned and committed, and which offsets each read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cached_property

import orjson

from runner.spark.checkpoint import whole
from runner.spark.checkpoint.batch_log import SourceEnd, read_offsets
from runner.spark.checkpoint.hadoop import File, get_file, remove_tree

_BATCH_FILE = re.compile(r"\.?(\d+)(\.crc)?")
_STATE_FILE = re.compile(r"\.?(\d+)\.(zip|changelog)")
"""A snapshot or changelog of a state store, or its checksum. Version N is the state after batch N - 1."""
AGAIN = "again"
"""The folder with the offsets of batches that are executed again."""
Offsets = dict[str, list[int]]
"""Topic -> the next offset to read, by partition."""


class Checkpoint:
    """The folder of one query."""

    def __init__(self, folder: str) -> None:
        self.folder = get_file(folder)

    @cached_property
    def query_id(self) -> str:
        """Spark's id of the query. It exists once the query was started for the first time."""
        identity: str = orjson.loads((self.folder / "metadata").read_bytes())["id"]
        return identity

    def find_last_planned(self) -> int | None:
        """The newest batch whose offsets are recorded, here or for another execution."""
        batches = (_find_newest(self.folder / "offsets"), _find_newest(self.folder / AGAIN))
        return max((batch for batch in batches if batch is not None), default=None)

    def is_repeating(self, last_batch: int) -> bool:
        """True while batches up to `last_batch` are executed again and some are not done."""
        last = self.find_last_committed()
        return (self.folder / AGAIN / str(last_batch)).exists() and (last is None or last < last_batch)

    def find_last_committed(self) -> int | None:
        """The newest batch that Spark knows to be done."""
        return _find_newest(self.folder / "commits")

    def is_committed(self, batch: int) -> bool:
        return (self.folder / "commits" / str(batch)).exists()

    def take_back(self, batch: int | None, *, keeps_next: bool = False) -> None:
        """Forget all batches after `batch`, so that Spark plans and executes them again. None: forget all batches.

        1. Remove state of later batches. Spark could later take such a snapshot for that of a new batch of its number.
        2. Remove records of executed batches, the newest first.
        3. Remove plans of batches, the newest first. With `keeps_next`, the batch after `batch` keeps its plan, and
           Spark executes it again as it was planned.

        A crash in between leaves records whose state is gone (after 1) or plans that Spark would execute again (after
        2). Both are beyond the marker, so the next start discards them before Spark reads anything. Removed the other
        way round, a crash would leave state that nothing names, and no later start would look for it.
        `test_batches_that_were_not_written_are_forgotten_with_their_state` shows what stays.
        """
        if batch is None and not keeps_next:
            self._empty_folder()
            if whole.find_fault(self.folder / "metadata"):  # Spark gives the query another name
                whole.remove(self.folder / "metadata")
            return
        first = 0 if batch is None else batch + 1
        late = [*_from(self.folder / "commits", first), *_from(self.folder / "offsets", first + keeps_next)]
        if late or keeps_next:
            # version N of a store is the state after batch N - 1, so the one of the last batch to keep is `first`
            for path in (self.folder / "state").glob("*/*/*"):
                if (match := _STATE_FILE.match(path.name)) and int(match[1]) > first:
                    path.unlink()
        # in this order, so a start after a crash in between continues with it
        for path in late:
            path.unlink()

    def _empty_folder(self) -> None:
        """Leaves nothing of any batch, not even half-written files: Spark refuses to begin with batch 0 beside them."""
        for name in ("state", "commits", "offsets"):
            remove_tree(self.folder / name)

    def carry_out_again(self, after: int, last_batch: int, fingerprint: str) -> None:
        """Go back to `after` (-1: before the first batch) and plan batches up to `last_batch` again, as they were.

        1. Write the fingerprint that the marker in Kafka has for the last one. Spark writes the plan anew, with another
           time of planning, so its hash would no longer be that of the marker.
        2. Copy the plans of these batches into the folder `again`. From here on they survive step 3. Copied before 1, a
           crash in between would leave a plan whose fingerprint nobody finds (`fingerprint`).
        3. Forget the batches after `after` (`take_back`), with their plans.

        The source of the query then plans the batches of `again` first, with the same offsets and times. The marker
        says that their results are written, so the run only brings its state up to them.

        A crash before 3 leaves the checkpoint as it was, beside a folder that names batches which Spark knows to be
        done: `is_repeating` is false. A crash in 3 is one of `take_back`, and the plans are safe in `again`. These
        batches are not beyond the marker, but the next start discards what is left of them too (step 6 of
        `Writer.open`). Each step may be repeated: a plan that is in `again` is not copied over by what 3 has left.
        `test_each_kind_of_file_may_be_damaged_and_no_result_is_lost_or_written_twice` in
        `tests/runner/spark/repair/test_repair.py` repairs and goes on, and
        `test_another_version_waits_until_the_batches_were_carried_out_again` shows what waits meanwhile.
        """
        (again := self.folder / AGAIN).mkdir(exist_ok=True)
        whole.write(again / "fingerprint", orjson.dumps([last_batch, fingerprint]))  # 1
        for batch in range(after + 1, last_batch + 1):  # 2
            if whole.find_fault(file := again / str(batch)):
                whole.write(file, self._read_plan(batch))
        if after < 0:  # 3
            self._empty_folder()
        else:
            self.take_back(after)

    def read_planned_again(self) -> list[SourceEnd]:
        """Ends of the batches that are executed again, oldest first, as the source of the query reports them."""
        numbers = sorted(int(path.name) for path in (self.folder / AGAIN).glob("[0-9]*"))
        return [read_end((self.folder / AGAIN / str(batch)).read_bytes()) for batch in numbers]

    def fingerprint(self, batch: int) -> str:
        """A hash of everything that defines a batch: offsets, batch time, settings.

        If the last batch that is planned again did not change, it keeps its hash.
        """
        plan, before = self._read_plan(batch), self.folder / AGAIN / str(batch)
        if before.exists() and read_end(plan) == read_end(before.read_bytes()):
            last_batch, fingerprint = orjson.loads((before.parent / "fingerprint").read_bytes())
            if batch == last_batch:
                return str(fingerprint)
        return hashlib.sha256(plan).hexdigest()

    def time_of(self, batch: int) -> int:
        """The time of a batch, in ms since 1970."""
        time: int = read_end(self._read_plan(batch))["time"]
        return time

    def offsets(self, batch: int) -> Offsets:
        """The end of a batch, as the one source of the query reports it (`runner.spark.source.source.Offsets`)."""
        return read_offsets(self.end(batch))

    def end(self, batch: int) -> SourceEnd:
        """The end of a batch with the batch's time, as the source reported it to Spark."""
        return read_end(self._read_plan(batch))

    def _read_plan(self, batch: int) -> bytes:
        return (self.folder / "offsets" / str(batch)).read_bytes()


def _from(folder: File, first: int) -> Iterator[File]:
    """The files of batches from `first` on and their checksums, newest first."""
    matches = ((_BATCH_FILE.fullmatch(path.name), path) for path in folder.glob("*"))
    files = sorted(((int(match[1]), path) for match, path in matches if match), reverse=True)
    return (path for number, path in files if number >= first)


def read_end(plan: bytes) -> SourceEnd:
    """Reads the end of a batch, as the source reported it to Spark."""
    end: SourceEnd = orjson.loads(plan.splitlines()[-1])
    return end


def _find_newest(folder: File) -> int | None:
    numbers = [int(path.name) for path in folder.glob("*") if path.name.isdigit()]
    return max(numbers, default=None)
