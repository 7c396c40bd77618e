"""The test driver: runs a topology on single records, without Kafka, Spark or a clock (TopologyTestDriver)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

from designer.reasons import Reason
from designer.streams.topics import WritesTopic
from designer.topology.graph import Graph
from designer.values.schemas import RegistrySchemas, Schema, Side, WrittenSchema
from designer.values.tuples import Windowed
from runner.engine.counts.drops import Drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, merge_outcomes
from runner.engine.formats.sides import make_decoder_of, make_encoder_of
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import DeadLetterSink, Layout, Shuffle, Sink, Source
from runner.engine.planning.options import Options, Policy
from runner.engine.planning.parts import LATEST
from runner.engine.queues import PartitionGroup
from runner.engine.records.codecs import BOUNDS, TIMESTAMP
from runner.engine.records.headers import read_headers, write_headers
from runner.engine.records.record import HEADERS, KEY, ORIGIN, TARGET, TIME, VALUE, Row, number_input
from runner.engine.stores.calendar import find_end
from runner.engine.stores.state import MemoryState
from runner.engine.tasks.counting import TaskCounts
from runner.engine.tasks.event_time import Clock, read_system_clock
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.task import Task


class WrittenRecord(NamedTuple):
    """A record of an output topic."""

    key: Any
    value: Any
    timestamp: int
    headers: tuple[tuple[str, bytes | None], ...] = ()


NO_SCHEMAS: RegistrySchemas = {}


class Driver:
    """Runs a graph with one task for each sub-topology.

        driver = Driver(graph)
        driver.pipe("orders", key="a", value={"amount": 3})
        assert driver.read("totals") == [("a", {"sum": 3})]

    Each record is its own batch, unless piped inside `with driver.batch():`. With `is_one_life=False` the tasks
    are created again for each batch over the same state, as on Spark. `wall_clock` gives the time (ms) if a source or
    a processor asks for it. Sub-topologies are those of Kafka Streams, or with `is_layered=True` those on Spark.
    """

    def __init__(
        self,
        graph: Graph,
        sources: Mapping[str, Schema] | None = None,
        *,
        cache: bool = False,
        deserialization: Policy = "dead_letter",
        processing: Policy = "dead_letter",
        production: Policy = "dead_letter",
        is_one_life: bool = True,
        wall_clock: Clock = read_system_clock,
        is_layered: bool = False,
        registry_schemas: RegistrySchemas = NO_SCHEMAS,
        written: Sequence[WrittenSchema] = (),
    ) -> None:
        layout = self._lay_out(graph, sources, is_layered)
        self.layout = replace(layout, registry_schemas=registry_schemas, written=tuple(written))
        self.options = Options(cache, deserialization, processing, production)
        self.state = MemoryState()
        self.is_one_life = is_one_life
        self.system_clock = wall_clock
        self.ahead_ms = 0
        self.offsets: Mapping[str, Iterator[int]] = defaultdict(count)
        self.output: list[tuple[str | None, Row]] = []
        self.read_back = self.layout.sources_by_topic
        """Targets that take the topology's own output, by topic."""
        self.waiting = PartitionGroup(frozenset(self._find_targets_at_once()))
        self.earlier_counts = TaskCounts({}, {})
        self.earlier_drops: Drops = {}
        self.in_batch = False
        self.to_flush: set[int] = set()
        """The tasks with records since their last flush."""
        self._start()

    def pipe(
        self,
        topic: str,
        *,
        key: Any = None,
        value: Any = None,
        timestamp: int = 0,
        headers: Mapping[str, bytes | None] | None = None,
    ) -> None:
        """Process one record of a topic, and everything that follows from it."""
        sources = self.layout.sources_by_topic.get(topic)
        if sources is None:
            raise LookupError(f"No node reads the topic {topic}.")
        schema = self._find_schema(sources[0])
        self.pipe_bytes(topic, _encode(schema.key, key), _encode(schema.value, value), timestamp, headers)

    def pipe_bytes(
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        timestamp: int = 0,
        headers: Mapping[str, bytes | None] | None = None,
    ) -> None:
        """Process one record in the bytes of a topic."""
        of_row = write_headers(headers.items() if headers else None)
        row, offset = (key, value, timestamp, of_row), next(self.offsets[topic])
        for target in self.layout.sources_by_topic.get(topic, ()):
            self._take((target, *row, number_input(target, 0), offset))
        self._process_waiting()
        if not self.in_batch:
            self.flush()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """All records piped inside make one batch. Caches forward at its end."""
        self.in_batch = True
        try:
            yield
        finally:
            self.in_batch = False
        self.flush()

    def wall_clock(self) -> int:
        """The time (ms) that processors see."""
        return self.system_clock() + self.ahead_ms

    def advance_wall_clock(self, ms: int) -> None:
        """Let time pass, in a batch without records (TopologyTestDriver.advanceWallClockTime)."""
        self.ahead_ms += ms
        self.flush()

    def flush(self) -> None:
        """End the batch: all tasks flush, in the order of flow. Repeats if a loop brings a task more records."""
        self.globals.flush()
        self.to_flush = set(range(len(self.tasks)))
        while self.to_flush:
            for number in sorted(self.to_flush):
                self.to_flush.discard(number)
                self.tasks[number].flush()
                self._process_waiting()
        if not self.is_one_life:
            self._end()
            self._start()

    def read(self, topic: str) -> list[tuple[Any, Any]]:
        """Keys and values written to a topic since the last read."""
        return [(record.key, record.value) for record in self.records(topic)]

    def records(self, topic: str) -> list[WrittenRecord]:
        """The records written to a topic since the last read."""
        return [self._decode_record(row) for row in self._find_written(topic)]

    def rows(self) -> list[tuple[str, Row]]:
        """All records written since the last read, in order, with topics and as rows of bytes."""
        rows = [(topic, row) for topic, row in self.output if topic is not None]
        self.output = [(topic, row) for topic, row in self.output if topic is None]
        return rows

    def dead_letters(self) -> list[WrittenRecord]:
        """Failed records since the last read: keys and values as bytes."""
        return [
            WrittenRecord(row[KEY], row[VALUE], row[TIME], tuple(read_headers(row[HEADERS])))
            for row in self._find_written(None)
        ]

    def counters(self) -> dict[str, dict[str, int]]:
        """The counts of each node so far: in, out, dropped, errors."""
        return self.count_passed().counters

    def outcomes(self) -> Outcomes:
        """The outcome so far of records that did not go out, by node."""
        return self.count_passed().outcomes

    def count_passed(self) -> TaskCounts:
        """The counts of each node so far, and the outcome of the other records."""
        total = TaskCounts({}, {})
        for counts in (self.earlier_counts, *(task.count_passed() for task in self.tasks)):
            add_counts(total.counters, counts.counters)
            merge_outcomes(total.outcomes, counts.outcomes)
        add_counts(total.counters, self.globals.counters())
        merge_outcomes(total.outcomes, self.globals.outcomes())
        return total

    def drops(self) -> Drops:
        """Records dropped so far, by node and reason, with the first records of each."""
        total: Drops = {}
        for part in (self.earlier_drops, *(task.drops() for task in self.tasks), self.globals.drops()):
            add_drops(total, part)
        return total

    @property
    def dropped_records(self) -> int:
        """Kafka Streams' metric dropped-records-total."""
        silent = Reason.NULL_KEY_BEFORE_SHUFFLE.text
        return sum(each["count"] for of in self.drops().values() for words, each in of.items() if words != silent)

    def _lay_out(self, graph: Graph, sources: Mapping[str, Schema] | None, is_layered: bool) -> Layout:
        return lay_out(graph, sources, is_layered=is_layered)

    def _start(self) -> None:
        self.globals = Globals(self.layout, self.state, self._emit, self.options, self.wall_clock)
        self.tasks = [self._make_task(each.number) for each in self.layout.sub_topologies]

    def _make_task(self, number: int) -> Task:
        return Task(self.layout, number, 0, self.state, self._emit, self.options, self.globals, self.wall_clock)

    def _end(self) -> None:
        self.earlier_counts, self.earlier_drops = self.count_passed(), self.drops()

    def _take(self, row: Row) -> None:
        target = self.layout.targets[row[TARGET]]
        if isinstance(target, Source) and target.kind == "global":
            self.globals.apply(*row)
        elif isinstance(target, Source | Shuffle):
            assert target.sub_topology is not None
            self.tasks[target.sub_topology].run((row,))
            self.to_flush.add(target.sub_topology)
            for copy in self.layout.copies.get(row[TARGET], ()):
                self._take((copy, *row[KEY:]))

    def _process_waiting(self) -> None:
        """Process rows that wait after shuffles and topics: the lowest timestamp first, as a task takes partitions."""
        while (row := self.waiting.take()) is not None:
            self._take(row)

    def _emit(self, row: Row) -> None:
        target = self.layout.targets[row[TARGET]]
        if isinstance(target, Shuffle):
            self.waiting.add(row)
        elif isinstance(target, Sink):
            self.output.append((target.topic, row))
            if sources := self.read_back.get(target.topic):
                offset = next(self.offsets[target.topic])
                for source in sources:
                    self.waiting.add((source, *row[KEY:ORIGIN], number_input(source, 0), offset))
        elif isinstance(target, DeadLetterSink):
            self.output.append((None, row))

    def _find_written(self, topic: str | None) -> list[Row]:
        rows = [row for of, row in self.output if of == topic]
        self.output = [(of, row) for of, row in self.output if of != topic]
        return rows

    def _find_targets_at_once(self) -> Iterator[int]:
        """The targets whose rows do not wait for lower times."""
        for number, target in enumerate(self.layout.targets):
            is_global = isinstance(target, Source) and target.kind == "global"
            if is_global or (isinstance(target, Shuffle) and target.to_port == LATEST):
                yield number

    def _find_schema(self, target: int) -> Schema:
        (flow,) = self.layout.nodes[self.layout.node_entered(target)].outputs.values()
        return flow.schema

    def _decode_record(self, row: Row) -> WrittenRecord:
        target, key, value, timestamp, headers, _, _ = row
        sink = self.layout.targets[target]
        assert isinstance(sink, Sink)
        at = self.layout.nodes[sink.node]
        assert isinstance(at.operator, WritesTopic)
        schema = at.operator.find_schema_written(at.inputs.only.schema)
        return WrittenRecord(
            decode_key(schema, key), decode_side(schema.value, value), timestamp, tuple(read_headers(headers))
        )


def decode_key(schema: Schema, data: bytes | None) -> Any:
    """The key of an output topic, from its bytes. Raises DecodeError."""
    if data is None or schema.window is None:
        return decode_side(schema.key, data)
    if schema.window.kind == "session":
        end, start = BOUNDS.unpack(data[-BOUNDS.size :])
        return Windowed(decode_side(schema.key, data[: -BOUNDS.size]), start, end)
    (start,) = TIMESTAMP.unpack(data[-TIMESTAMP.size :])
    return Windowed(decode_side(schema.key, data[: -TIMESTAMP.size]), start, find_end(schema.window, start))


def _encode(side: Side, value: Any) -> bytes | None:
    return None if value is None else make_encoder_of(side)(value)


def decode_side(side: Side, data: bytes | None) -> Any:
    """A key without a window, or a value, from its bytes. Raises DecodeError."""
    return None if data is None else make_decoder_of(side)(data)


def add_counts(total: dict[str, dict[str, int]], counts: Mapping[str, Mapping[str, int]]) -> None:
    """Adds the counts of nodes to those in `total`."""
    for node, numbers in counts.items():
        into = total.setdefault(node, {"in": 0, "out": 0, "dropped": 0, "errors": 0})
        for name, number in numbers.items():
            into[name] = into.get(name, 0) + number
