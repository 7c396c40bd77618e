"""Joins two KTables by their primary key. The result is a table that each side keeps up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from designer.expressions.errors import RecordError
from designer.issues import Issue
from designer.reasons import Reason
from designer.topology.catalogue import Flows
from designer.topology.ports import PortType
from designer.values.schemas import Schema, WindowSpec, is_alike
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.joins.form import JoinForm
from runner.engine.planning.tables import NodeTables
from runner.engine.records.codecs import make_key_codec
from runner.engine.records.record import Entry, Row, View
from runner.engine.tasks.processor import TableProcessor
from runner.engine.tasks.processor_context import ProcessorContext

Shape = Callable[[Any, Any, Any, int], Any]
"""Makes the result from key, left value, right value and timestamp."""


class FoundRow(NamedTuple):
    """A row that an update of the other side has found: its value, and the time and the row of the result."""

    key: Any
    value: Any
    timestamp: int
    row: Row


def find_issues(join: JoinForm, inputs: Flows) -> Iterator[Issue]:
    left, right = inputs["left"].schema, inputs["right"].schema
    if join.key is not None:
        yield Issue(OperatorIssueCode.JOIN_KEY_OF_TABLES, field="key")
    if not _has_same_windows(left.window, right.window):
        yield Issue(OperatorIssueCode.JOIN_TABLES_WINDOWS)
    elif not is_alike(left.key.type, right.key.type):
        yield Issue(OperatorIssueCode.JOIN_TABLES_KEYS, {"left": left.key.type.kind, "right": right.key.type.kind})
    elif left.key.format != right.key.format:
        yield Issue(OperatorIssueCode.JOIN_TABLES_FORMATS, {"left": left.key.format, "right": right.key.format})


def find_keyed_inputs(inputs: Flows) -> frozenset[str]:
    return frozenset({"left", "right"})


def find_window(left: Schema, right: Schema) -> WindowSpec | None:
    """The windows of the result, with the longer grace of both sides (GraphGraceSearchUtil)."""
    if left.window is None or right.window is None:
        return left.window
    return max(left.window, right.window, key=lambda window: window.grace_ms)


def plan_tables(join: JoinForm, plan: NodeTables) -> None:
    plan.join_tables(
        is_named=join.store is not None, is_left_outer=join.kind != "inner", is_right_outer=join.kind == "outer"
    )


def make_processor(join: JoinForm, context: ProcessorContext) -> TableJoin:
    shape = join.shape(context, "left", "key", "left", "right", "timestamp")
    return TableJoin(context, shape, keeps_left=join.kind != "inner", keeps_right=join.kind == "outer")


def _has_same_windows(left: WindowSpec | None, right: WindowSpec | None) -> bool:
    if left is None or right is None:
        return left is right
    if left.calendar != right.calendar:
        return False
    return left.is_end_inclusive == right.is_end_inclusive and left.size_ms == right.size_ms


class TableJoin(TableProcessor):
    """Joins each update of a side with the other side's row of its key (KTableKTableJoinMerger and its parents).

    A kept side has its rows in the result even without one on the other side. Every update of a row that is or was
    in the result is forwarded, even an unchanged one, with the later of both sides' timestamps.
    """

    silence = Reason.NO_OTHER_ROW

    def __init__(self, context: ProcessorContext, shape: Shape, *, keeps_left: bool, keeps_right: bool) -> None:
        super().__init__(context.store(), context.sends_old_values)
        self.shape = shape
        self.keeps_left = keeps_left
        self.keeps_right = keeps_right
        self.left_row = context.view("left", context.inputs["right"].schema.key.type)
        self.right_row = context.view("right", context.inputs["left"].schema.key.type)
        self.is_cached = context.is_cached
        self.errors = context.task.errors
        self.context = context.record_context
        self.encode_key = make_key_codec(context.inputs["left"].schema.key, context.inputs["left"].schema.window).encode
        self.found_left: dict[bytes, FoundRow] = {}
        """Rows of the left side that updates of the right one have found in this batch."""
        self.found_right: dict[bytes, FoundRow] = {}

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        return self.update_left if port == "left" else self.update_right

    def update_left(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        if self.found_left:
            self.found_left.pop(self.encode_key(key), None)
        row = self.right_row(key)
        if row is None:
            if not self.keeps_left or (new is None and old is None):
                self.silent += 1
                return
            right = None
        else:
            right, its_time = row
            timestamp = max(timestamp, its_time)
            if self.is_cached and not self.context.is_flushing:
                self.found_right[self.encode_key(key)] = FoundRow(key, right, timestamp, self.context.row)
        value = self._join(key, new, right, timestamp)
        before = self._join(key, old, right, timestamp) if self.sends_old_values else None
        self.put(key, value, before, timestamp)

    def update_right(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        if self.found_right:
            self.found_right.pop(self.encode_key(key), None)
        row = self.left_row(key)
        if row is None:
            if not self.keeps_right or (new is None and old is None):
                self.silent += 1
                return
            left = None
        else:
            left, its_time = row
            timestamp = max(timestamp, its_time)
            if self.is_cached and not self.context.is_flushing:
                self.found_left[self.encode_key(key)] = FoundRow(key, left, timestamp, self.context.row)
        value = self._join(key, left, new, timestamp)
        before = self._join(key, left, old, timestamp) if self.sends_old_values else None
        self.put(key, value, before, timestamp)

    def flush(self) -> None:
        """Take back the rows that updates found and that are gone by the end of the batch, then forward.

        A cached table does not forward a row that appeared and vanished in one batch. In Kafka Streams, a result that
        an uncached table on the other side has made of it in between stays.
        """
        left, right, self.found_left, self.found_right = self.found_left, self.found_right, {}, {}
        for found in right.values():
            self._take_back(found, self.right_row, self.left_row, self.update_right)
        for found in left.values():
            self._take_back(found, self.left_row, self.right_row, self.update_left)
        super().flush()

    def _take_back(
        self, found: FoundRow, its_row: View, other_row: View, update: Callable[[Any, Any, Any, int], None]
    ) -> None:
        """Take back a row if it is gone. An error on a row that is computed, or on the result, is one of the record."""
        self.context.row = found.row
        self.extra += 1
        try:
            if its_row(found.key) is None and other_row(found.key) is not None:
                update(found.key, None, found.value, found.timestamp)
            else:
                self.extra -= 1
        except RecordError as error:
            self.errors.handle_processing(error, found.row)

    def put(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        if self.store is not None:
            self.store.put(self.store.handle(key), new, timestamp)
        if self.forwards_at_once:
            self.forward_update(key, new, old, timestamp)

    def view(self) -> View:
        """Looks up the stored result, or joins the two rows on the fly (KTableKTable…JoinValueGetter)."""
        return self._look_up if self.store is None else self.store.view()

    def _look_up(self, key: Any) -> Entry | None:
        left, right = self.left_row(key), self.right_row(key)
        timestamp = max(-1 if left is None else left[1], -1 if right is None else right[1])
        value = self._join(key, left and left[0], right and right[0], timestamp)
        return None if value is None else (value, timestamp)

    def _join(self, key: Any, left: Any, right: Any, timestamp: int) -> Any:
        """The row of the result, or None if a required side is missing."""
        if left is None and (right is None or not self.keeps_right):
            return None
        if right is None and not self.keeps_left:
            return None
        return self.shape(key, left, right, timestamp)
