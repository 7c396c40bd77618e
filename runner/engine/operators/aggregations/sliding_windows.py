"""Aggregation in sliding windows."""

from __future__ import annotations

from typing import Any

from designer.reasons import LATE, NULL_KEY, NULL_VALUE
from designer.values.schemas import WindowSpec
from designer.values.tuples import Windowed
from runner.engine.operators.aggregations.aggregates import WindowedAggregation
from runner.engine.operators.aggregations.closing import EmitsOnClose
from runner.engine.records.record import Entry
from runner.engine.stores import SlidingWindowStore
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor_context import ProcessorContext


class SlidingAggregation(WindowedAggregation):
    """Aggregates by key and window [start, start + difference] (KStreamSlidingWindowAggregate).

    A window ends at each record (its left window), and one starts just after it (its right window) once later records
    fall into it. A null key or value is dropped, and also a record whose right window could only be closed. Updates
    come in the order of KStreamSlidingWindowAggregate.processReverse, as over RocksDB.
    """

    store: SlidingWindowStore

    def __init__(self, context: ProcessorContext, spec: WindowSpec, aggregator: Aggregator) -> None:
        super().__init__(context, SlidingWindowStore, aggregator)
        self.forwards_often = True
        self.difference_ms = spec.size_ms
        self.closes_after_ms = spec.size_ms + spec.grace_ms + 1
        self.is_first_result = True

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None or value is None:
            self.drop(NULL_KEY if key is None else NULL_VALUE)
            return
        self.time.observe(timestamp)
        if timestamp + self.difference_ms < self.time.value - self.grace_ms:
            self.drop(LATE, self.time.value - self.grace_ms - self.difference_ms - timestamp)
            return
        self.is_first_result = True
        if timestamp < self.difference_ms:
            self._process_early(key, value, timestamp)
        else:
            self._process(key, value, timestamp)

    def _process(self, key: Any, value: Any, timestamp: int) -> None:
        """Update the windows around the record from the latest back, then make its missing ones."""
        store, difference = self.store, self.difference_ms
        inner = store.inner_handle(key)
        starts = store.starts(inner, max(0, timestamp - 2 * difference), timestamp + 1)
        # an entry is (aggregate, time of the newest record), here and below: unpacking each window's costs more
        left = right = previous = None
        left_exists = right_exists = False
        for start in reversed(starts):
            entry = store.get((start, inner))
            assert entry is not None
            if start > timestamp:
                right_exists = True
            elif start + difference > timestamp:
                right = right or entry
                self._update(start, key, inner, value, timestamp, entry)
            elif start + difference == timestamp:
                left_exists = True
                self._update(start, key, inner, value, timestamp, entry)
                if entry[1] >= timestamp:
                    return
                previous = entry[1]
            else:
                left, previous = entry, entry[1]
                break
        if previous is not None and previous + 1 not in starts and previous + 1 + difference >= timestamp:
            self._update(previous + 1, key, inner, value, timestamp, is_new=True)
        if not left_exists:
            is_left_filled = left is not None and previous is not None and timestamp - difference <= previous
            entry = (left[0], timestamp) if is_left_filled and left is not None else None
            self._update(timestamp - difference, key, inner, value, timestamp, entry, is_new=True)
        if not right_exists:
            self._make_right(key, inner, timestamp, right)

    def _process_early(self, key: Any, value: Any, timestamp: int) -> None:
        """A left window would start before the epoch, so the window [0, difference] holds all early records instead."""
        store = self.store
        inner = store.inner_handle(key)
        starts = store.starts(inner, 0, timestamp + 1)
        early = right = previous = None
        for start in starts:
            entry = store.get((start, inner))
            assert entry is not None
            if start == 0:
                early = entry
                previous = entry[1] if entry[1] < timestamp else None
            elif start <= timestamp:
                right = entry
                self._update(start, key, inner, value, timestamp, entry)
        if timestamp + 1 not in starts:
            self._make_right(key, inner, timestamp, right or early)
        if previous is not None and previous + 1 not in starts:
            self._update(previous + 1, key, inner, value, timestamp, is_new=True)
        self._update(0, key, inner, value, timestamp, early, is_new=early is None)

    def _make_right(self, key: Any, inner: Any, timestamp: int, later: Entry | None) -> None:
        """Make the right window of a record that came after later ones. It begins with their aggregate."""
        if later is not None and later[1] > timestamp:
            self._start_result()
            self.store.put((timestamp + 1, inner), *later)
            if timestamp + 1 >= self.store.retention_start:
                self.opened_count += 1
            self._forward(timestamp + 1, key, None, *later)

    def _update(
        self,
        start: int,
        key: Any,
        inner: Any,
        value: Any,
        timestamp: int,
        entry: Entry | None = None,
        *,
        is_new: bool = False,
    ) -> None:
        """Bring the record into a window. A new window begins with the first aggregate."""
        self._start_result()
        if start + self.difference_ms < self.time.value - self.grace_ms:
            self.drop(LATE, self.time.value - self.grace_ms - self.difference_ms - start)
            return
        old, latest = (self.init(), timestamp) if entry is None else entry
        new = self.add(key, value, timestamp, old)
        if timestamp > latest:
            latest = timestamp
        self.store.put((start, inner), new, latest)
        if is_new and new is not None and start >= self.store.retention_start:
            self.opened_count += 1
        elif not is_new and new is None:
            self.opened_count -= 1
        self._forward(start, key, old, new, latest)

    def _start_result(self) -> None:
        """Counts each window of a record after the first."""
        if self.is_first_result:
            self.is_first_result = False
        else:
            self.extra += 1

    def _forward(self, start: int, key: Any, old: Any, new: Any, timestamp: int) -> None:
        if self.forwards_at_once:
            windowed_key = Windowed(key, start, start + self.difference_ms)
            before = self.present(old) if self.sends_old_values else None
            self.forward_update(windowed_key, self.present(new), before, timestamp)


class ClosingSlidingAggregation(EmitsOnClose, SlidingAggregation):
    """Forwards sliding windows when their end is before stream time minus the grace period."""
