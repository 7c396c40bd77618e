"""One child process: its own process group, its output in a log file, a reliable end."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from .problem import Problem

DEATH_SIGNAL = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()


@dataclass
class ChildProcess:
    """A program that runs beside us until it is stopped.

    `is_tied` lets the kernel kill it when we die: for tests, which may be killed. It inherits `fds` of our open files.
    """

    name: str
    command: Sequence[str]
    log: Path
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    is_tied: bool = False
    fds: Sequence[int] = ()
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Starts it in its own session: a Ctrl-C in the terminal reaches only us."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*DEATH_SIGNAL, *self.command] if self.is_tied else list(self.command),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=None if self.env is None else dict(self.env),
                cwd=self.cwd,
                start_new_session=True,
                pass_fds=self.fds,
            )

    @property
    def pid(self) -> int:
        """The pid of the started process (0 before)."""
        return self.process.pid if self.process else 0

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self.process is not None and self.process.poll() is None

    def ask_to_stop(self) -> None:
        """Sends the signal for a clean end of this program."""
        if self.process and self.is_alive():
            self.process.send_signal(self.stop_signal)

    def stop(self, seconds: float = 5.0) -> None:
        """Asks, waits up to `seconds`, then kills the rest of the process group."""
        self.ask_to_stop()
        self.finish(time.monotonic() + seconds)

    def finish(self, deadline: float) -> None:
        """Waits until `deadline` (monotonic seconds), then kills the process group."""
        if not self.process:
            return
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            kill_group(self.pid)
            self.process.wait()

    def wait_until(self, is_ready: Callable[[], bool], seconds: float) -> None:
        """Waits until `is_ready()` is true. If it dies or takes over `seconds`, raises a Problem with the log's end."""
        deadline = time.monotonic() + seconds
        while not is_ready():
            if not self.is_alive():
                raise Problem(f"{self.name} ended while starting; see {self.log}:\n{read_tail(self.log)}")
            if time.monotonic() > deadline:
                raise Problem(
                    f"{self.name} did not answer within {seconds:.0f} s; see {self.log}:\n{read_tail(self.log)}"
                )
            time.sleep(0.05)


def kill_group(pid: int) -> None:
    """Kills the process group that `pid` leads."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def read_start_ticks(pid: int) -> int | None:
    """The start of `pid` in clock ticks since boot (a reused pid has another). None if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else int(fields[19])


def read_tail(log: Path, lines: int = 8) -> str:
    """The last `lines` lines of a log file."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:]) if log.exists() else ""
