"""What a side of the comparison costs: processor time and memory of its processes, once a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import NamedTuple

import numpy as np
import psutil

EVERY_SECONDS = 1.0


class Sample(NamedTuple):
    """Processor seconds spent and bytes of memory (PSS) held at a time (ms)."""

    at: int
    seconds: float
    held: int


class Meter:
    """Samples processes while it is open; those that end keep what they spent."""

    def __init__(self, processes: Callable[[], Iterable[psutil.Process]]) -> None:
        self.processes = processes
        self.samples: list[Sample] = []
        self._spent: dict[psutil.Process, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="meter")

    def __enter__(self) -> Meter:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()

    def seconds_between(self, start_ms: float, end_ms: float) -> float:
        """Processor seconds spent between two times."""
        at, seconds = [each.at for each in self.samples], [each.seconds for each in self.samples]
        return float(np.interp(end_ms, at, seconds) - np.interp(start_ms, at, seconds))

    @property
    def peak(self) -> int:
        """The most bytes that were held at once."""
        return max((sample.held for sample in self.samples), default=0)

    def _watch(self) -> None:
        while not self._stop.wait(EVERY_SECONDS):
            held = 0
            for process in self.processes():
                with suppress(psutil.Error):  # it has just ended
                    self._spent[process] = sum(process.cpu_times()[:2])
                    held += process.memory_full_info().pss
            self.samples.append(Sample(time.time_ns() // 1_000_000, sum(self._spent.values()), held))


def below(process: psutil.Process) -> list[psutil.Process]:
    """A process and all that descend from it."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.Error:  # it has just ended
        return []
