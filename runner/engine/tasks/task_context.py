"""TaskContext of the processors of a task: its state, times, errors, and the processors themselves."""

from __future__ import annotations

from collections import Counter

from runner.engine.counts.record_log import RecordLog
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout, Shuffle, SubTopology
from runner.engine.planning.options import Options
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import Emit, View
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTime, StreamTimes
from runner.engine.tasks.errors import Errors
from runner.engine.tasks.event_time import Clock, read_system_clock
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.program import compile_program
from runner.engine.tasks.punctuation import Punctuations
from runner.engine.tasks.shuffling import ShuffleProcessor
from runner.engine.tasks.side_effects import SideEffects
from runner.engine.tasks.sources import Entrance


class TaskContext:
    """One slice of the keys of one sub-topology, as its processors see it. `Task` makes these and runs records."""

    def __init__(
        self,
        layout: Layout,
        sub_topology: int,
        number: int,
        state: State,
        emit: Emit,
        options: Options | None = None,
        globals_: Globals | None = None,
        wall_clock: Clock = read_system_clock,
    ) -> None:
        self.layout = layout
        self.sub_topology: SubTopology = layout.sub_topologies[sub_topology]
        self.number = number
        self.state = state
        self.emit = emit
        self.options = options or Options()
        self.program = compile_program(layout)
        self.record_context = self.program.context
        self.errors = Errors(layout, emit, self.options, self._find_log, wall_clock, self._find_clones())
        self.times = StreamTimes(state, number)
        self.globals = globals_ or Globals(layout, state, emit, self.options, wall_clock)
        self.input_counts: Counter[int] = Counter()
        self.unlikely_times: Counter[str] = Counter()
        """Records with unlikely times by source, if their times are computed here."""
        self.wall_clock = wall_clock
        self.side_effects = SideEffects()
        """Answers what users' Python asks the world outside. Runs and replays give their own."""
        self.is_caught_up = True
        """True if all records of the topics were read, so a node without records is idle."""
        self.punctuations: Punctuations | None = None
        self.shuffles: list[tuple[Shuffle, ShuffleProcessor]] = []
        self.processors: dict[str, Processor | None] = {}
        """By node. None if records pass unchanged."""
        self.entrances: dict[int, Entrance] = {}
        """The path of a row, by target."""

    @property
    def stream_time(self) -> StreamTime:
        """The stream time of all records of this task (PartitionGroup), kept if a node asks for it."""
        return self.watch_time().time

    def watch_time(self) -> Punctuations:
        """The punctuators of this task, which are examined after each record from now on."""
        if self.punctuations is None:
            self.punctuations = Punctuations(self.times.stream_time(""), self.wall_clock)
        return self.punctuations

    def view(self, node: str) -> View:
        """Looks up rows of a node's table."""
        if node not in self.processors:
            return self.globals.view(node)
        processor = self.processors[node]
        assert processor is not None
        return processor.view()

    def _find_log(self, node: str) -> RecordLog:
        return self.program.record_log(node, self.number)

    def _find_clones(self) -> frozenset[str]:
        """The nodes whose clones work here without the originals."""
        nodes = self.sub_topology.nodes
        owners = {find_owner(node) for node in nodes if not is_clone(node)}
        return frozenset(find_owner(node) for node in nodes if is_clone(node)) - owners
