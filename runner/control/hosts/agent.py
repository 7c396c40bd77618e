"""The agent of a host: starts, adopts and ends the runs of its machine, as Postgres wants it.

It keeps nothing important in memory: if it is killed, the next agent continues with the same runs.
"""

from __future__ import annotations

import logging
import math
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

import psycopg
from django.conf import settings
from django.db import OperationalError, close_old_connections, connection
from django.db.models import F
from django.db.models.functions import Now

from designer.refusal_codes import RefusalCode
from runner.control.hosts.archives import ArchivesAhead
from runner.control.hosts.warm_supervisor import WarmSupervisor, start_supervisor
from runner.control.jobs import hosts
from runner.control.jobs.clearing import clear_orphans
from runner.control.jobs.lifecycle import at_work, move
from runner.control.jobs.models import Desired, Job, Run
from runner.control.jobs.notify import wait
from runner.control.jobs.runs import ask_to_stop, end_unstarted, give_up_lost, start_again
from runner.control.jobs.statuses import LIVE, Status, StopReason
from runner.control.processes import read_boot_id

log = logging.getLogger(__name__)
TICK_SECONDS = 0.5
LOOK_SECONDS = 2.0
CLEAR_SECONDS = 3_600.0
CLAIM_SECONDS = 120.0
LEAVE_SECONDS = 8.0
OVERDUE = timedelta(seconds=20)
"""How long past its lease a live supervisor may be silent before it is killed."""


class SupervisorProcess(NamedTuple):
    """The process of a supervisor, and its start on the monotonic clock, in seconds."""

    process: subprocess.Popen[bytes]
    since: float


class Agent:
    """One host's agent; `tick` looks once at all its runs."""

    def __init__(self, host: str | None = None) -> None:
        self.host = host or settings.HOST
        self.supervisors: dict[int, SupervisorProcess] = {}
        self.ahead = WarmSupervisor()
        self.archives = ArchivesAhead()
        self.leaving = False
        self.looked_at = self.cleared_at = -math.inf

    def run(self) -> None:
        """Tick until asked to leave. Waits while Postgres is down. The runs continue meanwhile."""
        at_work.send_robust(Agent, host=self.host)
        while not self.leaving:
            try:
                self.tick()
            except OperationalError as error:
                log.warning("Postgres does not answer: %s", str(error).strip().splitlines()[0])
                connection.close()
            self.rest()
        self.leave()

    def tick(self) -> None:
        close_old_connections()
        hosts.note_beat(self.host, read_boot_id())
        runs = self.runs()
        for run in runs:
            with suppress(Run.DoesNotExist):  # it ended, and its job was deleted, at this moment
                self.look_after(run)
        self.reap({run.id for run in runs})
        self.look_around()
        for last in self.runs_to_follow():
            start_again(last, self.host)
        self.ahead.keep(runs)

    def rest(self) -> None:
        """Wait until the next tick is due, or Postgres reports work."""
        try:
            wait(TICK_SECONDS)
        except (OperationalError, psycopg.OperationalError):
            connection.close()
            time.sleep(TICK_SECONDS)

    def runs(self) -> list[Run]:
        return list(Run.objects.filter(host=self.host, status__in=LIVE).select_related("job"))

    def look_after(self, run: Run) -> None:
        if run.kill_asked:
            self.fail(run, RefusalCode.RUN_KILLED, "The run was killed because a user asked for it.")
        elif run.pid is not None:
            self.watch(run)
        elif run.stop_reason:
            end_unstarted(run)
        elif run.id in self.supervisors:
            self.await_claim(run)
        elif us := hosts.find_outdated().filter(name=self.host):  # it got the run before its agent changed
            refusal = hosts.HostOutdated(*us)
            self.fail(run, refusal.code, refusal.message, refusal.hint)
        elif Run.objects.filter(id=run.id, start_after__lte=Now()).exists():
            self.start(run)

    def start(self, run: Run) -> None:
        """Start the supervisor of a run when no process of an earlier generation lives."""
        for earlier in run.job.runs.filter(host=self.host, generation__lt=run.generation).order_by("-generation")[:5]:
            earlier.kill()
        file = settings.HOME / "logs" / f"run-{run.id}.log"
        process = self.ahead.take(run, file) or start_supervisor(file, "--run", str(run.id))
        self.supervisors[run.id] = SupervisorProcess(process, time.monotonic())
        log.info("Started %s as process %s", run, process.pid)

    def await_claim(self, run: Run) -> None:
        """If a supervisor ends or hangs before it takes its run, the run fails."""
        process, since = self.supervisors[run.id]
        if process.poll() is None and time.monotonic() - since < CLAIM_SECONDS:
            return
        process.kill()
        code = process.wait()
        self.fail(run, RefusalCode.RUN_NOT_TAKEN, f"The supervisor ended (exit code {code}) before it took the run.")

    def watch(self, run: Run) -> None:
        supervisor = run.supervisor()
        if supervisor is None or not supervisor.is_alive():
            run.refresh_from_db()
            if run.status in LIVE:
                self.fail(run, RefusalCode.RUN_PROCESS_DIED, "The run's process ended without a message.")
        elif Run.objects.filter(id=run.id, lease_until__lt=Now() - OVERDUE).exists():
            self.fail(run, RefusalCode.RUN_SILENT, "The run's process did not renew its lease in time and was ended.")

    def fail(self, run: Run, code: RefusalCode, message: str, hint: str = "") -> None:
        if supervisor := self.supervisors.pop(run.id, None):
            supervisor.process.kill()
            supervisor.process.wait()
            run.refresh_from_db()  # it may just have taken its run
        run.kill()
        cause = {
            "code": code,
            "message": message,
            "hint": hint or f"The log of run {run.generation} has details. The run restarts automatically.",
            "node": None,
            "batch": None if run.last_batch is None else run.last_batch + 1,
            "offsets": run.offsets,
            "traceback": "",
            "retriable": True,
        }
        if run.stop_reason:
            move(run, Status.STOPPING)
            move(run, Status.STOPPED)
        else:
            move(run, Status.FAILED, failure=cause)
        log.warning("%s: %s", run, message)

    def look_around(self) -> None:
        """Give up the runs of lost hosts, so that others can follow; prepare for others; clear up."""
        now = time.monotonic()
        if now - self.looked_at >= LOOK_SECONDS:
            self.looked_at = now
            give_up_lost()
            self.archives.keep()
        if now - self.cleared_at >= CLEAR_SECONDS:
            self.cleared_at = now
            threading.Thread(target=_clear, daemon=True, name="clearing").start()

    def runs_to_follow(self) -> Iterator[Run]:
        """The last runs of jobs that should continue with the same plan on this host."""
        wanting = Job.objects.filter(desired=Desired.RUNNING, blocked=False).exclude(runs__status__in=LIVE)
        for job in wanting.filter(runs__generation=F("generation"), runs__revision=F("revision")).distinct():
            last = job.find_last_run()
            if last is not None and self.is_next(last):
                yield last

    def is_next(self, last: Run) -> bool:
        try:
            return hosts.choose_next_host(last) == self.host
        except (hosts.NoAgent, hosts.HostAway, hosts.HostOutdated):
            return False

    def stop(self) -> None:
        """End the loop at the next chance (signal handlers call it)."""
        self.leaving = True

    def leave(self) -> None:
        """End the runs of this host cleanly. Their jobs stay wanted, and the next agent starts them again."""
        runs = [run for run in self.runs() if run.pid is not None]
        for run in runs:
            ask_to_stop(run, StopReason.AGENT_LEFT)
            if supervisor := run.supervisor():
                supervisor.signal_group(signal.SIGTERM)
        self.ahead.end()
        self.archives.end()
        deadline = time.monotonic() + LEAVE_SECONDS
        while time.monotonic() < deadline and any(
            (supervisor := run.supervisor()) and supervisor.is_alive() for run in runs
        ):
            self.reap({run.id for run in runs})
            time.sleep(0.05)
        for run in self.runs():
            if run.pid is not None:
                with suppress(Run.DoesNotExist):
                    self.fail(run, RefusalCode.AGENT_LEFT, "The agent stopped, and the run did not end in time.")
        hosts.leave(self.host)

    def reap(self, live: set[int]) -> None:
        """Note supervisors that ended. `look_after` judges those with live runs."""
        for run_id, supervisor in list(self.supervisors.items()):
            if supervisor.process.poll() is not None and run_id not in live:
                del self.supervisors[run_id]


def _clear() -> None:
    """In its own thread: large state takes long."""
    try:
        clear_orphans()
    except (OSError, OperationalError) as error:
        log.warning("Leftovers of other jobs stay for another hour: %s", error)
    finally:
        connection.close()
