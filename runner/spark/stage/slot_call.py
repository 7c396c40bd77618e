"""Work of one slot of a stage in one batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import orjson
import pyarrow as pa

from runner.engine.counts.drops import Drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, merge_outcomes
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Shuffle, Source, Store
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import TARGET, Row
from runner.engine.stores.state import PREFIX, Within
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.holding import HoldsResults
from runner.engine.tasks.punctuation import find_idling, find_ticking, is_due
from runner.engine.tasks.sampling import Sampler
from runner.engine.tasks.side_effects import RecordedCalls, SideEffects
from runner.engine.tasks.task import Task
from runner.spark.executors import reader
from runner.spark.executors.executor import get_own_folder
from runner.spark.program import Program
from runner.spark.stage.counters import CallCounters, Counters, add, add_stream_times
from runner.spark.stage.input_times import InputTimes
from runner.spark.stage.kernel import run_records
from runner.spark.stage.outbox import Outbox
from runner.spark.stage.rows import (
    COUNTERS,
    RECORD,
    Pack,
    concat,
    get_column,
    make_engine_rows,
    sort_records,
    split,
    split_in_parts,
    unpack_in_parts,
)
from runner.spark.state import SlotState
from runner.spark.state.sizes import NOTHING

Parts = dict[tuple[int, int, int], list[pa.RecordBatch]]
"""Records by sub-topology, task and target."""
DEPTHS = 1 << 31
"""Distance between stages: `depth * DEPTHS + slot` numbers the calls of a batch."""


class SlotCall:
    """The work of one slot in one batch."""

    def __init__(self, program: Program, depth: int, slot: int, batch_time: int, state: SlotState) -> None:
        self.program = program
        self.depth = depth
        self.slot = slot
        self.state = state
        self.outbox = Outbox(program, depth * DEPTHS + slot, slot, batch_time)
        self.globals = Globals(program.layout, state, self._emit_of_global, program.options, self._read_wall_clock)
        self.speaks = False
        self.is_caught_up = False
        self.sampler = Sampler()
        self.times = InputTimes(program, self._read_wall_clock)
        self.nodes: Counters = {}
        self.drops: Drops = {}
        self.outcomes: Outcomes = {}
        self.held: dict[str, int] = {}
        self.stream_times: dict[str, int] = {}
        self.side_effects: SideEffects = RecordedCalls()

    def run(self, packs: Iterable[bytes]) -> None:
        """Applies global tables, then runs the tasks one after the other, each to its end."""
        with self.sampler:
            self._run(packs)
        self.held = self._count_held()

    def counters(self, laps: dict[str, float]) -> Pack:
        """Counts of nodes, their drops, sizes of slot and stores with their head, and times of steps (ms)."""
        rows, size = self.state.size
        data: CallCounters = {
            "depth": self.depth,
            "slot": self.slot,
            "nodes": self.nodes,
            "laps": laps,
            "head": self.state.nonce.hex(),
            "state": {"rows": rows, "bytes": size},
            "stores": self._count_stores(),
            "busy_ms": self.sampler.measure_busy_ms(),
        }
        if address := self._find_reader():
            data["reader"] = address
        if self.drops:
            data["drops"] = self.drops
        if self.outcomes:
            data["outcomes"] = self.outcomes
        if self.stream_times:
            data["stream_times"] = self.stream_times
        if self.is_caught_up:
            data["is_caught_up"] = True
        if isinstance(self.side_effects, RecordedCalls) and (answers := self.side_effects.list_sent()):
            data["answers"] = answers
        return Pack(self.slot, COUNTERS, self.outbox.place, self.outbox.batch_time, orjson.dumps(data))

    def _find_reader(self) -> str | None:
        """Address for queries of this slot's rows, on a cluster."""
        executors = self.program.plan.executors
        return reader.find_address(get_own_folder(), executors.reader_key) if executors else None

    def _count_stores(self) -> dict[str, dict[str, int]]:
        """Sizes of each node's stores in this slot, and the number of results `held` back by one that keeps them."""
        sizes: dict[str, dict[str, int]] = {}
        for number, store in self._find_stores():
            node_size = sizes.setdefault(find_owner(store.node), {"rows": 0, "bytes": 0})
            rows, size = self.state.stores.get(number, NOTHING)
            node_size["rows"] += rows
            node_size["bytes"] += size
        for node, held in self.held.items():
            sizes[node]["held"] = held
        return sizes

    def _count_held(self) -> dict[str, int]:
        """The results that each suppress holds back in the tasks of this slot: its store has several rows for each."""
        held: dict[str, int] = {}
        for number, store in self._find_stores():
            operator = self.program.layout.nodes[store.node].operator
            if isinstance(operator, HoldsResults) and store.part == operator.held_part:
                assert store.sub_topology is not None
                tasks = self._find_tasks(store.sub_topology)
                states = (Within(self.state, PREFIX.pack(task, number)) for task in tasks)
                held[find_owner(store.node)] = sum(map(operator.count_held, states))
        return held

    def _find_tasks(self, sub_topology: int) -> range:
        """The tasks of a sub-topology in this slot."""
        slots = self.program.slot_ids
        return range(slots.index(self.slot), self.program.plan.tasks[sub_topology], len(slots))

    def _find_stores(self) -> Iterator[tuple[int, Store]]:
        """The stores of this stage by number. Each slot has a copy of a global table: only one of them counts it.

        Stores of clones hold the same as their originals.
        """
        layout = self.program.layout
        for number, store in enumerate(layout.stores):
            if is_clone(store.node):
                continue
            if store.sub_topology is None:
                here = self._speaks_for(layout.source_of[store.node])
            else:
                here = layout.sub_topologies[store.sub_topology].depth == self.depth
            if here:
                yield number, store

    def _run(self, packs: Iterable[bytes]) -> None:
        tables, parts = self._split_by_task(packs)
        if tables:
            self._run_globals(tables)
        ran: set[tuple[int, int]] = set()
        for (number, task), targets in groupby(sorted(parts), itemgetter(0, 1)):
            # only the records of the task that runs are in memory twice
            part = concat([batch for place in targets for batch in parts.pop(place)])
            self._run_task(number, task, sort_records(part, self.times.read_times(part)))
            ran.add((number, task))
        self._punctuate_others(ran)

    def _punctuate_others(self, ran: set[tuple[int, int]]) -> None:
        """Calls tasks without rows if a punctuator of the wall clock is due, or idle time is over."""
        layout, now = self.program.layout, self._read_wall_clock()
        for number in sorted({*find_ticking(layout), *(find_idling(layout) if self.is_caught_up else ())}):
            if layout.sub_topologies[number].depth == self.depth:
                for task in self._find_tasks(number):
                    if (number, task) not in ran and is_due(layout, number, task, self.state, now):
                        self._run_task(number, task, pa.RecordBatch.from_pylist([], schema=RECORD))

    def _read_wall_clock(self) -> int:
        """The time of a batch. It stays the same in another execution."""
        return self.outbox.batch_time

    def _split_by_task(self, packs: Iterable[bytes]) -> tuple[list[pa.RecordBatch], Parts]:
        """The records of global tables, and those of tasks."""
        tables: list[pa.RecordBatch] = []
        parts: Parts = {}
        for records in unpack_in_parts(packs):
            for target, of_target in split(records, get_column(records, "target")):
                source = self.program.layout.targets[target]
                assert isinstance(source, Source | Shuffle)
                if source.sub_topology is None:
                    tables.append(of_target)
                    continue
                for task, part in split(of_target, get_column(of_target, "task")):
                    parts.setdefault((source.sub_topology, task, target), []).append(part)
        return tables, parts

    def _run_globals(self, tables: list[pa.RecordBatch]) -> None:
        """Every slot of every stage that looks a global table up gets all of it. One slot speaks for all."""
        for target, part in split(records := concat(tables), get_column(records, "target")):
            self.speaks = self._speaks_for(target)
            for row in make_engine_rows(sort_records(part)):
                self.globals.apply(*row)
            self.count_global(target)
        self.globals.flush()
        self.outbox.close_task(0, 0)

    def _speaks_for(self, target: int) -> bool:
        """True if this slot speaks for a global table. None does for a table that is never looked up."""
        return (self.depth,) == self.program.global_depths[target][:1] and self.slot == self.program.slot_ids[0]

    def _emit_of_global(self, row: Row) -> None:
        if self.speaks:
            self.outbox.emit(row)

    def _run_task(self, number: int, task_number: int, records: pa.RecordBatch) -> None:
        task, emitted_count = self.begin_task(number, task_number), 0
        if not run_records(task, records, self.outbox, self.sampler):
            for part in split_in_parts(records):
                task.run(make_engine_rows(part))
                emitted_count = self.outbox.close_task(task_number, task_number, emitted_count)
        task.flush()
        self.outbox.close_task(task_number, task_number, emitted_count)
        self.count(task)

    def begin_task(self, number: int, task_number: int) -> Task:
        """The task of a sub-topology for this batch."""
        task = self.task(number, task_number)
        task.side_effects = self.side_effects
        return task

    def task(self, number: int, task_number: int) -> Task:
        """A task of a sub-topology over the state of the slot."""
        program = self.program
        shared_parts = (self.state, self.outbox.emit, program.options, self.globals, self._read_wall_clock)
        new_task = Task(program.layout, number, task_number, *shared_parts)
        new_task.is_caught_up = self.is_caught_up
        return new_task

    def count(self, task: Task) -> None:
        """Adds a task's counters."""
        counters, outcomes = task.count_passed()
        add(self.nodes, counters)
        merge_outcomes(self.outcomes, outcomes)
        add_drops(self.drops, task.drops())
        add_stream_times(self.stream_times, task.times.read())

    def count_global(self, target: int) -> None:
        """Adds the counters of a global table, if this slot speaks for it."""
        if self._speaks_for(target):
            node = self.globals.targets[target]
            add(self.nodes, {node: self.globals.counters()[node]})
            if page := self.globals.outcomes().get(node):
                merge_outcomes(self.outcomes, {node: page})
            add_drops(self.drops, {node: self.globals.drops().get(node, {})})

    def apply_global(self, row: Row) -> None:
        """Applies one row of a global table."""
        self.speaks = self._speaks_for(row[TARGET])
        self.globals.apply(*row)
