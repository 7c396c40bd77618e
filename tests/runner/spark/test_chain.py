"""The chain on real Spark, its results taken from its end instead of being written."""

import json
import random
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import InputPartition
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from runner.plan import Plan
from runner.spark.chain import make_chain
from runner.spark.private import call_for_each_batch, collect
from runner.spark.program import make_program, without_secrets
from runner.spark.session.session import use_session
from runner.spark.sink.results import Results
from runner.spark.slots import choose_slot_ids, hash_as_spark
from runner.spark.source.arrivals import read_arrivals
from runner.spark.source.source import KafkaReader, KafkaSource, choose_limits
from runner.spark.stage.processor import StageProcessor
from runner.spark.stage.rows import PACK, PACK_DDL, Pack, pack_batch, pack_records, unpack_records
from runner.spark.stage.slot_entries import read_stored_entries
from tests.runner.spark.runs import World, counting, shops

pytestmark = pytest.mark.spark


def carried_out(packs: DataFrame, plan: Plan) -> tuple[list[list[tuple[Any, ...]]], Any]:
    """The records of each batch, as rows; and Spark's own account of the last batch."""
    found: list[list[tuple[Any, ...]]] = []

    def take(batch: DataFrame, number: int) -> None:
        records = Results.read(collect(batch, PACK)).records
        found.append([tuple(row.values()) for row in records.to_pylist()])

    writing = call_for_each_batch(packs.writeStream, take)
    query = writing.option("checkpointLocation", plan.checkpoint).start()
    query.processAllAvailable()
    progress = query.lastProgress
    query.stop()
    return found, progress


def shuffled(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Every pack cut in pieces, its records and the pieces in another order."""
    packs = [Pack(*row.values()) for batch in batches for row in batch.to_pylist()]
    chance = random.Random(1)
    pieces = []
    for pack in packs:
        records = unpack_records([pack.pack]) if pack.depth >= 0 else None
        if records is None:
            pieces.append(pack)
            continue
        order = chance.sample(range(records.num_rows), records.num_rows)
        for start in range(0, len(order), 7):
            pieces.append(pack._replace(pack=pack_records(records.take(pa.array(order[start : start + 7])))))
    chance.shuffle(pieces)
    yield pack_batch(pieces)


def scrambled(spark: SparkSession, plan: Plan) -> DataFrame:
    """The chain of a plan with its rows shuffled before each stage."""
    program, plan_json = make_program(plan), without_secrets(plan)
    packs = read_arrivals(spark, program, choose_limits(plan), KafkaSource)
    for (stage,) in program.operators:
        slots = packs.mapInArrow(shuffled, PACK_DDL).groupBy("slot")
        packs = slots.transformWithState(StageProcessor(plan_json, [stage.depth]), PACK_DDL, "append", "None")
    return packs


class OfCheckpoint4(StatefulProcessor):
    """Holds entries as a stage did up to checkpoint 4."""

    def init(self, handle: Any) -> None:
        self.entries = handle.getMapState("entries", "seq long", "entry binary")

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Any]:
        for row in rows:
            self.entries.updateValue((row.seq,), (row.entry,))
        yield from ()

    def close(self) -> None: ...


class UnreadSource(KafkaSource):
    """Its tasks fail."""

    def streamReader(self, schema: Any) -> KafkaReader:
        reader = super().streamReader(schema)
        return UnreadReader(reader.reading, reader.plan_json)


class UnreadReader(KafkaReader):
    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        raise AssertionError(f"A task reads {partition}.")


@pytest.fixture
def shop(world: World) -> Callable[[str], Plan]:
    """Two stages of state over a global table and 300 orders; each call gives a plan with its own checkpoint."""
    orders, names, counts = world.topic("orders", 3), world.topic("names", 1), world.topic("counts")
    chance = random.Random(5)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(20)])
    world.produce(
        orders,
        [(f"c{n % 20}", json.dumps({"city": f"city {n % 4}"}), 1_000 + chance.randrange(200)) for n in range(300)],
    )

    def plan(name: str) -> Plan:
        made = world.plan(shops(orders, names, counts), [orders, names])
        return made.model_copy(
            update={"checkpoint": str(world.folder / name), "state_dir": str(world.folder / f"{name}-state")}
        )

    return plan


def test_spark_hashes_slots_to_partitions_as_we_do(spark: SparkSession):
    numbers = [0, 1, 2, 41, 70_000, 2**31, 2**40 + 3]

    found = spark.createDataFrame([(n,) for n in numbers], "n long").selectExpr("hash(n) AS h").collect()

    assert [row.h for row in found] == [hash_as_spark(n) for n in numbers]
    assert len(set(choose_slot_ids(8))) == 8


def test_the_entries_of_checkpoint_4_can_be_read(spark: SparkSession, tmp_path: Path):
    held = {(slot, seq): f"{slot}/{seq}".encode() for slot in (0, 7) for seq in range(3)}
    rows = [(slot, seq, bytearray(entry)) for (slot, seq), entry in held.items()]
    ddl, folder = "slot int, seq long, entry binary", str(tmp_path / "in")
    spark.createDataFrame(rows, ddl).write.parquet(folder)
    slots = spark.readStream.schema(ddl).parquet(folder).groupBy("slot")
    none = slots.transformWithState(OfCheckpoint4(), "none int", "append", "none")

    query = none.writeStream.format("noop").option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    query.processAllAvailable()
    query.stop()

    found = read_stored_entries(spark, str(tmp_path / "checkpoint")).collect()
    assert {(row.head_key, row.seq): bytes(row.entry) for row in found} == held


def test_there_are_as_many_state_operators_as_stages(spark: SparkSession, shop: Callable[[str], Plan]):
    plan = shop("depth")
    program = make_program(plan)

    found, progress = carried_out(make_chain(spark, program, choose_limits(plan)), plan)

    assert len(program.stateful) == 2
    assert len(progress["stateOperators"]) == 2
    assert sum(len(batch) for batch in found) == 300


def test_a_single_slot_does_all_stages_in_one_operator(spark: SparkSession, shop: Callable[[str], Plan]):
    several, single = shop("several"), shop("single").model_copy(update={"slots": 1})

    expected, _ = carried_out(make_chain(spark, make_program(several), choose_limits(several)), several)
    try:
        found, progress = carried_out(
            make_chain(use_session(spark, single), make_program(single), choose_limits(single)), single
        )
    finally:
        use_session(spark, several)

    assert [operator["numShufflePartitions"] for operator in progress["stateOperators"]] == [1]
    assert sorted(found[0], key=repr) == sorted(expected[0], key=repr)


def test_source_and_stages_share_their_workers(spark: SparkSession, shop: Callable[[str], Plan]):
    plan = shop("workers")

    carried_out(make_chain(spark, make_program(plan), choose_limits(plan)), plan)

    spark_itself = {each.pid for each in psutil.Process().children()}
    processes = psutil.process_iter(["ppid", "cmdline"])
    arguments = [each.info["cmdline"] for each in processes if each.info["ppid"] in spark_itself]
    assert arguments.count([sys.executable, "-m", "runner.spark.session.daemon", "pyspark.worker"]) == 1


def test_no_task_reads_a_small_batch(spark: SparkSession, world: World):
    orders, counts = world.topic("orders"), world.topic("counts")
    plan = world.plan(counting(orders, counts), [orders])
    world.produce(orders, [(f"c{n % 3}", "{}", n) for n in range(30)])

    chain = make_chain(spark, make_program(plan), choose_limits(plan), source=UnreadSource)
    ((*records,),), _ = carried_out(chain, plan)

    assert len(records) == 30


def test_rows_shuffled_in_front_of_each_stage_give_the_same_bytes(spark: SparkSession, shop: Callable[[str], Plan]):
    straight, other = shop("straight"), shop("scrambled")

    expected, _ = carried_out(make_chain(spark, make_program(straight), choose_limits(straight)), straight)
    found, _ = carried_out(scrambled(spark, other), other)

    assert found == expected


def test_a_batch_run_again_gives_the_same_bytes(spark: SparkSession, world: World):
    orders, counts = world.topic("orders"), world.topic("counts")
    plan = world.plan(counting(orders, counts), [orders], records_per_batch=100)
    world.produce(orders, [(f"c{n % 9}", "{}", 1_000 + n) for n in range(300)])
    first, _ = carried_out(make_chain(spark, make_program(plan), choose_limits(plan)), plan)

    (Path(plan.checkpoint) / "commits" / str(len(first) - 1)).unlink()
    again, _ = carried_out(make_chain(spark, make_program(plan), choose_limits(plan)), plan)

    assert len(first) > 2
    assert again == first[-1:]


def test_a_working_copy_that_was_deleted_is_rebuilt(spark: SparkSession, world: World):
    orders, counts = world.topic("orders"), world.topic("counts")
    plan = world.plan(counting(orders, counts), [orders])
    world.produce(orders, [(f"c{n % 3}", "{}", n) for n in range(30)])
    carried_out(make_chain(spark, make_program(plan), choose_limits(plan)), plan)
    world.produce(orders, [(f"c{n % 3}", "{}", n) for n in range(30, 33)])

    shutil.rmtree(plan.state_dir)
    ((*records,),), _ = carried_out(make_chain(spark, make_program(plan), choose_limits(plan)), plan)

    assert [int.from_bytes(record[6], "big") for record in records] == [11, 11, 11]
