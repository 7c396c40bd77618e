"""A replay that notes what each node gives for each input record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import Any

from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import ORIGIN, PARTITIONS, SEQ, Origin
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.errors import make_origin
from runner.engine.tasks.task import Task
from runner.engine.trial import SeenTask
from runner.spark.replay import BatchInputs, Replay
from runner.spark.sink.results import Results
from runner.spark.source.intake import Intake, PartitionFeed
from runner.spark.stage.slot_call import SlotCall
from runner.spark.state import SlotState

MAX_OBSERVED = 50_000
"""Most records of a batch whose way through the nodes is noted: it takes about a kilobyte for each."""
NO_INPUT = Origin("", -1, -1)
"""The origin of records that no input made: those of a clock."""
Given = dict[str, dict[Origin, list[tuple[Any, ...]]]]
"""By node and input: the port, key, value and time (ms) of each record that the node gave, in order."""
Note = Callable[[str, str, int, int, Any, Any, int], None]


class Origins:
    """Finds the input record from which a row was read or computed, by the numbers of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.places: dict[int, tuple[str, int] | None] = {}

    def find(self, number: int, offset: int) -> Origin:
        if number not in self.places:
            origin = make_origin(self.layout, number, offset) if number >= PARTITIONS else None
            self.places[number] = origin[:2] if origin else None
        place = self.places[number]
        return Origin(*place, offset) if place else NO_INPUT


class ObservedReplay(Replay):
    """Executes batches in the Python engine. `given` is what nodes gave in the last batch.

    A batch with too many records is executed as the run does, without a look at its nodes.
    """

    given: Given
    observes: bool

    @cached_property
    def origins(self) -> Origins:
        return Origins(self.program.layout)

    def run(self, inputs: BatchInputs) -> Results:
        self.given = defaultdict(lambda: defaultdict(list))
        self.observes = sum(len(records.offsets) for _, _, records in inputs.arrivals) <= MAX_OBSERVED
        return super().run(inputs)

    def run_unseen(self, inputs: BatchInputs) -> None:
        """Executes a batch only for the state after it."""
        self.observes = False
        super().run(inputs)

    def make_intake(self, time: int) -> Intake:
        return ObservedIntake(self, time) if self.observes else super().make_intake(time)

    def make_call(self, depth: int, slot: int, time: int, state: SlotState) -> SlotCall:
        if not self.observes:
            return super().make_call(depth, slot, time, state)
        return ObservedCall(self, depth, slot, time, state)

    def note(self, node: str, port: str, number: int, offset: int, key: Any, value: Any, timestamp: int) -> None:
        """A record leaves a node. Records between the parts of a node, and those of clones, are not shown to anyone."""
        if node == find_owner(node) and not is_clone(node):
            self.given[node][self.origins.find(number, offset)].append((port, key, value, timestamp))


class ObservedIntake(Intake):
    """The first stage of an observed replay."""

    def __init__(self, replay: ObservedReplay, time: int) -> None:
        super().__init__(replay.program, time)
        self.replay = replay

    def _get_feed(self, number: int, partition: int) -> PartitionFeed:
        feed = ObservedFeed(self.program, number, partition, self.batch_time, self.sampler)
        feed.note = self.replay.note
        return feed


class ObservedFeed(PartitionFeed):
    note: Note

    def _get_task(self, number: int) -> Task:
        of_task = (self.program.layout, number, self.partition, MemoryState(), self.outbox.emit, self.program.options)
        return ObservedTask(self.note, *of_task, None, self._read_wall_clock)


class ObservedCall(SlotCall):
    """A slot of a later stage of an observed replay."""

    def __init__(self, replay: ObservedReplay, depth: int, slot: int, time: int, state: SlotState) -> None:
        super().__init__(replay.program, depth, slot, time, state)
        self.note = replay.note

    def task(self, number: int, task_number: int) -> Task:
        of_task = (self.program.layout, number, task_number, self.state, self.outbox.emit, self.program.options)
        new_task = ObservedTask(self.note, *of_task, self.globals, self._read_wall_clock)
        new_task.is_caught_up = self.is_caught_up
        return new_task


class ObservedTask(SeenTask):
    """A task that notes what its nodes give, with the input of each record."""

    def __init__(self, note: Note, *of_task: Any) -> None:
        def see(node: str, port: str, key: Any, value: Any, timestamp: int) -> None:
            row = self.record_context.row
            note(node, port, row[ORIGIN], row[SEQ], key, value, timestamp)

        super().__init__(see, *of_task)
