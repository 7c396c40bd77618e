"""Joins a KStream with a KTable or a GlobalKTable: each record of the stream looks up a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from designer.expressions import check
from designer.expressions.errors import RecordError
from designer.issues import Issue
from designer.reasons import NULL_KEY, NULL_VALUE, Reason
from designer.topology.catalogue import Flows
from designer.topology.ports import GlobalKTable
from designer.values.schemas import Type, is_alike
from runner.engine.counts.drops import SAMPLES
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.joins.form import BY_ARRIVAL, JoinForm
from runner.engine.planning.tables import Contents, NodeTables
from runner.engine.records.codecs import make_record_key_codec, make_value_codec
from runner.engine.records.record import TARGET, View, ViewAsOf
from runner.engine.stores import TimeOrderedBuffer
from runner.engine.stores.buffer import NOTHING
from runner.engine.tasks.holding import Holding, get_known_time
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

Shape = Callable[[Any, Any, Any, int], Any]
"""Makes the result from key, left value, right value and timestamp."""
WAITING_RECORDS = Contents(BY_ARRIVAL, "the records that wait in it are lost.")


def find_issues(join: JoinForm, inputs: Flows) -> Iterator[Issue]:
    is_global = inputs["right"].type is GlobalKTable
    if join.key is not None and not is_global:
        yield Issue(OperatorIssueCode.JOIN_KEY_OF_TABLE, field="key")
    elif join.grace_ms is not None and not is_global and not _reaches_back(join.grace_ms, inputs):
        yield Issue(OperatorIssueCode.JOIN_GRACE, {"grace": join.grace_ms}, field="grace_ms")
    else:
        yield from _check_keys(join, inputs, is_global)


def find_keyed_inputs(inputs: Flows) -> frozenset[str]:
    return frozenset() if inputs["right"].type is GlobalKTable else frozenset({"left"})


def plan_tables(join: JoinForm, plan: NodeTables) -> None:
    plan.look_up("right")
    if _waits(join, plan.inputs):
        left = plan.inputs["left"].schema
        plan.keep("waiting", left.key, left.value, WAITING_RECORDS)


def make_processor(join: JoinForm, context: ProcessorContext) -> Processor:
    """Each record looks up its own key, or the key that `key` computes."""
    key = context.compile_optional("key", "key", "value", "timestamp")
    shape = join.shape(context, "left", "key", "left", "right", "timestamp")
    is_left = join.kind == "left"
    asked = _find_looked_up(join, context.inputs)
    if key is not None:
        return KeyedLookup(context.view("right", asked), shape, key, is_left=is_left)
    if context.inputs["right"].history_ms is None:
        return Lookup(context.view("right", asked), shape, is_left=is_left)
    row_as_of = context.view_as_of("right", asked)
    if _waits(join, context.inputs):
        assert join.grace_ms is not None
        return BufferedLookup(context, row_as_of, shape, join.grace_ms, is_left=is_left)
    return LookupAsOf(row_as_of, shape, is_left=is_left)


def _waits(join: JoinForm, inputs: Flows) -> bool:
    return join.grace_ms is not None and inputs["right"].type is not GlobalKTable


def _reaches_back(grace_ms: int, inputs: Flows) -> bool:
    history_ms = inputs["right"].history_ms
    return history_ms is not None and history_ms >= grace_ms


def _check_keys(join: JoinForm, inputs: Flows, is_global: bool) -> Iterator[Issue]:
    stream, table = inputs["left"].schema, inputs["right"].schema
    looked_up = _find_looked_up(join, inputs)
    if (stream.window is None) != (table.window is None) and join.key is None:
        yield Issue(OperatorIssueCode.JOIN_TABLE_WINDOWED)
    elif not is_alike(looked_up, table.key.type):
        cast, empty = ("key" if join.key else None), ("key" if is_global else None)
        yield Issue(
            OperatorIssueCode.JOIN_TABLE_KEYS,
            {"stream": looked_up.kind, "table": table.key.type.kind, "cast": cast, "empty": empty},
        )
    elif not is_global and stream.key.format != table.key.format:
        yield Issue(OperatorIssueCode.JOIN_TABLE_FORMATS, {"stream": stream.key.format, "table": table.key.format})


def _find_looked_up(join: JoinForm, inputs: Flows) -> Type:
    if join.key is None:
        return inputs["left"].schema.key.type
    return check(join.key, join.scope("key", inputs)).type


class Lookup(Processor):
    """Joins each record with the row of its key (KStreamKTableJoinProcessor)."""

    silence = Reason.NO_MATCH
    no_match = 0

    def __init__(self, row_of: View, shape: Shape, *, is_left: bool) -> None:
        self.row_of = row_of
        self.shape = shape
        self.is_left = is_left

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if value is None or key is None:
            self.without_row(key, key, value, timestamp)
            return
        row = self.row_of(key)
        if row is not None:
            right, _ = row
            self.forward(key, self.shape(key, value, right, timestamp), timestamp)
        else:
            self.without_row(key, key, value, timestamp)

    def without_row(self, row_value: Any, key: Any, value: Any, timestamp: int) -> None:
        """The lookup found nothing, or the record can find nothing. A left join continues with null."""
        if value is None or (row_value is None and not self.is_left):
            self.drop(NULL_VALUE if value is None else NULL_KEY)
            return
        self.no_match += 1
        if self.no_match <= SAMPLES:
            self.keep_row(self.silence)
        if self.is_left:
            self.forward(key, self.shape(key, value, None, timestamp), timestamp)
        else:
            self.silent += 1


class LookupAsOf(Lookup):
    """Joins each record with its key's row at the record's time, in a versioned table (KIP-914)."""

    def __init__(self, row_as_of: ViewAsOf, shape: Shape, *, is_left: bool) -> None:
        self.row_as_of = row_as_of
        self.shape = shape
        self.is_left = is_left

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        row = None if value is None or key is None else self.row_as_of(key, timestamp)
        if row is not None:
            right, _ = row
            self.forward(key, self.shape(key, value, right, timestamp), timestamp)
        else:
            self.without_row(key, key, value, timestamp)


class BufferedLookup(LookupAsOf):
    """Looks rows up as of the records' times, for records that wait for one that is `grace_ms` later (KIP-923).

    Then they are joined by their times. A record that comes later than that does not wait, nor one without a key.
    """

    forwards_often = True

    def __init__(
        self, context: ProcessorContext, row_as_of: ViewAsOf, shape: Shape, grace_ms: int, *, is_left: bool
    ) -> None:
        super().__init__(row_as_of, shape, is_left=is_left)
        self.grace_ms = grace_ms
        self.time = context.stream_time("waiting")
        self.buffer = TimeOrderedBuffer(context.get_own_state("waiting"), make_record_key_codec(context.inputs["left"]))
        self.pack, _ = make_value_codec(context.inputs["left"].schema.value.type)
        self.errors = context.task.errors
        self.context = context.record_context

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        time = self.time
        if key is None or value is None or timestamp < time.value - self.grace_ms:
            super().process(key, value, timestamp)
            return
        self.waiting += 1
        time.observe(timestamp)
        _, _, _, _, headers, origin, seq = self.context.row
        self.buffer.put(key, timestamp, [value, headers, origin, seq])
        due = self.buffer.take(time.value - self.grace_ms)
        if due:
            self._join_all(due)

    def tell_held(self) -> Holding:
        first = self.buffer.first_in_state
        return Holding(
            get_known_time(self.time), "late_rows", None if first == NOTHING else first + self.grace_ms, self.grace_ms
        )

    def flush(self) -> None:
        self.buffer.flush()

    def _join_all(self, due: list[tuple[Any, int, Any]]) -> None:
        """Join the waiting records as if they came now. Each has its own headers and errors."""
        row = self.context.row
        try:
            for key, timestamp, (value, headers, origin, seq) in due:
                self.waiting -= 1
                key_bytes = self.buffer.keys.encode(key)
                self.context.row = (row[TARGET], key_bytes, self.pack(value), timestamp, headers, origin, seq)
                try:
                    super().process(key, value, timestamp)
                except RecordError as error:
                    self.errors.handle_processing(error, self.context.row)
        finally:
            self.context.row = row


class KeyedLookup(Lookup):
    """Joins each record with the row of a computed key (KStreamGlobalKTableJoin)."""

    def __init__(
        self,
        row_of: View,
        shape: Shape,
        key: Callable[[Any, Any, int], Any],
        *,
        is_left: bool,
    ) -> None:
        super().__init__(row_of, shape, is_left=is_left)
        self.key = key

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        row_key = None if value is None else self.key(key, value, timestamp)
        row = None if row_key is None else self.row_of(row_key)
        if row is not None:
            right, _ = row
            self.forward(key, self.shape(key, value, right, timestamp), timestamp)
        else:
            self.without_row(row_key, key, value, timestamp)
