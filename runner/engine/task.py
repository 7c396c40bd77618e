"""A task: one slice of the keys of one sub-topology, with its processors, stores and stream times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from designer.expressions.errors import RecordError
from designer.graph import Edge
from designer.ports import PortType
from runner.engine.codecs import record_key_codec, value_codec
from runner.engine.context import NO_ROW
from runner.engine.cutting import CutProcessor
from runner.engine.errors import Errors, side_of_error
from runner.engine.globals import Globals
from runner.engine.layout import Cut, Layout, SubTopology
from runner.engine.options import Options
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.program import program
from runner.engine.records import Emit, Receive, Row, View
from runner.engine.sources import Entrance, decoders
from runner.engine.state import State
from runner.engine.times import StreamTimes
from runner.engine.wiring import Forward, joined
from runner.formats import DecodeError

NEGATIVE_TIME = "Its time is {} ms; expected 0 or later (Kafka Streams' FailOnInvalidTimestamp)."


class Task:
    """Processes the rows of one sub-topology one by one, depth first, and sends what comes of them to `emit`.

    Everything it must remember is in `state` after `flush()`, so a task may live for one batch or for ever. Tasks of
    one slot share the global tables: give each the same `globals_`. Tasks of one layout run one at a time.
    """

    def __init__(
        self,
        layout: Layout,
        sub_topology: int,
        number: int,
        state: State,
        emit: Emit,
        options: Options | None = None,
        globals_: Globals | None = None,
    ) -> None:
        self.layout = layout
        self.sub_topology: SubTopology = layout.sub_topologies[sub_topology]
        self.number = number
        self.state = state
        self.emit = emit
        self.options = options or Options()
        self.program = program(layout, self.options)
        self.context = self.program.context
        self.errors = Errors(layout, emit, self.options)
        self.times = StreamTimes(state, number)
        self.globals = globals_ or Globals(layout, state, emit, self.options)
        self.owns_globals = globals_ is None
        self.received: Counter[int] = Counter()
        self.cuts: list[tuple[Cut, CutProcessor]] = []
        self.processors: dict[str, Processor | None] = {}
        for node in self.sub_topology.nodes:
            self.processors[node] = layout.nodes[node].operator.processor(Place(self, node))
        for node, processor in self.processors.items():
            if processor is not None:
                processor.node = node
                self._wire(node, processor)
        self.entrances = {target: self._entrance(target) for target in self._own_targets()}

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
        """Process one row. A record error takes its policy; with `fail` it raises `RecordFailed`."""
        self.run(((target, key, value, timestamp, headers, origin, seq),))

    def run(self, rows: Iterable[Row]) -> None:
        """Process rows in the order given (see `merge`)."""
        context, entrances, received = self.context, self.entrances, self.received
        for row in rows:
            target, key, value, timestamp, _, _, _ = row
            context.row = row
            received[target] += 1
            decode_key, decode_value, receive = entrances[target]
            try:
                if timestamp < 0:
                    raise DecodeError(NEGATIVE_TIME.format(timestamp), "timestamp")
                receive(
                    None if key is None else decode_key(key),
                    None if value is None else decode_value(value),
                    timestamp,
                )
            except RecordError as error:
                self.errors.processing(error, context.row)
            except DecodeError as error:
                self._undecodable(error, row)

    def global_record(self, target: int, key: bytes | None, value: bytes | None, timestamp: int) -> None:
        """Apply one row of a global table."""
        self.globals.apply(target, key, value, timestamp)

    def flush(self) -> None:
        """End a batch: tables that were held back forward, in order of definition, and all state is written."""
        for processor in self.processors.values():
            if processor is not None:
                processor.flush()
        if self.owns_globals:
            self.globals.flush()
        self.times.flush()
        self.context.row = NO_ROW

    def view(self, node: str) -> View:
        """Looks up rows of the table a node gives."""
        if node not in self.processors:
            return self.globals.view(node)
        processor = self.processors[node]
        assert processor is not None
        return processor.view()

    def counters(self) -> dict[str, dict[str, int]]:
        """What passed each node since this task was made: in, out, dropped, errors."""
        counted: dict[str, dict[str, int]] = {}
        arrived = self._arrived()
        for node, processor in self.processors.items():
            errors = self.errors.by_node[node]
            out = arrived[node] - errors if processor is None else processor.forwarded(arrived[node], errors)
            dropped = 0 if processor is None else processor.dropped
            counted[node] = {"in": arrived[node], "out": out, "dropped": dropped, "errors": errors}
            for edge in self._edges_within(node):
                arrived[edge.target] += self._out_by(processor, edge.source_port, out, arrived[node], errors)
        for cut, processor in self.cuts:
            if processor.silent:
                at = counted.setdefault(cut.to_node, {"in": 0, "out": 0, "dropped": 0, "errors": 0})
                at["in"] += processor.silent
        return counted | (self.globals.counters() if self.owns_globals else {})

    def _arrived(self) -> Counter[str]:
        """Rows that came from outside, by the node they came to."""
        arrived: Counter[str] = Counter()
        for target, count in self.received.items():
            arrived[self.layout.entered(target)] += count
        return arrived

    def _out_by(self, processor: Processor | None, output: str, out: int, received: int, errors: int) -> int:
        if processor is None or not hasattr(processor, "branches"):
            return out
        return processor.forwarded_to(output, received, errors)

    def _edges_within(self, node: str) -> Iterable[Edge]:
        cut = self.layout.cut_of
        return (edge for edge in self.layout.children[node] if (edge.target, edge.target_port) not in cut)

    def _wire(self, node: str, processor: Processor) -> None:
        outputs = self.layout.nodes[node].outputs
        if len(outputs) > 1:
            processor.branches = {
                port: joined(self._children(node, port), self.errors, self.context, often=True) for port in outputs
            }
            return
        children = self._children(node)
        forward = joined(children, self.errors, self.context, often=processor.forwards_often)
        processor.forward = processor.forward_update = forward

    def _children(self, node: str, output: str | None = None) -> list[Forward]:
        """What takes the records a node gives, at all its outputs or at one."""
        edges = (edge for edge in self.layout.children[node] if output in (None, edge.source_port))
        return [receive for edge in edges for receive in self._receivers(edge)]

    def _receivers(self, edge: Edge) -> list[Forward]:
        """What takes the records of an edge; a node that only passes them on stands for its children."""
        cut = self.layout.cut_of.get((edge.target, edge.target_port))
        if cut is not None:
            return [self._cut(cut, edge)]
        processor = self.processors[edge.target]
        if processor is None:
            return self._children(edge.target)
        return [processor.receiver(edge.target_port, self._arriving(edge.target, edge.target_port))]

    def _arriving(self, node: str, port: str) -> PortType:
        return self.layout.nodes[node].inputs[port].type

    def _cut(self, target: int, edge: Edge) -> Receive:
        cut = self.layout.targets[target]
        assert isinstance(cut, Cut)
        schema = self.layout.nodes[edge.target].inputs[edge.target_port].schema
        processor = CutProcessor(cut, target, schema, self.emit, self.context)
        self.cuts.append((cut, processor))
        return processor.process

    def _own_targets(self) -> Iterable[int]:
        own = self.layout.targets_of((self.sub_topology.number,))
        return (target for target in own if target not in self.globals.targets)

    def _entrance(self, target: int) -> Entrance:
        """What a row of a target goes through: the decoders of key and value, and who takes the record."""
        found = self.layout.targets[target]
        if isinstance(found, Cut):
            flow = self.layout.nodes[found.to_node].inputs[found.to_port]
            _, unpack = value_codec(flow.schema.value.type)
            return Entrance(record_key_codec(flow.schema).decode, unpack, self._entering(found.to_node, found.to_port))
        node = found.node  # type: ignore[union-attr]
        return Entrance(*decoders(self.layout, node), self._entering(node))

    def _entering(self, node: str, port: str | None = None) -> Receive:
        processor = self.processors[node]
        if processor is None:
            return joined(self._children(node), self.errors, self.context, often=False)
        return processor.process if port is None else processor.receiver(port, self._arriving(node, port))

    def _undecodable(self, error: DecodeError, row: Row) -> None:
        side = error.field if row[3] < 0 else side_of_error(self.entrances[row[0]].decode_key, row)
        self.errors.deserialization(error, row, self.layout.entered(row[0]), side)
