"""A task: one slice of the keys of one sub-topology, with its processors, stores and stream times."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial

from designer.expressions.errors import RecordError
from designer.streams.event_time import ReadsTimes
from designer.topology.graph import Edge
from designer.topology.ports import GROUPS, PortType
from runner.engine.counts.drops import Drops
from runner.engine.formats import DecodeError
from runner.engine.planning.layout import Layout, Shuffle
from runner.engine.planning.options import Options
from runner.engine.planning.parts import find_owner
from runner.engine.records.codecs import change_codec, make_record_key_codec, make_value_codec
from runner.engine.records.context import NO_ROW
from runner.engine.records.record import HEADERS, TARGET, Emit, Receive, Row
from runner.engine.stores.state import State
from runner.engine.tasks import counting
from runner.engine.tasks.counting import TaskCounts
from runner.engine.tasks.errors import name_side
from runner.engine.tasks.event_time import (
    LATEST_MS,
    NEGATIVE,
    TOO_LATE,
    Clock,
    TimeError,
    find_event_time,
    read_system_clock,
    with_time,
)
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.late_updates import guard
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext, makes_processor
from runner.engine.tasks.shuffling import ShuffleProcessor
from runner.engine.tasks.sources import Entrance, make_decoders
from runner.engine.tasks.task_context import TaskContext
from runner.engine.tasks.wiring import Forward, join

CALLS_OF_A_NODE = 8
"""Most calls inside each other that a record takes from one node of a chain to the next, also if someone looks on."""


class Task(TaskContext):
    """Processes the rows of one sub-topology one by one, depth first, and sends the results to `emit`.

    After `flush()` all that it must remember is in `state`, so a task may live for one batch or forever. Tasks of
    one slot share the global tables: give each the same `globals_`. Tasks of one layout run one at a time.
    """

    may_use_kernel = True
    """False if the Python engine must run it because someone looks at its processors."""

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
        super().__init__(layout, sub_topology, number, state, emit, options, globals_, wall_clock)
        # the nodes of a chain call each other, and Python allows 1,000 calls inside each other
        calls = 1_000 + CALLS_OF_A_NODE * len(self.sub_topology.nodes)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), calls))
        self.owns_globals = globals_ is None
        self.timed_targets: set[int] = set()
        """Targets whose rows get a time other than their own."""
        for node in self.sub_topology.nodes:
            operator = layout.nodes[node].operator
            self.processors[node] = (
                operator.processor(ProcessorContext(self, node)) if makes_processor(operator) else None
            )
        for node, processor in self.processors.items():
            if processor is not None:
                processor.node, processor.context = find_owner(node), self.record_context
                self._connect(node, processor)
        self.entrances |= {target: self._make_entrance(target) for target in self._find_own_targets()}

    def process(
        self,
        target: int,
        key: bytes | None,
        value: bytes | None,
        timestamp: int,
        headers: str | None = None,
        origin: int = 0,
        seq: int = 0,
    ) -> None:
        """Process one row. A record error takes its policy. With `fail` it raises `RecordFailed`."""
        self.run(((target, key, value, timestamp, headers, origin, seq),))

    def run(self, rows: Iterable[Row]) -> None:
        """Process rows in the order given (see `merge`)."""
        context, entrances, timed_targets = self.record_context, self.entrances, self.timed_targets
        last, count = NO_ROW[0], 0
        try:
            for row in rows:
                target, key, value, timestamp, _, _, _ = row
                context.row = row
                if target != last:
                    if count:
                        self.input_counts[last] += count
                    last, count = target, 0
                    decode_key, decode_value, receive = entrances[target]
                count += 1
                try:
                    if not 0 <= timestamp <= LATEST_MS and target not in timed_targets:
                        raise TimeError((NEGATIVE if timestamp < 0 else TOO_LATE).format(timestamp))
                    context.key = key = None if key is None else decode_key(key)
                    context.value = value = None if value is None else decode_value(value)
                    context.read = row
                    receive(key, value, timestamp)
                except RecordError as error:
                    self.errors.handle_processing(error, context.row)
                except DecodeError as error:
                    self._refuse_undecodable(error, row)
        finally:
            if count:
                self.input_counts[last] += count

    def flush(self) -> None:
        """End a batch: cached tables forward, in order of definition, and all state is written."""
        if self.punctuations is not None:
            self.punctuations.tick()
        self.record_context.is_flushing = True
        for processor in self.processors.values():
            if processor is not None:
                processor.flush()
        self.record_context.is_flushing = False
        if self.owns_globals:
            self.globals.flush()
        self.times.flush()
        self.record_context.row = NO_ROW

    def count_passed(self) -> TaskCounts:
        """Records that passed each node since this task was made."""
        counts = counting.count_passed(self)
        if not self.owns_globals:
            return counts
        return TaskCounts(counts.counters | self.globals.counters(), counts.outcomes | self.globals.outcomes())

    def drops(self) -> Drops:
        """Records dropped since this task was made, by reason, and the first of them."""
        return counting.make_drops(self) | (self.globals.drops() if self.owns_globals else {})

    def _connect(self, node: str, processor: Processor) -> None:
        outputs = self.layout.nodes[node].outputs
        if len(outputs) > 1:
            processor.branches = {
                port: join(self._find_children(node, port), self.errors, self.record_context, is_often=True)
                for port in outputs
            }
            return
        children = self._find_children(node)
        forward = join(children, self.errors, self.record_context, is_often=processor.forwards_often)
        processor.forward = processor.forward_update = forward

    def _find_children(self, node: str, output: str | None = None) -> list[Forward]:
        """The receivers of the records of a node, at all its outputs or at one."""
        edges = sorted(self._find_hearing_edges(node, output), key=lambda edge: self.layout.creation_order[edge.target])
        return [receive for edge in edges for receive in self._find_receivers(edge)]

    def _find_hearing_edges(self, node: str, output: str | None = None) -> Iterator[Edge]:
        """The edges from a node to its listeners. For Kafka Streams these are aggregates: groups are not a node."""
        for edge in self.layout.children[node]:
            if output in (None, edge.source_port):
                if self._passes_groups(edge):
                    yield from self._find_hearing_edges(edge.target)
                else:
                    yield edge

    def _passes_groups(self, edge: Edge) -> bool:
        if (edge.target, edge.target_port) in self.layout.shuffle_of or self.processors[edge.target] is not None:
            return False
        return any(flow.type in GROUPS for flow in self.layout.nodes[edge.target].outputs.values())

    def _find_receivers(self, edge: Edge) -> list[Forward]:
        """The receivers of the records of an edge. A node that only passes them on is replaced by its children."""
        shuffle = self.layout.shuffle_of.get((edge.target, edge.target_port))
        if shuffle is not None:
            return [self._shuffle(shuffle, edge)]
        processor = self.processors[edge.target]
        if processor is None:
            return self._find_children(edge.target)
        receive = processor.receiver(edge.target_port, self._find_arriving(edge.target, edge.target_port))
        if self.layout.nodes[edge.source].outputs[edge.source_port].history_ms is None:
            return [receive]
        return [guard(receive, processor, self.record_context)]

    def _find_arriving(self, node: str, port: str) -> PortType:
        return self.layout.nodes[node].inputs[port].type

    def _shuffle(self, target: int, edge: Edge) -> Forward:
        shuffle = self.layout.targets[target]
        assert isinstance(shuffle, Shuffle)
        flow = self.layout.nodes[edge.target].inputs[edge.target_port]
        # one for all edges into it, because it keeps the first records that it drops
        processor = next((each for _, each in self.shuffles if (each.target, each.flow) == (target, flow)), None)
        if processor is None:
            processor = ShuffleProcessor(shuffle, target, flow, self.emit, self.record_context)
            self.shuffles.append((shuffle, processor))
        return processor.receiver(edge.target_port, flow.type)

    def _find_own_targets(self) -> Iterable[int]:
        own = self.layout.targets_of((self.sub_topology.number,))
        return (target for target in own if target not in self.globals.targets)

    def _make_entrance(self, target_number: int) -> Entrance:
        """The path of a row of a target: the decoders of key and value, and the receiver of the record."""
        target = self.layout.targets[target_number]
        if isinstance(target, Shuffle):
            flow = self.layout.nodes[target.to_node].inputs[target.to_port]
            decode_key = make_record_key_codec(flow).decode
            receive = self._find_entrance(target.to_node, target.to_port)
            if flow.type is PortType.KGROUPED_TABLE:
                _, unpack_change = change_codec(flow.schema.value.type)
                return Entrance(decode_key, unpack_change, self._punctuate_after(_with_change(receive)))
            _, unpack = make_value_codec(flow.schema.value.type)
            return Entrance(decode_key, unpack, self._punctuate_after(receive))
        node = target.node  # type: ignore[union-attr]
        receive = self._punctuate_after(self._find_entrance(node))
        time_of = find_event_time(self.layout, node, self.program.expression, self.wall_clock)
        if time_of is not None:
            reader = self.layout.nodes[node].operator
            assert isinstance(reader, ReadsTimes)
            if reader.timestamp_from != "record":
                self.timed_targets.add(target_number)
            by_clock = reader.timestamp_from == "wall_clock"
            note = None if by_clock else partial(self.unlikely_times.update, (node,))
            receive = with_time(time_of, receive, note, self.wall_clock)
        return Entrance(*make_decoders(self.layout, node, self._read_headers), receive)

    def _read_headers(self) -> str | None:
        return self.record_context.row[HEADERS]

    def _punctuate_after(self, receive: Receive) -> Receive:
        """The receiver, followed by the punctuators that are due by stream time after each record."""
        if self.punctuations is None:
            return receive
        return self.punctuations.take_records(
            receive, lambda child: join([child], self.errors, self.record_context, is_often=True)
        )

    def _find_entrance(self, node: str, port: str | None = None) -> Forward:
        processor = self.processors[node]
        if processor is None:
            return join(self._find_children(node), self.errors, self.record_context, is_often=False)
        return processor.process if port is None else processor.receiver(port, self._find_arriving(node, port))

    def _refuse_undecodable(self, error: DecodeError, row: Row) -> None:
        of_time = isinstance(error, TimeError)
        side = "timestamp" if of_time else name_side(self.entrances[row[TARGET]].decode_key, row)
        self.errors.deserialization(error, row, self.layout.node_entered(row[TARGET]), side)


def _with_change(update: Forward) -> Receive:
    """Passes on the two values of an update, which came through a shuffle as one."""
    return lambda key, change, timestamp: update(key, *change, timestamp)
