"""Incoming records of a query, as its program reads them. Processes that Spark asks for offsets never import this."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import get_file
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
        slot=program.slot_ids[0],
        extends=_find_extended(program),
        prefetches=plan.executors is None,
        look_ms=plan.settings.batch_interval_ms,
    )
    spark.dataSource.register(source)
    options = {"reading": reading.model_dump_json(), "plan": without_secrets(plan).decode()}
    return spark.readStream.format(source.name()).options(**options).load()


def _find_extended(program: Program) -> str | None:
    """The checkpoint, if small batches may take records that come while Spark plans them.

    An object of users' Python serves one batch. Before the first stage, newer records would meet another object than
    those before them, and a batch that is executed again would give other results.
    """
    plan, layout, folder = program.plan, program.layout, get_file(program.plan.checkpoint)
    first = (node for each in layout.sub_topologies if each.depth == 0 for node in each.nodes)
    runs_code = any(layout.nodes[node].operator.runs_code for node in first)
    may_extend = program.has_one_slot and program.operators and not plan.arrival_order and not runs_code
    return str(folder) if may_extend and isinstance(folder, Path) else None
