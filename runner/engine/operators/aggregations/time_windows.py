"""Aggregation in windows that do not depend on the records: tumbling, hopping, unlimited, and of a calendar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.reasons import BEFORE_WINDOWS, LATE, NULL_KEY
from designer.topology.ports import PortType
from designer.values.schemas import WindowSpec
from designer.values.tuples import Windowed
from runner.engine.operators.aggregations.aggregates import WindowedAggregation
from runner.engine.operators.aggregations.closing import EmitsOnClose
from runner.engine.operators.aggregations.windows import TimeWindows, UnlimitedWindows, make_windows
from runner.engine.stores import CalendarWindowStore, WindowStore
from runner.engine.stores.calendar import get_calendar_windows
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor_context import ProcessorContext


def make_time_window_aggregation(
    context: ProcessorContext, spec: WindowSpec, aggregator: Aggregator
) -> WindowedAggregation:
    """The processor for tumbling, hopping, unlimited and calendar windows."""
    closing = spec.emit == "on_close"
    if spec.calendar is not None:
        bounds = get_calendar_windows(spec.calendar).bounds
        of_calendar = ClosingCalendarAggregation if closing else SingleWindowAggregation
        return of_calendar(context, CalendarWindowStore, bounds, spec.grace_ms, aggregator)
    windows = make_windows(spec)
    if closing:
        return ClosingWindowAggregation(context, windows, aggregator)
    if isinstance(windows, UnlimitedWindows) or windows.has_overlap:
        return WindowAggregation(context, windows, aggregator)
    return SingleWindowAggregation(context, WindowStore, windows.bounds, windows.grace_ms, aggregator)


class TimeWindowAggregation(WindowedAggregation):
    """Aggregates by key and window. A null key is dropped, a null value is not (KStreamWindowAggregate).

    The record first moves stream time. A window takes it while its end is after stream time minus the grace period.
    For each other window, a record is counted as dropped.
    """

    def __init__(self, context: ProcessorContext, store_class: type[WindowStore], aggregator: Aggregator) -> None:
        super().__init__(context, store_class, aggregator)
        self.inner_handle, self.get = self.store.inner_handle, self.store.get

    def put(self, start: int, end: int, key: Any, value: Any, timestamp: int) -> None:
        """Bring the record into that window."""
        store = self.store
        handle = (start, self.inner_handle(key))
        entry = self.get(handle)
        old, latest = (self.init(), timestamp) if entry is None else entry
        new = self.add(key, value, timestamp, old)
        if timestamp > latest:
            latest = timestamp
        store.put(handle, new, latest)
        if entry is None:
            self.opened_count += new is not None
        elif new is None:
            self.opened_count -= 1
        if self.forwards_at_once:
            old = self.present(old) if self.sends_old_values else None
            self.forward_update(Windowed(key, start, end), self.present(new), old, latest)


class WindowAggregation(TimeWindowAggregation):
    """Windows that may overlap or have gaps: a record has several or none."""

    def __init__(
        self, context: ProcessorContext, windows: TimeWindows | UnlimitedWindows, aggregator: Aggregator
    ) -> None:
        super().__init__(context, WindowStore, aggregator)
        self.windows = windows
        self.forwards_often = self.forwards_often or windows.has_overlap
        self.size_ms = windows.size_ms
        self.closes_after_ms = windows.size_ms + windows.grace_ms

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop(NULL_KEY)
            return
        self.time.observe(timestamp)
        close_time = self.time.value - self.closes_after_ms
        starts = self.windows.starts(timestamp)
        if not starts:
            self.count_no_result(BEFORE_WINDOWS)
        for number, start in enumerate(starts):
            if number:
                self.extra += 1
            if start > close_time:
                self.put(start, start + self.size_ms, key, value, timestamp)
            else:
                self.drop(LATE, close_time - start + 1)


class SingleWindowAggregation(TimeWindowAggregation):
    """Windows that follow each other without gap: tumbling and of a calendar.

    It keeps the bounds of the last record's window, because most records are in the same one.
    """

    def __init__(
        self,
        context: ProcessorContext,
        store_class: type[WindowStore],
        bounds: Callable[[int], tuple[int, int]],
        grace_ms: int,
        aggregator: Aggregator,
    ) -> None:
        super().__init__(context, store_class, aggregator)
        self.bounds = bounds
        self.closes_after_ms = grace_ms
        self.start = self.end = 0
        if context.inputs.only.type is PortType.TIME_WINDOWED_KSTREAM:
            # only one stream feeds the store, so an open window is never past retention
            self.get = self.store.get_directly

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop(NULL_KEY)
            return
        time = self.time
        if timestamp > time.value:
            time.observe(timestamp)
        if not self.start <= timestamp < self.end:
            self.start, self.end = self.bounds(timestamp)
        if self.end > time.value - self.closes_after_ms:
            self.put(self.start, self.end, key, value, timestamp)
        else:
            self.drop(LATE, time.value - self.closes_after_ms - self.end + 1)


class ClosingWindowAggregation(EmitsOnClose, WindowAggregation):
    """Forwards tumbling and hopping windows when their end is at most stream time minus the grace period."""

    windows: TimeWindows

    def may_start(self, first: int, last: int) -> bool:
        return self.windows.may_start(first, last)


class ClosingCalendarAggregation(EmitsOnClose, SingleWindowAggregation):
    """Forwards windows of a calendar when their end is at most stream time minus the grace period."""

    def closes_by(self, window: Windowed) -> int:
        return window.end

    def may_start(self, first: int, last: int) -> bool:
        return self.bounds(last)[0] >= first

    def find_closing(self, first: int, last: int) -> tuple[int, int]:
        """A window ends at the start of the next one."""
        return self.bounds(max(0, first - 1))[0], self.bounds(last)[0] - 1
