"""How the Python processes of a run keep memory that they have freed, for their next batch.

A batch needs a few hundred MiB for a moment. By default glibc and Arrow hand large blocks back to the system at once,
and the next batch gets them again as new pages, which Linux has to clear. That took a fifth of all processor time of a
run. So its processes keep what they free, and give it back once a minute. A worker that has nothing to do gives it back
earlier.
"""

from __future__ import annotations

import ctypes
import select
import time
from functools import cache
from typing import Any

TRIM_THRESHOLD, MMAP_MAX, ARENA_MAX = -1, -4, -8
"""Parameters of mallopt(3)."""
ARENAS = 2
"""Threads of librdkafka and Java would otherwise each keep free memory of their own."""
KEPT_SECONDS = 60.0
"""Longest time for which a busy process keeps memory that it may not need any more."""
QUIET_SECONDS = 2.0
"""Longest time for which an idle one does."""


@cache
def _load_libc() -> Any:
    """The C library, if it is glibc."""
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") else None


def keep_freed_memory() -> None:
    """Lets this process and its forks keep what they free. Arrow then uses the same memory as everything else."""
    libc = _load_libc()
    if libc is None:
        return
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())
    libc.mallopt(MMAP_MAX, 0)  # a mapping of its own goes back as soon as its block is freed
    libc.mallopt(TRIM_THRESHOLD, (1 << 31) - 1)
    libc.mallopt(ARENA_MAX, ARENAS)


class FreeMemory:
    """What this process has freed and kept, all of which goes back to the system at once."""

    def __init__(self) -> None:
        self._has_worked = False
        self._given_back_at = time.monotonic()

    def await_task(self, file: int) -> None:
        """Call it before a task is read from a file. Gives memory back if no task comes for a moment, or if it is due.

        Returns once a task is there, or memory went back.
        """
        if self._has_worked and (self._is_due or not select.select([file], [], [], QUIET_SECONDS)[0]):
            self._give_back()
        self._has_worked = True

    def give_back_if_due(self) -> None:
        """Gives memory back if it was kept for long."""
        if self._is_due:
            self._give_back()

    @property
    def _is_due(self) -> bool:
        return time.monotonic() - self._given_back_at >= KEPT_SECONDS

    def _give_back(self) -> None:
        if (libc := _load_libc()) is not None:
            libc.malloc_trim(0)
        self._given_back_at = time.monotonic()
