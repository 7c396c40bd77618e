"""What a new epoch begins with: the kept stores of the old one, read from its checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from runner.engine.layers import again
from runner.engine.state import PREFIX, SHARED, TIMES
from runner.plan import Plan, Seed
from runner.spark.program import Program, program_of
from runner.spark.seed_rows import ROWS_IN_A_CHUNK, SEED_DDL, Row, write_rows
from runner.spark.state import read_content

Place = tuple[int, int]
"""Depth and slot."""


def seeds(spark: SparkSession, program: Program) -> dict[int, DataFrame]:
    """By depth of the new plan, the rows its slots begin with (`SEED_DDL`)."""
    seed = program.plan.seed
    assert seed is not None
    old = program_of(Plan.model_validate(seed.plan))
    move = Move.between(old, program, seed.stores)
    chunks: dict[int, list[tuple[int, bytes]]] = {}
    with TemporaryDirectory() as scratch:
        for (depth, slot), rows in _chunks(_old_rows(spark, old, seed, Path(scratch)), move):
            chunks.setdefault(depth, []).append((slot, write_rows(rows)))
    return {depth: spark.createDataFrame(found, SEED_DDL) for depth, found in chunks.items()}


def _old_rows(spark: SparkSession, old: Program, seed: Seed, scratch: Path) -> Iterator[Row]:
    """Every row of every slot of the old epoch."""
    stages = old.stateful
    spark.streams.active  # noqa: B018  starts what state stores report to, even when only read
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


def _chunks(rows: Iterable[Row], move: Move) -> Iterator[tuple[Place, list[Row]]]:
    """Kept rows by where they live now, in bounded chunks."""
    chunks: dict[Place, list[Row]] = {}
    for key, value in rows:
        for place, moved in move.moved(key):
            chunk = chunks.setdefault(place, [])
            chunk.append((moved, value))
            if len(chunk) >= ROWS_IN_A_CHUNK:
                yield place, chunks.pop(place)
    yield from chunks.items()


@dataclass(frozen=True)
class Move:
    """From the numbers of an old layout to those of a new one, for the stores that are kept.

    Tasks keep their numbers, global tables are loaded anew, and stream times go with the stores of their node. Stores
    of clones go with those of their originals, and begin as these where the old layout had no such clone.
    """

    new: Program
    stores: Mapping[int, Sequence[int]]
    """Old store number -> the new ones that begin with what it holds."""
    nodes: Mapping[str, Sequence[int]] = field(repr=False)
    """Old node id -> the new numbers of its store."""

    @classmethod
    def between(cls, old: Program, new: Program, kept: Iterable[str]) -> Move:
        numbers = {store.name: n for n, store in enumerate(old.layout.stores) if store.sub_topology is not None}
        names, found = set(kept), dict[int, list[int]]()
        for number, store in enumerate(new.layout.stores):
            original = store.name.removesuffix(again(store.node))
            before = numbers.get(store.name, numbers.get(original))
            if before is not None and original in names:
                found.setdefault(before, []).append(number)
        return cls(new, found, {old.layout.stores[number].node: to for number, to in found.items()})

    def moved(self, key: bytes) -> Iterator[tuple[Place, bytes]]:
        """Where a row lives now, and its key there; nowhere if it is not kept."""
        task, store = PREFIX.unpack_from(key)
        rest = key[PREFIX.size :]
        if task == SHARED:
            return
        if store == TIMES:
            node, slash, name = rest.decode().partition("/")
            for number in self.nodes.get(node, ()):
                named = (self.new.layout.stores[number].node + slash + name).encode()
                yield self._place(number, task), PREFIX.pack(task, TIMES) + named
            return
        for number in self.stores.get(store, ()):
            yield self._place(number, task), PREFIX.pack(task, number) + rest

    def _place(self, store: int, task: int) -> Place:
        laid = self.new.layout
        sub_topology = laid.stores[store].sub_topology
        assert sub_topology is not None
        return laid.sub_topologies[sub_topology].depth, self.new.slot_ids[task % len(self.new.slot_ids)]
