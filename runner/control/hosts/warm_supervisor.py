"""The supervisor that an agent starts ahead. It makes a child ready (`standby.py`), and takes the host's next run."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil
from django.conf import settings

from runner.control.jobs.models import Run
from runner.control.jobs.statuses import Step

log = logging.getLogger(__name__)
QUIET_SECONDS = 8.0
"""The next supervisor waits until no run of this host was starting for this long: it would slow the start."""
AGAIN_SECONDS = 60.0
"""Wait after a supervisor that ended by itself."""
END_SECONDS = 3.0
ROOM = 4 * 2**30
"""Bytes that must be free: a ready supervisor holds 1.6 GiB, which no run should lack."""


def start_supervisor(log: Path, *options: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """A supervisor in its own session."""
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "webapp", "supervise", *options]
    with log.open("ab") as file:
        return subprocess.Popen(
            command, stdin=stdin, stdout=file, stderr=file, start_new_session=True, cwd=settings.BASE_DIR
        )


class WarmSupervisor:
    """Keeps at most one supervisor ahead, and hands it the next run.

    It keeps none with STREAMWRIGHT_STANDBY=0, or while the host lacks memory for it (`ROOM`).
    """

    def __init__(self) -> None:
        self.log = settings.HOME / "logs" / "standby.log"
        self.supervisor: subprocess.Popen[bytes] | None = None
        self.not_before = time.monotonic() + QUIET_SECONDS

    def keep(self, runs: Iterable[Run]) -> None:
        """Start one if there is none and the machine is not busy starting a run."""
        now = time.monotonic()
        if any(is_starting(run) for run in runs):
            self.not_before = max(self.not_before, now + QUIET_SECONDS)
        if self.supervisor is not None and self.supervisor.poll() is not None:
            self.supervisor, self.not_before = None, now + AGAIN_SECONDS
        if settings.STANDBY and self.supervisor is None and now >= self.not_before and has_room():
            try:
                self.log.unlink(missing_ok=True)
                self.supervisor = start_supervisor(self.log, "--ahead", stdin=subprocess.PIPE)
            except OSError as error:  # no room for its log, or no rights
                self.not_before = now + AGAIN_SECONDS
                log.warning("No supervisor could be started ahead: %s", error)

    def take(self, run: Run, log: Path) -> subprocess.Popen[bytes] | None:
        """Hand it a run with its log. None if there is no supervisor."""
        supervisor, self.supervisor = self.supervisor, None
        if supervisor is None or supervisor.poll() is not None:
            return None
        with suppress(FileNotFoundError):  # someone has cleared the logs away
            self.log.rename(log)
        self.not_before = time.monotonic() + QUIET_SECONDS
        return supervisor if _tell(supervisor, f"{run.id}\n") else None

    def end(self) -> None:
        """End it unused."""
        if self.supervisor is not None:
            _tell(self.supervisor, "")
            try:
                self.supervisor.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.supervisor.kill()


def has_room() -> bool:
    return psutil.virtual_memory().available >= ROOM


def is_starting(run: Run) -> bool:
    return bool(run.steps) and run.steps[-1]["step"] != Step.RUNNING


def _tell(supervisor: subprocess.Popen[bytes], line: str) -> bool:
    """Sends its last line. False if it is gone."""
    assert supervisor.stdin is not None
    try:
        with supervisor.stdin as stdin:
            stdin.write(line.encode())
    except BrokenPipeError:
        return False
    return True
