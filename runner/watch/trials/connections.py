"""Connections to Kafka that previews use one after the other.

Every keystroke is a preview, and to connect takes longer than to read its records.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer

from designer.refusals import HasIssues
from runner.kafka import KafkaCluster

IDLE_SECONDS = 60.0
"""Time after its last preview in which a connection stays open."""
MAX_IDLE = 8


class Connections:
    """Open connections that no preview uses now. Threads may share it."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._lock = Lock()
        self._idle: deque[tuple[float, KafkaCluster]] = deque(maxlen=MAX_IDLE)
        self._will_close = False

    @contextmanager
    def borrow(self, cluster: KafkaCluster) -> Iterator[KafkaCluster]:
        """An open connection with the settings of `cluster`, or `cluster` itself. A failure ends its use."""
        connection = self._take_same(cluster) or cluster
        try:
            yield connection
        except HasIssues:  # says nothing of the connection
            self._give_back(connection)
            raise
        self._give_back(connection)

    def _take_same(self, cluster: KafkaCluster) -> KafkaCluster | None:
        with self._lock:
            for idle in reversed(self._idle):  # so that the others get old, and close
                if _identify(idle[1]) == _identify(cluster):
                    self._idle.remove(idle)
                    return idle[1]
        return None

    def _give_back(self, connection: KafkaCluster) -> None:
        with self._lock:
            self._idle.append((time.monotonic(), connection))
            self._plan_closing()

    def _plan_closing(self) -> None:
        """Begin to wait until the oldest connection closes. One timer serves all: each is a thread."""
        if not self._will_close and self._idle:
            closing = Timer(self._idle[0][0] + self._idle_seconds - time.monotonic(), self._close_old)
            closing.daemon = True
            closing.start()
            self._will_close = True

    def _close_old(self) -> None:
        with self._lock:
            self._will_close = False
            while self._idle and self._idle[0][0] <= time.monotonic() - self._idle_seconds:
                self._idle.popleft()
            self._plan_closing()


def _identify(cluster: KafkaCluster) -> tuple[object, ...]:
    return cluster.name, cluster.prefix, cluster.settings
