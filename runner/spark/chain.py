"""A plan as one DataFrame: sources, intake, and one stateful operator for each depth. A chain, never a fork."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from runner.plan import Plan
from runner.spark.intake import intake
from runner.spark.processor import StageProcessor
from runner.spark.program import Program, without_secrets
from runner.spark.rows import PACK_DDL
from runner.spark.source import Limits, sources


def chain(spark: SparkSession, program: Program, limits: Limits, seeds: dict[int, DataFrame] | None = None) -> DataFrame:
    """The packs that leave the last stage. `seeds` holds by depth what the slots of a stage begin with."""
    return stages(sources(spark, program, limits), program.plan, program, seeds or {})


def stages(raw: DataFrame, plan: Plan, program: Program, seeds: dict[int, DataFrame]) -> DataFrame:
    plan_json = without_secrets(plan)
    packs = raw.mapInArrow(intake(plan_json), PACK_DDL)
    for stage in program.stateful:
        initial = seeds.get(stage.depth)
        packs = packs.groupBy("slot").transformWithStateInPandas(
            StageProcessor(plan_json, stage.depth),
            PACK_DDL,
            outputMode="append",
            timeMode="None",
            initialState=None if initial is None else initial.groupBy("slot"),
        )
    return packs
