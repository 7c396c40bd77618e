"""The Kafka sources of a query: at most three, because Spark spreads a limit over all topics of one source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from runner.plan import Plan
from runner.spark.java_kafka import java_settings
from runner.spark.program import GROUPS, Input, Program, topics
from runner.spark.rows import TICK


class Limits(NamedTuple):
    """How many records a batch reads from tables and from streams; what is loaded first has no limit."""

    tables: int
    streams: int

    def of(self, group: str) -> int | None:
        return {"first": None, "tables": self.tables, "streams": self.streams}[group]


LOADING = Limits(0, 0)
"""Nothing but what is loaded first."""


def running(plan: Plan) -> Limits:
    """What a batch reads once all that is loaded first is there."""
    return Limits(plan.settings.records_per_batch, plan.settings.records_per_batch)


def sources(spark: SparkSession, program: Program, limits: Limits) -> DataFrame:
    """All raw records (`intake.RAW_COLUMNS`), each source in few Spark partitions."""
    frames = [
        _raw(spark, program.plan, inputs, limits.of(group)).coalesce(program.plan.slots)
        for group in GROUPS
        if (inputs := topics(program.inputs, group))
    ]
    if program.ticking:
        frames.append(_ticks(spark))
    united = frames[0]
    for frame in frames[1:]:
        united = united.unionByName(frame)
    return united


def _raw(spark: SparkSession, plan: Plan, inputs: Sequence[Input], limit: int | None) -> DataFrame:
    reader = spark.readStream.format("kafka").options(**_options(plan, inputs))
    if limit is not None:
        reader = reader.option("maxOffsetsPerTrigger", limit)
    return reader.load().select(
        _number(inputs).cast("int").alias("input"),
        "partition",
        "offset",
        F.unix_millis("timestamp").alias("timestamp"),
        F.unix_millis(F.current_timestamp()).alias("batch_time"),
        "key",
        "value",
        F.when(F.size("headers") > 0, F.to_json("headers")).alias("headers"),
    )


def _ticks(spark: SparkSession) -> DataFrame:
    """A row each second, so that a batch runs without records, and runs again with the same row."""
    return (
        spark.readStream.format("rate")
        .options(rowsPerSecond=1, numPartitions=1)
        .load()
        .select(
            F.lit(TICK).alias("input"),
            F.lit(0).alias("partition"),
            F.col("value").alias("offset"),
            F.unix_millis("timestamp").alias("timestamp"),
            F.unix_millis(F.current_timestamp()).alias("batch_time"),
            F.lit(None).cast("binary").alias("key"),
            F.lit(None).cast("binary").alias("value"),
            F.lit(None).cast("string").alias("headers"),
        )
    )


def _options(plan: Plan, inputs: Sequence[Input]) -> dict[str, str]:
    names = [each.topic for each in inputs]
    starts = {name: {str(number): at for number, at in enumerate(plan.topics[name].start)} for name in names}
    settings = {f"kafka.{name}": value for name, value in java_settings(plan.kafka).items()}
    return settings | {
        "subscribe": ",".join(names),
        "startingOffsets": orjson.dumps(starts).decode(),
        "includeHeaders": "true",
        "failOnDataLoss": "true",
    }


def _number(inputs: Sequence[Input]) -> Column:
    found = F.lit(inputs[0].number)
    for each in inputs[1:]:
        found = F.when(F.col("topic") == each.topic, F.lit(each.number)).otherwise(found)
    return found
