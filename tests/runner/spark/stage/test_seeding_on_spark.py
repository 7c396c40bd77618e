"""The state of a new epoch, from the checkpoint of the old one."""

import json
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from runner.engine.stores.state import PREFIX
from runner.plan import Plan, Seed
from runner.spark.chain import make_chain
from runner.spark.private import call_for_each_batch, release_disk
from runner.spark.program import Program, make_program
from runner.spark.session.session import use_session
from runner.spark.source.source import choose_limits
from runner.spark.stage.seed_rows import SEED_DDL, cut, make_seed_rows
from runner.spark.stage.seeding import make_seeds
from runner.spark.stage.slot_entries import Slots, map_slots, read_slot
from runner.spark.state.copy_file import copy_file
from runner.spark.state.rows import Row, Rows
from runner.spark.variables import ROOT
from tests.runner.spark.runs import World, counting

pytestmark = pytest.mark.spark
KEYS = 200_000


def test_a_large_state_goes_to_other_slots_and_not_through_this_process(spark: SparkSession, world: World):
    orders, counts = world.topic("orders", 3), world.topic("counts")
    world.produce(orders, [("known", "{}", 1)])
    old, new = (
        world.plan(counting(orders, counts), [orders], epoch=epoch, slots=slots) for epoch, slots in ((1, 2), (2, 3))
    )
    rows = [(PREFIX.pack(number % 3, 0) + b"customer-%d" % number, bytes(16)) for number in range(KEYS)]
    program = make_program(old)
    (store,) = program.layout.stores
    places = program.find_tasks(store)
    placed = ((places[number % 3], row) for number, row in enumerate(rows))
    chunks = spark.createDataFrame(list(make_seed_rows(cut(placed), program)), SEED_DDL)
    execute_batch(use_session(spark, old), program, {0: chunks.select("slot", "rows")})

    seed = Seed(checkpoint=old.checkpoint, plan=json.loads(old.model_dump_json()), stores=[store.name])
    seeded = make_program(new.model_copy(update={"seed": seed}))
    tracemalloc.start()
    seeds = make_seeds(use_session(spark, new), seeded)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    execute_batch(spark, seeded, seeds)
    release_disk(spark)

    state = dict(read_state(spark, new))
    assert peak < 5 << 20
    assert state.keys() >= dict(rows).keys()
    assert [key for key, value in rows if state[key] != value] == []


def test_rows_that_are_elsewhere_are_fetched_from_the_checkpoint(spark: SparkSession, world: World):
    orders, counts = world.topic("orders"), world.topic("counts")
    world.produce(orders, [(f"customer-{number}", "{}", 1) for number in range(50)])
    plan = world.plan(counting(orders, counts), [orders])
    program = make_program(plan)
    execute_batch(use_session(spark, plan), program, {})
    shutil.rmtree(plan.state_dir)

    command = [sys.executable, "-m", "runner.spark.fetching"]
    subprocess.run(command, input=plan.model_dump_json().encode(), cwd=ROOT, check=True)

    fetched: list[Row] = []
    for slot in program.slot_ids:
        file = copy_file(program.kept_directory(program.stateful[0].depth, slot), reads_only=True)
        rows = Rows(file.read(), file.rows)
        fetched += rows.items()
        rows.close()
    assert len(fetched) >= 50
    assert sorted(fetched) == sorted(read_state(spark, plan, PREFIX.size - 1))


def execute_batch(spark: SparkSession, program: Program, seeds: dict[int, DataFrame]) -> None:
    chain = make_chain(spark, program, choose_limits(program.plan), seeds)
    writing = call_for_each_batch(chain.writeStream, lambda batch, _: batch.collect())
    query = writing.option("checkpointLocation", program.plan.checkpoint).start()
    query.processAllAvailable()
    query.stop()


def read_state(spark: SparkSession, plan: Plan, least: int = PREFIX.size) -> Iterator[Row]:
    found = map_slots(spark, plan.checkpoint, [0], partial(list_rows, least), "key binary, value binary")
    return ((bytes(row.key), bytes(row.value)) for row in found.collect())


def list_rows(least: int, slots: Slots) -> Iterator[pa.RecordBatch]:
    for _, _, pieces in slots:
        keys, values = zip(*(row for row in read_slot(pieces) if len(row[0]) > least), strict=True)
        yield pa.RecordBatch.from_arrays([pa.array(keys, pa.binary()), pa.array(values, pa.binary())], ["key", "value"])
