"""Writers beside slots. On a cluster, the task with a slot's results writes them in its own transaction.

Spark may execute a task more than once, and at two places at the same time. Each attempt at a slot's results does this:

1. Fence all other writers of the slot, by its own transactional id, and then read its marker. The other way round, an
   attempt that is still sending could commit after its marker was read.
2. If a newer run has put its generation into the marker (`take_slots`), stop. If the marker names this batch, the
   results are in Kafka already: write nothing.
3. Send the results, and the marker of the slot with them, in one transaction.

Once all tasks of the batch have answered, the run commits the marker of the whole with the input offsets
(`Writer._commit`), and only then lets slots begin the next batch (`Batches._write_by_slots`).

A process that wrote the slot's last batch, and was not fenced since, keeps its producer and has done 1 already.

An attempt that dies in 3 leaves an open transaction, which step 1 of the next attempt aborts. A run that dies between
the transactions of its slots and its own leaves a batch in part: the next run finds slots that are ahead, keeps the
plan of that batch (step 5 of `Writer.open`), and executes it again, and the slots that are done skip it in 2.
`tests/runner/spark/sink/writers_model.py` explores every order of these steps, and says what breaks without each.
`tests/cluster/test_runs.py` kills tasks and executors in open transactions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

import orjson
import pyarrow as pa
import pyarrow.compute as pc
from confluent_kafka import KafkaException
from pyspark.sql import DataFrame

from runner.plan import Plan
from runner.spark.executors import reader
from runner.spark.executors.executor import get_own_folder
from runner.spark.failpoints import fail_at, wait_at
from runner.spark.failures import carry_failures
from runner.spark.private import get_partition_of_task, use_own_workers
from runner.spark.program import Program, get_program, without_secrets
from runner.spark.sink.marker import UNWRITTEN, Decision, Marker, Markers, decide_slot
from runner.spark.sink.producer import RecordProducer, is_fenced
from runner.spark.sink.results import Results
from runner.spark.sink.writing import ATTEMPTS, Writing, make_fenced_failure, make_unreachable
from runner.spark.stage.counters import CallCounters
from runner.spark.stage.rows import COUNTERS, PACK, PACK_DDL, SINK_DEPTH, Pack, pack_batch

AT_ONCE = 16
"""Slots that a run takes over at once."""
LAST = 1 << 62
"""Place in a batch, after all calls."""


class SlotBatch(NamedTuple):
    """Facts that slots need to write a batch. `fingerprint` covers everything that decides the bytes of its results."""

    batch: int
    query_id: str
    fingerprint: str
    time: int


def write_by_slots(packs: DataFrame, plan: Plan, batch: SlotBatch) -> DataFrame:
    """Return the remaining packs, which are counters, after each task of the last stage has written its results.

    Writers have their own workers. Idle workers take turns, and a writer elsewhere would fence the one before it.
    """
    with use_own_workers(packs.sparkSession, "writers"):
        return packs.mapInArrow(partial(_write, without_secrets(plan), plan.kafka, batch), PACK_DDL)


def _write(
    plan_json: bytes, kafka: Mapping[str, str], batch: SlotBatch, packs: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Write the results of a slot, in a worker.

    Spark keeps the state of the slot only if all packs are taken, written or not.
    """
    with carry_failures():
        table = pa.Table.from_batches(packs, PACK)
        depth = table.column("depth")
        yield from table.filter(pc.equal(depth, COUNTERS)).to_batches()
        results = Results.read(table.filter(pc.equal(depth, SINK_DEPTH)))
        if results.records.num_rows:
            writer = _get_writer(plan_json, tuple(kafka.items()), get_partition_of_task())
            yield pack_batch([writer.carry_out(batch, results)])


@lru_cache(maxsize=8)
def _get_writer(plan_json: bytes, kafka: tuple[tuple[str, str], ...], slot: int) -> SlotWriter:
    """Return the writer of this process. It keeps its producer from batch to batch."""
    program = get_program(plan_json)
    executors = program.plan.executors
    # no stage of a job without state names it
    place = reader.find_address(get_own_folder(), executors.reader_key) if executors else ""
    return SlotWriter(replace(program, plan=program.plan.model_copy(update={"kafka": dict(kafka)})), slot, place)


class SlotWriter(Writing):
    """Writes the results of one slot. Another process may do so at any time, and then fences this one.

    `reader` is the address of the reader beside its executor. It is empty on one host.
    """

    def __init__(self, program: Program, slot: int, reader: str = "") -> None:
        super().__init__(program, program.plan.slot_group(slot), program.plan.slot_transactional_id(slot))
        self.slot = slot
        self.reader = reader
        self.slot_batch = SlotBatch(-1, "", "", 0)

    def carry_out(self, batch: SlotBatch, results: Results) -> Pack:
        """Write a batch unless it is already written. Return its counters."""
        self.slot_batch = batch
        laps = self.write(batch.batch, results)
        letters = laps.pop("dead_letters", 0)
        data: CallCounters = {**self.undeliverable.counters(), "slot": self.slot, "laps": laps, "dead_letters": letters}
        data["checksum"], data["results"] = results.checksum(), results.count_by_topic(self.program)
        if self.reader:
            data["reader"] = self.reader
        return Pack(self.slot, COUNTERS, LAST, batch.time, orjson.dumps(data))

    def verdict(self, batch: int) -> Decision:
        self._make_ready()
        if self.marker is not None and self.marker.generation > self.plan.generation:
            raise make_fenced_failure()
        return decide_slot(self.marker, batch, self.slot_batch.query_id, self.slot_batch.fingerprint)

    def _commit(self, batch: int, producer: RecordProducer) -> Marker:
        _, query_id, fingerprint, time = self.slot_batch
        marker = Marker(batch, query_id, self.plan.generation, fingerprint, time)
        producer.send_offsets(self.plan.slot_group(self.slot), [marker.offset(self.plan.marker_topic)])
        producer.wait_for_delivery()
        wait_at("slot-open", batch)
        fail_at("slot-before-commit", batch)
        producer.commit()
        fail_at("slot-after-commit", batch)
        return marker


def take_slots(plan: Plan, run: RecordProducer | None = None) -> list[Marker]:
    """Return the markers of all slots, which no one else will change. Empty if no cluster has written this epoch.

    1. If nobody has said in `Plan.slots_group` that slots write, and this run is not on a cluster, there is nothing to
       take.
    2. For each slot: fence its writers, read its marker, and commit it again with the generation of the plan. A task
       of an older run that wakes up later fences us in its turn. But then it reads our generation, and stops.
    3. Commit a marker of the slots with the producer of the run. Kafka refuses it if another run has fenced this one
       meanwhile, and may have taken the slots before us. Only a run that continues has a producer: a deploy
       (`epochs.commit`) takes the slots to end them.

    A crash leaves some slots with the new generation and the same batches, so any later run can take them again.
    `test_an_attempt_of_an_older_run_does_not_write_once_a_newer_one_has_begun` shows 2, and `claims`, `generations`
    and `confirms` of `writers_model.py` what would be lost without 2 and 3.

    Raises RunFailed if another run has fenced this one, or Kafka does not answer.
    """
    try:
        if plan.executors is None and Markers(plan, plan.slots_group).read() is None:
            return []
        with ThreadPoolExecutor(AT_ONCE) as pool:
            markers = list(pool.map(partial(_take, plan), range(plan.slots)))
        if run is not None:
            run.begin()
            run.send_offsets(
                plan.slots_group, [replace(UNWRITTEN, generation=plan.generation).offset(plan.marker_topic)]
            )
            run.commit()
    except KafkaException as error:
        raise make_unreachable(error) from error
    return markers


def _take(plan: Plan, slot: int) -> Marker:
    """Fence the writers of a slot, and return its marker with our generation.

    A writer that fences us before we have said so is fenced again.
    """
    group, left = plan.slot_group(slot), ATTEMPTS
    while True:
        producer = RecordProducer(plan, {}, transactional_id=plan.slot_transactional_id(slot))
        try:
            last_marker = Markers(plan, group).read() or UNWRITTEN
            if last_marker.generation > plan.generation:
                raise make_fenced_failure()
            marker = replace(last_marker, generation=plan.generation)
            # committed even if only the generation is new: an older task that fences us later must find it there
            producer.begin()
            producer.send_offsets(group, [marker.offset(plan.marker_topic)])
            producer.commit()
        except KafkaException as error:
            left -= 1
            if not left or not is_fenced(error):
                raise
        else:
            return marker
        finally:
            producer.close()
