"""Finds the nodes that use a process's time, by occasional looks. No record pays for it."""

from __future__ import annotations

import atexit
import signal
import threading
from collections import Counter, defaultdict
from types import FrameType, TracebackType

from runner.engine.planning.layers import find_original
from runner.engine.tasks.globals import Globals
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.task import Task

INTERVAL = 0.01
"""Seconds of CPU time between two looks."""
DECODING = frozenset({Task.run.__code__, Globals.apply.__code__})
"""Code that decodes a row of its local `target`."""


# Sampling 100 times per CPU second costs nothing on the per-record path and still names the slowest node.
class Sampler:
    """Counts, inside `with`, how often each node's own code is running. Downstream code is not its own.

    Only the main thread can be examined. Elsewhere nothing is counted.
    """

    def __init__(self) -> None:
        self.look_counts: Counter[str] = Counter()
        self.charged: dict[str, float] = defaultdict(float)
        """Seconds that the kernel measured, by node."""

    def __enter__(self) -> None:
        global _at_work
        if threading.current_thread() is threading.main_thread():
            _at_work = self
            if not signal.getitimer(signal.ITIMER_PROF)[1]:
                _start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        global _at_work
        if _at_work is self:
            _at_work = None

    def charge(self, node: str, seconds: float) -> None:
        """Adds time that a node spent where no look sees it."""
        self.charged[node] += seconds

    def measure_busy_ms(self) -> dict[str, int]:
        """CPU time by node."""
        seconds = defaultdict(float, self.charged)
        for node, count in self.look_counts.items():
            seconds[node] += count * INTERVAL
        return {node: round(spent * 1_000) for node, spent in seconds.items()}


_at_work: Sampler | None = None


def _start() -> None:
    """Starts the looks of this process. They continue between calls, so even calls shorter than INTERVAL count.

    A signal that Python no longer handles would end the process, so signals are ignored at its end.
    """
    signal.signal(signal.SIGPROF, _look)
    signal.siginterrupt(signal.SIGPROF, False)
    atexit.register(signal.signal, signal.SIGPROF, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)


def _look(number: int, frame: FrameType | None) -> None:
    if _at_work is not None and (node := find_running_node(frame)):
        _at_work.look_counts[node] += 1


def find_running_node(frame: FrameType | None) -> str | None:
    """The node of the running code in a stack: of the innermost processor, or of the row that is being decoded."""
    while frame is not None:
        names = frame.f_locals
        owner = names.get("self")
        if isinstance(owner, Processor):
            return owner.node
        if frame.f_code in DECODING:
            return find_original(owner.layout.node_entered(names["target"])) if owner and "target" in names else None
        frame = frame.f_back
    return None
