"""Batches in which each record goes through all nodes before the next one, as in Kafka Streams' TopologyTestDriver.

Tests of exactness ask for it (`Plan.arrival_order`). A row's seq then names the arriving record that it comes from, its
*root*. The number of rows from that root before it follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from runner.engine.planning.layout import Shuffle
from runner.engine.records.record import SEQ, TARGET, Row
from runner.engine.tasks.task import Task
from runner.spark.stage.rows import RECORD, get_column, make_engine_rows, sort_records, unpack_records
from runner.spark.stage.slot_call import SlotCall

BITS = 20
"""Most rows that one arriving record leads to, as a power of 2."""
MAX_TIME = 42
"""Times in ms stay below this power of 2, and a batch has fewer than 2^21 arriving records."""


# Only tests set `arrival_order`: one batch then gives what TopologyTestDriver gives record by record.
def find_root(seq: int) -> int:
    """The offset of the arriving record that a row comes from."""
    return seq >> BITS


def make_roots(records: pa.RecordBatch) -> pa.RecordBatch:
    """Raw records as roots of the rows that come from them. Their seq is their offset."""
    roots = pa.array(get_column(records, "seq") << BITS)
    return records.set_column(RECORD.get_field_index("seq"), RECORD.field("seq"), roots)


def take_one_by_one(rows: Iterable[Row]) -> Iterator[tuple[int, tuple[Row]]]:
    """Each raw row as a root, with the seq at which its output begins to count."""
    return ((row[SEQ] << BITS, (row,)) for row in rows)


def run_by_arrival(call: SlotCall, packs: Iterable[bytes]) -> None:
    """Runs the tasks and global tables of a slot root by root: first the root itself, then the lowest time."""
    with call.sampler:
        _run(call, unpack_records(packs))


def _run(call: SlotCall, records: pa.RecordBatch) -> None:
    runs = Runs(call)
    roots = get_column(records, "seq") >> BITS
    shuffles = [number for number, target in enumerate(call.program.layout.targets) if isinstance(target, Shuffle)]
    waits = np.isin(get_column(records, "target"), shuffles)
    rounds = (roots - roots.min(initial=0) << MAX_TIME) + np.where(waits, get_column(records, "timestamp"), 0)
    ordered_records = sort_records(records, rounds)
    places = (get_column(ordered_records, name).tolist() for name in ("task", "seq"))
    for task, seq, row in zip(*places, make_engine_rows(ordered_records), strict=True):
        number = call.program.layout.targets[row[TARGET]].sub_topology
        if number is None:
            call.apply_global(row)
        else:
            runs.task(number, task).run((row,))
        runs.close(number, task, seq)
    for target in call.globals.targets:
        call.count_global(target)
    call.globals.flush()
    runs.flush()


class Runs:
    """The tasks that a slot runs at once, and how far each has counted its output."""

    def __init__(self, call: SlotCall) -> None:
        self.call = call
        self.tasks: dict[tuple[int | None, int], Task] = {}
        self.emitted_counts: dict[tuple[int | None, int], int] = {}

    def task(self, number: int, task: int) -> Task:
        if (number, task) not in self.tasks:
            self.tasks[number, task] = self.call.begin_task(number, task)
        return self.tasks[number, task]

    def close(self, number: int | None, task: int, seq: int) -> None:
        """Stamps the result of a row."""
        first = max(self.emitted_counts.get((number, task), 0), find_root(seq) << BITS)
        self.emitted_counts[number, task] = self.call.outbox.close_task(task, task, first)

    def flush(self) -> None:
        """Ends the batch for every task, in the order of sub-topologies."""
        for number, task in sorted(self.tasks, key=str):
            self.tasks[number, task].flush()
            self.close(number, task, 0)
            self.call.count(self.tasks[number, task])
