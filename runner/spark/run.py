"""One life of a run: from its plan to "stopped" or "failed"."""

from __future__ import annotations

import logging
import secrets
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pyspark.sql import DataFrame, SparkSession

from designer.refusals import Refusal
from runner.engine.planning.description import describe
from runner.kafka import KafkaUnreachable
from runner.plan import Plan
from runner.spark.adopting.rows import read_adopted_rows
from runner.spark.batches import Batches, Gate
from runner.spark.chain import make_chain
from runner.spark.changes import Changes, forget_places
from runner.spark.channel import Events, Orders
from runner.spark.checkpoint import moving
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import HadoopPath, add_settings
from runner.spark.codes import RunCode
from runner.spark.executors.executor import count_connection
from runner.spark.executors.executors import ExecutorLooks
from runner.spark.executors.left_open import LeftOpen, note
from runner.spark.failpoints import fail_at
from runner.spark.failures import (
    RunFailed,
    StopRequested,
    describe_cause,
    of_refusal,
    read_checkpoint,
    read_failure,
)
from runner.spark.preparing import clear, refuse_changed
from runner.spark.private import (
    call_for_each_batch,
    get_pid_of_java,
    make_file_closer,
    release_disk,
    wait_for_exit_of_java,
)
from runner.spark.program import Program, make_program
from runner.spark.progress import Progress
from runner.spark.queries import Queries
from runner.spark.repair.damage import Examination, check_seed, refuse_damaged
from runner.spark.schemas import Schemas, to_event
from runner.spark.session.allocator import FreeMemory, keep_freed_memory
from runner.spark.session.cluster import Watch
from runner.spark.session.session import start_workers, use_session
from runner.spark.set_back import SetBack
from runner.spark.sink.beside import call_beside
from runner.spark.sink.writer import Writer
from runner.spark.source.loading import Loading
from runner.spark.source.source import LOADING, Limits, choose_limits
from runner.spark.stage import pack_files
from runner.spark.stage.seeding import make_seeds
from runner.spark.start.ahead import Ahead, is_ahead
from runner.spark.start.warming import Ready, make_ready, start
from runner.spark.steps import Steps

BEAT_SECONDS = 1.0
FETCH_SECONDS = 5.0
"""Longest wait of a start for schemas that it may not need."""
TICK_SECONDS = 0.02
STEADY_TICK_SECONDS = 0.25
"""Seconds between looks after the start. No one waits for the next look at the query, and each asks the JVM."""
NOTHING_TO_READ = "Waiting for data to arrive"
"""Spark's message for it."""
NO_OFFSETS: Mapping[str, list[int]] = {}
JAVA_SECONDS = 1.0
"""How long a JVM that no longer answers may take to end."""
HEAP_FULL = 3
"""Java's exit code, by our -XX:+ExitOnOutOfMemoryError."""
SAYS_LITTLE = frozenset({RunCode.RUN_FAILED, RunCode.CHECKPOINT_UNREADABLE})
LOGGED_WHOLE = SAYS_LITTLE | {RunCode.CHECKPOINT_DAMAGED}
"""Failures whose traceback is in the log. That of a known one, such as the absence of Kafka, says nothing more."""
log = logging.getLogger(__name__)


def main() -> int:
    """Reads a plan and executes it. Returns the exit code. A child that starts ahead makes everything ready first."""
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    keep_freed_memory()
    events, orders = Events(), Orders(sys.stdin.buffer)
    events.send({"type": "status", "status": "starting"})
    run: PlanRun | None = None
    try:
        line = orders.read()
        orders.listen()
        ready = make_ready(Ahead.model_validate_json(line), orders.plan_event) if is_ahead(line) else None
        plan = Plan.model_validate_json(orders.plan() if ready else line)
        run = PlanRun(plan, events, orders, ready)
        run.carry_out()
    except Exception as error:  # the parent must hear of any error
        failure = _explain(_make_failure(error), run)
        log.error("The run failed. %s %s", failure.message, failure.hint, exc_info=failure.code in LOGGED_WHOLE)
        batch, offsets = run.place() if run else (None, NO_OFFSETS)
        cause = describe_cause(failure, error, batch, offsets)
        events.send({"type": "failed", "cause": cause})
        return 1
    events.send({"type": "status", "status": "stopped"})
    return 0


def _make_failure(error: Exception) -> RunFailed:
    if isinstance(error, Refusal):
        return of_refusal(error)
    if isinstance(error, ValidationError):
        return RunFailed(RunCode.PLAN_INVALID, f"The plan cannot be read: {error}", "Deploy the job again.")
    return read_failure(error)


def _explain(failure: RunFailed, run: PlanRun | None) -> RunFailed:
    """If Spark says little, finds that its heap is full, or damage in files of the checkpoint that no start reads."""
    if run is None or failure.code not in SAYS_LITTLE:
        return failure
    if run.ready is not None and wait_for_exit_of_java(run.ready.spark, JAVA_SECONDS) == HEAP_FULL:
        return RunFailed(
            RunCode.RUN_OUT_OF_MEMORY,
            f"The heap of the run's Java process is full. It has {run.plan.settings.memory_mb:,} MiB.",
            "Raise the setting memory_mb, or lower records_per_batch or batch_size_mb.",
            retriable=True,
        )
    try:
        with read_checkpoint():
            run.look_for_damage()
    except (RunFailed, Refusal) as cause:
        return _make_failure(cause)
    except Exception:  # the failure is reported anyway
        log.exception("The checkpoint could not be inspected.")
    return failure


def _with_key(plan: Plan) -> Plan:
    """The plan with a new key for readers of its tables on a cluster."""
    if plan.executors is None:
        return plan
    executors = plan.executors.model_copy(update={"reader_key": secrets.token_hex(16)})
    return plan.model_copy(update={"executors": executors})


class PlanRun:
    """The execution of a plan."""

    def __init__(self, plan: Plan, events: Events, orders: Orders, ready: Ready | None = None) -> None:
        self.events = events
        self.orders = orders
        self.plan = plan = _with_key(plan)
        self.ready = ready
        self.steps = Steps(events)
        self.program: Program = make_program(plan)
        self.checkpoint = Checkpoint(plan.checkpoint)
        self.gate = Gate(orders)
        self.progress = Progress(self.program)
        self.writer = Writer(self.program, self.checkpoint)
        self.schemas = Schemas(plan, lambda waiting: events.send({"type": "schemas", "waiting": to_event(waiting)}))
        self.batches = Batches(self.gate, self.writer, self.progress, self.checkpoint, events)
        self.set_back = SetBack()
        self.queries = Queries(self.program, self.batches)
        orders.on_query = self.queries.ask
        self.executors = Watch()
        self.left_open = LeftOpen(self.program.host_directory / "connections") if plan.executors is None else None
        self.query: Any = None
        self.has_started = False
        self._holds_seeds = False
        self._noted_batch: int | None = None
        self.changes: Changes | None = None
        if plan.executors is not None:
            ExecutorLooks(plan.executors.reader_key, self.progress.list_readers, events.send).begin()
            self.changes = Changes(self.program, self.progress)

    def carry_out(self) -> None:
        """Execute the plan until the run is asked to stop. Raises the error that ended it otherwise.

        1. Look whether the topics are the ones of the plan. Wait for Kafka if it is silent.
        2. If the job has moved, fence all writers and then copy the checkpoint: a writer that is still alive would
           change it during the copy.
        3. Become the only writer, and discard what the checkpoint has beyond Kafka (`Writer.open`). Spark may look at
           the checkpoint only after this: it would go on with batches that nobody has written.
        4. Refuse a damaged checkpoint here, with the file and the reason. Spark would fail in the middle, or begin
           with empty state.
        5. Load the tables that must be complete before streams are read.
        6. Execute batches, one after the other (`Batches`), until the run is asked to stop or one fails.
        7. If the run ends in order and still holds its lease, leave its marker in the checkpoint (`Writer.leave`). A
           run without a lease may already have a successor, whose file it must not write.

        A crash in 1 to 5 has changed nothing that the next run would not do again. A crash in 6 is one of
        `Writer._commit`. After a crash in 7 the marker is only in Kafka. `tests/proof/test_faults.py` kills runs
        in 5, 6 and 7, at the places of `runner.spark.failpoints`.
        """
        threading.Thread(target=self._send_beat, daemon=True, name="beat").start()
        log.info("%s", describe(self.program.layout).rstrip())
        if not self._finds_topics():  # 1
            return
        clear(Path(self.plan.state_dir))
        forget_places(self.program)
        if self.changes is not None:
            self.changes.begin(self.batches)
        # both take seconds, and the session mostly waits for the JVM
        session = call_beside(self._start_session)
        if isinstance(self.checkpoint.folder, HadoopPath):
            session.result()  # its JVM reads the checkpoint
        if self.plan.moves:  # 2
            self.steps.begin("moving")
            session.result()
            self.writer.fence()
            moving.make(self.plan.moves)
        with read_checkpoint():
            self.schemas.load()
            fetching = call_beside(self.schemas.fetch_subjects)
            self.writer.open()  # 3
            if self.writer.marker is not None and self.writer.marker.is_written:  # 4
                refuse_damaged(Examination(self.program, self.checkpoint, self.writer.marker.batch))
        loading = Loading.find(self.program, self.checkpoint, self.writer.cluster)
        self.batches.restoring = loading.is_needed  # 5
        comes_first = loading.is_needed and not loading.fits_beside_streams(self.program)
        spark = session.result()
        wait([fetching], timeout=FETCH_SECONDS)
        if comes_first and not self.orders.stop.is_set():
            self.events.send({"type": "status", "status": "restoring"})
            self.steps.begin("restoring")
            self._query(spark, LOADING, until=loading)
            self.batches.restoring = False
        if not self.orders.stop.is_set():  # 6
            self.events.send({"type": "status", "status": "running"})
            self.steps.begin("first_batch")
            self.batches.on_commit = self._note_first_batch
            self._query(spark, choose_limits(self.plan))
        self.batches.close()
        if self.changes is not None:  # before the executors end
            self.changes.bring()
        if self.orders.holds_lease:  # 7
            self.writer.leave()
        self.writer.close()

    def look_for_damage(self) -> None:
        """Raises RunFailed if a file of its checkpoint, or of the source of its state, is damaged."""
        if self.writer.marker is not None and self.writer.marker.is_written:
            refuse_damaged(Examination(self.program, self.checkpoint, self.writer.marker.batch, is_deep=True))
        elif self.plan.seed is not None and not self.plan.seed.rows:  # whose file has a digest
            refuse_damaged(check_seed(self.plan.seed, is_deep=True))

    def place(self) -> tuple[int | None, Mapping[str, list[int]]]:
        """The batch that failed, or else the last one, and its end."""
        batch = self.batches.current if self.batches.current is not None else self.batches.last_batch
        batch = self.batches.failure.batch if self.batches.failure else batch
        try:
            return batch, {} if batch is None else self.checkpoint.offsets(batch)
        except OSError:
            return batch, {}

    def _finds_topics(self) -> bool:
        """Looks for the topics until Kafka answers. False if the run was asked to stop first.

        If a run failed because Kafka is silent, the next runs would fail too, and the job would be given up.
        """
        while not self.orders.stop.is_set():
            try:
                refuse_changed(self.plan.topics, self.writer.cluster)
            except KafkaUnreachable as silence:
                log.warning("Waiting for Kafka: %s", silence.message)
                self.steps.begin("kafka")
                self.orders.stop.wait(BEAT_SECONDS)
            else:
                if self.steps.has_begun("kafka"):
                    self.steps.begin("session")
                return True
        return False

    def _start_session(self) -> SparkSession:
        """The prepared session, or a new one."""
        if self.ready is not None:
            add_settings(self.plan.hadoop)
            return use_session(self.ready.spark, self.plan)
        self.ready = start(self.plan)
        add_settings(self.plan.hadoop)
        start_workers(self.ready.spark, self.plan.slots)
        return self.ready.spark

    def _note_first_batch(self) -> None:
        self.batches.on_commit = self._note_running
        self._note_running()
        call_beside(lambda: moving.remove_sources(self.plan.moves))

    def _note_running(self) -> None:
        self.batches.restoring = False
        self.steps.begin("running")

    def _query(self, spark: SparkSession, limits: Limits, until: Loading | None = None) -> None:
        """Runs queries until it is asked to stop or has loaded everything.

        One query after the other: each begins with the schemas that its records need (`runner.spark.schemas`). Raises
        RunFailed if the clock was set back, because Spark would begin no batch (`runner.spark.set_back`).
        """
        while True:
            pack_files.clear()
            try:
                self._query_once(spark, limits, until)
            except Exception as error:
                failure = _make_failure(error)
                if failure.code != RunCode.SCHEMA_UNKNOWN or not self.orders.holds_lease:
                    raise
                if self.orders.stop.is_set():  # nobody has seen its results, and the next run plans it again
                    return
                if self.schemas.learn(failure):
                    with read_checkpoint():
                        self.writer.open()
            else:
                if self.set_back.is_noticed and not self.orders.stop.is_set():
                    raise RunFailed(
                        RunCode.RUN_CLOCK_SET_BACK,
                        "The clock of the host was set back, and Spark begins no batch until it has caught up.",
                        "The run restarts automatically.",
                        retriable=True,
                    )
                if self.orders.stop.is_set() or not self.schemas.is_due.is_set():
                    return

    def _query_once(self, spark: SparkSession, limits: Limits, until: Loading | None = None) -> None:
        self.gate.open()
        self.batches.failure = None
        self.query = self._start(spark, self._make_chain(spark, limits))
        while self._goes_on() and not (until and until.has_loaded(self.batches.last_batch)):
            if self._holds_seeds and self.batches.last_batch is not None:  # the first batch has them
                self._holds_seeds = False
                release_disk(spark)
            if until is None and not self.has_started:
                self._look_at_start()
            self.batches.keep_marker()
            self.orders.stop.wait(STEADY_TICK_SECONDS if self.has_started else TICK_SECONDS)
        if self.orders.stop.is_set():
            fail_at("stopping")
        self._end()

    def _make_chain(self, spark: SparkSession, limits: Limits) -> DataFrame:
        on_connection = partial(note, str(self.left_open.file)) if self.left_open else count_connection
        program = replace(self.program, plan=self.schemas.prepare(self.plan))
        return make_chain(spark, program, limits, self._make_seeds(spark), on_connection=on_connection)

    def _goes_on(self) -> bool:
        is_over = self.orders.stop.is_set() or self.schemas.is_due.is_set() or self.set_back.look()
        return self.query.isActive and self.batches.failure is None and not is_over

    def _look_at_start(self) -> None:
        """The start is over with the first batch, or if there is nothing to read: no further query will begin."""
        if self.query.status["message"] == NOTHING_TO_READ and not self.batches.is_writing:
            self._note_running()
        if self.steps.has_begun("running") and self.ready is not None:
            if not self.schemas.is_needed:  # an unknown schema begins another query
                self.ready.forks.close()
            self.has_started = True

    def _start(self, spark: SparkSession, packs: DataFrame) -> Any:
        writing = call_for_each_batch(packs.writeStream, self.batches.run).outputMode("append")
        writing = writing.option("checkpointLocation", self.plan.checkpoint)
        return writing.trigger(processingTime=f"{self.plan.settings.batch_interval_ms} milliseconds").start()

    def _make_seeds(self, spark: SparkSession) -> dict[int, DataFrame]:
        """The state that the first batch of the epoch begins with. Spark keeps the newest batches, not the first."""
        has_begun = self.checkpoint.find_last_committed() is not None
        if has_begun or (self.plan.seed is None and self.plan.adopted is None):
            return {}
        if self._holds_seeds:  # of a query that ended before its first batch
            release_disk(spark)
        self._holds_seeds = True
        return make_seeds(spark, self.program, read_adopted_rows(self.program) if self.plan.adopted else None)

    def _end(self) -> None:
        """Lets the current batch finish, in Spark's checkpoint and in Kafka, then stops the query."""
        self.gate.close()
        with suppress(Exception):  # the `failed` event has the error
            self.batches.settle()
        self.query.stop()
        error = self.batches.failure.error if self.batches.failure else self.query.exception()
        if isinstance(error, StopRequested) and not self.orders.stop.is_set() and not self.orders.holds_lease:
            raise RunFailed(RunCode.RUN_LEASE_LOST, str(error), "The run is started again.", retriable=True)
        if error is not None and not isinstance(error, StopRequested):
            raise error

    def _send_beat(self) -> None:
        free_memory = FreeMemory()
        while True:
            time.sleep(BEAT_SECONDS)
            self.events.send(self.batches.beat())
            self._note_spark()
            self._note_executors()
            self._close_left_open()
            free_memory.give_back_if_due()

    def _close_left_open(self) -> None:
        if self.left_open is not None and self.query is not None and self.ready is not None:
            spark = self.ready.spark
            try:
                self.left_open.close(get_pid_of_java(spark), make_file_closer(spark))
            except Exception as error:  # the JVM may already be ending
                log.debug("Connections stay open: %s", error)

    def _note_executors(self) -> None:
        if self.plan.executors is not None and self.ready is not None:
            try:
                self.batches.lost_executors.note(self.executors.look(self.ready.spark), self.batches.current)
            except Exception as error:  # the JVM may already be ending
                log.debug("Spark does not name its executors: %s", error)

    def _note_spark(self) -> None:
        """Asks Spark for the times of its last batch, unless there was none since: an idle run asks for nothing."""
        if self.batches.last_batch == self._noted_batch:
            return
        self._noted_batch = self.batches.last_batch
        try:
            self.progress.note_spark(self.query.lastProgress if self.query is not None else None)
        except Exception as error:  # the JVM may already be ending
            log.debug("Spark reports no progress: %s", error)
