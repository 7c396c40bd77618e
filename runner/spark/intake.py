"""The first stage: raw Kafka records in, packs out; what needs neither state nor a shuffle is done here already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import orjson
import pyarrow as pa

from runner.engine.drops import Drops
from runner.engine.drops import add as add_drops
from runner.engine.layout import Source
from runner.engine.sampling import Sampler
from runner.engine.state import MemoryState
from runner.engine.task import Task
from runner.spark.arrival import arriving, one_by_one
from runner.spark.failures import carrying
from runner.spark.outbox import Outbox, numbered
from runner.spark.program import Program, program
from runner.spark.rows import COUNTERS, RECORD, TICK, Pack, column, engine_rows, in_parts, pack_batch, packed, split
from runner.spark.slots import ORIGINS

RAW_COLUMNS = ("input", "partition", "offset", "timestamp", "batch_time", "key", "value", "headers")
"""What `source` gives: the number of the `Input`, then the Kafka record; times in ms."""
NO_RECORDS = packed(pa.RecordBatch.from_pylist([], schema=RECORD))
BEFORE_ALL = -1
"""A place in a batch."""
Counted = dict[str, dict[str, int]]


def intake(plan_json: bytes) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function for `mapInArrow`."""

    def take(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with carrying():
            call = Intake(program(plan_json))
            for batch in batches:
                if batch.num_rows:
                    yield pack_batch(list(call.take(batch)))
            yield pack_batch(list(call.counters()))

    return take


class Intake:
    """One call: some partitions of some topics, in one batch."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.feeds: dict[tuple[int, int], Feed] = {}
        self.sampler = Sampler()

    def take(self, raw: pa.RecordBatch) -> Iterator[Pack]:
        """Packs of raw records. One partition of a topic comes to one call, in order of offsets."""
        for number, records in split(raw, column(raw, "input")):
            if number == TICK:
                yield from self._ticks(records)
                continue
            for partition, part in split(records, column(records, "partition")):
                if (number, partition) not in self.feeds:
                    batch_time = part.column("batch_time")[0].as_py()
                    feed = Feed(self.program, number, partition, batch_time, self.sampler)
                    self.feeds[number, partition] = feed
                yield from self.feeds[number, partition].take(part)

    def _ticks(self, rows: pa.RecordBatch) -> Iterator[Pack]:
        """Packs without records: they call each slot that may have punctuators of the wall clock."""
        batch_time = rows.column("batch_time")[0].as_py()
        for depth in self.program.ticking:
            for slot in self.program.slot_ids:
                yield Pack(slot, depth, BEFORE_ALL, batch_time, NO_RECORDS)

    def counters(self) -> Iterator[Pack]:
        """What passed the nodes of this stage, what they dropped, and the time they took (ms)."""
        totals: Counted = {}
        drops: Drops = {}
        for feed in self.feeds.values():
            for task in feed.tasks.values():
                add(totals, task.counters())
                add_drops(drops, task.drops())
        if totals:
            outbox = next(iter(self.feeds.values())).outbox
            data = {"depth": 0, "slot": outbox.slot, "nodes": totals, "busy_ms": self.sampler.busy_ms()}
            data |= {"drops": drops} if drops else {}
            yield Pack(outbox.slot, COUNTERS, outbox.place, outbox.batch_time, orjson.dumps(data))


class Feed:
    """One partition of one topic, and the tasks that run on it in this stage.

    Kafka runs partition p of all topics of a sub-topology in one task; without state each topic can have its own.
    """

    def __init__(self, program: Program, number: int, partition: int, batch_time: int, sampler: Sampler) -> None:
        self.program = program
        self.sampler = sampler
        self.partition = partition
        self.targets = program.inputs[number].targets
        self.origin = number * ORIGINS + partition
        self.outbox = Outbox(program, self.origin, program.slot_ids[partition % len(program.slot_ids)], batch_time)
        self.tasks: dict[int, Task] = {}
        self.emitted: dict[int, int] = {}

    def take(self, raw: pa.RecordBatch) -> Iterator[Pack]:
        for target in self.targets:
            records = _records(target, self.partition, raw)
            if self.program.plan.arrival_order:
                records = arriving(records)
            if target in self.program.global_depths:
                yield from self.outbox.copies(target, records)
            elif self.program.depth_of[target] > 0:
                yield from self.outbox.route(records)
            else:
                self._run(target, records)
                yield from self.outbox.packs()

    def _run(self, target: int, records: pa.RecordBatch) -> None:
        source = self.program.layout.targets[target]
        assert isinstance(source, Source) and source.sub_topology is not None
        number = source.sub_topology
        if number not in self.tasks:
            self.tasks[number] = self._task(number)
        with self.sampler:
            for first, part in self._parts(records):
                self.tasks[number].run(engine_rows(part))
                first = self.emitted.get(number, 0) if first is None else first
                self.emitted[number] = self.outbox.close_task(self.partition, self.origin, first)

    def _parts(self, records: pa.RecordBatch) -> Iterator[tuple[int | None, pa.RecordBatch]]:
        """Records that run together, with the number of what they emit first if not that of what came before."""
        if self.program.plan.arrival_order:
            yield from one_by_one(records)
        else:
            yield from ((None, part) for part in in_parts(records))

    def _task(self, number: int) -> Task:
        program = self.program
        state, emit = MemoryState(), self.outbox.emit
        return Task(program.layout, number, self.partition, state, emit, program.options, wall_clock=self._wall_clock)

    def _wall_clock(self) -> int:
        """The time of the batch, which stays when it is run again."""
        return self.outbox.batch_time


def _records(target: int, partition: int, raw: pa.RecordBatch) -> pa.RecordBatch:
    count = raw.num_rows
    given = {
        "target": numbered(count, target),
        "task": numbered(count, partition),
        "origin": numbered(count, partition),
        "seq": raw.column("offset"),
    }
    arrays = [given[name] if name in given else raw.column(name).cast(RECORD.field(name).type) for name in RECORD.names]
    return pa.RecordBatch.from_arrays(arrays, schema=RECORD)


def add(totals: Counted, more: Counted) -> None:
    """Adds counters by node."""
    for node, counts in more.items():
        own = totals.setdefault(node, dict.fromkeys(counts, 0))
        for name, count in counts.items():
            own[name] += count
