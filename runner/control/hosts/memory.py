"""Memory of a run's processes on its host."""

from __future__ import annotations

import os
from pathlib import Path

from runner.spark.executors.memory import list_pids, measure_anonymous


# A limit on addresses would count the mapped files of the state, and a cgroup needs rights that `make run` does not
# have.
def measure_memory(session: int) -> int:
    """Bytes of memory held by the processes of a session."""
    return sum(measure_anonymous(pid) for pid in list_pids() if _is_in(session, pid))


def count_oom_kills() -> int:
    """Number of processes that the kernel of this host has killed since it booted, because no memory was left.

    0 where it does not say (`oom_kill` of /proc/vmstat, since Linux 4.13).
    """
    try:
        lines = Path("/proc/vmstat").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def _is_in(session: int, pid: int) -> bool:
    try:
        return os.getsid(pid) == session
    except ProcessLookupError:
        return False
