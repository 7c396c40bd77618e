"""Emit on close: each window is forwarded once, after it takes no further records (EmitStrategy.onWindowClose)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from designer.reasons import END_OF_RETENTION, Reason
from designer.topology.ports import PortType
from designer.values.tuples import Windowed
from runner.engine.operators.aggregations.aggregates import WindowedAggregation
from runner.engine.tasks.holding import Holding, get_known_time
from runner.engine.tasks.idling import Idling
from runner.engine.tasks.processor_context import ProcessorContext

LAST = 2**63 - 2
"""The last time at which a window may start or end."""


class EmitsOnClose(WindowedAggregation):
    """A base before a windowed aggregation, which then forwards no updates.

    After each record it forwards the windows that closed since the last time, by start (sessions: by end and start)
    and then by the bytes of their keys. `close_time` remembers its place, as Kafka Streams' lastEmitWindowCloseTime.
    """

    holding_reason = Reason.OPEN_WINDOW
    closes_after_ms: int
    """A window closes when stream time is so far past its start or its end, as `closes_by` says."""

    def __init__(self, context: ProcessorContext, *parts: Any) -> None:
        super().__init__(context, *parts)
        self.forwards_at_once = False
        self.forwards_often = True
        self.close_time = context.stream_time("closed")
        self.emitted_count = self.expired_count = 0
        window = context.inputs.only.schema.window
        assert window is not None
        self.idling = None if window.idle_ms is None else Idling(context, window.idle_ms)
        self.closed_idle = None if self.idling is None else 0

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        receive = super().receiver(port, arriving)
        return receive if self.idling is None else self.idling.note_records(receive)

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        super().process(key, value, timestamp)
        last, close_time = self.close_time.value, self.time.value - self.closes_after_ms
        if close_time > last and self.may_start(last + 1, close_time):
            self._emit(last + 1, close_time)

    def may_start(self, first: int, last: int) -> bool:
        """True if any window can start (sessions: end) in that time."""
        return True

    def find_closing(self, first: int, last: int) -> tuple[int, int]:
        """The first and the last start (sessions: end) of windows that close in that time."""
        return first, last

    def closes_by(self, window: Windowed) -> int:
        """The time from which `closes_after_ms` counts."""
        return window.start

    def flush(self) -> None:
        if self.idling is not None:
            self._emit_on_idle(self.idling)
        if self.store.latest.has_advanced:
            # the store now forgets them, so no one would find them when their window closes
            self._note_expired(self._find_first_open(), LAST)
        self.store.flush()

    def tell_held(self) -> Holding:
        return Holding(get_known_time(self.time), "window_close", self._find_next_close(), self.grace_ms)

    def count_forwarded(self, input_count: int, errors: int) -> int:
        return self.emitted_count

    @property
    def waiting(self) -> int:  # type: ignore[override]
        """The windows that are open."""
        return self.opened_count - self.emitted_count - self.expired_count

    def _emit(self, first: int, last: int) -> None:
        since, until = self.find_closing(first, last)
        self._note_expired(since, until)
        for window, (value, timestamp) in self.store.read_between(since, until):
            self.emitted_count += 1
            self.forward_update(window, self.present(value), None, timestamp)
        self.close_time.observe(last)

    def _note_expired(self, since: int, until: int) -> None:
        for _ in range(self.store.count_expired(since, until)):
            self.expired_count += 1
            self.count_no_result(END_OF_RETENTION)

    def _find_first_open(self) -> int:
        """The first start (sessions: end) of a window that may still be open."""
        since, _ = self.find_closing(self.close_time.value + 1, self.close_time.value + 1)
        return since

    def _emit_on_idle(self, idling: Idling) -> None:
        """Closes windows as if stream time were where idle time may take it. Otherwise stream time stays."""
        until, first = idling.find_reached(), self._find_next_close()
        if until is not None and first is not None and first <= until:
            before = self.emitted_count
            self.time.observe(until)
            idling.without_record(lambda: self._emit(self.close_time.value + 1, until - self.closes_after_ms))
            self.closed_idle = (self.closed_idle or 0) + self.emitted_count - before
            first = self._find_next_close()
        idling.wait_for(first)

    def _find_next_close(self) -> int | None:
        """The stream time at which the first waiting window closes."""
        for window, _ in self.store.read_between(self._find_first_open(), LAST):
            return self.closes_by(window) + self.closes_after_ms
        return None
