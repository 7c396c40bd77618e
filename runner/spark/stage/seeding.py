"""Makes the state with which a new epoch begins.

It is that of the kept stores of the old epoch, read from its checkpoint, or that of an application that it takes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from runner.engine.planning.layout import find_original_name
from runner.plan import Plan, Seed
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.private import keep_on_disk
from runner.spark.program import Place, Program, get_program, make_program, without_secrets
from runner.spark.stage.renumbering import Renumbering, make_chunks
from runner.spark.stage.seed_rows import BYTES_IN_A_CHUNK, SEED_DDL, cut, make_seed_rows, read_row_file
from runner.spark.stage.slot_entries import Slots, map_slots, read_slot
from runner.spark.state.rows import Row

AT_ONCE = (64 << 20) // BYTES_IN_A_CHUNK
"""Chunks that go from this process to Spark together."""


def make_seeds(
    spark: SparkSession, program: Program, adopted: Iterable[tuple[Place, Sequence[Row]]] | None = None
) -> dict[int, DataFrame]:
    """Return by operator the rows that its slots begin with (`SEED_DDL`): those of the plan's seed, or `adopted`.

    Workers read and move the rows of each slot of the old epoch. Between them and the first batch, the rows are on the
    disks of Spark's executors, until `release_disk`. Raises RunFailed, also as text (`read_failure`).
    """
    seed = program.plan.seed
    if adopted is not None:
        rows = _hand_over(spark, make_seed_rows(cut((place, row) for place, some in adopted for row in some), program))
    elif seed is not None and seed.rows:
        move = Renumbering.renumber(make_program(Plan.model_validate(seed.plan)), program, seed.stores)
        rows = _hand_over(spark, make_seed_rows(make_chunks(read_row_file(seed), move), program))
    else:
        assert seed is not None
        rows = keep_on_disk(_read_kept(spark, program, seed))
    operators = [row.operator for row in rows.select("operator").distinct().collect()]
    return {operator: rows.where(F.col("operator") == operator).select("slot", "rows") for operator in operators}


def _hand_over(spark: SparkSession, seed_rows: Iterator[tuple[int, int, bytes]]) -> DataFrame:
    """Return the rows that this process makes. It holds some of them at a time."""
    rows = spark.createDataFrame([], SEED_DDL)
    while some := list(islice(seed_rows, AT_ONCE)):
        rows = rows.unionAll(keep_on_disk(spark.createDataFrame(some, SEED_DDL)))
    return rows


def _read_kept(spark: SparkSession, program: Program, seed: Seed) -> DataFrame:
    old = Plan.model_validate(seed.plan)
    move = partial(_move, without_secrets(old), without_secrets(program.plan), seed.stores)
    return map_slots(spark, seed.checkpoint, _find_holding(make_program(old), seed), move, SEED_DDL)


def _move(old: bytes, new: bytes, stores: Sequence[str], slots: Slots) -> Iterator[pa.RecordBatch]:
    """In a worker: the kept rows of slots, as rows of `SEED_DDL`."""
    program = get_program(new)
    move = Renumbering.renumber(get_program(old), program, stores)
    rows = (row for _, _, pieces in slots for row in read_slot(pieces))
    for operator, slot, data in make_seed_rows(make_chunks(rows, move), program):
        columns = [pa.array([operator], pa.int32()), pa.array([slot], pa.int64()), pa.array([data], pa.binary())]
        yield pa.RecordBatch.from_arrays(columns, names=["operator", "slot", "rows"])


def _find_holding(old: Program, seed: Seed) -> list[int]:
    """Return the operators of the old epoch that hold a kept store. The files of other operators may be damaged.

    A run of an older version had an operator for each stage: then these are all operators.
    """
    there = sorted(int(folder.name) for folder in (get_file(seed.checkpoint) / "state").iterdir())
    if len(there) != len(old.operators):
        return there
    names = set(seed.stores)
    depths = {old.depth_of_store(store) for store in old.layout.stores if find_original_name(store) in names}
    return [number for number in there if depths & {stage.depth for stage in old.stages_by_folder[number]}]
