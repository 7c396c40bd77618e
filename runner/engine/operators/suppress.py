from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from designer.expressions.errors import RecordError
from designer.issues import Issue
from designer.reasons import DELETION, LATE, Reason
from designer.refusals import Refusal
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.forms import Duration, WindowSize, find_unread
from designer.topology.ports import Input, KTable, Output, PortType
from designer.values.schemas import ANY, Schema, Side
from runner.engine.codes import EngineCode
from runner.engine.formats import EncodeError
from runner.engine.formats.sides import make_encoder_of
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.shared.buffering import BufferedUpdate, ChangeBuffer, convert_buffered, count_buffered
from runner.engine.planning.layout import find_topic
from runner.engine.planning.parts import find_owner
from runner.engine.planning.tables import Contents, NodeTables
from runner.engine.records.codecs import TIMESTAMP, make_key_codec
from runner.engine.records.headers import read_headers
from runner.engine.records.record import HEADERS, TARGET, Entry, MovedNumbers, Row, View
from runner.engine.stores.conversion import Convert
from runner.engine.stores.state import State
from runner.engine.tasks.holding import Holding, Until, get_known_time
from runner.engine.tasks.idling import Idling, keep_idle_time
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext
from runner.engine.tasks.store_context import StoreContext

UNKNOWN = -1
"""The time of a value for which only the value is known (RecordQueue.UNKNOWN)."""
ENTRY_BYTES = 8 + 8 + 8 + 4
"""Size that Kafka Streams adds for each entry: buffer time, timestamp, offset, partition."""
BUFFER = Contents(
    "holds results back, and Streamwright does not rebuild them.",
    "the results that it holds back are lost.",
)


class BufferFull(Refusal):
    """A suppress that may not emit early exceeds its limit."""

    code = EngineCode.SUPPRESS_BUFFER_FULL
    status = 422


@register
class Suppress(Operator):
    """Hold back the updates of a table, so that only the last one of each key is forwarded.

    Until the window closes (`untilWindowCloses`): each key and window is forwarded once, when stream time passes the
    end of the window and the grace period. Deletions are not forwarded. Until a time limit (`untilTimeLimit`): an
    update waits until stream time is `wait_ms` past the first update of its key that is still held back. Only records
    move stream time, so the last updates wait for later records unless you set `idle_ms`.
    """

    icon = "hourglass"
    step_prefixes = ("KTABLE-SUPPRESS",)
    remembers = True
    held_part: ClassVar[str] = "buffer"
    kept_ports: ClassVar[Mapping[str, Sequence[str]]] = {"buffer": ("table",)}
    kafka_names = ("Suppressed",)
    family = "table"
    summary = ("wait_ms",)
    more = ("max_records", "max_bytes", "buffer_full")
    table = Input(KTable)
    result = Output(KTable)

    until: Literal["window_close", "time_limit"] = Field("window_close", description="What updates wait for.")
    wait_ms: Duration | None = Field(
        None,
        description="How long an update waits, in stream time.",
        json_schema_extra={"shown": {"until": ["time_limit"]}, "empty_means": "until the buffer is full"},
    )
    max_records: int | None = Field(
        None, ge=0, description="How many keys each task may hold back.", json_schema_extra={"empty_means": "no limit"}
    )
    max_bytes: int | None = Field(
        None,
        ge=1,
        description=(
            "How many bytes each task may hold back, counted as Kafka Streams does. Each key counts 28, "
            "and the bytes of the key, the topic's name, the headers and three values. These are the last value "
            "forwarded, the value before the update, and the new value."
        ),
        json_schema_extra={"empty_means": "no limit"},
    )
    buffer_full: Literal["emit_early", "shut_down"] | None = Field(
        None,
        description=("What happens when the buffer is full: the oldest updates are forwarded early, or the run fails."),
        json_schema_extra={
            "empty_means": ("emit_early with a time limit, shut_down with window_close, which promises final results")
        },
    )

    idle_ms: WindowSize | None = Field(
        None,
        title="Idle time",
        description=(
            "After this wall-clock time without updates, a task advances stream time here to now minus this "
            "time. It then forwards the updates that are due. Later updates of closed windows are dropped as late."
        ),
        json_schema_extra={"empty_means": "only records move stream time, as in Kafka Streams"},
    )

    def trace(self, tracing: Tracing) -> Columns:
        return tracing.only.influenced("window", tracing.only.timestamp)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        arriving = inputs.only
        yield from find_unread(self)
        if self._emits_nothing:
            yield Issue(OperatorIssueCode.SUPPRESS_NEVER, field="wait_ms")
        if self.until == "window_close" and arriving.schema.window is None:
            yield Issue(OperatorIssueCode.SUPPRESS_NO_WINDOW, field="until")
        if self.until == "window_close" and self.buffer_full == "emit_early":
            yield Issue(OperatorIssueCode.SUPPRESS_EARLY, field="buffer_full")
        if arriving.history_ms is not None:
            yield Issue(OperatorIssueCode.SUPPRESS_VERSIONED)

    @property
    def _emits_nothing(self) -> bool:
        is_bounded = self.max_records is not None or self.max_bytes is not None
        emits_early = is_bounded and self.buffer_full != "shut_down"
        return self.until == "time_limit" and self.wait_ms is None and not emits_early

    def plan_tables(self, plan: NodeTables) -> None:
        plan.derive_table("table", is_named=False).skips_updates = True
        plan.arriving["table"].ask_old_values(is_forced=True)
        arriving = plan.inputs.only.schema
        plan.keep(self.held_part, arriving.key, Side(arriving.value.format, ANY), BUFFER)
        if self.idle_ms is not None:
            keep_idle_time(plan)

    def processor(self, context: ProcessorContext) -> Suppressing:
        return Suppressing(self, context)

    def make_size(self, context: StoreContext, arriving: Schema) -> Size:
        """The counted size of an entry. 0 if nothing limits the bytes."""
        return _count_nothing if self.max_bytes is None else _make_sizes(context, arriving)

    def count_held(self, state: State) -> int:
        return count_buffered(state)

    def convert_kept(
        self, part: str, converts: Mapping[str, Convert], moved: MovedNumbers, key: bytes, data: bytes
    ) -> tuple[bytes, bytes]:
        return key, convert_buffered(converts.get("table"), moved, key, data)

    def waits_ms(self, arriving: Schema) -> int | None:
        """Distance of stream time past the buffer time. None: no time is enough (GraphGraceSearchUtil)."""
        window = arriving.window
        if self.until == "time_limit":
            return self.wait_ms
        assert window is not None
        return window.grace_ms + (window.size_ms if window.kind == "session" else 0)


class Suppressing(Processor):
    """Buffers updates and forwards them when they are due (KTableSuppressProcessor).

    A later update of a key replaces the one held back and keeps its place. Only the stream time of the updates that
    came here counts.
    """

    forwards_often = True
    silence = Reason.NEWER_IN_BUFFER

    def __init__(self, suppress: Suppress, context: ProcessorContext) -> None:
        arriving = context.inputs.only.schema
        self.waits_ms = suppress.waits_ms(arriving)
        self.until_close = suppress.until == "window_close"
        self.grace_ms = arriving.window.grace_ms if arriving.window is not None and self.until_close else None
        self.max_records, self.max_bytes = suppress.max_records, suppress.max_bytes
        self.shuts_down = suppress.buffer_full == "shut_down" or (self.until_close and suppress.buffer_full is None)
        self.processor_context = context
        self.context = context.record_context
        self.keys = make_key_codec(arriving.key, arriving.window)
        self.buffer = ChangeBuffer(context.get_own_state(suppress.held_part))
        self.time = context.stream_time()
        self.idling = None if suppress.idle_ms is None else Idling(context, suppress.idle_ms)
        self.idle_time = context.stream_time("idle")
        """Stream time after idle time moved it. Windows that idle time closed take no more updates."""
        self.closed_idle = None if self.idling is None else 0
        self.emitted_count = 0
        self.size = suppress.make_size(context, arriving)

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        receive = super().receiver(port, arriving)
        return receive if self.idling is None else self.idling.note_records(self._take)

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        self.time.observe(timestamp)
        key_bytes, row, buffer = self.keys.encode(key), self.context.row, self.buffer
        before = buffer.get(key_bytes)
        prior = old if before is None else before.prior
        time = before.time if before is not None else key.end if self.until_close else timestamp
        size = self.size(key_bytes, prior, old, new, row)
        buffer.put(key_bytes, BufferedUpdate(time, prior, old, new, timestamp, row, size))
        if before is None:
            self.waiting += 1
        else:
            self.silent += 1
        self._emit_due()

    def view(self) -> View:
        """Looks up the last forwarded row: for a key held back the value before, else the parent's (UNKNOWN time)."""
        parent, buffer, encode = self.processor_context.view("table"), self.buffer, self.keys.encode

        def look_up(key: Any) -> Entry | None:
            entry = buffer.get(encode(key))
            if entry is None:
                return parent(key)
            return None if entry.prior is None else (entry.prior, UNKNOWN)

        return look_up

    def tell_held(self) -> Holding:
        until: Until = "window_close" if self.until_close else "time_limit"
        return Holding(get_known_time(self.time), until, self._find_next_due(), self.grace_ms)

    def flush(self) -> None:
        if self.idling is not None:
            self._emit_on_idle(self.idling)
        self.buffer.flush()

    def _take(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        if self.until_close and key.end + self.waits_ms <= self.idle_time.value:
            self.drop(LATE)
        else:
            self.update(key, new, old, timestamp)

    def _emit_on_idle(self, idling: Idling) -> None:
        """Forwards the updates that would be due if idle time moved stream time. Otherwise stream time stays."""
        until, due = idling.find_reached(), self._find_next_due()
        if until is not None and due is not None and due <= until:
            before = self.emitted_count
            self.time.observe(until)
            self.idle_time.observe(until)
            idling.without_record(self._emit_due)
            self.closed_idle = (self.closed_idle or 0) + self.emitted_count - before
            due = self._find_next_due()
        idling.wait_for(due)

    def _find_next_due(self) -> int | None:
        """The stream time at which the first waiting update continues. None: no time is enough."""
        first = self.buffer.find_first()
        return None if first is None or self.waits_ms is None else first[0] + self.waits_ms

    def _emit_due(self) -> None:
        if self.waits_ms is not None:
            due = self.time.value - self.waits_ms
            while (first := self.buffer.find_first()) is not None and first[0] <= due:
                self._emit(first[1])
        while self._is_full():
            if self.shuts_down:
                raise self._make_refusal()
            first = self.buffer.find_first()
            assert first is not None
            self._emit(first[1])

    def _emit(self, key_bytes: bytes) -> None:
        entry = self.buffer.get(key_bytes)
        assert entry is not None
        self.waiting -= 1
        if entry.new is None and self.until_close:
            self.count_no_result(DELETION)
        else:
            self.emitted_count += 1
            row, self.context.row = self.context.row, entry.row
            self.forward_update(self.keys.decode(key_bytes), entry.new, entry.old, entry.timestamp)
            self.context.row = row
        self.buffer.remove(key_bytes)

    def _is_full(self) -> bool:
        return (self.max_records is not None and self.buffer.count > self.max_records) or (
            self.max_bytes is not None and self.buffer.bytes > self.max_bytes
        )

    def _make_refusal(self) -> BufferFull:
        node = find_owner(self.processor_context.node)
        return BufferFull(
            f"`{node}` would hold back {self.buffer.count} records and {self.buffer.bytes} bytes, which is over its "
            f"limit.",
            "Raise `max_records` or `max_bytes`, or choose emit_early.",
            node=node,
        )


Size = Callable[[bytes, Any, Any, Any, Row], int]
"""Number of bytes of an entry: of key bytes, prior, old and new value, and row."""


def _count_nothing(key: bytes, prior: Any, old: Any, new: Any, row: Row) -> int:
    return 0


def _make_sizes(context: StoreContext, arriving: Schema) -> Size:
    """The count of BufferValue and ProcessorRecordContext.residentMemorySizeEstimate.

    An old value that is also the prior one counts once. Raises RecordError for a value without bytes.
    """
    encode = make_encoder_of(arriving.value)
    targets = context.layout.targets
    end_bytes = count_end_bytes(arriving)

    def size(key: bytes, prior: Any, old: Any, new: Any, row: Row) -> int:
        try:
            priors, olds, news = (b"" if value is None else encode(value) for value in (prior, old, new))
        except EncodeError as error:
            raise RecordError(context.node, "max_bytes", f"The bytes of the row cannot be counted. {error}") from error
        topic = find_topic(targets[row[TARGET]])
        of_headers = sum(len(name) + len(value or b"") for name, value in read_headers(row[HEADERS]))
        contents = len(key) - end_bytes + len(priors) + (0 if olds == priors else len(olds)) + len(news)
        return ENTRY_BYTES + contents + len(topic) + of_headers

    return size


def count_end_bytes(arriving: Schema) -> int:
    """The bytes of a key that do not count: Kafka Streams writes no end of windows other than sessions."""
    return TIMESTAMP.size if arriving.window is not None and arriving.window.kind != "session" else 0
