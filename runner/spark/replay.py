"""Executes kept batches of a run again: over the state before them, with the same records, time and order.

It is the code of Spark's workers in one process, over state of its own, and it writes nothing to Kafka. A batch gives
the same bytes again, because all that decides them is known: the records (offsets of the manifest), their order
(`sort_records`), the wall clock (the batch's time), and the state before (`Past`). The checksum of the manifest shows
it. What users' Python asked other servers by `side_effect` is recorded with the batch, and is not asked again. Only
what it asks in other ways may differ.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from runner.engine.tasks.side_effects import KnownAnswers, SentAnswers, SideEffects
from runner.spark.checkpoint.batch_log import AnswerLog, Manifest
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.columns import RecordColumns, Records, make_no_records
from runner.spark.program import Place, Program
from runner.spark.sink.results import Results
from runner.spark.source.intake import Intake
from runner.spark.source.reading import Range, read_alone
from runner.spark.stage.arrival import run_by_arrival
from runner.spark.stage.rows import IDLE_BEFORE_ALL, PACK, Pack, pack_batch
from runner.spark.stage.slot_call import SlotCall
from runner.spark.state import Changelog, Past, SlotState, had_records
from runner.spark.state.changelog import HEAD, Head
from runner.spark.state.copy_file import remove_file
from runner.spark.state.rows import Row
from runner.spark.state.working_copy import WorkingCopy

AT_ONCE = 50_000
"""About how many records are read from Kafka at a time."""
Arrivals = tuple[int, int, RecordColumns]
"""Input, partition, records."""
Read = Callable[[Mapping[str, str], Sequence[Range]], Iterator[tuple[Range, Records]]]


class BatchInputs(NamedTuple):
    """The records that a batch read, its time (ms), and whether tasks went on without records (`Share.idle`)."""

    time: int
    arrivals: Sequence[Arrivals]
    is_caught_up: bool = False
    answers: Sequence[SentAnswers] | None = ()
    """What users' Python was answered (`KnownAnswers`). None: this is no batch of the past, and it may ask."""

    def make_side_effects(self) -> SideEffects:
        return SideEffects() if self.answers is None else KnownAnswers(self.answers)


@dataclass(frozen=True)
class KeptState:
    """The state of a run before the batch of a time (ms), as other processes of its host may open it at any time."""

    program: Program
    time: int

    def rows(self) -> Iterator[tuple[Place, Iterator[Row]]]:
        """The rows of each slot in key order. Raises NotKept."""
        for stage in self.program.stateful:
            for slot in self.program.slot_ids:
                directory = self.program.state_directory(stage.depth, slot)
                if not had_records(directory):
                    continue
                past = Past(directory, self.time)
                try:
                    yield (stage.depth, slot), past.view().range(b"", None)
                finally:
                    past.close()


class Replay:
    """Executes batches of a plan, one after the other. Its state is below `folder`, which it makes and removes."""

    def __init__(self, program: Program, folder: Path) -> None:
        plan = program.plan.model_copy(update={"state_dir": str(folder), "executors": None})
        self.program = replace(program, plan=plan)
        self.heads: dict[Place, HeadOnly] = {}
        self.not_recorded: Counter[str] = Counter()
        """By node, how often it asked for what was not recorded, in all batches."""

    def begin(self, rows: Iterable[tuple[Place, Iterable[Row]]]) -> None:
        """Puts rows into the state before its first batch."""
        for place, of_place in rows:
            head = self.heads[place].head if place in self.heads else Head()
            self.heads[place] = HeadOnly(WorkingCopy(self.program.state_directory(*place)).begin(of_place, head))

    def rows(self) -> Iterator[Row]:
        """The rows of all slots as they are now."""
        for place, entries in self.heads.items():
            with SlotState.load(Changelog(entries), self.program.state_directory(*place)) as state:
                yield from state.range(b"", None)

    def run(self, inputs: BatchInputs) -> Results:
        """The results and counters of a batch. Afterwards the state is that after it."""
        intake, side_effects = self.make_intake(inputs.time), inputs.make_side_effects()
        intake.side_effects = side_effects
        packs = list(intake.calls(find_calls(self.program, inputs)))
        for arrivals in inputs.arrivals:
            packs += intake.take(*arrivals)
        packs += [*intake.rest(), *intake.counters()]
        for stage in self.program.stateful:
            packs = list(self._run_stage(stage.depth, packs, inputs, side_effects))
        if isinstance(side_effects, KnownAnswers):
            self.not_recorded += side_effects.missing
        return Results.read(pa.Table.from_batches([pack_batch(packs)], PACK))

    def make_intake(self, time: int) -> Intake:
        return Intake(self.program, time)

    def make_call(self, depth: int, slot: int, time: int, state: SlotState) -> SlotCall:
        return SlotCall(self.program, depth, slot, time, state)

    @contextmanager
    def open_state(self, depth: int, slot: int, time: int) -> Iterator[SlotState]:
        """The state of a slot for one batch. What the batch changes is in the next one's state."""
        entries = self.heads.setdefault((depth, slot), HeadOnly(Head()))
        with SlotState.load(Changelog(entries), self.program.state_directory(depth, slot)) as state:
            yield state
            state.commit(time)

    def close(self) -> None:
        """Removes its state."""
        for place in self.heads:
            remove_file(self.program.state_directory(*place))

    def _run_stage(
        self, depth: int, packs: Sequence[Pack], inputs: BatchInputs, side_effects: SideEffects
    ) -> Iterator[Pack]:
        """The packs of other stages, unread, and those that this stage makes."""
        own: dict[int, list[Pack]] = {}
        for pack in packs:
            if pack.depth == depth:
                own.setdefault(pack.slot, []).append(pack)
            else:
                yield pack
        for slot, of_slot in own.items():
            of_slot.sort(key=lambda pack: pack.place)
            with self.open_state(depth, slot, inputs.time) as state:
                call = self.make_call(depth, slot, inputs.time, state)
                call.side_effects = side_effects
                call.is_caught_up = of_slot[0].place == IDLE_BEFORE_ALL
                run = run_by_arrival if self.program.plan.arrival_order else SlotCall.run
                run(call, (pack.pack for pack in of_slot))
            yield from call.outbox.packs()
            yield call.counters({})


def find_calls(program: Program, inputs: BatchInputs) -> dict[int, bool]:
    """The depths of stages that a batch calls without records, and whether their tasks may go on without."""
    idling = program.idling if inputs.is_caught_up else ()
    return {depth: depth in idling for depth in sorted({*program.ticking, *idling})}


class HeadOnly:
    """The changelog of a slot in one process: its head. The working copy and the newest batch hold all rows."""

    def __init__(self, head: Head) -> None:
        self.head = head

    def get(self, number: int) -> bytes | None:
        return self.head.encode() if number == HEAD and self.head.seq else None

    def change(self, put: Mapping[int, bytes], removed: Iterable[int] = ()) -> None:
        """Keeps the head, and nothing else."""
        if HEAD in put:
            self.head = Head.decode(put[HEAD])


def read_inputs(
    program: Program, manifests: Sequence[Manifest], read: Read = read_alone
) -> Iterator[tuple[Manifest, BatchInputs]]:
    """The records of consecutive batches, oldest first. Raises RunFailed if Kafka no longer has their first ones."""
    while manifests:
        some, manifests = _cut(program, manifests)
        answers = _read_answers(program, some)
        columns = read_columns(program.plan.kafka, list(_list_ranges(program, some)), read)
        for manifest in some:
            parts = [
                (to.number, at, _make_part(manifest, to.topic, at, columns[to.number, at]))
                for to in program.inputs
                for at in range(len(manifest.end[to.topic]))
            ]
            arrivals = [each for each in parts if each[2].offsets]
            is_caught_up = bool(manifest.facts.get("is_caught_up"))
            yield manifest, BatchInputs(manifest.time, arrivals, is_caught_up, answers.get(manifest.number, ()))


def _read_answers(program: Program, manifests: Sequence[Manifest]) -> dict[int, list[SentAnswers]]:
    """What other servers answered in these batches, by number."""
    batches = {each.number for each in manifests if each.facts.get("has_answers")}
    return AnswerLog(program.host_directory, get_file(program.plan.checkpoint)).read(batches) if batches else {}


def read_columns(
    kafka: Mapping[str, str], ranges: Sequence[Range], read: Read = read_alone
) -> defaultdict[tuple[int, int], RecordColumns]:
    """The records of ranges, by input and partition."""
    columns: defaultdict[tuple[int, int], RecordColumns] = defaultdict(make_no_records)
    for range_, records in read(kafka, ranges):
        pairs: Iterable[tuple[Any, Any]] = zip(columns[range_.input, range_.partition], records, strict=True)
        for column, more in pairs:
            column.extend(more)
    return columns


def count_read(program: Program, manifest: Manifest) -> int:
    """The offsets that a batch read of all inputs."""
    return sum(
        manifest.count_of(to.topic, at) for to in program.inputs for at in range(len(manifest.end.get(to.topic, [])))
    )


def _cut(program: Program, manifests: Sequence[Manifest]) -> tuple[Sequence[Manifest], Sequence[Manifest]]:
    count, number = 0, 0
    while number < len(manifests) and (not number or count < AT_ONCE):
        count += count_read(program, manifests[number])
        number += 1
    return manifests[:number], manifests[number:]


def _list_ranges(program: Program, manifests: Sequence[Manifest]) -> Iterator[Range]:
    for to in program.inputs:
        for partition, end in enumerate(manifests[-1].end[to.topic]):
            first = manifests[0].get_first(to.topic, partition)
            if first < end:
                yield Range(to.number, to.topic, partition, first, end)


def _make_part(manifest: Manifest, topic: str, partition: int, records: RecordColumns) -> RecordColumns:
    """The part of a partition's records that a batch read."""
    first = manifest.get_first(topic, partition)
    start = bisect_left(records.offsets, first)
    end = bisect_left(records.offsets, first + manifest.count_of(topic, partition))
    return RecordColumns(*(column[start:end] for column in records))  # type: ignore[arg-type]
