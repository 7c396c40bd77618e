"""Aggregation in windows of fixed start and end: tumbling, hopping, unlimited."""

from __future__ import annotations

from typing import Any

from designer.ports import PortType
from designer.schemas import WindowSpec
from designer.values import Windowed
from runner.engine.operators.aggregations.aggregates import WindowedAggregation
from runner.engine.operators.aggregations.closing import EmitsOnClose
from runner.engine.operators.aggregations.windows import TimeWindows, UnlimitedWindows, windows_of
from runner.engine.stores import WindowStore
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.place import Place


def time_window_aggregation(place: Place, spec: WindowSpec, aggregator: Aggregator) -> WindowedAggregation:
    """The processor for tumbling, hopping and unlimited windows."""
    windows = windows_of(spec)
    if spec.emit == "on_close":
        return ClosingWindowAggregation(place, windows, aggregator)
    simple = not windows.overlap and place.inputs.only.type is PortType.TIME_WINDOWED_KSTREAM
    return (TumblingAggregation if simple else WindowAggregation)(place, windows, aggregator)


class WindowAggregation(WindowedAggregation):
    """Aggregates by key and window; a null key is dropped, a null value is not (KStreamWindowAggregate).

    The record first moves stream time. A window takes it while its end lies after stream time less the grace period;
    for each window that does not, a record is counted as dropped.
    """

    store: WindowStore

    def __init__(self, place: Place, windows: TimeWindows | UnlimitedWindows, aggregator: Aggregator) -> None:
        super().__init__(place, WindowStore, aggregator)
        self.windows = windows
        self.forwards_often = self.forwards_often or windows.overlap
        self.inner_handle, self.get = self.store.inner_handle, self.store.get
        self.size_ms = windows.size_ms
        self.closes_after_ms = windows.size_ms + windows.grace_ms

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop("null key")
            return
        self.time.observe(timestamp)
        closed = self.time.value - self.closes_after_ms
        starts = self.windows.starts(timestamp)
        if not starts:
            self.no_result("before the first window")
        for number, start in enumerate(starts):
            if number:
                self.extra += 1
            if start > closed:
                self.put(start, key, value, timestamp)
            else:
                self.drop("late")

    def put(self, start: int, key: Any, value: Any, timestamp: int) -> None:
        """Bring the record into the window that starts there."""
        store = self.store
        handle = (start, self.inner_handle(key))
        entry = self.get(handle)
        old, latest = (self.init(), timestamp) if entry is None else entry
        new = self.add(key, value, timestamp, old)
        if timestamp > latest:
            latest = timestamp
        store.put(handle, new, latest)
        if entry is None:
            self.opened += new is not None
        elif new is None:
            self.opened -= 1
        if self.forwards_at_once:
            windowed = Windowed(key, start, start + self.size_ms)
            old = self.present(old) if self.sends_old_values else None
            self.forward_update(windowed, self.present(new), old, latest)


class TumblingAggregation(WindowAggregation):
    """The same where each record has one window, which is most of the time and need not loop.

    Only one stream feeds the store, so that an open window is never past retention.
    """

    def __init__(self, place: Place, windows: TimeWindows | UnlimitedWindows, aggregator: Aggregator) -> None:
        super().__init__(place, windows, aggregator)
        self.get = self.store.get_kept

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop("null key")
            return
        time = self.time
        if timestamp > time.value:
            time.observe(timestamp)
        start = timestamp - timestamp % self.size_ms
        if start > time.value - self.closes_after_ms:
            self.put(start, key, value, timestamp)
        else:
            self.drop("late")


class ClosingWindowAggregation(EmitsOnClose, WindowAggregation):
    """Tumbling and hopping windows that are forwarded when their end is at most stream time less the grace period."""

    windows: TimeWindows

    def may_start(self, first: int, last: int) -> bool:
        return self.windows.may_start(first, last)
