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
from runner.engine.operators.aggregations.table_aggregation import TableAggregation
from runner.engine.operators.aggregations.time_windows import make_time_window_aggregation
from runner.engine.operators.shared.expiring import Expiring
from runner.engine.records.codecs import WINDOWED_STREAMS
from runner.engine.stores import ExpiringStore
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.place import Place
from runner.engine.tasks.processor import Processor


def make_aggregation(place: Place, aggregator: Aggregator) -> Processor:
    """The processor that keeps those aggregates of the node's input: by key, or by key and window."""
    processor = _choose_aggregation(place, aggregator)
    if place.inputs.only.type in COGROUPS:
        cogrouping = place.find_feeding("grouped")
        assert isinstance(cogrouping, Cogrouping)
        cogrouping.serve(processor, place)
    return processor


def _choose_aggregation(place: Place, aggregator: Aggregator) -> Aggregation:
    arriving = place.inputs.only
    if arriving.type is PortType.KGROUPED_TABLE:
        return TableAggregation(place, aggregator)
    if arriving.type in WINDOWED_STREAMS:
        assert arriving.schema.window is not None
        return _aggregate_windows(place, arriving.schema.window, aggregator)
    if (expiring := place.get_expiring_store()) is not None:
        return ExpiringKeyAggregation(expiring, aggregator, place.sends_old_values)
    store = place.store()
    assert store is not None
    return KeyAggregation(store, aggregator, place.sends_old_values)


def _aggregate_windows(place: Place, window: WindowSpec, aggregator: Aggregator) -> Aggregation:
    closing = window.emit == "on_close"
    match window.kind:
        case "session":
            return (ClosingSessionAggregation if closing else SessionAggregation)(place, window, aggregator)
        case "sliding":
            return (ClosingSlidingAggregation if closing else SlidingAggregation)(place, window, aggregator)
        case _:
            return make_time_window_aggregation(place, window, aggregator)


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
    """The same with rows that have a time to live. The next record of a deleted key starts a new row."""

    store: ExpiringStore
