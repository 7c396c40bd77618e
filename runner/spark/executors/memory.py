"""Memory of a host that processes hold. Memory that forks share counts once.

Mapped files, such as those of the state, do not count: the system takes their pages back if memory is short.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ANONYMOUS = re.compile(rb"^Pss_Anon: +(\d+) kB$", re.MULTILINE)


def measure_anonymous(pid: int) -> int:
    """The bytes of one process. 0 for a process that is gone or not ours."""
    try:
        match = ANONYMOUS.search(Path(f"/proc/{pid}/smaps_rollup").read_bytes())
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0
    return int(match[1]) * 1_024 if match else 0


def list_pids() -> Iterator[int]:
    """All processes of this host."""
    return (int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit())


def find_parent(pid: int) -> int:
    """The parent of a process. Raises OSError for a process that is gone."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def list_ancestors(pid: int) -> list[int]:
    """A process and its descendants, as far as their parents live."""
    children = defaultdict(list)
    for each in list_pids():
        try:
            children[find_parent(each)].append(each)
        except OSError:
            continue
    pids = [pid]
    for each in pids:
        pids += children[each]
    return pids
