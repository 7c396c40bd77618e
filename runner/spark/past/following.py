"""Executes a batch of a run again, over the state before it, and follows one of its inputs.

The workers' own code runs on copies of their data: it writes nothing, and the run knows nothing of it. Caches are
off, to see each update of a table. Each record is flushed by itself, to know what it wrote.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from runner.engine.following.follow import NOBODY, FollowedInput, FollowedTask, Follower
from runner.engine.following.traced_state import TracedState
from runner.engine.planning.layout import Layout, Sink
from runner.engine.records.record import ORIGIN, SEQ, TARGET, Origin, Row, number_input
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.errors import make_origin
from runner.engine.tasks.side_effects import SideEffects
from runner.spark.columns import make_no_records
from runner.spark.program import Place, Program
from runner.spark.replay import Arrivals, BatchInputs, find_calls
from runner.spark.source.intake import Intake, PartitionFeed
from runner.spark.stage.rows import (
    IDLE_BEFORE_ALL,
    SINK_DEPTH,
    Pack,
    make_engine_rows,
    sort_records,
    split,
    unpack_records,
)
from runner.spark.stage.rows import get_column as column_of
from runner.spark.stage.slot_call import SlotCall
from runner.spark.state import Past, View


class BatchFollower(Follower):
    """Follows records of one batch. The caller must close it."""

    def __init__(self, program: Program, batch: BatchInputs) -> None:
        self.program = replace(program, options=replace(program.options, cache=False))
        self.batch = batch
        self.pasts: dict[Place, Past] = {}

    @property
    def layout(self) -> Layout:
        return self.program.layout

    def inputs(self) -> Iterator[tuple[Origin, Row]]:
        for number, partition, records in self.batch.arrivals:
            for target in self.program.inputs[number].targets:
                for row in records.rows(target, number_input(target, partition)):
                    yield Origin(self.program.inputs[number].topic, partition, row[SEQ]), row

    def run(
        self, origin: Origin, *, without: Origin | None = None, only: Collection[Origin] | None = None
    ) -> tuple[FollowedInput, Sequence[tuple[str | None, Row]]]:
        followed_input = FollowedInput(self.layout, origin)
        return followed_input, self.process(followed_input, without=without, only=only)

    def process(
        self,
        followed_input: FollowedInput,
        *,
        without: Origin | None = None,
        only: Collection[Origin] | None = None,
    ) -> Sequence[tuple[str | None, Row]]:
        """Processes all inputs, or some, while an input is followed. Returns the records that left, in order."""
        intake = FollowedIntake(self.program, self.batch.time, followed_input)
        side_effects = self.batch.make_side_effects()
        intake.side_effects = side_effects
        packs = list(intake.calls(find_calls(self.program, self.batch)))
        for arrivals in self.batch.arrivals:
            packs += intake.take(*self._filter(arrivals, without, only))
        packs += intake.rest()
        for stage in self.program.stateful:
            packs = [*self._run_stage(stage.depth, packs, followed_input, side_effects)]
        records = unpack_records(pack.pack for pack in sorted(packs, key=_find_place) if pack.depth == SINK_DEPTH)
        return [(self._find_topic(row), row) for row in make_engine_rows(records)]

    def find_writer(self, key: bytes) -> Origin | None:
        """The input that last changed a row of the state. None if no input did."""
        return self.run(NOBODY)[0].writers.get(key)

    def find_newest(self, node: str) -> Origin | None:
        """The last input of which a record reached a node. None if no record did."""
        newest: Origin | None = self.run(NOBODY)[0].trace.newest.get(node)
        return None if newest == NOBODY else newest

    def close(self) -> None:
        for past in self.pasts.values():
            past.close()

    def _run_stage(
        self, depth: int, packs: Sequence[Pack], followed_input: FollowedInput, side_effects: SideEffects
    ) -> Iterator[Pack]:
        """The packs of other stages, unread, and those that this stage makes."""
        yield from (pack for pack in packs if pack.depth != depth)
        for slot in self.program.slot_ids:
            own = sorted((pack for pack in packs if (pack.depth, pack.slot) == (depth, slot)), key=_find_place)
            if own:
                before = self.open_before(depth, slot)
                call = FollowedCall(self.program, depth, slot, self.batch.time, followed_input, before)
                call.side_effects = side_effects
                call.is_caught_up = own[0].place == IDLE_BEFORE_ALL
                call.run(pack.pack for pack in own)
                yield from call.outbox.packs()

    def open_before(self, depth: int, slot: int) -> View:
        """The rows of a slot before the batch, to read and write. Raises NotKept."""
        if (depth, slot) not in self.pasts:
            self.pasts[depth, slot] = Past(self.program.state_directory(depth, slot), self.batch.time)
        return self.pasts[depth, slot].view()

    def _filter(self, arrivals: Arrivals, without: Origin | None, only: Collection[Origin] | None) -> Arrivals:
        number, partition, records = arrivals
        topic = self.program.inputs[number].topic
        if without is None and only is None:
            return arrivals
        kept_records = make_no_records()
        for record in zip(*records, strict=True):
            offset, *_ = record
            origin = Origin(topic, partition, offset)
            if origin != without and (only is None or origin in only):
                kept_records.append(*record)
        return number, partition, kept_records

    def _find_topic(self, row: Row) -> str | None:
        target = self.layout.targets[row[TARGET]]
        return target.topic if isinstance(target, Sink) else None


class FollowedIntake(Intake):
    """The first stage. Its tasks report the records that reach each node."""

    def __init__(self, program: Program, batch_time: int, followed_input: FollowedInput) -> None:
        super().__init__(program, batch_time)
        self.followed_input = followed_input

    def _get_feed(self, number: int, partition: int) -> PartitionFeed:
        feed = FollowedFeed(self.program, number, partition, self.batch_time, self.sampler)
        feed.followed_input = self.followed_input
        return feed


class FollowedFeed(PartitionFeed):
    followed_input: FollowedInput

    def _get_task(self, number: int) -> BatchTask:
        program = self.program
        state = self.followed_input.trace_state(MemoryState())
        of_task = (program.layout, number, self.partition, state, self.outbox.emit, program.options, None)
        return BatchTask(self.followed_input, state, *of_task, self._read_wall_clock)


class FollowedCall(SlotCall):
    """One slot of a stage over the state before the batch."""

    def __init__(
        self, program: Program, depth: int, slot: int, batch_time: int, followed_input: FollowedInput, before: Any
    ) -> None:
        self.followed_input = followed_input
        self.traced_state = followed_input.trace_state(before)
        super().__init__(program, depth, slot, batch_time, self.traced_state)  # type: ignore[arg-type]  # as of a batch

    def task(self, number: int, task_number: int) -> BatchTask:
        program = self.program
        of_task = (
            program.layout,
            number,
            task_number,
            self.traced_state,
            self.outbox.emit,
            program.options,
            self.globals,
        )
        new_task = BatchTask(self.followed_input, self.traced_state, *of_task, self._read_wall_clock)
        new_task.is_caught_up = self.is_caught_up
        return new_task

    def _run_globals(self, tables: list[pa.RecordBatch]) -> None:
        records = pa.concat_batches(tables)
        for target, part in split(records, column_of(records, "target")):
            self.speaks = self._speaks_for(target)
            for row in make_engine_rows(sort_records(part)):
                with self.followed_input.take_over(find_origin(self.program.layout, row), self.traced_state):
                    self.globals.apply(*row)
                    self.globals.flush()
        self.outbox.close_task(0, 0)


class BatchTask(FollowedTask):
    """A task that notes the input of each row."""

    def __init__(self, followed_input: FollowedInput, traced_state: TracedState, *of_task: Any) -> None:
        self.followed_input = followed_input
        self.traced_state = traced_state
        layout, number, task, state, emit, *rest = of_task

        def note(row: Row) -> None:
            emit(row)
            followed_input.note_failure(row)

        super().__init__(followed_input.trace, followed_input.see, layout, number, task, state, note, *rest)

    def run(self, rows: Any) -> None:
        for row in rows:
            with self.followed_input.take_over(find_origin(self.layout, row), self.traced_state):
                super().run((row,))
                self.flush()


def find_origin(layout: Layout, row: Row) -> Origin:
    """Return the place of the input record from which this row was read or computed, NOBODY for a row of a clock."""
    return make_origin(layout, row[ORIGIN], row[SEQ]) or NOBODY


def _find_place(pack: Pack) -> int:
    return pack.place
