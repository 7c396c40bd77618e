"""The supervisor of a run: it holds the lease, owns the child, and passes on what the child reports.

It writes to Postgres what must last. Live numbers go to the listeners of `event_received`, which write to Redis. While
Postgres does not answer, the run goes on until its lease is over.
"""

from __future__ import annotations

import logging
import queue
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, cast

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal
from runner.control.codes import ControlCode
from runner.control.hosts.child import Child
from runner.control.hosts.memory import count_oom_kills, measure_memory
from runner.control.hosts.priority import Priority, set_priority
from runner.control.hosts.standby import Standby
from runner.control.jobs.clearing import clear_here, find_remote_roots
from runner.control.jobs.lifecycle import (
    LEASE,
    claim,
    event_received,
    find_stop_reason,
    move,
    note_lost,
    renew,
    run_ended,
    run_started,
    take_step,
)
from runner.control.jobs.models import Run
from runner.control.jobs.restart_policy import PERHAPS_LACKS_OF_MEMORY
from runner.control.jobs.statuses import LIVE, Status, StopReason
from runner.control.jobs.tasks import ask_to_clear
from runner.control.processes import get_this_process, process
from runner.kafka import KafkaCluster
from runner.kafka.codes import KafkaCode
from runner.plan import Plan
from runner.spark.codes import RunCode
from runner.spark.events import Event, FailureCause, LostExecutor
from runner.spark.preparing import clear

log = logging.getLogger(__name__)
LEASE_SECONDS = LEASE.total_seconds()
RENEW_SECONDS = 5.0
LOOK_SECONDS = 1.0
FINISH_SECONDS = 15.0
LEAVE_SECONDS = 5.0
TERMINATE_SECONDS = 5.0
SILENT_SECONDS = 60.0
START_SECONDS = 240.0
# Spark's JVM once hung without an error, and the run continued to report. A batch that is long, but not stuck, is
# ended once at most: it is the first one of the next run, which may take any time.
STUCK_SECONDS = 300.0
STUCK_TIMES = 10
"""A batch is stuck after this many times the longest one before it, and after at least this long."""
MEMORY_SECONDS = 5.0
IDLE_MEMORY_SECONDS = 30.0
"""Seconds between two measurements of memory. One takes 10 to 15 ms of a processor, mostly for the pages of a JVM."""
FENCE_SECONDS = 5.0
"""Time to end the transactions of a run. It is part of the lease."""
OOM_SECONDS = 60.0
"""How long after the kernel has killed a process for lack of memory a run may still end of it."""
MAX_LOST_EXECUTORS = 20
"""Maximum number of lost executors stored with a run: the last ones."""
MIB = 1_024 * 1_024


class Progress(TypedDict):
    """How far a run has come, as `Run` stores it."""

    last_batch: int
    offsets: Mapping[str, list[int]]
    """Topic -> next offset of each partition after that batch."""


class RunSupervisor:
    """Drives one run from its claim to its end."""

    def __init__(self, run: Run, standby: Standby | None = None) -> None:
        self.run = run
        self.standby = standby
        self.child: Child | None = None
        self.cause: FailureCause | None = None
        self.leaving = False
        self.stop_asked_at: float | None = None
        self.finish_seconds = FINISH_SECONDS
        self.terminated_at: float | None = None
        self.renewed_at = self.tried_at = self.looked_at = self.heard_at = self.weighed_at = time.monotonic()
        self.memory_limit = 0
        self.oom_kills = count_oom_kills()
        self.oom_killed_at: float | None = None
        """When the host's kernel has killed a process for lack of memory, as far as this run has seen it."""
        self.executors: Mapping[str, int] = {}
        """Bytes that the executors of a Spark cluster hold, by host."""
        self.batch: int | None = None
        self.in_batch = self.longest = 0.0
        self.progress: Progress | None = None
        """How far the run has come. None before its first batch."""
        self.has_saved_progress = True
        self.weighed_progress: Progress | None = None
        """How far it had come when its memory was measured last."""
        self.has_forgotten = False
        self.reached: Status | None = None
        """The status that the child has reached and Postgres does not have yet."""
        self.steps: list[tuple[str, int]] = []
        self.lost_executors: dict[str, LostExecutor] = {}
        self.has_saved_executors = True

    def carry_out(self) -> bool:
        """Run it to its end. False if the run was not ours to take.

        1. Claim the run in Postgres: one process of one generation gets it.
        2. Start the child, or take the one that was started ahead, and give it the plan.
        3. Own the child: note its process with the run, and grant it the lease. The child writes nothing without one.
        4. Listen: pass on what it says, renew the lease, and ask it to stop when Postgres wants that. If the lease
           cannot be renewed, the child begins no batch after its end, and the supervisor kills it.
        5. Close the child, with all processes that it started. Remove what Spark has left on this disk, which is of use
           to no one, unless the lease is over: then the next run may be at work there.
        6. End the transaction that it has left open, if it did not end in order (`end_transactions`).
        7. Write the end of the run, and why.

        If the supervisor dies between 1 and 7, its child hears nothing more and ends with its lease. The agent sees
        that the process is gone, kills what is left and fails the run, and the next run fences it. An agent that dies
        leaves its supervisors alone, and the next agent finds them by their process ids. `test_runs.py` kills
        supervisor, child and agent: `test_a_killed_run_comes_back_as_the_next_generation_without_celery` and
        `test_an_agent_killed_outright_leaves_its_runs_alone_and_the_next_adopts_them`.
        """
        if not claim(self.run, **get_this_process()._asdict()):  # 1
            return False
        try:
            plan = self.run.connect_plan()
        except Refusal as refusal:
            self.cause = self.failure(refusal.code, refusal.message, refusal.hint)
            self.conclude(1)
            return True
        self.memory_limit = plan.settings.memory_limit_mb * MIB
        self.child = self.find_child(plan)  # 2
        self.child.give(plan)
        try:
            self.own(self.child)  # 3
            run_started.send_robust(Run, run=self.run, ask=self.child.ask)
            self.listen(self.child)  # 4
        finally:
            code = self.child.close()  # 5
        if self.write_in_postgres(renew, self.run):
            clear(Path(plan.state_dir))
        if code != 0 or self.cause is not None:
            self.end_transactions(plan)  # 6
        self.conclude(code)  # 7
        run_ended.send_robust(Run, run=self.run)
        return True

    def find_child(self, plan: Plan) -> Child:
        """The child that was started ahead, if it suits the plan, or a new one."""
        if self.standby is not None and self.standby.suits(plan):
            return self.standby.child
        if self.standby is not None:
            self.standby.close()
        log_file = Path(settings.HOME) / "logs" / f"run-{self.run.id}.log"
        log_file.parent.mkdir(parents=True, exist_ok=True)
        return Child(log_file, settings.BASE_DIR, may_use_s3=plan.is_on_s3)

    def own(self, child: Child) -> None:
        # first the row, then the lease: a child that may write is one that the next agent can find and kill
        child_process = process(child.popen.pid)
        if renew(self.run, child_pid=child_process.pid, child_start_ticks=child_process.start_ticks):
            child.prolong(LEASE_SECONDS)

    def listen(self, child: Child) -> None:
        """Read the child's events until it ends, keep the lease, and check whether it should stop."""
        while True:
            try:
                event = child.events.get(timeout=0.2)
            except queue.Empty:
                pass
            else:
                if event is None:
                    return
                self.hear(event)
            self.steady(child)

    def hear(self, event: Event) -> None:
        self.heard_at = time.monotonic()
        if event["type"] == "status" and event["status"] in (Status.RESTORING, Status.RUNNING):
            self.reached = Status(event["status"])
            self.write_in_postgres(self.write_status)
            if event["status"] == Status.RUNNING:
                self.step_back()
        elif event["type"] == "step":
            self.steps.append((event["step"], event["at"]))
            self.write_in_postgres(self.write_steps)
        elif event["type"] == "executor_lost":
            known = {name: value for name, value in event.items() if name in LostExecutor.__annotations__}
            self.lost_executors[event["executor"]] = cast(LostExecutor, known)
            self.has_saved_executors = False
            self.write_in_postgres(self.write_lost)
        elif event["type"] == "executors":
            self.executors = event["memory"]
        elif event["type"] == "progress":
            self.progress = {"last_batch": event["batch"], "offsets": event["sources"]}
            self.has_saved_progress = False
            self.longest = max(self.longest, event["duration_ms"] / 1_000)
        elif event["type"] == "beat":
            self.batch = event["batch"]
            self.in_batch = event["in_batch_ms"] / 1_000
        elif event["type"] == "failed":
            self.cause = event["cause"]
        event_received.send_robust(Run, run=self.run, event=event)

    def forget_older_epochs(self) -> None:
        """Remove the older epochs, whose state this one has copied. Called after the first progress is in Postgres.

        1. The child has committed a batch in Kafka and in its checkpoint: the state is the epoch's own.
        2. `look` has written the batch to Postgres. From here on `Run.read_current_plan` names no older checkpoint to
           any run, so none can miss what goes now.
        3. Remove the older epochs on this host, and have a worker remove those in Hadoop file systems. One that a way
           back needs stays (`cut_overs.find_kept_epochs`).

        A crash between 2 and 3 leaves folders that nobody reads, and the next epoch removes them with this one. With 3
        before 2, a crash in between would leave a plan whose seed is gone.
        """
        if self.has_forgotten:
            return
        self.has_forgotten = True
        threading.Thread(target=self._clear, daemon=True, name="clearing").start()

    def _clear(self) -> None:
        job, older = self.run.job, self.run.epoch - 1
        clear_here(job.application_id, older)
        if older and find_remote_roots():
            ask_to_clear(job.application_id, older, [], job.cluster.name)

    def step_back(self) -> None:
        """Lower the priority of the child. Nobody waits for the run now, so the canvas and the broker go first."""
        assert self.child is not None
        set_priority(self.child.popen.pid, Priority.RUN)

    def write_status(self) -> None:
        """The child reports each status once. If Postgres did not store it, the next look writes it."""
        if self.reached is not None:
            move(self.run, self.reached)
            self.reached = None

    def write_steps(self) -> None:
        """Store the steps of the start that the child has reported. The next look writes what Postgres did not take."""
        while self.steps:
            take_step(self.run, *self.steps[0])
            self.steps.pop(0)

    def write_lost(self) -> None:
        """Store the executors that Spark lost. The next look writes what Postgres did not take."""
        if not self.has_saved_executors:
            note_lost(self.run, list(self.lost_executors.values())[-MAX_LOST_EXECUTORS:])
            self.has_saved_executors = True

    def steady(self, child: Child) -> None:
        now = time.monotonic()
        if now - self.looked_at >= LOOK_SECONDS:
            self.looked_at = now
            self.write_in_postgres(self.look)
        if now - self.tried_at >= RENEW_SECONDS:
            self.tried_at = now
            self.keep_lease(child, now)
        if now - self.weighed_at >= (IDLE_MEMORY_SECONDS if self.is_idle else MEMORY_SECONDS):
            self.weighed_at, self.weighed_progress = now, self.progress
            self.weigh(child)
        if self.leaving and self.stop_asked_at is None:
            self.finish_seconds = LEAVE_SECONDS
            self.stop(StopReason.AGENT_LEFT)
        self.press(child, now)

    def look(self) -> None:
        """Write the progress of the run. Check whether it should stop, or is no longer ours."""
        if self.progress is not None and not self.has_saved_progress:
            if Run.objects.filter(id=self.run.id, pid=self.run.pid, status__in=LIVE).update(**self.progress):
                self.forget_older_epochs()
            self.has_saved_progress = True
        self.write_status()
        self.write_steps()
        self.write_lost()
        reason = find_stop_reason(self.run)
        if reason is None:  # no such row: the run is over for Postgres, whatever its child still does
            self.lose("Another process ended the run.")
        elif reason and self.stop_asked_at is None:
            self.stop(StopReason(reason))

    def keep_lease(self, child: Child, now: float) -> None:
        """Renew the lease of the run, so that no two runs of a job work at the same time.

        1. Prolong the lease in Postgres, by its clock. This fails if the run is over or belongs to another process.
        2. Then grant the child as much, less the time that the answer took. So the child's lease always ends first.
           It begins no batch without one (`Gate.pass_batch`).
        3. If Postgres refused, kill the child at once: another run may be starting.
        4. If Postgres does not answer, the child works on until its lease is over. Then kill it.

        Others take the run only when the lease in Postgres is over for some seconds more (`runs.MARGIN`,
        `agent.OVERDUE`). A supervisor that hangs, or is cut off from Postgres, grants nothing, so its child stops by
        itself. A child that hangs in the middle of a commit may come back after its end: Kafka fences it then, because
        the next run has opened the same transactional id. The lease saves work and protects the checkpoint; the fence
        protects the results. `test_the_lease_belongs_to_one_process_of_one_generation` shows 1, and
        `test_without_a_lease_no_batch_begins` in `tests/runner/spark/test_queries.py` what a child does without one.
        `tests/soak/hosts.py` cuts hosts off.
        """
        is_renewed = self.write_in_postgres(renew, self.run)  # 1
        if is_renewed:
            self.renewed_at = now
            child.prolong(LEASE_SECONDS - (time.monotonic() - now))  # 2
        elif is_renewed is False:
            self.lose("Another run took its place.")  # 3
        elif now - self.renewed_at > LEASE_SECONDS:  # 4
            self.lose("Postgres could not be reached to renew the lease.")

    @property
    def is_idle(self) -> bool:
        """Whether the run has executed no batch since its memory was measured, and executes none now. False on a
        Spark cluster, whose executors say themselves what they hold.
        """
        has_rested = not self.in_batch and self.progress is self.weighed_progress
        return self.run.status == Status.RUNNING and has_rested and not self.executors

    def weigh(self, child: Child) -> None:
        """Report the memory of the run, and end it if it exceeds its limit."""
        self.note_oom_kills()
        memory = measure_memory(child.popen.pid)
        event_received.send_robust(Run, run=self.run, event={"type": "memory", "bytes": memory})
        memory += sum(self.executors.values())
        if 0 < self.memory_limit < memory:
            self.cause = self.failure(
                ControlCode.RUN_MEMORY_LIMIT,
                f"The run's processes took {memory // MIB:,} MiB of memory; its limit is {self.memory_limit // MIB:,}.",
                "Raise the setting memory_limit_mb, or reduce what the job holds: fewer slots, fewer records per "
                "batch, or less state. To reduce state, use windows instead of unlimited aggregates, a shorter "
                "retention, or a time to live.",
            )
            child.end(signal.SIGKILL)

    def note_oom_kills(self) -> None:
        if (count := count_oom_kills()) > self.oom_kills:
            self.oom_kills, self.oom_killed_at = count, time.monotonic()

    def stop(self, reason: StopReason) -> None:
        assert self.child is not None
        self.stop_asked_at = time.monotonic()
        self.child.ask_to_stop()
        self.write_in_postgres(move, self.run, Status.STOPPING, stop_reason=reason)

    def lose(self, message: str) -> None:
        """Kill the child at once, because the run has lost its lease."""
        assert self.child is not None
        self.cause = self.cause or self.failure(RunCode.RUN_LEASE_LOST, message)
        self.child.end(signal.SIGKILL)

    def press(self, child: Child, now: float) -> None:
        """End a child that does not end by itself, is silent, or is stuck in a batch.

        A child that was asked to stop may finish its batch. After `finish_seconds` it gets SIGTERM, then SIGKILL.
        """
        if self.stop_asked_at is not None and now - self.stop_asked_at > self.finish_seconds:
            if self.terminated_at is None:
                self.terminated_at = now
                child.end(signal.SIGTERM)
            elif now - self.terminated_at > min(TERMINATE_SECONDS, self.finish_seconds / 5):
                child.end(signal.SIGKILL)
        # Spark's session, its workers and a restored state take minutes, in which Python may not come to a beat
        patience = START_SECONDS if self.run.status == Status.STARTING else SILENT_SECONDS
        if now - self.heard_at > patience:
            self.cause = self.failure(
                ControlCode.RUN_SILENT, f"The run reported nothing for {patience:.0f} seconds, so the agent ended it."
            )
            child.end(signal.SIGKILL)
        # the first batch of a run may take any time: the next run executes a long batch that is not stuck
        if self.longest and self.in_batch > max(STUCK_SECONDS, STUCK_TIMES * self.longest):
            self.cause = self.failure(
                ControlCode.RUN_STUCK,
                f"Batch {self.batch} ran for {self.in_batch:.0f} s, and the longest before it in this run took "
                f"{self.longest:.1f} s. So the agent ended the run.",
            )
            child.end(signal.SIGKILL)

    def end_transactions(self, plan: Plan) -> None:
        """Abort what the child has left open in Kafka: readers of committed records wait behind it for a minute.

        The next run would do so too, but perhaps there is none, or not soon. Only while the lease is ours: later it
        could fence that run. So it also does nothing if another writer has fenced this one, or Kafka does not answer.
        """
        code = None if self.cause is None else self.cause["code"]
        is_for_others = code in (RunCode.RUN_FENCED, KafkaCode.KAFKA_UNREACHABLE)
        if is_for_others or plan.settings.guarantee != "exactly_once" or not self.write_in_postgres(renew, self.run):
            return
        slots = range(plan.slots if plan.executors is not None else 0)
        ids = [plan.transactional_id, *(plan.slot_transactional_id(slot) for slot in slots)]
        cluster, deadline = KafkaCluster.of(plan.kafka), time.monotonic() + FENCE_SECONDS
        try:
            for transactional_id in ids:
                if (left := deadline - time.monotonic()) > 0:
                    cluster.fence(transactional_id, left)
        except Refusal as refusal:
            log.info("A transaction of run %s may stay open until it times out: %s", self.run.id, refusal.message)

    def conclude(self, code: int) -> None:
        """Write the end. Retry for a while if Postgres is down. After that the agent sees that we are gone.

        The child is closed by now, so a lost end costs time, but no results: the agent fails the run as
        `run.process_died`, and the next one reads from Kafka and the checkpoint how far this one came.
        """
        deadline = time.monotonic() + LEASE_SECONDS
        while self.write_in_postgres(self.write_end, code) is None and time.monotonic() < deadline:
            time.sleep(1.0)

    def write_end(self, code: int) -> bool:
        if self.progress is not None:  # before the move: `start_again` counts a run with a new batch as progress
            Run.objects.filter(id=self.run.id, pid=self.run.pid).update(**self.progress)
        if self.stop_asked_at is not None and self.cause is None:
            move(self.run, Status.STOPPING)
            return move(self.run, Status.STOPPED)
        return move(self.run, Status.FAILED, failure=self.explain_end(code))

    def explain_end(self, code: int) -> FailureCause:
        """Why the run failed: as it said, or because its host had no memory left when processes of it just died."""
        words = "The run ended unexpectedly." if code == 0 else f"The run's process ended (exit code {code})."
        cause = self.cause or self.failure(ControlCode.RUN_PROCESS_DIED, words)
        self.note_oom_kills()
        was_killed = self.oom_killed_at is not None and time.monotonic() - self.oom_killed_at < OOM_SECONDS
        if not was_killed or cause["code"] not in (*PERHAPS_LACKS_OF_MEMORY, RunCode.RUN_FAILED):
            return cause
        return {
            **cause,
            "code": RunCode.RUN_OUT_OF_MEMORY,
            "message": "The host had no memory left, so its kernel ended a process of the run.",
            "hint": "Give the host more memory or fewer jobs, or lower `records_per_batch` or `batch_size_mb` of the "
            "job.",
        }

    def failure(self, code: RefusalCode, message: str, hint: str = "") -> FailureCause:
        return {
            "code": code,
            "message": message,
            "hint": hint or f"The log of run {self.run.generation} has details.",
            "node": None,
            "batch": self.batch,
            "offsets": {} if self.progress is None else self.progress["offsets"],
            "traceback": "",
            "retriable": True,
        }

    def write_in_postgres(self, call: Any, *arguments: Any, **named: Any) -> Any:
        """The answer of a write, or None if Postgres does not answer."""
        try:
            return call(*arguments, **named)
        except (DatabaseError, InterfaceError) as error:
            log.warning("Postgres does not answer: %s", str(error).strip().splitlines()[:1])
            connection.close()
            return None

    def leave(self) -> None:
        """End the run soon. Its job stays wanted (signal handlers call it)."""
        self.leaving = True
