"""A plan as one DataFrame: sources, intake, and one stateful operator for each depth. A chain, never a fork."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame, SparkSession

from runner.spark.intake import intake
from runner.spark.processor import StageProcessor
from runner.spark.program import Program, without_secrets
from runner.spark.rows import PACK_DDL
from runner.spark.source import Limits, sources

Seeds = Mapping[int, DataFrame]
"""By depth, what the slots of a stage begin with."""
Read = Callable[[SparkSession, Program, Limits], DataFrame]
"""Gives the raw records of a query (`intake.RAW_COLUMNS`)."""


def chain(
    spark: SparkSession, program: Program, limits: Limits, seeds: Seeds | None = None, read: Read = sources
) -> DataFrame:
    """The packs that leave the last stage."""
    plan_json = without_secrets(program.plan)
    packs = read(spark, program, limits).mapInArrow(intake(plan_json), PACK_DDL)
    for stage in program.stateful:
        initial = (seeds or {}).get(stage.depth)
        packs = packs.groupBy("slot").transformWithStateInPandas(
            StageProcessor(plan_json, stage.depth),
            PACK_DDL,
            outputMode="append",
            timeMode="None",
            initialState=None if initial is None else initial.groupBy("slot"),
        )
    return packs
