"""What the processes of a run hold of the machine's memory."""

from __future__ import annotations

import os
import re
from pathlib import Path

ANONYMOUS = re.compile(rb"^Pss_Anon: +(\d+) kB$", re.MULTILINE)


def memory_held(session: int) -> int:
    """Bytes of memory held by the processes of a session; what forks share counts once.

    Files they map, as those of the state, are left out: the system takes such pages back where memory is short.
    """
    pids = (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit())
    return sum(_anonymous(pid) for pid in pids if _is_in(session, pid))


def _is_in(session: int, pid: int) -> bool:
    try:
        return os.getsid(pid) == session
    except ProcessLookupError:
        return False


def _anonymous(pid: int) -> int:
    """0 for a process that is gone or not ours."""
    try:
        found = ANONYMOUS.search(Path(f"/proc/{pid}/smaps_rollup").read_bytes())
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0
    return int(found[1]) * 1_024 if found else 0
