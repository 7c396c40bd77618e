"""A trial runs a graph on some records, without Kafka, Spark or a clock. It shows the output of each node."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypedDict

from designer.refusals import Refusal
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from designer.values.tuples import Windowed
from runner.engine.codes import EngineCode
from runner.engine.driver import Driver
from runner.engine.formats import DecodeError
from runner.engine.formats.display import read_shown, show, show_bytes, write_shown
from runner.engine.formats.sides import make_encoder_of
from runner.engine.planning.layout import DeadLetterSink, Source
from runner.engine.queryable.holding import HeldByTask, describe_held
from runner.engine.queryable.query import WindowTimes
from runner.engine.records.headers import read_headers_as_text
from runner.engine.records.merge import merge
from runner.engine.records.record import (
    HEADERS,
    KEY,
    ORIGIN,
    PARTITIONS,
    SEQ,
    TARGET,
    TIME,
    VALUE,
    Origin,
    OriginJson,
    Row,
    number_input,
)
from runner.engine.stores.state import PREFIX as PLACE
from runner.engine.tasks.errors import PREFIX, RecordFailed
from runner.engine.tasks.holding import Holding, ask_held
from runner.engine.tasks.processor import UPDATES
from runner.engine.tasks.task import Task
from runner.engine.tasks.wiring import Forward, join

MAX_RECORDS = 100
"""Most records shown per port, the newest."""
MAX_LENGTH = 16_384
"""Most characters shown of a key or value."""
See = Callable[[str, str, Any, Any, int], None]
"""Takes node, output port, key, value and timestamp (ms) of a record that leaves a node."""


class TrialResult(TypedDict):
    """A record that left a node, as JSON texts. A text of more than MAX_LENGTH is cut, and its whole length given."""

    key: str | None
    key_length: int | None
    window: WindowTimes | None
    value: str | None
    value_length: int | None
    timestamp: int
    origin: OriginJson


class Failure(TypedDict):
    """The node on which a record failed, and the reason."""

    node: str
    message: str


class FailedRecord(Failure):
    origin: OriginJson


class TrialFacts(TypedDict):
    """Counts of each node in the form of live numbers, and the records that nodes hold back now."""

    nodes: Mapping[str, Mapping[str, Any]]
    held: Mapping[str, list[HeldByTask]]


class Line(TypedDict, total=False):
    """A line of a test case: a record, or a dead letter instead, which has only the last three members."""

    topic: str
    key: Any
    value: Any
    timestamp: int
    key_bytes: str | None
    """What Kafka gets, as text or as `base64:` and base64. Two formats can give one value and other bytes."""
    value_bytes: str | None
    dead_letter: str
    """The node at which the record failed."""
    record: int
    """The number of the input that failed, from 1."""
    reason: str


class MadeUpRecord(NamedTuple):
    """A record someone made up."""

    topic: str
    key: Any
    value: Any
    timestamp: int


class RecordTimes:
    """Made-up records, and a clock that shows the newest time among the records already taken. A repeated trial
    then gives the same command again."""

    def __init__(self, records: Sequence[MadeUpRecord]) -> None:
        self.records = records
        self.now = records[0].timestamp if records else 0

    def __iter__(self) -> Iterator[MadeUpRecord]:
        for record in self.records:
            self.now = max(self.now, record.timestamp)
            yield record

    def clock(self) -> int:
        return self.now


class NotEncoded(Refusal):
    """A made-up record does not fit its topic."""

    code = EngineCode.TRIAL_NOT_ENCODED
    status = 422


class Trial(Driver):
    """A driver that keeps the newest records of each output port. Caches are off, to show every update of a table.

    `failure` is what ended it early: a record failed on a node with the policy `fail`.
    """

    def __init__(
        self,
        graph: Graph,
        sources: Mapping[str, Schema] | None = None,
        *,
        shown_node: str | None = None,
        **options: Any,
    ) -> None:
        """With a `shown_node`, keeps only its records and those of sources."""
        self.shown_node = shown_node
        self.origin = Origin("", 0, 0)
        self.failure: RecordFailed | None = None
        self.letters: list[tuple[Origin, str | None]] = []
        """The original record of each dead letter, also after shuffles, and its headers."""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.shown_records: Mapping[tuple[str, str], deque[TrialResult]] = defaultdict(
            lambda: deque(maxlen=MAX_RECORDS)
        )
        super().__init__(graph, sources, **options)
        self.source_kinds = {each.node: each.kind for each in self.layout.targets if isinstance(each, Source)}

    def run(self, records: Iterable[tuple[str, Row]]) -> None:
        """Process records of topics. Their rows have any target. Global tables come first (GlobalKTable), then the
        rest in the order in which a task would choose them (PartitionGroup). A topic that the graph itself writes,
        and of which there are records, is read as it is.
        """
        self.run_rows(self.order(records))

    def order(self, records: Iterable[tuple[str, Row]]) -> list[Row]:
        """The rows that `run` processes, in that order."""
        topic_rows = list(records)
        topics = {topic for topic, _ in topic_rows}
        self.read_back = {topic: each for topic, each in self.read_back.items() if topic not in topics}
        rows = [row for record in topic_rows for row in self._find_arriving(*record)]
        apart = [row for row in rows if self._is_global(row)]
        return [*merge(apart), *merge(row for row in rows if not self._is_global(row))]

    def run_as_given(self, records: Iterable[MadeUpRecord]) -> None:
        """Process records in the given order. The offset of each is its place. Records of topics that
        no node reads are left out. Raises NotEncoded."""
        self.run_rows(self.order_given(records))

    def order_given(self, records: Iterable[MadeUpRecord]) -> Iterator[Row]:
        """The rows that `run_as_given` processes, in that order. Raises NotEncoded."""
        return (row for number, record in enumerate(records) for row in self._encode_rows(number, record))

    def departures(self) -> Iterator[Line]:
        """The records that left so far, in order, also as bytes. For a dead letter: its node, its record, and why."""
        failures = iter(self.failures())
        for topic, row in self.output:
            if topic is None:
                letter = next(failures)
                record = letter["origin"]["offset"] + 1
                yield {"dead_letter": letter["node"], "record": record, "reason": letter["message"]}
            else:
                key, value, timestamp, _ = self._decode_record(row)
                yield {
                    "topic": topic,
                    "key": show(_write_plain(key)),
                    "value": show(value),
                    "timestamp": timestamp,
                    "key_bytes": show_bytes(row[KEY]),
                    "value_bytes": show_bytes(row[VALUE]),
                }

    def failures(self) -> list[FailedRecord]:
        """The records that failed so far."""
        return [{**describe_failure(headers), "origin": origin.to_json()} for origin, headers in self.letters]

    def drop_counts(self) -> dict[str, dict[str, int]]:
        """Number of records dropped so far, by node and reason."""
        counts = (
            (node, {reason: each["count"] for reason, each in reasons.items() if each["count"]})
            for node, reasons in self.drops().items()
        )
        return {node: reasons for node, reasons in counts if reasons}

    def measure_stores(self) -> list[tuple[int, int]]:
        """The rows of each store so far, and the bytes of their keys and values."""
        sizes = [(0, 0)] * len(self.layout.stores)
        for key, value in self.state.values.items():
            _, number = PLACE.unpack_from(key)
            if number < len(sizes):
                rows, size = sizes[number]
                sizes[number] = (rows + 1, size + len(key) + len(value))
        return sizes

    def facts(self) -> TrialFacts:
        task_counts, drops, drop_counts = self.count_passed(), self.drops(), self.drop_counts()
        nodes: dict[str, Mapping[str, Any]] = {
            node: {
                **counts,
                **task_counts.outcomes.get(node, {}),
                "dropped_by": drop_counts.get(node, {}),
                "lost_samples": {reason: each["samples"] for reason, each in drops.get(node, {}).items()},
            }
            for node, counts in task_counts.counters.items()
        }
        holdings: dict[str, list[HeldByTask]] = {}
        for task in self.tasks:
            for node, processor in task.processors.items():
                if holding := ask_held(processor):
                    holdings.setdefault(node, []).append(describe_held(holding, task.number))
        for node, store in self.globals.stores.items():
            holdings[node] = [describe_held(Holding(newest={"": store.read_newest()}), None)]
        return {"nodes": nodes, "held": holdings}

    def _find_arriving(self, topic: str, row: Row) -> list[Row]:
        """A record, once for each source that reads its topic."""
        return [
            (target, *row[KEY:ORIGIN], number_input(target, row[ORIGIN]), row[SEQ])
            for target in self.layout.sources_by_topic.get(topic, ())
        ]

    def _encode_rows(self, number: int, record: MadeUpRecord) -> Iterator[Row]:
        for row in self._find_arriving(record.topic, (0, None, None, record.timestamp, None, 0, number)):
            (flow,) = self.layout.nodes[self.layout.node_entered(row[TARGET])].outputs.values()
            sides = {"key": (flow.schema.key, record.key), "value": (flow.schema.value, record.value)}
            encoded_sides: list[bytes | None] = []
            for name, (side, content) in sides.items():
                try:
                    encoded_sides.append(
                        None if content is None else make_encoder_of(side)(read_shown(content, side.type))
                    )
                except ValueError as error:
                    raise NotEncoded(
                        f"The {name} of record {number + 1} does not fit `{record.topic}`: {error}",
                        f"It is written as {side.format}, of type {side.type.kind.value}.",
                    ) from error
            yield (row[TARGET], *encoded_sides, *row[TIME:])  # type: ignore[misc]

    def run_rows(self, rows: Iterable[Row]) -> None:
        """Process rows of topics in that order."""
        try:
            for row in rows:
                self.origin = self.origin_of(row)
                self._process(row)
        except RecordFailed as failure:
            self.failure = failure

    def origin_of(self, row: Row) -> Origin:
        """The Kafka record from which a row was read."""
        target = self.layout.targets[row[TARGET]]
        assert isinstance(target, Source)
        return Origin(target.topic, row[ORIGIN] % PARTITIONS, row[SEQ])

    def _process(self, row: Row) -> None:
        """Process one record, everything that follows from it, and the end of its batch."""
        self._take(row)
        self._process_waiting()
        self.flush()

    def _is_global(self, row: Row) -> bool:
        target = self.layout.targets[row[TARGET]]
        return isinstance(target, Source) and target.kind == "global"

    def _take(self, row: Row) -> None:
        super()._take(row)
        if self._is_global(row) and row[KEY] is not None:
            node = self.globals.targets[row[TARGET]]
            decode_key, decode_value = self.globals.decoders[row[TARGET]]
            (port,) = self.layout.nodes[node].outputs
            with suppress(DecodeError):
                key, value = decode_key(row[KEY]), None if row[VALUE] is None else decode_value(row[VALUE])
                self._note_record(node, port, key, value, row[TIME])

    def _emit(self, row: Row) -> None:
        super()._emit(row)
        if isinstance(self.layout.targets[row[TARGET]], DeadLetterSink):
            self.letters.append((self.origin, row[HEADERS]))

    def _make_task(self, number: int) -> Task:
        return SeenTask(
            self._note_record,
            self.layout,
            number,
            0,
            self.state,
            self._emit,
            self.options,
            self.globals,
            self.wall_clock,
        )

    def _note_record(self, node: str, port: str, key: Any, value: Any, timestamp: int) -> None:
        self.counts[node, port] += 1
        if self.shown_node not in (None, node) and node not in self.source_kinds:
            return
        window: WindowTimes | None = None
        if isinstance(key, Windowed):
            key, window = key.key, {"start": key.start, "end": key.end}
        (key_text, key_length), (value_text, value_length) = _shorten_text(key), _shorten_text(value)
        self.shown_records[node, port].append(
            {
                "key": key_text,
                "key_length": key_length,
                "window": window,
                "value": value_text,
                "value_length": value_length,
                "timestamp": timestamp,
                "origin": self.origin.to_json(),
            }
        )


class SeenTask(Task):
    """A task that reports the output of each port, before anyone takes it."""

    may_use_kernel = False

    def __init__(self, see: See, *of_task: Any) -> None:
        self.see = see
        super().__init__(*of_task)

    def _find_children(self, node: str, output: str | None = None) -> list[Forward]:
        children = super()._find_children(node, output)
        outputs = self.layout.nodes[node].outputs
        if not outputs:
            return children
        port = output or next(iter(outputs))
        onward = join(children, self.errors, self.record_context, is_often=False)
        passing = ((each, next(iter(self.layout.nodes[each].outputs))) for each in self._find_passing(node, output))
        return [self._watch([(node, port), *passing], onward, is_update=outputs[port].type in UPDATES)]

    def _find_passing(self, node: str, output: str | None = None) -> Iterator[str]:
        """The groups that pass on a node's output."""
        for edge in self.layout.children[node]:
            if output in (None, edge.source_port) and self._passes_groups(edge):
                yield edge.target
                yield from self._find_passing(edge.target)

    def _watch(self, places: Sequence[tuple[str, str]], onward: Forward, *, is_update: bool) -> Forward:
        see = self.see

        def update(key: Any, new: Any, old: Any, timestamp: int) -> None:
            for place in places:
                see(*place, key, new, timestamp)
            onward(key, new, old, timestamp)

        def record(key: Any, value: Any, timestamp: int) -> None:
            for place in places:
                see(*place, key, value, timestamp)
            onward(key, value, timestamp)

        return update if is_update else record


def describe_failure(headers: str | None) -> Failure:
    """The node on which a dead letter's record failed, and the reason."""
    facts = {each["key"].removeprefix(PREFIX): each["value"] for each in read_headers_as_text(headers)}
    return {"node": facts["node"], "message": facts["message"]}


def _write_plain(key: Any) -> Any:
    """Writes a windowed key in the JSON form of `to`."""
    return {"key": key.key, "start": key.start, "end": key.end} if isinstance(key, Windowed) else key


def _shorten_text(value: Any) -> tuple[str | None, int | None]:
    """JSON of a shown value (None is Kafka's null, which is not JSON), and its whole length if it is cut."""
    if value is None:
        return None, None
    text = write_shown(value)
    return (text, None) if len(text) <= MAX_LENGTH else (f"{text[:MAX_LENGTH]}…", len(text))
