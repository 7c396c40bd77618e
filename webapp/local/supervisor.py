"""Keeps processes running until told to stop, then ends all of them within 20 s."""

import os
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from .ledger import STOP_FIRST, Ledger
from .parts import Part, wait_for
from .problem import Problem
from .process import ChildProcess, kill_group

MARK = "STREAMWRIGHT_UP"
"""Environment variable with the folder, in all processes below a `make run`."""

HEALTHY_SECONDS = 60.0
MAX_PAUSE = 30.0
APPS_SECONDS = 11.0
FULL_BYTES = 1 << 20
PARTS_SECONDS = 6.0


@dataclass
class PartState:
    """A part that is kept running: its start, its recent failures, and its next start."""

    part: Part
    started_at: float
    failures: int = 0
    due: float | None = None
    is_finished: bool = False

    @property
    def child(self) -> ChildProcess:
        """The process."""
        assert self.part.child
        return self.part.child


class Supervisor:
    """Starts parts, restarts ended ones after growing pauses, and stops them in order."""

    def __init__(self, home: Path, say: Callable[[str], None]) -> None:
        self.home = home
        self.say = say
        self.ledger = Ledger(home)
        self.states: list[PartState] = []
        self.stopping = threading.Event()

    def start(self, part: Part) -> None:
        """Starts a part and keeps it running from now on."""
        part.start()
        state = PartState(part, time.monotonic())
        self.ledger.note(state.child)
        self.states.append(state)

    def wait(self) -> None:
        """Returns when all parts are ready. Raises a Problem if one died or is too slow."""
        for state in self.states:
            wait_for(state.part)

    def watch(self) -> None:
        """Returns when `stopping` is set. Until then, restarts ended parts."""
        while not self.stopping.wait(0.25):
            for state in self.states:
                self._look_after(state)

    def stop(self) -> None:
        """Ends everything: first the users of Kafka, Redis and Postgres, then those, then the rest."""
        self.stopping.set()
        below = find_descendants([state.child.pid for state in self.states])
        apps = [state.child for state in self.states if state.part.name in STOP_FIRST]
        parts = [state.child for state in self.states if state.part.name not in STOP_FIRST]
        for children, seconds in ((apps, APPS_SECONDS), (parts, PARTS_SECONDS)):
            stop_together(children, seconds)
        kill_rest(below, self.home)
        self.ledger.clear()

    def _look_after(self, state: PartState) -> None:
        now = time.monotonic()
        if state.is_finished or state.child.is_alive():
            return
        if state.due is None:
            self._plan_restart(state, now)
        elif now >= state.due:
            self._start_again(state, now)

    def _plan_restart(self, state: PartState, now: float) -> None:
        code = state.child.process.returncode if state.child.process else None
        if code == 0 and getattr(state.part, "once", False):
            state.is_finished = True
            return
        state.failures = 0 if now - state.started_at > HEALTHY_SECONDS else state.failures + 1
        pause = self._wait(state, now)
        self.say(
            f"{state.part.name} ended (exit {code}), starts again in {pause:.0f} s; its log: {state.child.log}"
            f"{describe_full_disk(self.home)}"
        )

    def _start_again(self, state: PartState, now: float) -> None:
        """On a full disk it fails, and is tried until there is room again."""
        try:
            state.part.start()
            state.started_at, state.due = now, None
            self.ledger.note(state.child)
        except (OSError, Problem) as error:
            if state.due is None:
                return  # it runs, and is only not noted
            state.failures += 1
            pause = self._wait(state, now)
            self.say(
                f"{state.part.name} cannot start, and is tried again in {pause:.0f} s: {error}"
                f"{describe_full_disk(self.home)}"
            )

    def _wait(self, state: PartState, now: float) -> float:
        """Set the time of the next start. Returns the seconds until then."""
        pause = min(MAX_PAUSE, 2.0 ** min(state.failures, 5) / 2)
        state.due = now + pause
        return pause


def describe_full_disk(home: Path) -> str:
    """A sentence if the disk with the home folder is full, else nothing."""
    try:
        is_full = shutil.disk_usage(home).free < FULL_BYTES
    except OSError:
        return ""
    return f"\nThe disk with {home} is full. Make room there: the parts then start by themselves." if is_full else ""


def stop_together(children: list[ChildProcess], seconds: float) -> None:
    """Asks all to stop, then waits for each until the common deadline."""
    for child in children:
        child.ask_to_stop()
    deadline = time.monotonic() + seconds
    for child in children:
        child.finish(deadline)
        kill_group(child.pid)  # workers that outlived their parent


def find_descendants(pids: list[int]) -> list[psutil.Process]:
    """Every present descendant of these processes."""
    processes = []
    for pid in pids:
        try:
            processes += psutil.Process(pid).children(recursive=True)
        except psutil.NoSuchProcess:
            continue
    return processes


def kill_rest(below: list[psutil.Process], home: Path) -> None:
    """Kills the rest of `below`, and every process with our mark."""
    for process in [*below, *psutil.process_iter()]:
        try:
            if process in below or (process.pid != os.getpid() and process.environ().get(MARK) == str(home)):
                process.kill()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
