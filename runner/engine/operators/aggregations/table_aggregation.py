"""Aggregations of grouped tables, where rows join and leave groups."""

from __future__ import annotations

from typing import Any

from runner.engine.operators.aggregations.aggregates import Aggregation
from runner.engine.tasks.aggregator import Aggregator
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
