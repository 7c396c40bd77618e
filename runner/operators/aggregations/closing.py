"""Emit on close: each window is forwarded once, when it takes no more records (EmitStrategy.onWindowClose)."""

from __future__ import annotations

from typing import Any

from runner.engine.place import Place
from runner.operators.aggregations.aggregates import WindowedAggregation


class EmitsOnClose(WindowedAggregation):
    """Stands before a windowed aggregation, which then forwards no updates.

    After each record it forwards the windows that closed since the last time, in order of start (sessions: of end and
    start) and of the bytes of their keys. `closed` remembers how far, as Kafka Streams' lastEmitWindowCloseTime does.
    """

    held_as = "added to an open window"
    closes_after_ms: int
    """How far stream time is past the start (sessions: the end) of a window when it closes."""

    def __init__(self, place: Place, *parts: Any) -> None:
        super().__init__(place, *parts)
        self.forwards_at_once = False
        self.forwards_often = True
        self.closed = place.stream_time("closed")
        self.emitted = self.expired = 0

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        super().process(key, value, timestamp)
        last, closed = self.closed.value, self.time.value - self.closes_after_ms
        if closed > last and self.may_start(last + 1, closed):
            self._emit(last + 1, closed)

    def may_start(self, first: int, last: int) -> bool:
        """Whether any window can start (sessions: end) in that time."""
        return True

    def flush(self) -> None:
        self.store.flush()

    def forwarded(self, received: int, errors: int) -> int:
        return self.emitted

    @property
    def waiting(self) -> int:  # type: ignore[override]
        """The windows that are open."""
        return self.opened - self.emitted - self.expired

    def _emit(self, first: int, last: int) -> None:
        for _ in range(self.store.count_expired(first, last)):
            self.expired += 1
            self.no_result("past retention before its window closed")
        for window, (value, timestamp) in self.store.between(first, last):
            self.emitted += 1
            self.forward_update(window, self.present(value), None, timestamp)
        self.closed.observe(last)
