"""The lines between a run and its parent: orders arrive on standard input, events leave on standard output."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

import orjson

from runner.spark.events import Event, Question

LAST_WILL = 3
"""Exit code if the parent is gone."""


class Events:
    """Writes events, one JSON object a line. Afterwards standard output takes nothing else: it is the log's now."""

    def __init__(self) -> None:
        self._stream: BinaryIO = os.fdopen(os.dup(1), "wb", buffering=0)
        self._lock = threading.Lock()
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def send(self, event: Event) -> None:
        line = orjson.dumps(event, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n"
        with self._lock:
            try:
                self._stream.write(line)
            except BrokenPipeError:
                os._exit(LAST_WILL)


class Orders:
    """Permissions from the parent: batches may begin while the lease lasts and until the parent says stop."""

    def __init__(self, stream: BinaryIO, seconds: float = 60.0) -> None:
        self._stream = stream
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._plan = b""
        self.plan_event = threading.Event()
        self.stop = threading.Event()
        self.on_stop: Callable[[], None] = lambda: None
        self.on_query: Callable[[Question], None] = lambda question: None

    def read(self) -> bytes:
        """Reads the first line: a plan, or what to make ready before one comes. Call it before `listen`."""
        line = self._stream.readline()
        if not line:
            os._exit(LAST_WILL)
        return line

    def plan(self) -> bytes:
        """Returns the plan that comes once all is ready. Waits for it without a limit."""
        self.plan_event.wait()
        return self._plan

    def listen(self) -> None:
        """Hears orders in its own thread. The end of the stream ends this process at once."""
        threading.Thread(target=self._read_orders, daemon=True, name="orders").start()

    @property
    def holds_lease(self) -> bool:
        return time.monotonic() < self._until

    def _read_orders(self) -> None:
        for line in self._stream:
            order = orjson.loads(line)
            if "type" not in order:
                self._until = time.monotonic() + self._seconds
                self._plan = line
                self.plan_event.set()
            elif order["type"] == "lease":
                self._until = time.monotonic() + float(order["seconds"])
            elif order["type"] == "stop":
                self.stop.set()
                self.on_stop()
            elif order["type"] == "query":
                self.on_query(order)
        os._exit(LAST_WILL)
