"""Batches in the kernel: columns of packs in, columns for packs out, no Python object for a record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from runner.engine.kernel.running import KernelResult, Outcome, find_plan, run
from runner.engine.records.record import Row
from runner.engine.stores.state import State
from runner.engine.tasks.sampling import Sampler
from runner.engine.tasks.task import Task
from runner.spark.buffers import get_blobs, get_headers, get_numbers, make_blobs, make_numbers
from runner.spark.columns import Records
from runner.spark.stage.outbox import Outbox, make_number_column, make_record_batch
from runner.spark.stage.rows import RECORD

ROW = ("target", "key", "value", "timestamp", "headers", "input", "offset")
"""The columns of a row of the engine."""


def run_records(task: Task, records: pa.RecordBatch, outbox: Outbox, sampler: Sampler) -> bool:
    """Runs the records of a batch, all but `task.flush()`, to an empty outbox. False if Python must run them."""
    plan = find_plan(task) if records.num_rows else None
    if plan is None:
        return False
    target, key, value, timestamp, headers, number, offset = (records.column(name) for name in ROW)
    buffers = (
        *(get_numbers(target), get_numbers(timestamp), get_blobs(key), get_blobs(value)),
        *(get_headers(headers), get_numbers(number), get_numbers(offset)),
    )

    def call(compiled: Any, state: State | None) -> Outcome | None:
        outcome: Outcome | None = compiled.run(task.number, state, records.num_rows, *buffers)
        return outcome

    def row_at(index: int) -> Row:
        row: Row = tuple(records.column(name)[index].as_py() for name in ROW)
        return row

    result = run(plan, task, call, row_at, outbox.rows, sampler.charge)
    if result is None:
        return False
    _put(result, outbox, task.number, task.number, 0)
    return True


def run_arrivals(
    task: Task,
    target: int,
    number: int,
    records: Records,
    outbox: Outbox,
    sampler: Sampler,
    origin: int,
    first: int,
) -> int | None:
    """Runs records of one topic in a task without state. Returns the new count of its output, which was `first`.

    None if Python must run them.
    """
    plan = None if records.is_empty else find_plan(task)
    if plan is None or not plan.is_stateless:
        return None
    offsets, timestamps, keys, values, headers = arrays = records.arrays
    count = len(offsets)
    buffers = (
        *(target, get_numbers(timestamps), get_blobs(keys), get_blobs(values)),
        *(get_headers(headers), number, get_numbers(offsets)),
    )

    def call(compiled: Any, state: State | None) -> Outcome | None:
        outcome: Outcome | None = compiled.run(task.number, state, count, *buffers)
        return outcome

    def row_at(index: int) -> Row:
        offset, timestamp, key, value, header = (array[index].as_py() for array in arrays)
        return target, key, value, timestamp, header, number, offset

    result = run(plan, task, call, row_at, outbox.rows, sampler.charge)
    return None if result is None else _put(result, outbox, task.number, origin, first)


def _put(result: KernelResult, outbox: Outbox, task: int, origin: int, first: int) -> int:
    """Stamps what left the kernel, and what the Python engine made, at its places, as `Outbox.close_task` does."""
    outcome, python_rows = result
    count: int = outcome["count"]
    columns = [
        make_numbers(outcome["targets"], pa.int32()),
        make_number_column(count, task),
        make_number_column(count, origin),
        pa.array(np.arange(first, first + count)),
        make_numbers(outcome["timestamps"], pa.int64()),
        make_blobs(count, outcome["keys"], pa.binary()),
        make_blobs(count, outcome["values"], pa.binary()),
        make_blobs(count, outcome["headers"], pa.string()),
        make_numbers(outcome["numbers"], pa.int32()),
        make_numbers(outcome["offsets"], pa.int64()),
    ]
    records = pa.RecordBatch.from_arrays(columns, schema=RECORD)
    if python_rows:
        more = make_record_batch([row for _, row in python_rows], task, origin, 0)
        places = np.concatenate(
            (np.arange(count) * 2 + 1, np.array([left_before for left_before, _ in python_rows]) * 2)
        )
        records = pa.concat_batches([records, more]).take(pa.array(np.argsort(places, kind="stable")))
        count += len(python_rows)
        seq = RECORD.get_field_index("seq")
        records = records.set_column(seq, RECORD.field(seq), pa.array(np.arange(first, first + count)))
    if count:
        outbox.put(records)
    return first + count
