"""Cost of lost executors: the batch that Spark executed again, and how much longer it took than others."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median

from runner.spark.events import ExecutorLostEvent
from runner.spark.failures import make_hint_of_loss
from runner.spark.private import GoneExecutor

RECENT = 20
"""Number of batches whose median time is the usual one."""


@dataclass(frozen=True)
class DoneBatch:
    """Times in ms. `processed_at` is when its last task ended. An executor lost later did not hold it up."""

    number: int
    started_at: int
    processed_at: int
    took_ms: int


class LostExecutors:
    """Reports each executor that Spark lost, and reports it again when the batch that it held up is done."""

    def __init__(self, tell: Callable[[ExecutorLostEvent], None]) -> None:
        self._say = tell
        self._waiting: list[GoneExecutor] = []
        self._last: DoneBatch | None = None
        self._usual: deque[int] = deque(maxlen=RECENT)
        self._lock = threading.Lock()

    def note(self, executors: Iterable[GoneExecutor], batch: int | None) -> None:
        """`batch` is the one that runs. None between two batches: then the next one builds state again."""
        with self._lock:
            for each in executors:
                if self._last is not None and each.at <= self._last.processed_at:
                    self._send_cost(each, self._last)
                else:
                    self._waiting.append(each)
                    self._send(each, batch, None, None, again=batch is not None)

    def note_done(self, batch: DoneBatch) -> None:
        """Notes that a batch was committed."""
        with self._lock:
            is_first, self._last = self._last is None, batch
            held_up = [each for each in self._waiting if each.at <= batch.processed_at]
            for each in held_up:
                self._send_cost(each, batch)
                self._waiting.remove(each)
            if not held_up and not is_first:  # the first batch of a run waits for much that is started
                self._usual.append(batch.took_ms)

    def _send_cost(self, executor: GoneExecutor, batch: DoneBatch) -> None:
        cost = max(0, round(batch.took_ms - median(self._usual))) if self._usual else None
        self._send(executor, batch.number, batch.took_ms, cost, again=executor.at >= batch.started_at)

    def _send(
        self, executor: GoneExecutor, batch: int | None, took_ms: int | None, cost_ms: int | None, *, again: bool
    ) -> None:
        self._say(
            {
                "type": "executor_lost",
                "executor": executor.name,
                "host": executor.host,
                "at": executor.at,
                "reason": executor.reason,
                "hint": make_hint_of_loss(executor.reason),
                "batch": batch,
                "again": again,
                "took_ms": took_ms,
                "cost_ms": cost_ms,
            }
        )
