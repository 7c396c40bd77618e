"""Shared by count and aggregate: aggregates by key, or by key and window, updated record by record."""

from __future__ import annotations

from typing import Any

from designer.reasons import NULL_KEY, NULL_VALUE
from designer.topology.ports import COGROUPS, PortType
from designer.values.schemas import WindowSpec
from runner.engine.operators.aggregations.aggregates import Aggregation
from runner.engine.operators.aggregations.cogrouping import Cogrouping
from runner.engine.operators.aggregations.session_windows import ClosingSessionAggregation, SessionAggregation
from runner.engine.operators.aggregations.sliding_windows import ClosingSlidingAggregation, SlidingAggregation
from runner.engine.operators.aggregations.time_windows import make_time_window_aggregation
from runner.engine.operators.shared.expiring import Expiring
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.engine.stores import ExpiringStore
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext


class TableAggregation(Aggregation):
    """Takes the old value of a row back from the aggregate, then adds the new one (KTableAggregate, KTableReduce).

    A value is only taken back from an existing aggregate. The time is the greatest of all updates that made the
    aggregate. An aggregate that starts again has the time of its update.
    """

    def __init__(self, context: ProcessorContext, aggregator: Aggregator) -> None:
        store = context.store()
        assert store is not None
        assert aggregator.subtract is not None
        super().__init__(store, aggregator, context.sends_old_values)
        self.subtract = aggregator.subtract

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        store = self.store
        handle = store.handle(key)
        entry = store.get(handle)
        before, latest = (None, timestamp) if entry is None else entry
        aggregate = before
        if old is not None and aggregate is not None:
            aggregate = self.subtract(key, old, timestamp, aggregate)
        if new is not None:
            aggregate = self.add(key, new, timestamp, self.init() if aggregate is None else aggregate)
        if timestamp > latest:
            latest = timestamp
        store.put(handle, aggregate, latest)
        if self.forwards_at_once:
            before = self.present(before) if self.sends_old_values else None
            self.forward_update(key, self.present(aggregate), before, latest)


def make_aggregation(context: ProcessorContext, aggregator: Aggregator) -> Processor:
    """The processor that keeps those aggregates of the node's input: by key, or by key and window."""
    processor = _choose_aggregation(context, aggregator)
    if context.inputs.only.type in COGROUPS:
        cogrouping = context.find_feeding("grouped")
        assert isinstance(cogrouping, Cogrouping)
        cogrouping.serve(processor, context)
    return processor


def _choose_aggregation(context: ProcessorContext, aggregator: Aggregator) -> Aggregation:
    arriving = context.inputs.only
    if arriving.type is PortType.KGROUPED_TABLE:
        return TableAggregation(context, aggregator)
    if arriving.type in WINDOWED_STREAMS:
        assert arriving.schema.window is not None
        return _aggregate_windows(context, arriving.schema.window, aggregator)
    if (expiring := context.get_expiring_store()) is not None:
        return ExpiringKeyAggregation(expiring, aggregator, context.sends_old_values)
    store = context.store()
    assert store is not None
    return KeyAggregation(store, aggregator, context.sends_old_values)


def _aggregate_windows(context: ProcessorContext, window: WindowSpec, aggregator: Aggregator) -> Aggregation:
    closing = window.emit == "on_close"
    match window.kind:
        case "session":
            return (ClosingSessionAggregation if closing else SessionAggregation)(context, window, aggregator)
        case "sliding":
            return (ClosingSlidingAggregation if closing else SlidingAggregation)(context, window, aggregator)
        case _:
            return make_time_window_aggregation(context, window, aggregator)


class KeyAggregation(Aggregation):
    """Aggregates by key. A null key or a null value is dropped (KStreamAggregate)."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None or value is None:
            self.drop(NULL_KEY if key is None else NULL_VALUE)
            return
        store = self.store
        handle = store.handle(key)
        entry = store.get(handle)
        old, latest = (self.init(), timestamp) if entry is None else entry
        new = self.add(key, value, timestamp, old)
        if timestamp > latest:
            latest = timestamp
        store.put(handle, new, latest)
        if self.forwards_at_once:
            self.forward_update(key, self.present(new), self.present(old) if self.sends_old_values else None, latest)


class ExpiringKeyAggregation(Expiring, KeyAggregation):
    """Aggregates by key into rows that have a time to live. The next record of a deleted key starts a new row."""

    store: ExpiringStore
