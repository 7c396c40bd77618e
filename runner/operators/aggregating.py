"""What count and aggregate share: aggregates by key, or by key and window, updated record by record."""

from __future__ import annotations

from typing import Any

from designer.values import Windowed
from runner.engine.aggregator import Aggregator
from runner.engine.place import Place
from runner.engine.processor import Processor, TableProcessor
from runner.engine.records import View
from runner.engine.stores import TimestampedStore, WindowStore
from runner.operators.windows import TimeWindows


def aggregation(place: Place, aggregator: Aggregator) -> Processor:
    """The processor that keeps those aggregates for what arrives at the node: by key, or by key and window."""
    aggregator = place.aggregator() or aggregator
    window = place.inputs.only.schema.window
    if window is None:
        store = place.store()
        assert store is not None
        return KeyAggregation(store, aggregator, place.sends_old_values)
    windows = TimeWindows(window.size_ms, window.size_ms, window.grace_ms)
    return (WindowAggregation if windows.overlap else TumblingAggregation)(place, windows, aggregator)


class Aggregation(TableProcessor):
    """Gives the table of the aggregates."""

    store: TimestampedStore

    def __init__(self, store: TimestampedStore, aggregator: Aggregator, sends_old_values: bool) -> None:
        super().__init__(store, sends_old_values)
        self.aggregator = aggregator
        self.init, self.add = aggregator.init, aggregator.add

    def present(self, stored: Any) -> Any:
        present = self.aggregator.present
        return stored if present is None or stored is None else present(stored)

    def view(self) -> View:
        return self.store.view(self.aggregator.present)


class KeyAggregation(Aggregation):
    """Aggregates by key; a null key or a null value is dropped (KStreamAggregate)."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None or value is None:
            self.drop("null key" if key is None else "null value")
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


class WindowAggregation(Aggregation):
    """Aggregates by key and window; a null key is dropped, a null value is not (KStreamWindowAggregate).

    The record first moves stream time. A window takes it while its end lies after stream time less the grace period;
    for each window that does not, a record is counted as dropped.
    """

    store: WindowStore

    def __init__(self, place: Place, windows: TimeWindows, aggregator: Aggregator) -> None:
        super().__init__(place.window_store(), aggregator, place.sends_old_values)
        self.windows = windows
        self.time = place.stream_time()
        self.forwards_often = self.forwards_often or windows.overlap
        self.inner_handle = self.store.inner_handle
        self.size_ms = windows.size_ms
        self.open_for_ms = windows.size_ms + windows.grace_ms

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop("null key")
            return
        self.time.observe(timestamp)
        closed = self.time.value - self.open_for_ms
        starts = self.windows.starts(timestamp)
        self.extra += len(starts) - 1
        for start in starts:
            if start > closed:
                self.put(start, key, value, timestamp)
            else:
                self.drop("late")

    def put(self, start: int, key: Any, value: Any, timestamp: int) -> None:
        """Bring the record into the window that starts there."""
        store = self.store
        handle = (start, self.inner_handle(key))
        entry = store.get(handle)
        old, latest = (self.init(), timestamp) if entry is None else entry
        new = self.add(key, value, timestamp, old)
        if timestamp > latest:
            latest = timestamp
        store.put(handle, new, latest)
        if self.forwards_at_once:
            windowed = Windowed(key, start, start + self.size_ms)
            old = self.present(old) if self.sends_old_values else None
            self.forward_update(windowed, self.present(new), old, latest)


class TumblingAggregation(WindowAggregation):
    """The same where each record has one window, which is most of the time and need not loop."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop("null key")
            return
        time = self.time
        if timestamp > time.value:
            time.observe(timestamp)
        start = timestamp - timestamp % self.size_ms
        if start > time.value - self.open_for_ms:
            self.put(start, key, value, timestamp)
        else:
            self.drop("late")
