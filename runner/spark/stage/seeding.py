"""Makes the state with which a new epoch begins.

It is that of the kept stores of the old epoch, read from its checkpoint, or that of an application that it takes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from runner.engine.planning.layout import find_original_name
from runner.plan import Plan, Seed
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.program import Place, Program, make_program
from runner.spark.stage.renumbering import Renumbering, make_chunks
from runner.spark.stage.seed_rows import ROWS_IN_A_CHUNK, SEED_DDL, read_row_file, write_rows
from runner.spark.state import HEAD_BITS, NAME, make_head_key, read_content
from runner.spark.state.rows import Row


def make_seeds(
    spark: SparkSession, program: Program, adopted: Iterable[tuple[Place, Sequence[Row]]] | None = None
) -> dict[int, DataFrame]:
    """Return by operator the rows that its slots begin with (`SEED_DDL`): those of the plan's seed, or `adopted`."""
    chunks: dict[int, list[tuple[int, bytes]]] = {}
    places_by_depth = {
        stage.depth: (operator, number)
        for operator, stages in enumerate(program.operators)
        for number, stage in enumerate(stages)
    }
    chunks_by_place = _read_kept(spark, program) if adopted is None else _cut(adopted)
    for (depth, slot), rows in chunks_by_place:
        operator, stage = places_by_depth[depth]
        chunks.setdefault(operator, []).append((make_head_key(slot, stage), write_rows(rows)))
    return {operator: spark.createDataFrame(seed_rows, SEED_DDL) for operator, seed_rows in chunks.items()}


def _read_kept(spark: SparkSession, program: Program) -> Iterator[tuple[Place, Sequence[Row]]]:
    seed = program.plan.seed
    assert seed is not None
    old = make_program(Plan.model_validate(seed.plan))
    move = Renumbering.renumber(old, program, seed.stores)
    with TemporaryDirectory() as scratch:
        rows_of_old = (
            read_row_file(seed)
            if seed.rows
            else _read_old_rows(spark, seed.checkpoint, _find_holding(old, seed), Path(scratch))
        )
        yield from make_chunks(rows_of_old, move)


def _cut(adopted: Iterable[tuple[Place, Sequence[Row]]]) -> Iterator[tuple[Place, Sequence[Row]]]:
    for place, rows in adopted:
        for first in range(0, len(rows), ROWS_IN_A_CHUNK):
            yield place, rows[first : first + ROWS_IN_A_CHUNK]


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


def _read_old_rows(spark: SparkSession, checkpoint: str, operators: Iterable[int], scratch: Path) -> Iterator[Row]:
    """Yield every row of every slot of these operators in the old epoch."""
    for operator in operators:
        for head_key, pieces in read_slots(spark, checkpoint, operator):
            yield from read_content(pieces, scratch / f"{operator}-{head_key}")


def read_slots(spark: SparkSession, checkpoint: str, operator: int) -> Iterator[tuple[int, list[tuple[int, bytes]]]]:
    """Yield the changelog of each slot of an operator: the key of its head, and its pieces by ascending seq."""
    spark.streams.active  # noqa: B018  starts what state stores report to, even when only read
    entries = read_stored_entries(spark, checkpoint, operator)
    for (head_key,) in entries.select("head_key").distinct().collect():
        blobs = entries.where(F.col("head_key") == head_key).select("seq", "entry").collect()
        yield head_key, sorted((seq, bytes(entry)) for seq, entry in blobs)


def read_stored_entries(spark: SparkSession, checkpoint: str, operator: int = 0) -> DataFrame:
    """Return the rows of an operator's state store: `head_key`, `seq` and `entry`."""
    reader = spark.read.format("statestore").option("path", checkpoint).option("operatorId", operator)
    entries = reader.option("stateVarName", NAME).load()
    if "user_map_key" in entries.columns:
        # checkpoints up to version 4 kept the entries in a map
        return entries.select(F.col("key.slot").alias("head_key"), "user_map_key.seq", "user_map_value.entry")
    key = F.col("key.slot")
    head, seq = key.bitwiseAND((1 << HEAD_BITS) - 1), F.shiftright(key, HEAD_BITS)
    return entries.select(head.alias("head_key"), seq.alias("seq"), "value.entry")
