"""The table that every aggregation produces."""

from __future__ import annotations

from typing import Any

from designer.reasons import PAST_RETENTION
from runner.engine.records.record import View
from runner.engine.stores import TimestampedStore, WindowStore
from runner.engine.stores.times import StreamTime
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.holding import Holding, get_known_time
from runner.engine.tasks.processor import TableProcessor
from runner.engine.tasks.processor_context import ProcessorContext


class Aggregation(TableProcessor):
    """Gives the table of the aggregates."""

    store: TimestampedStore
    time: StreamTime
    """Stream time of its input, if it has windows."""

    def __init__(self, store: TimestampedStore, aggregator: Aggregator, sends_old_values: bool) -> None:
        super().__init__(store, sends_old_values)
        self.aggregator = aggregator
        self.init, self.add = aggregator.init, aggregator.add

    def present(self, entry: Any) -> Any:
        present = self.aggregator.present
        return entry if present is None or entry is None else present(entry)

    def view(self) -> View:
        return self.store.view(self.aggregator.present)


class WindowedAggregation(Aggregation):
    """Gives the table of the aggregates of windows."""

    store: WindowStore
    opened_count = 0
    """Windows that began, minus those that were merged into others or became null."""

    def __init__(self, context: ProcessorContext, store_class: type[WindowStore], aggregator: Aggregator) -> None:
        super().__init__(context.window_store(store_class), aggregator, context.sends_old_values)
        self.store.when_expired = self._count_kept_drop
        self.time = context.stream_time()
        window = context.inputs.only.schema.window
        assert window is not None
        self.grace_ms = window.grace_ms

    def tell_held(self) -> Holding:
        return Holding(get_known_time(self.time), grace_ms=self.grace_ms)

    def _count_kept_drop(self) -> None:
        """Counts a record whose window the store no longer takes. Its update is forwarded anyway."""
        self.drop(PAST_RETENTION)
        self.extra += 1
