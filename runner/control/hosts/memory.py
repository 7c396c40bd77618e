"""Memory of a run's processes on its host."""

from __future__ import annotations

import os

from runner.spark.executors.memory import list_pids, measure_anonymous


# A limit on addresses would count the mapped files of the state, and a cgroup needs rights that `make run` does not
# have.
def measure_memory(session: int) -> int:
    """Bytes of memory held by the processes of a session."""
    return sum(measure_anonymous(pid) for pid in list_pids() if _is_in(session, pid))


def _is_in(session: int, pid: int) -> bool:
    try:
        return os.getsid(pid) == session
    except ProcessLookupError:
        return False
