"""A plan as one DataFrame: the source and its stateful operators. It is always a chain and never a fork."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame, SparkSession

from runner.spark.executors.left_open import Ports
from runner.spark.program import Program, without_secrets
from runner.spark.source.arrivals import read_arrivals
from runner.spark.source.source import KafkaSource, Limits
from runner.spark.stage.processor import StageProcessor
from runner.spark.stage.rows import PACK_DDL

Seeds = Mapping[int, DataFrame]
"""Rows that the slots of each operator's stages begin with (`SEED_DDL`)."""


def make_chain(
    spark: SparkSession,
    program: Program,
    limits: Limits,
    seeds: Seeds | None = None,
    source: type[KafkaSource] = KafkaSource,
    on_connection: Callable[[Ports], object] | None = None,
) -> DataFrame:
    """Returns the packs that leave the last stage. `on_connection`: see `StageProcessor`."""
    plan_json = without_secrets(program.plan)
    packs = read_arrivals(spark, program, limits, source)
    if program.has_one_slot:
        # a single partition needs no shuffle before state, and Spark does not know that the source has only one
        packs = packs.coalesce(1)
    for number, stages in enumerate(program.operators):
        initial = (seeds or {}).get(number)
        packs = packs.groupBy("slot").transformWithState(
            StageProcessor(plan_json, [stage.depth for stage in stages], on_connection),
            PACK_DDL,
            outputMode="append",
            timeMode="None",
            initialState=None if initial is None else initial.groupBy("slot"),
        )
    return packs
