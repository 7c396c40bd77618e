"""Writers beside slots. On a cluster, the task with a slot's results writes them in its own transaction.

It holds the marker of the slot, so a task that runs again skips written results. The run commits the marker of the
whole once all tasks have answered. `tests/runner/spark/sink/writers_model.py` explores the time in between.
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
    """The remaining packs, which are counters, after each task of the last stage has written its results.

    Writers have their own workers. Idle workers take turns, and a writer elsewhere would fence the one before it.
    """
    with use_own_workers(packs.sparkSession, "writers"):
        return packs.mapInArrow(partial(_write, without_secrets(plan), plan.kafka, batch), PACK_DDL)


def _write(
    plan_json: bytes, kafka: Mapping[str, str], batch: SlotBatch, packs: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """In a worker. Spark keeps the state of the slot only if all packs are taken, written or not."""
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
    """The writer of this process. It keeps its producer from batch to batch."""
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
        """Writes a batch unless it is already written, and returns its counters."""
        self.slot_batch = batch
        laps = self.write(batch.batch, results)
        letters = laps.pop("dead_letters", 0)
        data = self.undeliverable.counters() | {"slot": self.slot, "laps": laps, "dead_letters": letters}
        data["checksum"] = results.checksum()
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
        wait_at("slot-open", batch)
        fail_at("slot-before-commit", batch)
        producer.commit()
        fail_at("slot-after-commit", batch)
        return marker


def take_slots(plan: Plan, run: RecordProducer | None = None) -> list[Marker]:
    """The markers of all slots, which no one else will change. Empty if no cluster has written this epoch.

    Each gets the generation of the plan. A late task of an older one sees it and does not write. Last of all, the
    producer of the run says that no one has fenced the run. Only a run that continues has a producer.
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
    """Fences the writers of a slot. A writer that fences us before we have said so is fenced again."""
    group, left = plan.slot_group(slot), ATTEMPTS
    while True:
        producer = RecordProducer(plan, {}, transactional_id=plan.slot_transactional_id(slot))
        try:
            last_marker = Markers(plan, group).read() or UNWRITTEN
            if last_marker.generation > plan.generation:
                raise make_fenced_failure()
            marker = replace(last_marker, generation=plan.generation)
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
