"""Collects the output of tasks, and packs it for its next stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from runner.engine.records.record import PARTITIONS, Emit, Row
from runner.spark.murmur2 import Array, hash_keys
from runner.spark.program import Program
from runner.spark.stage.pack_files import find_folder
from runner.spark.stage.rows import RECORD, SINK_DEPTH, Pack, concat, get_column, pack_records, split

MAX_RECORDS = 10_000
"""Rows in one pack."""
PLACES = 1 << 24
"""Most packs of one call. A table is loaded in one batch, however large it is."""


class Outbox:
    """Collects emitted rows, one task after another. `source` numbers the call within the batch."""

    def __init__(self, program: Program, source: int, slot: int, batch_time: int) -> None:
        self.program = program
        self.slot = slot
        self.folder = find_folder() if program.plan.executors is None else None
        self.batch_time = batch_time
        self.place = source * PLACES
        self.rows: list[Row] = []
        self.emit: Emit = self.rows.append
        self.batches: list[pa.RecordBatch] = []
        self.waiting = 0

    def close_task(self, task: int, origin: int, output_count: int = 0) -> int:
        """Stamps the rows emitted since the last call as the task's, from `output_count` on. Returns its new count."""
        count = len(self.rows)
        if count:
            self.put(make_record_batch(self.rows, task, origin, output_count))
            self.rows.clear()
        return output_count + count

    def put(self, records: pa.RecordBatch) -> None:
        """Adds records after the waiting ones."""
        self.batches.append(records)
        self.waiting += records.num_rows

    @property
    def is_full(self) -> bool:
        """True if the waiting records fill a pack."""
        return self.waiting >= MAX_RECORDS

    def packs(self) -> Iterator[Pack]:
        """Returns all collected records once, each in a pack for its next stage and slot, or for Kafka."""
        if self.batches:
            records, self.batches, self.waiting = concat(self.batches), [], 0
            yield from self.route(records)

    def route(self, records: pa.RecordBatch) -> Iterator[Pack]:
        """Packs of records, by the stage that reads their target."""
        for target, part in split(records, get_column(records, "target")):
            depth = self.program.depth_of.get(target, SINK_DEPTH)
            if target in self.program.global_depths:
                yield from self._make_copies(target, part)
            elif depth == SINK_DEPTH:
                yield from self._split_pieces(self.slot, SINK_DEPTH, part)
            else:
                yield from self._to_tasks(target, depth, part)
            for copy in self.program.layout.copies.get(target, ()):
                yield from self._to_tasks(copy, self.program.depth_of[copy], _to(copy, part))

    def _make_copies(self, target: int, records: pa.RecordBatch) -> Iterator[Pack]:
        """Packs of a global table's records, for each slot of every stage that looks it up."""
        for depth in self.program.global_depths[target]:
            for slot in self.program.slot_ids:
                yield from self._split_pieces(slot, depth, records)

    def _to_tasks(self, target: int, depth: int, records: pa.RecordBatch) -> Iterator[Pack]:
        tasks = find_tasks(records.column("key"), get_column(records, "origin"), self.program.tasks_at(target))
        placed_records = records.set_column(RECORD.get_field_index("task"), RECORD.field("task"), pa.array(tasks))
        for slot, part in split(placed_records, find_slots(tasks, self.program.slot_ids)):
            yield from self._split_pieces(slot, depth, part)

    def _split_pieces(self, slot: int, depth: int, records: pa.RecordBatch) -> Iterator[Pack]:
        for start in range(0, records.num_rows, MAX_RECORDS):
            pack = pack_records(records.slice(start, MAX_RECORDS), self.folder)
            yield Pack(slot, depth, self.place, self.batch_time, pack)
            self.place += 1


def make_record_batch(rows: Sequence[Row], task: int, origin: int, output_count: int) -> pa.RecordBatch:
    """Emitted rows, at least one, as records of the task. Their seq counts from `output_count`."""
    count = len(rows)
    target, key, value, timestamp, headers, number, offset = zip(*rows, strict=True)
    columns = (  # numpy reads a tuple of numbers twice as fast as Arrow
        np.fromiter(target, np.int32, count),
        make_number_column(count, task),
        make_number_column(count, origin),
        np.arange(output_count, output_count + count),
        np.fromiter(timestamp, np.int64, count),
        key,
        value,
        headers,
        np.fromiter(number, np.int32, count),
        np.fromiter(offset, np.int64, count),
    )
    arrays = [pa.array(values, field.type) for values, field in zip(columns, RECORD, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=RECORD)


def _to(target: int, records: pa.RecordBatch) -> pa.RecordBatch:
    """The records as rows of another target."""
    numbers = make_number_column(records.num_rows, target)
    return records.set_column(RECORD.get_field_index("target"), RECORD.field("target"), numbers)


def make_number_column(records: int, number: int) -> pa.Array:
    """A column with the same number for each record."""
    return pa.array(np.full(records, number, np.int32))


def find_tasks(keys: pa.BinaryArray, origins: Array, tasks: int) -> Array:
    """The task of each key by Kafka's partitioner. A null key stays with the partition that it came from."""
    numbers = hash_keys(keys) % tasks
    if keys.null_count:
        missing = keys.is_null().to_numpy(zero_copy_only=False)
        numbers = np.where(missing, origins % PARTITIONS % tasks, numbers)
    return numbers.astype(np.int32)


def find_slots(tasks: Array, ids: Sequence[int]) -> Array:
    """The group id of the slot that runs each task."""
    slots: Array = np.asarray(ids, np.int64)[tasks % len(ids)]
    return slots
