"""Aggregation in session windows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from designer.reasons import LATE, NULL_KEY
from designer.values.schemas import WindowSpec
from designer.values.tuples import Windowed
from runner.engine.operators.aggregations.aggregates import WindowedAggregation
from runner.engine.operators.aggregations.closing import EmitsOnClose
from runner.engine.records.record import HEADERS, ORIGIN
from runner.engine.stores import SessionStore
from runner.engine.tasks.aggregator import Aggregator
from runner.engine.tasks.processor_context import ProcessorContext


class SessionAggregation(WindowedAggregation):
    """Aggregates by key and session [first, last] of records at most `gap` apart (KStreamSessionWindowAggregate).

    A record merges the sessions it touches: each goes with a tombstone, and the merged one is forwarded with its end as
    timestamp. A null key is dropped, a null value is not. A record is late if the merged session ends before
    stream time less grace period and gap.
    """

    store: SessionStore

    def __init__(self, context: ProcessorContext, spec: WindowSpec, aggregator: Aggregator) -> None:
        super().__init__(context, SessionStore, aggregator)
        if aggregator.merge is None:
            raise TypeError(f"The aggregation {context.node} has no merge, which sessions need.")
        self.merge = aggregator.merge
        self.forwards_often = True
        self.gap_ms = spec.size_ms
        self.closes_after_ms = spec.size_ms + spec.grace_ms + 1

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if key is None:
            self.drop(NULL_KEY)
            return
        self.time.observe(timestamp)
        store = self.store
        inner = store.inner_handle(key)
        sessions = store.sessions(inner, timestamp - self.gap_ms, timestamp + self.gap_ms)
        aggregate, bounds = self._merge(key, inner, sessions), (timestamp, timestamp)
        for end, start in sessions:
            bounds = (max(bounds[0], end), min(bounds[1], start))
        if bounds[0] <= self.time.value - self.closes_after_ms:
            self.drop(LATE, self.time.value - self.closes_after_ms - bounds[0] + 1)
            return
        is_new = not sessions
        if bounds != (timestamp, timestamp):
            self._remove(key, inner, sessions)
            is_new = True
        aggregate = self.add(key, value, timestamp, aggregate)
        store.put((*bounds, inner), aggregate, bounds[0])
        if is_new and aggregate is not None and bounds[0] >= store.find_first():
            self.opened_count += 1
        elif not is_new and aggregate is None:
            self.opened_count -= 1
        self._forward(key, *bounds, aggregate, None)

    def _merge(self, key: Any, inner: Any, sessions: Iterable[tuple[int, ...]]) -> Any:
        aggregate = self.init()
        for end, start in sessions:
            entry = self.store.get((end, start, inner))
            assert entry is not None
            aggregate = self.merge(key, aggregate, entry[0])
        return aggregate

    def _remove(self, key: Any, inner: Any, sessions: Iterable[tuple[int, ...]]) -> None:
        for end, start in sessions:
            entry = self.store.get((end, start, inner))
            assert entry is not None
            if self.forwards_at_once or self.store.is_cached:
                self.extra += 1
            self.store.put((end, start, inner), None, end)
            self.opened_count -= 1
            self._forward(key, end, start, None, entry[0])

    def _forward(self, key: Any, end: int, start: int, new: Any, old: Any) -> None:
        """Sessions go out as their own records, without the headers of the record that arrived."""
        if not self.forwards_at_once:
            return
        before = self.present(old) if self.sends_old_values else None
        row = self.context.row
        if row[HEADERS]:
            self.context.row = (*row[:HEADERS], None, *row[ORIGIN:])
        try:
            self.forward_update(Windowed(key, start, end), self.present(new), before, end)
        finally:
            self.context.row = row


class ClosingSessionAggregation(EmitsOnClose, SessionAggregation):
    """Forwards sessions when their end is before stream time minus grace period and gap."""

    def closes_by(self, window: Windowed) -> int:
        return window.end
