"""Incoming records of a query, as its program reads them. Processes that Spark asks for offsets never import this."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.ends import GROUPS
from runner.spark.program import Program, without_secrets
from runner.spark.source.source import KafkaSource, Limits, Reading, ReadTopic


def read_arrivals(spark: SparkSession, program: Program, limits: Limits, source: type[KafkaSource]) -> DataFrame:
    """The packs of all incoming records. Those that need no stage of state are already processed."""
    plan = program.plan
    reading = Reading(
        kafka=plan.kafka,
        facts={each.topic: plan.topics[each.topic] for each in program.inputs},
        topics=[ReadTopic(input=each.number, group=each.group, topic=each.topic) for each in program.inputs],
        limits={group: limits.get_limit(group) for group in GROUPS},
        bytes_per_batch=plan.bytes_per_batch,
        slots=plan.slots,
        ticks=list(program.ticking),
        idles=list(program.idling) if limits.streams else [],
        called_once=list(program.queryable) if limits.streams else [],
        again=Checkpoint(plan.checkpoint).read_planned_again(),
        silent_until=plan.silent_until,
        held=plan.held,
        prefetches=plan.executors is None,
    )
    spark.dataSource.register(source)
    options = {"reading": reading.model_dump_json(), "plan": without_secrets(plan).decode()}
    return spark.readStream.format(source.name()).options(**options).load()
