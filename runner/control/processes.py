"""Names a process without doubt: by boot, process id and start time. Another process may get the same id later."""

from __future__ import annotations

import os
import signal
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple


class HostProcess(NamedTuple):
    """One process of one boot of one machine."""

    boot_id: str
    pid: int
    start_ticks: int

    def is_alive(self) -> bool:
        return self.boot_id == read_boot_id() and read_start_ticks(self.pid) == self.start_ticks

    def signal_group(self, number: signal.Signals) -> None:
        """Signal the process and its children, even if only these are left of its group."""
        group = self._group()
        if group is not None:
            try:
                os.killpg(group, number)
            except ProcessLookupError:
                return

    def kill(self, seconds: float = 3.0) -> None:
        """End it with its group at once, and return after they are gone."""
        group = self._group()
        self.signal_group(signal.SIGKILL)
        deadline = time.monotonic() + seconds
        while group is not None and _lives(group) and time.monotonic() < deadline:
            time.sleep(0.02)

    def _group(self) -> int | None:
        """The group of the process, or None if another process has its number now.

        A group keeps its number reserved as long as it has a member.
        """
        if self.is_alive():
            try:
                return os.getpgid(self.pid)
            except ProcessLookupError:
                return self.pid
        is_free = self.boot_id == read_boot_id() and read_start_ticks(self.pid) is None and self.start_ticks != -1
        return self.pid if is_free else None


def _lives(group: int) -> bool:
    """Whether a group has a member that is not a zombie."""
    members = (path for path in Path("/proc").iterdir() if path.name.isdigit())
    return any(_group_of(path) == group for path in members)


def _group_of(path: Path) -> int | None:
    try:
        fields = (path / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[2])


@cache
def read_boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def read_start_ticks(pid: int) -> int | None:
    """The start of `pid` in clock ticks since boot. None if it is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def get_this_process() -> HostProcess:
    return process(os.getpid())


def process(pid: int) -> HostProcess:
    """A process that was just started. A dead one never counts as alive."""
    ticks = read_start_ticks(pid)
    return HostProcess(read_boot_id(), pid, -1 if ticks is None else ticks)
