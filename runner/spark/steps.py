"""The steps of a start, told as they begin: `restoring`, `first_batch`, `running` (`runner.jobs.lifecycle.Step`)."""

from __future__ import annotations

import threading
import time

from runner.spark.channel import Events


class Steps:
    """Tells each step once, from whichever thread comes to it first."""

    def __init__(self, events: Events) -> None:
        self.events = events
        self.begun: set[str] = set()
        self._lock = threading.Lock()

    def begin(self, step: str) -> None:
        with self._lock:
            if step not in self.begun:
                self.begun.add(step)
                self.events.send("step", step=step, at=time.time_ns() // 1_000_000)

    @property
    def is_running(self) -> bool:
        return "running" in self.begun
