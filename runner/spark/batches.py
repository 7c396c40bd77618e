"""The life of each batch. Spark executes it inside `foreachBatch` while the run writes the one before."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame

from runner.spark.channel import Events, Orders
from runner.spark.checkpoint.batch_log import FOLDER, KEPT_DAYS, AnswerLog, BatchLog, ManifestFacts, read_offsets
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.events import BeatEvent, ProgressEvent
from runner.spark.executors.losses import DoneBatch, LostExecutors
from runner.spark.failpoints import fail_at
from runner.spark.failures import StopRequested
from runner.spark.private import collect
from runner.spark.progress import BatchTimes, Progress
from runner.spark.sink.results import Results, add_checksums
from runner.spark.sink.slots import write_by_slots
from runner.spark.sink.writer import Writer
from runner.spark.stage.counters import add_stream_times
from runner.spark.stage.rows import PACK
from runner.spark.state.history import History

log = logging.getLogger(__name__)
KEEP_SECONDS = 6 * 3_600.0
"""Longest time for which a quiet run does not commit its place. Some brokers keep offsets for a day."""


class BatchFailure(NamedTuple):
    """A batch and its error."""

    batch: int
    error: Exception


class Gate:
    """Lets batches begin, one at a time, until it is closed."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.is_closed = False
        self._turn = threading.Lock()

    @contextmanager
    def pass_batch(self, batch: int) -> Iterator[None]:
        """Holds the gate for one batch. Raises StopRequested before it has done anything."""
        with self._turn:
            if self.is_closed or self.orders.stop.is_set():
                raise StopRequested(f"Batch {batch} does not begin: the run was asked to stop.")
            if not self.orders.holds_lease:
                raise StopRequested(f"Batch {batch} does not begin: the lease ran out.")
            yield

    def close(self) -> None:
        """Waits until no batch runs. None begins afterwards."""
        self.is_closed = True
        with self._turn:
            pass

    def open(self) -> None:
        self.is_closed = False


class Batches:
    """Has batches executed, writes them in order while Spark continues, and reports them.

    The run writes only one batch, while Spark executes only the next one. `failure` is the first failure.
    """

    def __init__(self, gate: Gate, writer: Writer, progress: Progress, checkpoint: Checkpoint, events: Events) -> None:
        self.gate = gate
        self.writer = writer
        self.progress = progress
        self.checkpoint = checkpoint
        self.log = BatchLog(writer.program.host_directory, checkpoint.folder / FOLDER)
        self.answers = AnswerLog(writer.program.host_directory, checkpoint.folder)
        self.events = events
        self.lost_executors = LostExecutors(events.send)
        self.current: int | None = None
        self.last_batch: int | None = None
        self.began = time.monotonic()
        self.restoring = False
        self.failure: BatchFailure | None = None
        self.on_commit: Callable[[], None] = lambda: None
        self._kept_at = self.began
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._last_write: Future[None] | None = None
        self._outcome = writer.plan.outcome()
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="manifests")

    def run(self, packs: DataFrame, batch: int) -> None:
        """`foreachBatch` calls it. Spark passes on only the text of an error, so the error itself is kept here."""
        with self._note_batch(batch), self.gate.pass_batch(batch):
            self.current, self.began = batch, time.monotonic()
            fail_at("planned", batch)
            times = BatchTimes(time.time_ns() // 1_000_000)
            table = collect(self._write_by_slots(packs, batch), PACK)
            times.steps["process_ms"] = round((time.monotonic() - self.began) * 1_000)
            if self.restoring:
                fail_at("restoring", batch)
            if self.is_writing:
                fail_at("ahead", batch)
            self.settle()
            self._last_write = self._thread.submit(self._write, batch, table, times)

    def _write_by_slots(self, packs: DataFrame, batch: int) -> DataFrame:
        """Has slots write their results, if they write this batch. They begin once the batch before is finally done."""
        slot_batch = self.writer.slot_batch(batch)
        if slot_batch is None:
            return packs
        self.settle()
        return write_by_slots(packs, self.writer.plan, slot_batch)

    @property
    def is_writing(self) -> bool:
        """True if a batch was executed that is not committed in Kafka yet."""
        return self._last_write is not None and not self._last_write.done()

    def keep_marker(self) -> None:
        """Has the marker of the last batch committed again if hours have passed without a commit."""
        if time.monotonic() - self._kept_at >= KEEP_SECONDS:
            self._kept_at = time.monotonic()
            self._thread.submit(self._keep)

    def _keep(self) -> None:
        with self._note_batch(self.last_batch or 0):
            self.writer.keep()

    def settle(self) -> None:
        """Waits until nothing is being written. Raises the error of the last batch."""
        if self._last_write is not None:
            self._last_write.result()

    def _write(self, batch: int, packs: pa.Table, times: BatchTimes) -> None:
        """Writes a batch in one transaction. A batch that is already written is only executed."""
        with self._note_batch(batch):
            results = Results.read(packs)
            checksum = self._beside.submit(results.checksum)  # takes no time from the writer, who waits for Kafka
            steps = self.writer.write(batch, results)
            times.note_commit()
            dead_letters = steps.pop("dead_letters", 0) + sum(call.get("dead_letters", 0) for call in results.counters)
            times.steps |= steps
            results.counters.append(self.writer.undeliverable.counters())
            self.on_commit()  # before others hear of the batch, because they may ask for its rows at once
            self._send_progress(batch, times, results, dead_letters, checksum.result())
            self.last_batch, self._kept_at = batch, time.monotonic()
            if self.current == batch:
                self.current = None

    def close(self) -> None:
        """Keeps the last manifests, once no batch runs."""
        self._beside.submit(self._keep_manifests).result()

    def _keep_manifests(self) -> None:
        """Writes the newest manifests and answers beside the checkpoint, and removes what is too old to be kept.

        No batch waits for it, and none fails with it.
        """
        try:
            self.answers.keep_lines([pin.batch for pin in self.log.read_pins()])
            self.log.keep()
        except OSError as error:
            log.warning("The manifests of the newest batches are only on this host: %s", error)
        oldest = min([time.time() - KEPT_DAYS * 86_400, *self._read_pinned_times()])
        program = self.writer.program
        for stage in program.stateful:
            for slot in program.slot_ids:
                History(program.kept_directory(stage.depth, slot)).remove_older(oldest)

    def _read_pinned_times(self) -> list[float]:
        """The times (s) of pinned batches. Changes of state since then stay, as long as there is room for them."""
        try:
            return [pin.time / 1_000 for pin in self.log.read_pins()]
        except OSError:
            return []

    def _make_facts(self, results: Results, event: ProgressEvent, checksum: str) -> ManifestFacts:
        plan, program = self.writer.plan, self.writer.program
        written = results.count_by_topic(program)
        for call in results.counters:
            written.update(call.get("results", {}))
        # of a batch without records no task says it: there was nothing to read
        nothing: dict[str, int] | None = None if event["records_in"] else {}
        unread = next((call["unread"] for call in results.counters if "unread" in call), nothing)
        facts: ManifestFacts = {
            "plan": self._outcome,
            "code": name_code(),
            "generation": plan.generation,
            "is_caught_up": any(call.get("is_caught_up") for call in results.counters),
            "records": event["records_in"],
            "checksum": add_checksums([checksum, *(call.get("checksum", "") for call in results.counters)]),
            "results": dict(written),
            "committed_at": event["committed_at"],
        }
        stream_times: dict[str, int] = {}
        for call in results.counters:
            add_stream_times(stream_times, call.get("stream_times", {}))
        if stream_times:
            facts["stream_times"] = stream_times
        if unread is not None:
            facts["unread"] = unread
        if any("answers" in call for call in results.counters):
            facts["has_answers"] = True
        return facts

    @contextmanager
    def _note_batch(self, batch: int) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.failure = self.failure or BatchFailure(batch, error)
            raise

    def beat(self) -> BeatEvent:
        """The batch that runs with its begin, or the last one."""
        if self.current is None:
            return {"type": "beat", "batch": self.last_batch, "in_batch_ms": 0}
        return {"type": "beat", "batch": self.current, "in_batch_ms": self._measure_batch()}

    def _measure_batch(self) -> int:
        return round((time.monotonic() - self.began) * 1_000)

    def _send_progress(self, batch: int, times: BatchTimes, results: Results, dead_letters: int, checksum: str) -> None:
        end = self.checkpoint.end(batch)
        offsets = read_offsets(end)
        event = self.progress.event(batch, times, results.counters, offsets, dead_letters)
        if answers := [each for call in results.counters for each in call.get("answers", ())]:
            self.answers.append(batch, end["time"], answers)  # before the manifest, which says that there are some
        self.log.append(batch, end, self._make_facts(results, event, checksum))
        if self.log.is_due or self.answers.is_long:
            self._beside.submit(self._keep_manifests)
        event["in_batch_ms"] = self._measure_batch() if self.current != batch else 0
        self.events.send(event)
        processed_at = times.started_at + times.steps["process_ms"]
        self.lost_executors.note_done(
            DoneBatch(batch, times.started_at, processed_at, times.committed_at - times.started_at)
        )


@cache
def name_code() -> str:
    """The version of the product."""
    try:
        return version("streamwright")
    except PackageNotFoundError:
        return "unknown"
