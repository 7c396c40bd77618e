"""Reads a small batch in the source's own process, while Spark records and plans the batch.

A task of Spark would call a Python worker to read Kafka. For few records that call takes longer than all of their
processing, and it begins only once the batch is planned.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import closing
from threading import Lock, Thread
from typing import Any

from runner.spark.columns import Records

MAX_BYTES = 4 << 20
"""Most bytes of a batch that is read ahead. It goes through the heap of Spark's driver as a whole."""
BATCHES_WITHOUT = 100
"""Number of batches after one with more bytes that tasks read from the start."""
ONE_AT_A_TIME = Lock()
"""A process has one consumer, so a batch that no one asks for any more is read to its end first."""
Arrival = tuple[int, int, Records]
"""Input, partition, records."""
EmittedCounts = dict[tuple[int, int], dict[int, int]]
"""By input and partition, how many records each sub-topology has emitted so far in a batch. These number them."""


class Prefetch:
    """The records of the next batch, while they are read. `start` and `end` are its offsets, as Spark names them."""

    def __init__(self, start: Any, end: Any, read: Callable[[], Generator[Arrival, None, None]]) -> None:
        self.start = start
        self.end = end
        self._read = read
        self._arrivals: Future[list[Arrival] | None] = Future()
        Thread(target=self._complete, daemon=True, name="prefetch").start()

    def wait(self) -> list[Arrival] | None:
        """All records of the batch, or None if they are more than MAX_BYTES. Raises the error of the read."""
        return self._arrivals.result()

    def _complete(self) -> None:
        try:
            self._arrivals.set_result(self._take())
        except BaseException as error:
            self._arrivals.set_exception(error)

    def _take(self) -> list[Arrival] | None:
        arrivals, size = list[Arrival](), 0
        with ONE_AT_A_TIME, closing(self._read()) as found:
            for arrival in found:
                *_, records = arrival
                size += records.size
                if size > MAX_BYTES:
                    return None
                arrivals.append(arrival)
        return arrivals
