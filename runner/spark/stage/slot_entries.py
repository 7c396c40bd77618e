"""Reads the changelogs of all slots from a checkpoint. Workers get them, a slot at a time and an entry at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from runner.spark.failures import carry_failures
from runner.spark.state import HEAD_BITS, NAME, read_content
from runner.spark.state.rows import Row
from runner.spark.variables import find_local_folder

Pieces = Iterator[tuple[int, bytes]]
"""A changelog: seq and entry by ascending seq, the head first."""
Slots = Iterator[tuple[int, int, Pieces]]
"""The operator of a slot, the key of its head, and its pieces. Read these before the next slot."""


def map_slots(
    spark: SparkSession,
    checkpoint: str,
    operators: Sequence[int],
    function: Callable[[Slots], Iterator[pa.RecordBatch]],
    ddl: str,
) -> DataFrame:
    """Return what a function makes of the slots of operators, with columns of `ddl`. Workers call it."""
    spark.streams.active  # noqa: B018  starts what state stores report to, even when only read
    of_all = [
        read_stored_entries(spark, checkpoint, operator).select(F.lit(operator).alias("operator"), "*")
        for operator in operators
    ]
    if not of_all:
        return spark.createDataFrame([], ddl)
    by_slot = reduce(DataFrame.unionAll, of_all).repartition(
        spark.sparkContext.defaultParallelism, "operator", "head_key"
    )
    return by_slot.sortWithinPartitions("operator", "head_key", "seq").mapInArrow(partial(_call, function), ddl)


def read_slot(pieces: Pieces) -> Iterator[Row]:
    """Yield the rows of a slot in key order, put together on the disk of the worker. Raises BrokenChangelog."""
    with TemporaryDirectory(dir=find_local_folder()) as folder:
        yield from read_content(pieces, Path(folder) / "rows")


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


def _call(
    function: Callable[[Slots], Iterator[pa.RecordBatch]], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    with carry_failures():
        slots = groupby(_list_entries(batches), itemgetter(0, 1))
        yield from function((*slot, (entry[2:] for entry in entries)) for slot, entries in slots)


def _list_entries(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, int, int, bytes]]:
    for batch in batches:
        for at in range(batch.num_rows):
            operator, head_key, seq, entry = (column[at].as_py() for column in batch.columns)
            yield operator, head_key, seq, entry
