"""What a new epoch begins with: the kept stores of the old one, read from its checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgpack
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from runner.engine.layout import Layout
from runner.engine.state import PREFIX, SHARED, TIMES
from runner.plan import Plan, Seed
from runner.spark.program import Program, program_of
from runner.spark.state import read_content

SEED_DDL = "slot int, rows binary"
ROWS_IN_A_CHUNK = 20_000
Row = tuple[bytes, bytes]


def seeds(spark: SparkSession, program: Program) -> dict[int, DataFrame]:
    """By depth of the new plan, the rows its slots begin with (`SEED_DDL`)."""
    seed = program.plan.seed
    assert seed is not None
    old = program_of(Plan.model_validate(seed.plan))
    chunks: dict[int, list[tuple[int, bytes]]] = {}
    with TemporaryDirectory() as scratch:
        for number, (depth, slot, rows) in enumerate(_moved(_old_rows(spark, old, seed, Path(scratch)), old, program)):
            chunks.setdefault(depth, []).append((slot, rows))
            del number
    return {depth: spark.createDataFrame(found, SEED_DDL) for depth, found in chunks.items()}


def read_rows(chunk: bytes) -> list[Row]:
    """The rows of one chunk of a seed."""
    return [(key, value) for key, value in msgpack.unpackb(chunk)]


def _old_rows(spark: SparkSession, old: Program, seed: Seed, scratch: Path) -> Iterator[Row]:
    """Every row of every slot of the old epoch."""
    stages = old.stateful
    for number, stage in enumerate(stages):
        # Spark numbers operators from the last one of a chain
        heads = _variable(spark, seed, len(stages) - 1 - number, "head").select("key.slot", "value.head").collect()
        entries = _variable(spark, seed, len(stages) - 1 - number, "entries")
        for slot, head in heads:
            found = entries.where(F.col("key.slot") == slot).select("user_map_key.seq", "user_map_value.entry")
            ordered = sorted((seq, bytes(entry)) for seq, entry in found.collect())
            yield from read_content(bytes(head), ordered, scratch / f"{stage.depth}-{slot}")


def _variable(spark: SparkSession, seed: Seed, operator: int, name: str) -> DataFrame:
    reader = spark.read.format("statestore").option("path", seed.checkpoint).option("operatorId", operator)
    return reader.option("stateVarName", name).load()


def _moved(rows: Iterable[Row], old: Program, new: Program) -> Iterator[tuple[int, int, bytes]]:
    """Kept rows under the numbers of the new layout: depth, slot, a chunk of rows."""
    stores, depths = _stores(old.layout, new, set(new.plan.seed.stores if new.plan.seed else ()))
    chunks: dict[tuple[int, int], list[Row]] = {}
    for key, value in rows:
        task, store = PREFIX.unpack_from(key)
        name = key[PREFIX.size :].decode() if store == TIMES else ""
        number = _time_number(name, old, new, stores) if store == TIMES else stores.get(store)
        if task == SHARED or number is None:
            continue
        place = depths[number], new.slot_ids[task % len(new.slot_ids)]
        chunk = chunks.setdefault(place, [])
        chunk.append((key if store == TIMES else PREFIX.pack(task, number) + key[PREFIX.size :], value))
        if len(chunk) >= ROWS_IN_A_CHUNK:
            yield *place, msgpack.packb(chunks.pop(place))
    for place, chunk in chunks.items():
        yield *place, msgpack.packb(chunk)


def _stores(old: Layout, new: Program, kept: set[str]) -> tuple[dict[int, int], dict[int, int]]:
    """Old store number -> new one, for kept stores; and the depth at which a new store lives."""
    numbers = {store.name: number for number, store in enumerate(new.layout.stores)}
    found = {number: numbers[store.name] for number, store in enumerate(old.stores) if store.name in kept & set(numbers)}
    depths = {
        number: new.layout.sub_topologies[store.sub_topology].depth
        for number, store in enumerate(new.layout.stores)
        if store.sub_topology is not None
    }
    return found, depths


def _time_number(node: str, old: Program, new: Program, stores: dict[int, int]) -> int | None:
    """The new store whose stream time this is: times go with the stores of their node."""
    number = old.layout.store_of.get(node)
    return None if number is None else stores.get(number)
