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
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import NamedTuple

import psycopg
from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection
from django.db.models import F
from django.db.models.functions import Now

from designer.refusal_codes import RefusalCode
from runner.control.codes import ControlCode
from runner.control.hosts.archives import ArchivesAhead
from runner.control.hosts.logs import trim_logs
from runner.control.hosts.warm_supervisor import WarmSupervisor, start_supervisor
from runner.control.jobs import hosts
from runner.control.jobs.clearing import clear_orphans
from runner.control.jobs.database_clock import database_clock
from runner.control.jobs.lifecycle import at_work, move
from runner.control.jobs.models import Desired, Job, Run
from runner.control.jobs.notify import wait
from runner.control.jobs.runs import ask_to_stop, end_unstarted, give_up_lost, start_again
from runner.control.jobs.statuses import LIVE, Status, StopReason
from runner.control.jobs.tasks import clear_expired
from runner.control.processes import read_boot_id
from runner.spark.events import FailureCause

log = logging.getLogger(__name__)
TICK_SECONDS = 0.5
LOOK_SECONDS = 2.0
CLEAR_SECONDS = 3_600.0
TRIM_SECONDS = 60.0
CLAIM_SECONDS = 120.0
LEAVE_SECONDS = 8.0
OVERDUE = timedelta(seconds=20)
"""How long past its lease a live supervisor may be silent before it is killed."""


class SupervisorProcess(NamedTuple):
    """The process of a supervisor, and its start on the monotonic clock, in seconds."""

    process: subprocess.Popen[bytes]
    since: float


class Agent:
    """The agent of one host. `tick` looks once at all its runs."""

    def __init__(self, host: str | None = None) -> None:
        self.host = host or settings.HOST
        self.supervisors: dict[int, SupervisorProcess] = {}
        self.ahead = WarmSupervisor()
        self.archives = ArchivesAhead()
        self.leaving = False
        self.looked_at = self.cleared_at = self.trimmed_at = -math.inf

    def run(self) -> None:
        """Tick until asked to leave. Waits while Postgres is down. The runs continue meanwhile."""
        at_work.send_robust(Agent, host=self.host)
        while not self.leaving:
            try:
                self.tick()
            except (DatabaseError, InterfaceError) as error:
                log.warning("Postgres does not answer as it should: %s", str(error).strip().partition("\n")[0])
                connection.close()
            self.rest()
        self.leave()

    def tick(self) -> None:
        """Look once at the runs of this host, and bring each a step further.

        1. Say that this host lives. A host that is silent loses its runs to others (`runs.give_up_lost`).
        2. Read the live runs of this host from Postgres, and look after each (`look_after`). Only Postgres says which
           they are, so an agent that was just started adopts those of the one before it.
        3. Forget supervisors that have ended.
        4. Give up the runs of lost hosts, so that step 5 can follow them.
        5. Begin the next run of each job that should go on here. It takes neither Celery nor Kafka, so a crashed run
           comes back while those are down, too.

        A crash between two steps loses nothing: the next agent begins at 1, and each write is refused if its row is no
        longer as it was read. `test_runs.py` shows it:
        `test_an_agent_killed_outright_leaves_its_runs_alone_and_the_next_adopts_them` and
        `test_an_ended_run_is_started_again_once_however_often_it_is_asked`.
        """
        close_old_connections()
        hosts.note_beat(self.host, read_boot_id())  # 1
        runs = self.runs()  # 2
        for run in runs:
            with _spare_others(run):
                self.look_after(run)
        self.reap({run.id for run in runs})  # 3
        self.look_around()  # 4
        for last in self.runs_to_follow():  # 5
            with _spare_others(last):
                if self.is_next(last):
                    start_again(last, self.host)
        self.ahead.keep(runs)

    def rest(self) -> None:
        """Wait until the next tick is due, or Postgres reports work."""
        try:
            wait(TICK_SECONDS)
        except (DatabaseError, InterfaceError, psycopg.Error):
            connection.close()
            time.sleep(TICK_SECONDS)

    def runs(self) -> list[Run]:
        return list(Run.objects.filter(host=self.host, status__in=LIVE).select_related("job"))

    def look_after(self, run: Run) -> None:
        """Take the one step that a live run of this host needs. The first that applies:

        1. A user asked for a kill: kill its processes and fail it.
        2. A supervisor owns it: leave it alone while that process lives and renews its lease. This adopts a run. The
           process may belong to an earlier agent; process id, start time and boot id name it without doubt.
        3. No process took it, and it should stop: end it. A supervisor that comes later cannot claim it.
        4. This agent started its supervisor: wait for the claim, for a while.
        5. This host has another version than the product: give the run back.
        6. Its time has come: start a supervisor.

        Step 2 is before 3: only its own supervisor lets a run finish its batch. An agent that dies between 6 and the
        claim leaves a supervisor that nobody knows, and the next agent starts a second one. Only one of them can claim
        the run: `test_the_lease_belongs_to_one_process_of_one_generation` in `test_runs.py`, which also shows 1
        (`test_a_run_that_no_process_took_yet_can_be_killed`). `test_hosts.py` shows 5
        (`test_an_agent_gives_back_a_run_from_before_its_version_was_another`).
        """
        if run.kill_asked:  # 1
            self.fail(run, ControlCode.RUN_KILLED, "The run was killed because a user asked for it.")
        elif run.pid is not None:  # 2
            self.watch(run)
        elif run.stop_reason:  # 3
            end_unstarted(run)
        elif run.id in self.supervisors:  # 4
            self.await_claim(run)
        elif us := hosts.find_outdated().filter(name=self.host):  # 5: it got the run before its agent changed
            refusal = hosts.HostOutdated(*us)
            self.fail(run, refusal.code, refusal.message, refusal.hint)
        elif Run.objects.filter(id=run.id, start_after__lte=Now()).exists():  # 6
            self.start(run)

    def start(self, run: Run) -> None:
        """Start the supervisor of a run. First kill what is left of earlier generations on this host.

        Their leases are over, so they write nothing to Kafka. But a child that hangs may still hold memory, and its
        JVM may still write to the checkpoint that the new run is about to open.
        """
        # five are plenty: each start kills those before it, so only runs of this host since the last start can be left
        for earlier in run.job.runs.filter(host=self.host, generation__lt=run.generation).order_by("-generation")[:5]:
            earlier.kill()
        file = settings.HOME / "logs" / f"run-{run.id}.log"
        try:
            process = self.ahead.take(run, file) or start_supervisor(file, "--run", str(run.id))
        except OSError as error:  # no room for its log, or no rights
            hint = f"Correct this on host `{self.host}`."
            self.fail(run, ControlCode.RUN_NOT_TAKEN, f"The supervisor could not be started: {error}.", hint)
            return
        self.supervisors[run.id] = SupervisorProcess(process, time.monotonic())
        log.info("Started %s as process %s", run, process.pid)

    def await_claim(self, run: Run) -> None:
        """If a supervisor ends or hangs before it takes its run, the run fails."""
        process, since = self.supervisors[run.id]
        if process.poll() is None and time.monotonic() - since < CLAIM_SECONDS:
            return
        process.kill()
        code = process.wait()
        self.fail(run, ControlCode.RUN_NOT_TAKEN, f"The supervisor ended (exit code {code}) before it took the run.")

    def watch(self, run: Run) -> None:
        supervisor = run.supervisor()
        if supervisor is None or not supervisor.is_alive():
            run.refresh_from_db()
            if run.status in LIVE:
                self.fail(run, ControlCode.RUN_PROCESS_DIED, "The run's process ended without a message.")
        elif Run.objects.filter(id=run.id, lease_until__lt=Now() - OVERDUE).exists() and not database_clock.was_set():
            self.fail(run, ControlCode.RUN_SILENT, "The run's process did not renew its lease in time and was ended.")

    def fail(self, run: Run, code: RefusalCode, message: str, hint: str = "") -> None:
        if supervisor := self.supervisors.pop(run.id, None):
            supervisor.process.kill()
            supervisor.process.wait()
            run.refresh_from_db()  # it may just have taken its run
        run.kill()
        cause: FailureCause = {
            "code": code,
            "message": message,
            "hint": hint or f"The log of run {run.generation} has details.",
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
        if now - self.trimmed_at >= TRIM_SECONDS:
            self.trimmed_at = now
            trim_logs(settings.HOME / "logs")
        if now - self.cleared_at >= CLEAR_SECONDS:
            self.cleared_at = now
            threading.Thread(target=_clear, daemon=True, name="clearing").start()

    def runs_to_follow(self) -> Iterator[Run]:
        """The last runs of jobs that should continue with the same plan."""
        wanting = Job.objects.filter(desired=Desired.RUNNING, blocked=False).exclude(runs__status__in=LIVE)
        for job in wanting.filter(runs__generation=F("generation"), runs__revision=F("revision")).distinct():
            last = job.find_last_run()
            if last is not None:
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
        """End the runs of this host cleanly. Their jobs stay wanted, and the next agent starts them again.

        1. Write into each row that the run should stop, and why. A supervisor that misses the signal reads it there.
        2. Signal the supervisors. Each lets its child finish the batch, and writes the end of its run. Kill those that
           have not taken their run yet: nobody would ask them to end. The next agent starts these runs.
        3. End the standby, which no run owns, and the archives that are being made.
        4. Wait for the supervisors for a while. Then kill what is left, and fail those runs.
        5. Remove this host, last of all: until then no other host takes a job that is still being ended here.

        An agent that is killed in between leaves runs that end by themselves, and a host that counts as lost ten
        seconds later. `test_an_agent_that_leaves_takes_its_runs_down_cleanly_and_the_next_starts_them_again` shows the
        whole, and `test_a_child_that_does_not_hear_stop_is_ended_by_force_when_the_agent_leaves` shows 4.
        """
        runs, waiting = list[Run](), list[Run]()
        for run in self.runs():
            (waiting if run.pid is None else runs).append(run)
        for run in runs:
            ask_to_stop(run, StopReason.AGENT_LEFT)  # 1
            if supervisor := run.supervisor():
                supervisor.signal_group(signal.SIGTERM)  # 2
        for run in waiting:
            if started := self.supervisors.pop(run.id, None):
                started.process.kill()
                started.process.wait()
        self.ahead.end()  # 3
        self.archives.end()
        deadline = time.monotonic() + LEAVE_SECONDS  # 4
        while time.monotonic() < deadline and any(
            (supervisor := run.supervisor()) and supervisor.is_alive() for run in runs
        ):
            self.reap({run.id for run in runs})
            time.sleep(0.05)
        for run in self.runs():
            if run.pid is not None:
                with suppress(Run.DoesNotExist):
                    self.fail(run, ControlCode.AGENT_LEFT, "The agent stopped, and the run did not end in time.")
        hosts.leave(self.host)  # 5

    def reap(self, live: set[int]) -> None:
        """Note supervisors that ended. `look_after` judges those with live runs."""
        for run_id, supervisor in list(self.supervisors.items()):
            if supervisor.process.poll() is not None and run_id not in live:
                del self.supervisors[run_id]


@contextmanager
def _spare_others(run: Run) -> Iterator[None]:
    """Keep an unforeseen error with one run from the others of the host. The next tick tries again."""
    try:
        yield
    except Run.DoesNotExist:  # it ended, and its job was deleted, at this moment
        pass
    except (DatabaseError, InterfaceError):
        raise
    except Exception:
        log.exception("%s could not be looked after", run)


def _clear() -> None:
    """In its own thread: large state takes long."""
    try:
        clear_orphans()
        clear_expired()
    except (OSError, OperationalError) as error:
        log.warning("Leftovers of other jobs stay for another hour: %s", error)
    finally:
        connection.close()
