"""Follows a record through a trial, and finds the inputs of an output.

An output needs an input if it is not made without it. Candidates wrote a row that was read on the way, or a row that
another candidate read. A trial leaves each candidate out. If it still makes the output, that input is not needed.
Inputs that only moved stream time are not candidates.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from designer.streams.topics import WritesTopic
from designer.topology.graph import Edge, Graph
from designer.values import exact_json
from designer.values.schemas import Schema
from runner.engine.driver import decode_key, decode_side
from runner.engine.following.steps import (
    RowChange,
    RowValue,
    ShownRecord,
    ShownSides,
    Step,
    Trace,
    describe,
    describe_value,
)
from runner.engine.following.traced_state import TracedState
from runner.engine.formats import DecodeError, Decoder
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import DeadLetterSink, Layout, Sink
from runner.engine.planning.parts import find_owner
from runner.engine.queryable import Query
from runner.engine.queryable.query import TableRow
from runner.engine.queryable.tables import TableReader
from runner.engine.records.record import HEADERS, KEY, ORIGIN, SEQ, TARGET, TIME, VALUE, Origin, Row
from runner.engine.stores.by_key import MARK
from runner.engine.stores.state import GLOBAL_TASK, PREFIX, MemoryState, State
from runner.engine.tasks.errors import make_origin
from runner.engine.tasks.sources import make_decoders
from runner.engine.tasks.task import Task
from runner.engine.tasks.wiring import Forward
from runner.engine.trial import SeenTask, Trial, describe_failure

MAX_WHOLE = 500
"""With more inputs, only candidates are processed again, if they make the output alone: times may then differ."""
NOBODY = Origin("", -1, -1)
SECONDS = 4.0
"""Longest time for leaving inputs out one by one."""


class Output(NamedTuple):
    """A record that leaves a node: its port, and key, window, value and time as texts."""

    node: str
    port: str
    text: str


class OutputInputs(NamedTuple):
    """The inputs that made an output. Time was up before those in `unsure` were left out one by one."""

    inputs: list[Origin]
    unsure: list[Origin]


class FollowedInput:
    """One input while it is followed: `trace` has its steps, and `output_counts` its output at each port."""

    def __init__(self, layout: Layout, origin: Origin) -> None:
        self.layout = layout
        self.origin = origin
        self.trace = Trace()
        self.output_counts: Counter[Output] = Counter()
        self.needs: dict[Origin, set[Origin]] = {}
        self.writers: dict[bytes, Origin] = {}
        """The input that last wrote each key of the state."""
        self.row_count = 0
        """Number of processed rows."""

    @contextmanager
    def take_over(self, origin: Origin, state: TracedState) -> Iterator[None]:
        """Processes an input, or the result, over a state."""
        state.begin(origin)
        self.trace.input = origin
        self.row_count += 1
        if origin != self.origin:
            yield
            return
        self.trace.is_on, state.before = True, {}
        try:
            yield
        finally:
            self.trace.is_on = False
            self._note_rows(state)
            state.before = None

    def trace_state(self, state: State) -> TracedState:
        """The same state, which notes writers and readers."""
        return TracedState(state, self.needs, self.writers)

    def see(self, node: str, port: str, key: Any, value: Any, timestamp: int) -> None:
        """A record leaves a node."""
        if self.trace.is_on and node == find_owner(node):  # records between parts of a node are not output
            record = describe(key, value, timestamp)
            self.output_counts[Output(node, port, describe_record(record))] += 1
            self.trace.give(node, port, record)

    def note_failure(self, row: Row) -> None:
        """A row leaves. A dead letter says why its record failed."""
        if not self.trace.is_on or not isinstance(self.layout.targets[row[TARGET]], DeadLetterSink):
            return
        failure = describe_failure(row[HEADERS])
        at = next((step for step in reversed(self.trace.steps) if step.node == failure["node"]), None)
        if at is None:
            at = Step(failure["node"], None, {"key": None, "window": None, "value": None, "timestamp": 0}, None)
            self.trace.steps.append(at)
        at.error = failure["message"]

    def _note_rows(self, state: TracedState) -> None:
        """Gives each touched row to the first step of its node."""
        for key, (before, writer) in (state.before or {}).items():
            _, number = PREFIX.unpack_from(key)
            store = self.layout.stores[number]
            step = next((each for each in self.trace.steps if each.node == find_owner(store.node)), None)
            if step is None or is_clone(store.node):
                continue
            if writer is not None and writer != self.origin and writer not in step.met:
                step.met.append(writer)
            after = state.peek(key)
            if store.part is None and (before or after) and key[PREFIX.size : PREFIX.size + 1] != MARK:
                step.rows.append(describe_row(self.layout, number, state, key, before, after))


class FollowingTrial(Trial):
    """A trial that follows one input."""

    def __init__(
        self,
        graph: Graph,
        sources: Mapping[str, Schema] | None = None,
        *,
        origin: Origin,
        like: FollowingTrial | None = None,
        **options: Any,
    ) -> None:
        """`like` is an earlier trial of the same graph. Its layout is reused, which saves most of the time."""
        self.like = like
        self.input = origin
        self.traced_state = TracedState(MemoryState())
        super().__init__(graph, sources, **options)

    def _lay_out(self, graph: Graph, sources: Mapping[str, Schema] | None, is_layered: bool) -> Layout:
        return super()._lay_out(graph, sources, is_layered) if self.like is None else self.like.layout

    def _start(self) -> None:
        self.followed_input = FollowedInput(self.layout, self.input)
        self.traced_state = self.followed_input.trace_state(MemoryState())
        self.state = self.traced_state  # type: ignore[assignment]  # which notes what others ask of the one it holds
        super()._start()

    def _process(self, row: Row) -> None:
        with self.followed_input.take_over(self.origin, self.traced_state):
            super()._process(row)

    def _emit(self, row: Row) -> None:
        super()._emit(row)
        self.followed_input.note_failure(row)

    def _make_task(self, number: int) -> Task:
        return FollowedTask(
            self.followed_input.trace, self.followed_input.see, self.layout, number, 0, self.state, self._emit,
            self.options, self.globals, self.wall_clock,
        )  # fmt: skip

    def _note_record(self, node: str, port: str, key: Any, value: Any, timestamp: int) -> None:
        self.followed_input.see(node, port, key, value, timestamp)


class FollowedTask(SeenTask):
    """A task that reports the records that reach each node."""

    def __init__(self, trace: Trace, *of_task: Any) -> None:
        self.trace = trace
        super().__init__(*of_task)

    def _find_receivers(self, edge: Edge) -> list[Forward]:
        receivers = super()._find_receivers(edge)
        processor = self.processors.get(edge.target)
        if processor is None or (edge.target, edge.target_port) in self.layout.shuffle_of:
            return receivers
        return [self.trace.watch(each, edge.target, edge.target_port, processor) for each in receivers]

    def _shuffle(self, target: int, edge: Edge) -> Forward:
        forward = super()._shuffle(target, edge)
        _, processor = self.shuffles[-1]
        return self.trace.send(forward, edge.target, edge.target_port, processor)

    def _find_entrance(self, node: str, port: str | None = None) -> Forward:
        return self.trace.watch(super()._find_entrance(node, port), node, port, self.processors[node])


def describe_record(record: Mapping[str, Any]) -> str:
    """The parts of a described record that distinguish it from others."""
    return exact_json.dumps({name: record[name] for name in ("key", "window", "value", "timestamp")}).decode()


def find_last_step(steps: Sequence[Step], nodes: Collection[str], record: ShownSides | None = None) -> int:
    """The number of the last step at one of these nodes, if there is one with that record. 0 if there is none."""
    at_nodes = [number for number, step in enumerate(steps) if step.node in nodes]
    alike = [number for number in at_nodes if _take_sides(steps[number].record) == record]
    return max(alike or at_nodes, default=0)


def describe_written(layout: Layout, topic: str, row: Row) -> ShownSides | None:
    """The key, window and value of a record in a topic, as the step of the node that wrote it has them.

    None if they cannot be read.
    """
    sink = next(each for each in layout.targets if isinstance(each, Sink) and each.topic == topic)
    at = layout.nodes[sink.node]
    assert isinstance(at.operator, WritesTopic)
    schema = at.operator.find_schema_written(at.inputs.only.schema)
    try:
        record = describe(decode_key(schema, row[KEY]), decode_side(schema.value, row[VALUE]), row[TIME])
    except DecodeError:
        return None
    return _take_sides(record)


def _take_sides(record: ShownRecord) -> ShownSides:
    return {"key": record["key"], "window": record["window"], "value": record["value"]}


def find_writers(layout: Layout, topic: str) -> set[str]:
    """The nodes that write a topic."""
    return {target.node for target in layout.targets if isinstance(target, Sink) and target.topic == topic}


class Follower(ABC):
    """Follows records of the same inputs, and processes these again each time."""

    @abstractmethod
    def run(
        self, origin: Origin, *, without: Origin | None = None, only: Collection[Origin] | None = None
    ) -> tuple[FollowedInput, Sequence[tuple[str | None, Row]]]:
        """Processes all inputs, or some. Returns records that left for topics (None: as a dead letter), in order."""

    @abstractmethod
    def inputs(self) -> Iterator[tuple[Origin, Row]]:
        """The rows of the inputs."""

    @property
    @abstractmethod
    def layout(self) -> Layout: ...

    def follow(self, origin: Origin) -> list[Step]:
        """The steps of a record."""
        return self.run(origin)[0].trace.steps

    def find_input(self, topic: str, output: Row) -> Origin | None:
        """The input of the newest record in an output topic that looks like this one."""
        _, left = self.run(NOBODY)
        alike = (row for of, row in reversed(left) if of == topic and row[KEY:HEADERS] == output[KEY:HEADERS])
        inputs = (make_origin(self.layout, row[ORIGIN], row[SEQ]) for row in alike)
        return next((origin for origin in inputs if origin), None)

    def outputs(self, origin: Origin) -> Counter[Output]:
        """The output of a record at the ports of all nodes."""
        return self.run(origin)[0].output_counts

    def inputs_of(self, origin: Origin, output: Output, seconds: float = SECONDS) -> OutputInputs:
        """The inputs that an output of a record needs, with that record first."""
        until = time.monotonic() + seconds
        followed_input, _ = self.run(origin)
        count = followed_input.output_counts[output]
        candidates = _find_all_needed(origin, followed_input.needs)
        is_alone = (
            followed_input.row_count > MAX_WHOLE and self.run(origin, only=candidates)[0].output_counts[output] == count
        )
        inputs, unsure = [origin], list[Origin]()
        for each in sorted(candidates - {origin}, key=list(followed_input.needs).index):
            if time.monotonic() > until:
                unsure.append(each)
                continue
            only = candidates - {each} if is_alone else None
            if self.run(origin, without=each, only=only)[0].output_counts[output] != count:
                inputs.append(each)
        return OutputInputs(inputs, unsure)

    def describe_inputs(self, origins: Collection[Origin]) -> dict[Origin, ShownRecord]:
        """The records of inputs as texts, as the first node that reads them does. Unreadable records are left out."""
        records: dict[Origin, ShownRecord] = {}
        for at, row in self.inputs():
            if at in origins and at not in records:
                decode_key, decode_value = self._make_decoders(row)
                with suppress(DecodeError):
                    key = None if row[KEY] is None else decode_key(row[KEY])
                    value = None if row[VALUE] is None else decode_value(row[VALUE])
                    records[at] = describe(key, value, row[TIME])
        return records

    def _make_decoders(self, row: Row) -> tuple[Decoder, Decoder]:
        return make_decoders(self.layout, self.layout.node_entered(row[TARGET]), lambda: row[HEADERS])


class TrialFollower(Follower):
    """Follows records through trials.

    `make` gives a trial that follows one of them, like an earlier trial if there is one. `order` gives the rows in the
    order of the trial.
    """

    def __init__(
        self,
        make: Callable[[Origin, FollowingTrial | None], FollowingTrial],
        order: Callable[[FollowingTrial], Sequence[Row]],
    ) -> None:
        self.make = make
        self.order = order
        self.first = make(NOBODY, None)

    @property
    def layout(self) -> Layout:
        return self.first.layout

    def inputs(self) -> Iterator[tuple[Origin, Row]]:
        return ((self.first.origin_of(row), row) for row in self.order(self.first))

    def run(
        self, origin: Origin, *, without: Origin | None = None, only: Collection[Origin] | None = None
    ) -> tuple[FollowedInput, Sequence[tuple[str | None, Row]]]:
        """The inputs up to that record. All inputs if it is not one of them."""
        trial = self.make(origin, self.first)
        rows = [(trial.origin_of(row), row) for row in self.order(trial)]
        last = max((number for number, (at, _) in enumerate(rows) if at == origin), default=len(rows) - 1)
        trial.run_rows(row for at, row in rows[: last + 1] if at != without and (only is None or at in only))
        return trial.followed_input, trial.output


def _find_all_needed(origin: Origin, needs: dict[Any, set[Any]]) -> set[Origin]:
    """An input and all inputs that it needs, directly or through others."""
    inputs, waiting = {origin}, [origin]
    while waiting:
        more = needs.get(waiting.pop(), set()) - inputs
        inputs |= more
        waiting.extend(more)
    return inputs


def describe_row(
    layout: Layout, number: int, state: State, key: bytes, before: bytes | None, after: bytes | None
) -> RowChange:
    """A row of a table, before and after, as texts."""
    store = layout.stores[number]
    task = GLOBAL_TASK if store.sub_topology is None else 0
    reader = TableReader(layout, store, task, state, Query.model_validate({}))
    rows = [None if data is None else reader.decode_row(key[PREFIX.size :], data) for data in (before, after)]
    one = next(each for each in rows if each is not None)
    return {
        "store": store.name,
        "key": describe_value(one["key"]),
        "window": one["window"],
        "before": _describe_row_value(rows[0]),
        "after": _describe_row_value(rows[1]),
    }


def _describe_row_value(row: TableRow | None) -> RowValue | None:
    return None if row is None else {"value": describe_value(row["value"]), "timestamp": row["timestamp"]}
