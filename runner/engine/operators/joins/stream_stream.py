"""Joins two KStreams: records of the same key meet if their times are close enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from designer.expressions.errors import RecordError
from designer.issues import Issue
from designer.reasons import LATE, NULL_KEY, NULL_VALUE, OTHER_RESULT, Reason
from designer.topology.catalogue import Flows
from designer.topology.ports import PortType
from designer.values.schemas import Schema, is_alike
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.operators.joins.form import BY_ARRIVAL, JoinForm
from runner.engine.planning.tables import Contents, NodeTables
from runner.engine.records.codecs import make_record_key_codec, make_value_codec
from runner.engine.stores import DuplicatesStore, UnmatchedStore
from runner.engine.stores.duplicates import StoredRow
from runner.engine.stores.unmatched_store import NEVER
from runner.engine.tasks.holding import Holding, get_known_time
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

Shape = Callable[[Any, Any, Any, int], Any]
"""Makes the result from key, this side's value, the other side's value and timestamp."""
PARTNERS = Contents(BY_ARRIVAL, "records find no partners from before.")
UNMATCHED_RECORDS = Contents(BY_ARRIVAL, "records that waited for a partner and find none give no result.")


def find_issues(join: JoinForm, inputs: Flows) -> Iterator[Issue]:
    if join.key is not None:
        yield Issue(OperatorIssueCode.JOIN_KEY_OF_STREAM, field="key")
    yield from _check_window(join)
    yield from _check_keys(inputs["left"].schema, inputs["right"].schema)


def find_keyed_inputs(inputs: Flows) -> frozenset[str]:
    return frozenset({"left", "right"})


def plan_tables(join: JoinForm, plan: NodeTables) -> None:
    left, right = plan.inputs["left"].schema, plan.inputs["right"].schema
    plan.keep("left", left.key, left.value, PARTNERS)
    plan.keep("right", left.key, right.value, PARTNERS)
    if join.kind != "inner" and not join.eager:
        plan.keep("unmatched", left.key, left.value, UNMATCHED_RECORDS)


def make_processor(join: JoinForm, context: ProcessorContext) -> StreamJoin:
    return StreamJoin(join, context)


def find_window_ms(join: JoinForm) -> int:
    """The length of a join's window, which is that of one look-up."""
    return (join.before_ms or 0) + (join.after_ms or 0)


def _check_window(join: JoinForm) -> Iterator[Issue]:
    for field, side in (("before_ms", "before"), ("after_ms", "after")):
        if getattr(join, field) is None:  # a field of the form, which the issue names
            yield Issue(OperatorIssueCode.JOIN_WINDOW, {"field": field, "side": side}, field=field)
    if join.before_ms is not None and join.after_ms is not None and join.before_ms + join.after_ms < 0:
        yield Issue(OperatorIssueCode.JOIN_WINDOW_NEGATIVE, field="after_ms")


def _check_keys(left: Schema, right: Schema) -> Iterator[Issue]:
    if (left.window is None) != (right.window is None):
        yield Issue(OperatorIssueCode.JOIN_STREAMS_WINDOWED)
    elif not is_alike(left.key.type, right.key.type):
        yield Issue(OperatorIssueCode.JOIN_STREAMS_KEYS, {"left": left.key.type.kind, "right": right.key.type.kind})
    elif left.key.format != right.key.format:
        yield Issue(OperatorIssueCode.JOIN_STREAMS_FORMATS, {"left": left.key.format, "right": right.key.format})


class StreamJoin(Processor):
    """Joins records of each side with earlier ones of the other side (KStreamImplJoin).

    A pair that frees a waiting record counts as the result of that record. Only the next one counts as a result of
    the record that came.
    """

    silence = Reason.NO_PARTNER

    forwards_often = True

    def __init__(self, join: JoinForm, context: ProcessorContext) -> None:
        assert join.before_ms is not None
        assert join.after_ms is not None
        before, after, grace = join.before_ms, join.after_ms, join.grace_ms or 0
        self.time = context.stream_time()
        self.errors = context.task.errors
        self.context = context.record_context
        self.grace_ms = grace
        self.after_ms = {True: after, False: before}
        """Longest time after a record in which partners may come, by whether it is a left record."""
        shape = join.shape(context, "left", "key", "left", "right", "timestamp")
        stores = {port: _name_store(context, port, find_window_ms(join), grace) for port in ("left", "right")}
        self.unmatched_store = None if join.kind == "inner" or join.eager else _get_unmatched_store(context)
        self.shapes: dict[bool, Shape] = {True: shape, False: _reverse_shape(shape)}
        self.left = JoinSide(self, stores, before, after, is_left=True, is_outer=join.kind != "inner")
        self.right = JoinSide(self, stores, after, before, is_left=False, is_outer=join.kind == "outer")

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        return self.left.process if port == "left" else self.right.process

    def emit_expired(self, store: UnmatchedStore, after_ms: int) -> None:
        """Forward the unmatched records whose time is over, oldest first (emitNonJoinedOuterRecords).

        As in Kafka Streams, `earliest` becomes the time of the last record examined. So a later call may find
        nothing to do although there is: those records then go out one time step later.
        """
        now, grace = self.time.value, self.grace_ms
        if store.earliest + after_ms + grace >= now:
            return
        store.earliest = NEVER
        open_sides: set[bool] = set()
        first_open: int | None = None
        for timestamp, is_left, place in store.read_in_order():
            store.earliest = timestamp
            if len(open_sides) == 2:
                break
            if timestamp + self.after_ms[is_left] + grace >= now:
                open_sides.add(is_left)
                first_open = timestamp if first_open is None else first_open
                if len(open_sides) == 2 and store.count(place) > 1:
                    break  # the next record is of the same list, so the search ends at its time
                continue
            self._emit_unmatched(*store.take(place), timestamp, is_left)
        store.starts_at(now if first_open is None else first_open)

    def _emit_unmatched(self, key: Any, values: list[Any], timestamp: int, is_left: bool) -> None:
        shape = self.shapes[is_left]
        for value in values:
            self.waiting -= 1
            try:
                result = shape(key, value, None, timestamp)
            except RecordError as error:
                self.errors.handle_processing(error, self.context.row)
            else:
                self.forward(key, result, timestamp)

    def tell_held(self) -> Holding:
        newest = {"left": self.left.store.read_newest(), "right": self.right.store.read_newest()}
        first = None if self.unmatched_store is None else next(self.unmatched_store.read_in_order(), None)
        due = None if first is None else first[0] + self.after_ms[first[1]] + self.grace_ms + 1
        return Holding(get_known_time(self.time), "partner", due, self.grace_ms, newest)

    def flush(self) -> None:
        self.left.store.flush()
        self.right.store.flush()
        if self.unmatched_store is not None:
            self.unmatched_store.flush()


class JoinSide:
    """Processes one side's records (KStreamJoinWindow, and KStreamKStreamJoin of that side).

    A partner is at most `before_ms` before a record and `after_ms` after it. All records of an outer side are in the
    result: one without a partner when its time is over, or at once if it already is or the join is eager.
    """

    def __init__(
        self,
        join: StreamJoin,
        stores: dict[str, DuplicatesStore],
        before_ms: int,
        after_ms: int,
        *,
        is_left: bool,
        is_outer: bool,
    ) -> None:
        self.join = join
        self.store = stores["left" if is_left else "right"]
        self.others = stores["right" if is_left else "left"]
        self.unmatched_store = join.unmatched_store
        self.time = join.time
        self.shape = join.shapes[is_left]
        self.before_ms = before_ms
        self.after_ms = after_ms
        self.is_left = is_left
        self.is_outer = is_outer

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        time = self.time
        if timestamp > time.value:
            time.observe(timestamp)
        if key is None or value is None:
            self._without(key, value, timestamp)
            return
        join, unmatched_store = self.join, self.unmatched_store
        if unmatched_store is not None and timestamp == time.value:
            join.emit_expired(unmatched_store, self.after_ms)
        try:
            self._join_with_others(key, value, timestamp)
        finally:
            if not self.store.put(key, value, timestamp):
                join.drop(LATE, self.store.latest.value - self.store.retention_ms - timestamp + 1)
                join.extra += 1

    def _count_results(self, results: int, waiting_count: int) -> None:
        """Counts a record with its number of results and errors, and the number of others that no longer wait."""
        join = self.join
        join.waiting -= waiting_count
        if results > waiting_count:
            join.extra += results - waiting_count - 1
        else:
            join.count_no_result(OTHER_RESULT)

    def _without(self, key: Any, value: Any, timestamp: int) -> None:
        """A null value or a null key has no partner. An outer side continues without one, at once (KIP-962)."""
        if value is not None and self.is_outer:
            self.join.forward(key, self.shape(key, value, None, timestamp), timestamp)
        else:
            self.join.drop(NULL_VALUE if value is None else NULL_KEY)

    def _join_with_others(self, key: Any, value: Any, timestamp: int) -> None:
        join, unmatched_store = self.join, self.unmatched_store
        first, last = max(0, timestamp - self.before_ms), max(0, timestamp + self.after_ms)
        others = self.others.fetch(key, first, last)
        if others:
            self._join(key, value, timestamp, others)
        elif not self.is_outer:
            join.silent += 1
        elif unmatched_store is None or last < self.time.value:
            join.forward(key, self.shape(key, value, None, timestamp), timestamp)
        else:
            join.waiting += 1
            unmatched_store.put(timestamp, key, value, is_left=self.is_left)

    def _join(self, key: Any, value: Any, timestamp: int, others: Iterable[StoredRow]) -> None:
        forward, shape, unmatched_store = self.join.forward, self.shape, self.unmatched_store
        results = freed_count = 0
        try:
            for other_timestamp, _, other in others:
                results += 1
                if unmatched_store is not None:
                    freed_count += unmatched_store.remove(other_timestamp, key, is_left=not self.is_left)
                later = timestamp if timestamp > other_timestamp else other_timestamp
                forward(key, shape(key, value, other, later), later)
        finally:
            self._count_results(results, freed_count)


def _name_store(context: ProcessorContext, port: str, size_ms: int, grace_ms: int) -> DuplicatesStore:
    keys = make_record_key_codec(context.inputs["left"])
    if context.inputs["left"].schema.key.type != context.inputs["right"].schema.key.type:
        keys = keys._replace(is_plain=False)  # undeclared keys of one side: 1, 1.0 and true would be equal
    return DuplicatesStore(
        context.get_own_state(port),
        keys,
        make_value_codec(context.inputs[port].schema.value.type),
        context.stream_time(port),
        looked_up_ms=size_ms,
        retention_ms=size_ms + grace_ms,
    )


def _get_unmatched_store(context: ProcessorContext) -> UnmatchedStore:
    return UnmatchedStore(context.get_own_state("unmatched"), make_record_key_codec(context.inputs["left"]))


def _reverse_shape(shape: Shape) -> Shape:
    return lambda key, right, left, timestamp: shape(key, left, right, timestamp)
