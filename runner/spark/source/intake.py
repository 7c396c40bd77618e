"""The first stage makes packs from raw Kafka records. Steps without state and without a shuffle run here already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import orjson
import pyarrow as pa

from designer.streams.event_time import ReadsTimes
from runner.engine.counts.drops import Drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, merge_outcomes
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Source
from runner.engine.records.record import PARTITIONS, Row, number_input
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.event_time import EARLIEST_LIKELY_MS, MAX_LIKELY_AHEAD_MS
from runner.engine.tasks.sampling import Sampler
from runner.engine.tasks.side_effects import RecordedCalls, SideEffects
from runner.engine.tasks.task import Task
from runner.spark.columns import RecordArrays, Records
from runner.spark.murmur2 import Array
from runner.spark.program import Program, get_program
from runner.spark.source.prefetch import Arrival, EmittedCounts
from runner.spark.source.unknown import RegistrySide, SchemaPlace, find_sides, find_unknown, make_failure
from runner.spark.stage.arrival import make_roots, take_one_by_one
from runner.spark.stage.counters import CallCounters, Counters, add
from runner.spark.stage.kernel import run_arrivals
from runner.spark.stage.outbox import Outbox, make_number_column
from runner.spark.stage.rows import BEFORE_ALL, COUNTERS, IDLE_BEFORE_ALL, RECORD, Pack, pack_batch, pack_records

NO_RECORDS = pack_records(pa.RecordBatch.from_pylist([], schema=RECORD))


def take(
    plan_json: bytes,
    batch_time: int,
    arrivals: Iterable[Arrival],
    calls: Mapping[int, bool],
    since: int | None = None,
    unread: Mapping[str, int] | None = None,
    emitted_counts: EmittedCounts | None = None,
) -> Iterator[pa.RecordBatch]:
    """Processes the records of one task of a batch. Each part comes with its input and partition.

    `calls` are depths of stages whose slots it calls without records, each with whether its tasks may continue without.
    None of the records came before `since` (ms of the monotonic clock). `unread` counts what the batch leaves of each
    topic. `emitted_counts` are those of an earlier call for the same partitions in this batch, and go on.
    """
    call = Intake(get_program(plan_json), batch_time, since, unread, emitted_counts)
    unknown: list[SchemaPlace] = []
    if calls:
        yield pack_batch(list(call.calls(calls)))
    for number, partition, records in arrivals:
        unknown += call.find_unknown(number, partition, records)
        if unknown:  # the batch is done again: find the other ids, too
            continue
        if packs := list(call.take(number, partition, records)):
            yield pack_batch(packs)
    if unknown:
        raise make_failure(unknown)
    yield pack_batch([*call.rest(), *call.counters()])


class Intake:
    """One call: some partitions of some topics, in one batch."""

    def __init__(
        self,
        program: Program,
        batch_time: int,
        since: int | None = None,
        unread: Mapping[str, int] | None = None,
        emitted_counts: EmittedCounts | None = None,
    ) -> None:
        self.program = program
        self.batch_time = batch_time
        self.emitted_counts: EmittedCounts = {} if emitted_counts is None else emitted_counts
        self.since = since
        self.unread = unread
        self.feeds: dict[tuple[int, int], PartitionFeed] = {}
        self.sampler = Sampler()
        self.registry_sides: dict[int, tuple[RegistrySide, ...]] = {}
        self.side_effects: SideEffects = RecordedCalls()

    def find_unknown(self, number: int, partition: int, records: Records) -> list[SchemaPlace]:
        """Records that are written with schemas that the run does not know yet."""
        if number not in self.registry_sides:
            self.registry_sides[number] = find_sides(self.program, number)
        sides = self.registry_sides[number]
        return find_unknown(self.program.inputs[number].topic, partition, records, sides) if sides else []

    def take(self, number: int, partition: int, records: Records) -> Iterator[Pack]:
        """Packs of raw records. Each partition of a topic goes to one call, in order of offsets."""
        if (number, partition) not in self.feeds:
            self.feeds[number, partition] = feed = self._get_feed(number, partition)
            feed.side_effects = self.side_effects
            feed.emitted_counts = self.emitted_counts.setdefault((number, partition), {})
        return self.feeds[number, partition].take(records)

    def rest(self) -> Iterator[Pack]:
        """Packs of the records that filled no pack."""
        for feed in self.feeds.values():
            yield from feed.outbox.packs()

    def calls(self, depths: Mapping[int, bool]) -> Iterator[Pack]:
        """Packs without records, which call each slot of stages."""
        for depth, may_idle in depths.items():
            for slot in self.program.slot_ids:
                place = IDLE_BEFORE_ALL if may_idle else BEFORE_ALL
                yield Pack(slot, depth, place, self.batch_time, NO_RECORDS)

    def _get_feed(self, number: int, partition: int) -> PartitionFeed:
        return PartitionFeed(self.program, number, partition, self.batch_time, self.sampler)

    def counters(self) -> Iterator[Pack]:
        """Counters of this stage's nodes: passed and dropped records, time, and since when records wait."""
        totals: Counters = {}
        outcomes: Outcomes = {}
        drops: Drops = {}
        for feed in self.feeds.values():
            for task in feed.tasks.values():
                counters, page = task.count_passed()
                add(totals, counters)
                merge_outcomes(outcomes, page)
                add_drops(drops, task.drops())
            add(
                totals,
                {node: {"unlikely_times": feed.unlikely_times} for node in feed.own_times if feed.unlikely_times},
            )
        if totals or (self.feeds and self.since is not None):
            outbox = next(iter(self.feeds.values())).outbox
            data: CallCounters = {
                "depth": 0,
                "slot": outbox.slot,
                "nodes": totals,
                "busy_ms": self.sampler.measure_busy_ms(),
            }
            if drops:
                data["drops"] = drops
            if outcomes:
                data["outcomes"] = outcomes
            if isinstance(self.side_effects, RecordedCalls) and (answers := self.side_effects.list_sent()):
                data["answers"] = answers
            if self.since is not None:
                data["since"] = self.since
            if self.unread is not None:
                data["unread"] = self.unread
            yield Pack(outbox.slot, COUNTERS, outbox.place, outbox.batch_time, orjson.dumps(data))


class PartitionFeed:
    """One partition of one topic, and the tasks that run on it in this stage.

    Kafka runs partition p of all topics of a sub-topology in one task. Without state each topic can have its own task.
    """

    def __init__(self, program: Program, number: int, partition: int, batch_time: int, sampler: Sampler) -> None:
        self.program = program
        self.sampler = sampler
        self.partition = partition
        self.targets = program.inputs[number].targets
        self.origin = number * PARTITIONS + partition
        self.outbox = Outbox(program, self.origin, program.slot_ids[partition % len(program.slot_ids)], batch_time)
        self.tasks: dict[int, Task] = {}
        self.emitted_counts: dict[int, int] = {}
        self.own_times = [node for node in map(program.layout.node_entered, self.targets) if self._has_own_times(node)]
        """The sources whose records keep their times from the topic."""
        self.unlikely_times = 0
        self.side_effects = SideEffects()

    def take(self, records: Records) -> Iterator[Pack]:
        """Packs, if there are enough records to fill some."""
        self._count_unlikely_times(records.times)
        for target in self.targets:
            if self.program.depth_of.get(target) == 0:
                self._run(target, records)
            else:
                self.outbox.put(self._pass_on(target, records.arrays))
        if self.outbox.is_full:
            yield from self.outbox.packs()

    def _run(self, target: int, records: Records) -> None:
        source = self.program.layout.targets[target]
        assert isinstance(source, Source) and source.sub_topology is not None
        number = source.sub_topology
        if number not in self.tasks:
            self.tasks[number] = self._get_task(number)
            self.tasks[number].side_effects = self.side_effects
        if not self.program.plan.arrival_order:
            count = run_arrivals(
                self.tasks[number],
                target,
                number_input(target, self.partition),
                records,
                self.outbox,
                self.sampler,
                self.origin,
                self.emitted_counts.get(number, 0),
            )
            if count is not None:
                self.emitted_counts[number] = count
                return
        with self.sampler:
            for first, rows in self._split(records.rows(target, number_input(target, self.partition))):
                self.tasks[number].run(rows)
                first = self.emitted_counts.get(number, 0) if first is None else first
                self.emitted_counts[number] = self.outbox.close_task(self.partition, self.origin, first)

    def _split(self, rows: Iterator[Row]) -> Iterator[tuple[int | None, Iterable[Row]]]:
        """Rows that run together, with the number of their first output unless it follows the last one."""
        if self.program.plan.arrival_order:
            yield from take_one_by_one(rows)
        else:
            yield None, rows

    def _count_unlikely_times(self, times_ms: Array) -> None:
        """Counts unlikely times."""
        latest = self.outbox.batch_time + MAX_LIKELY_AHEAD_MS
        if len(times_ms) and (times_ms.min() < EARLIEST_LIKELY_MS or times_ms.max() > latest):
            self.unlikely_times += int(np.count_nonzero((times_ms < EARLIEST_LIKELY_MS) | (times_ms > latest)))

    def _has_own_times(self, node: str) -> bool:
        source = self.program.layout.nodes[node].operator
        keeps = isinstance(source, ReadsTimes) and source.timestamp_from == "record" and source.max_ahead_ms is None
        return keeps and not is_clone(node)

    def _pass_on(self, target: int, arrays: RecordArrays) -> pa.RecordBatch:
        """The records as rows, which a later stage reads first."""
        count = len(arrays.offsets)
        columns = (
            make_number_column(count, target),
            make_number_column(count, self.partition),
            make_number_column(count, self.partition),
            arrays.offsets,
            arrays.timestamps,
            arrays.keys,
            arrays.values,
            arrays.headers,
            make_number_column(count, number_input(target, self.partition)),
            arrays.offsets,
        )
        rows = pa.RecordBatch.from_arrays(list(columns), schema=RECORD)
        return make_roots(rows) if self.program.plan.arrival_order else rows

    def _get_task(self, number: int) -> Task:
        program = self.program
        state, emit = MemoryState(), self.outbox.emit
        return Task(
            program.layout, number, self.partition, state, emit, program.options, wall_clock=self._read_wall_clock
        )

    def _read_wall_clock(self) -> int:
        """The time of the batch. It stays the same in another execution."""
        return self.outbox.batch_time
