"""Processes by (boot id, pid, start ticks): a pid alone may since belong to somebody else."""

from __future__ import annotations

import os
import signal
import socket
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """One process of one boot of one machine."""

    boot_id: str
    pid: int
    start_ticks: int

    def alive(self) -> bool:
        return self.boot_id == boot_id() and start_ticks(self.pid) == self.start_ticks

    def signal_group(self, number: signal.Signals) -> None:
        """Signal the process and those it started, if it is still the one that was meant."""
        if self.alive():
            try:
                os.killpg(os.getpgid(self.pid), number)
            except ProcessLookupError:
                return

    def kill(self, seconds: float = 3.0) -> None:
        """End it with its group at once, and return when it is gone."""
        self.signal_group(signal.SIGKILL)
        deadline = time.monotonic() + seconds
        while self.alive() and time.monotonic() < deadline:
            time.sleep(0.02)


@cache
def boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


@cache
def host_name() -> str:
    """The name runs carry of the machine they are on."""
    return os.environ.get("STREAMWRIGHT_HOST") or socket.gethostname()


def start_ticks(pid: int) -> int | None:
    """When `pid` started, in clock ticks since boot; None if it is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def this_process() -> Process:
    return process(os.getpid())


def process(pid: int) -> Process:
    """A process that was just started; one that is gone already never counts as alive."""
    ticks = start_ticks(pid)
    return Process(boot_id(), pid, -1 if ticks is None else ticks)
