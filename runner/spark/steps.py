"""The steps of a start (`runner.control.jobs.statuses.Step`). Each is sent as it begins, except `session`."""

from __future__ import annotations

import threading
import time

from runner.spark.channel import Events


class Steps:
    """Reports each step once, from the first thread that comes to it."""

    def __init__(self, events: Events) -> None:
        self.events = events
        self.begun_steps: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, step: str) -> None:
        with self._lock:
            if step not in self.begun_steps:
                self.begun_steps.add(step)
                self.events.send({"type": "step", "step": step, "at": time.time_ns() // 1_000_000})

    def has_begun(self, step: str) -> bool:
        return step in self.begun_steps
