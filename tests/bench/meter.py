"""What a side of the comparison costs: processor time and memory of its processes, once a second."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import NamedTuple

import numpy as np
import psutil

EVERY_SECONDS = 1.0


KINDS = {"runner.spark.session.daemon": "workers", "runner.spark": "run", "webapp": "supervisor"}
"""What a Python process is, by a module on its command line."""


class Sample(NamedTuple):
    """Processor seconds spent, by kind of process, and bytes of memory (PSS) held at a time (ms)."""

    at: int
    seconds: Mapping[str, float]
    held: int


class Meter:
    """Samples processes while it is open; those that end keep what they spent."""

    def __init__(self, processes: Callable[[], Iterable[psutil.Process]]) -> None:
        self.processes = processes
        self.samples: list[Sample] = []
        self._spent: dict[psutil.Process, tuple[str, float]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True, name="meter")

    def __enter__(self) -> Meter:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()

    def seconds_between(self, start_ms: float, end_ms: float) -> dict[str, float]:
        """Processor seconds spent between two times, by kind of process."""
        at, found = [each.at for each in self.samples], {}
        for kind in self.samples[-1].seconds:
            seconds = [each.seconds.get(kind, 0.0) for each in self.samples]
            found[kind] = float(np.interp(end_ms, at, seconds) - np.interp(start_ms, at, seconds))
        return found

    @property
    def peak(self) -> int:
        """The most bytes that were held at once."""
        return max((sample.held for sample in self.samples), default=0)

    def _watch(self) -> None:
        while not self._stop.wait(EVERY_SECONDS):
            held = 0
            for process in self.processes():
                with suppress(psutil.Error):  # it has just ended
                    self._spent[process] = _kind_of(process), sum(process.cpu_times()[:2])
                    held += process.memory_full_info().pss
            seconds = defaultdict[str, float](float)
            for kind, spent in self._spent.values():
                seconds[kind] += spent
            self.samples.append(Sample(time.time_ns() // 1_000_000, seconds, held))


def _kind_of(process: psutil.Process) -> str:
    if process.name() == "java":
        return "Java"
    command = process.cmdline()
    return next((kind for module, kind in KINDS.items() if module in command), "others")


def below(process: psutil.Process) -> list[psutil.Process]:
    """A process and all that it has started, also those whose parents have ended.

    A run's fork server ends once the run has started. Its processes stay in the session of the run.
    """
    try:
        found = {each.pid: each for each in (process, *process.children(recursive=True))}
    except psutil.Error:  # it has just ended
        return []
    own = os.getsid(0)
    sessions = {session for pid in found if (session := _find_session(pid)) not in (None, own)}
    for each in psutil.process_iter():
        if each.pid not in found and _find_session(each.pid) in sessions:
            found[each.pid] = each
    return list(found.values())


def _find_session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:  # it has just ended
        return None
