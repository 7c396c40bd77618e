"""A child of a supervisor that is started before a run needs it, so that the run need not wait for Spark's session.

It has no lease and no Kafka producer, so it can write nothing. It ends if no run comes.
"""

from __future__ import annotations

import os
import select
import shutil
import sys
from pathlib import Path

from django.conf import settings

from runner.control.clusters.checkpoints import list_checkpoint_roots
from runner.control.clusters.services import get_local_cluster
from runner.control.hosts.child import Child
from runner.control.hosts.priority import Priority, set_priority
from runner.control.jobs.plans.planner import choose_max_slots
from runner.control.processes import HostProcess, get_this_process
from runner.plan import Plan
from runner.spark.checkpoint.hadoop import is_on_s3
from runner.spark.start.ahead import Ahead

LOOK_SECONDS = 1.0


class Standby:
    """A child that has made itself ready. One run uses it."""

    def __init__(self) -> None:
        self.ahead = Ahead(
            folder=str(_make_own_folder()),
            slots=choose_max_slots(os.cpu_count()),
            kafka=get_local_cluster().connect().settings,
            may_use_s3=any(map(is_on_s3, list_checkpoint_roots())),
        )
        # our own standard error is that file, even if it has another name when the child opens it
        self.child = Child(Path("/proc/self/fd/2"), settings.BASE_DIR, may_use_s3=self.ahead.may_use_s3)
        set_priority(self.child.popen.pid, Priority.AHEAD)
        self.child.make_ready(self.ahead)

    def wait_for_run(self) -> int | None:
        """The id of a run on standard input. None if no run will come or the child has ended."""
        while self.child.exit_code() is None:
            if select.select([sys.stdin], [], [], LOOK_SECONDS)[0]:
                line = sys.stdin.readline()
                return int(line) if line else None
        return None

    def suits(self, plan: Plan) -> bool:
        """Whether it can execute this plan like a child started for it."""
        return self.ahead.fits(plan) and self.child.exit_code() is None

    def hurry(self) -> None:
        set_priority(self.child.popen.pid, Priority.START)

    def close(self) -> None:
        """End the child and remove its files."""
        self.child.close()
        shutil.rmtree(self.ahead.folder, ignore_errors=True)


def _make_own_folder() -> Path:
    """A folder named after this process. Removes those of dead processes."""
    folder = Path(settings.HOME) / "standby"
    folder.mkdir(parents=True, exist_ok=True)
    # the name holds the start time and the boot id too, because a process id may belong to another process by now
    for left in folder.iterdir():
        owner = _find_owner(left)
        if owner is not None and not owner.is_alive():
            shutil.rmtree(left, ignore_errors=True)
    own = folder / "_".join(map(str, get_this_process()))
    own.mkdir()
    return own


def _find_owner(folder: Path) -> HostProcess | None:
    """The process that made a folder. None: it is not one of ours, such as `lost+found`."""
    match folder.name.split("_"):
        case boot_id, pid, start_ticks if pid.isdecimal() and start_ticks.isdecimal():
            return HostProcess(boot_id, int(pid), int(start_ticks))
    return None
