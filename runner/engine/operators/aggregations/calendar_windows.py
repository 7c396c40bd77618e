"""Aggregation in windows of a calendar."""

from __future__ import annotations

from typing import Any

from designer.ports import PortType
from designer.schemas import WindowSpec
from designer.values import Windowed
from runner.engine.operators.aggregations.aggregates import WindowedAggregation
from runner.engine.operators.aggregations.closing import EmitsOnClose
from runner.engine.stores import CalendarWindowStore
from runner.engine.stores.calendar import calendar_windows
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.place import Place


class CalendarAggregation(WindowedAggregation):
    """Aggregates by key and window of a calendar (KStreamWindowAggregate with a Windows class of one window a time).

    It keeps the bounds of the window of the record before, as most records are in the same one.
    """

    store: CalendarWindowStore

    def __init__(self, place: Place, spec: WindowSpec, aggregator: Aggregator) -> None:
        super().__init__(place, CalendarWindowStore, aggregator)
        assert spec.calendar is not None
        self.bounds = calendar_windows(spec.calendar).bounds
        self.grace_ms = spec.grace_ms
        self.start = self.end = 0
        store = self.store
        self.inner_handle = store.inner_handle
        one_stream = place.inputs.only.type is PortType.TIME_WINDOWED_KSTREAM
        self.get = store.get_kept if one_stream else store.get

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop("null key")
            return
        time = self.time
        if timestamp > time.value:
            time.observe(timestamp)
        if not self.start <= timestamp < self.end:
            self.start, self.end = self.bounds(timestamp)
        if self.end <= time.value - self.grace_ms:
            self.drop("late")
            return
        start, store = self.start, self.store
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
            old = self.present(old) if self.sends_old_values else None
            self.forward_update(Windowed(key, start, self.end), self.present(new), old, latest)


class ClosingCalendarAggregation(EmitsOnClose, CalendarAggregation):
    """Windows of a calendar that are forwarded when their end is at most stream time less the grace period."""

    closes_by = "end"

    def __init__(self, place: Place, spec: WindowSpec, aggregator: Aggregator) -> None:
        super().__init__(place, spec, aggregator)
        self.closes_after_ms = spec.grace_ms

    def may_start(self, first: int, last: int) -> bool:
        return self.bounds(last)[0] >= first

    def closing(self, first: int, last: int) -> tuple[int, int]:
        """A window ends where the next one starts."""
        return self.bounds(max(0, first - 1))[0], self.bounds(last)[0] - 1
