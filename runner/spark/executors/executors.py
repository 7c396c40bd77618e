"""Memory of a run's executors, and the lines of their logs. The reader beside each executor answers."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable

from runner.spark.events import ExecutorsEvent
from runner.spark.executors import reader
from runner.spark.executors.executor_log import with_host

LOOK_SECONDS = 3.0
log = logging.getLogger(__name__)


class ExecutorLooks:
    """Reports the memory of executors, by host, and copies their logs into the run's own.

    It knows an executor once a slot has run there.
    """

    def __init__(
        self, key: str, list_readers: Callable[[], Iterable[str]], tell: Callable[[ExecutorsEvent], None]
    ) -> None:
        self.key = key
        self._list_readers = list_readers
        self._say = tell
        self._memory: Counter[str] = Counter()
        self._offsets: dict[str, int] = {}
        """Offset up to which each log was read."""
        self._there: set[str] = set()
        """Executors that answered last time. A slot may have moved since."""

    def begin(self) -> None:
        """Looks every few seconds, in its own thread."""
        threading.Thread(target=self._look_on, daemon=True, name="executors").start()

    def _look_on(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            try:
                self.look()
            except Exception:  # the next look may go well
                log.exception("Executors cannot be inspected.")

    def look(self) -> None:
        memory: Counter[str] = Counter()
        places = self._there | set(self._list_readers())
        self._there = set()
        for place in sorted(places):
            host_look = reader.look(place, self.key, self._offsets.get(place, 0))
            if host_look is not None:
                self._there.add(place)
                host, _, _ = place.rpartition(":")
                memory[host] += host_look.memory
                self._offsets[place] = host_look.offset
                for line in with_host(host_look.log.decode(errors="replace").splitlines(), host):
                    print(line, file=sys.stderr)
        if memory != self._memory:
            self._memory = memory
            self._say({"type": "executors", "memory": dict(memory)})
