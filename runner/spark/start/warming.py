"""Preparations before a plan is known: the session, Python workers, and the code that a first batch runs.

Spark's first batches are slow because the JVM has not loaded and compiled the code for them. A small query, shaped
like most topologies, runs all of that code beforehand. It uses its own topic, which is then deleted.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import orjson
from confluent_kafka import Producer
from pyspark.sql import DataFrame, SparkSession

from designer.topology.graph import Graph
from runner.kafka import KafkaCluster
from runner.plan import JobSettings, Plan, TopicFacts
from runner.spark.chain import make_chain
from runner.spark.private import call_for_each_batch, collect
from runner.spark.program import make_program
from runner.spark.session import class_archive
from runner.spark.session.fork_server import ForkServer
from runner.spark.session.session import start_session, start_workers
from runner.spark.sink.results import Results
from runner.spark.source.source import Limits
from runner.spark.stage.rows import PACK
from runner.spark.start.ahead import Ahead
from runner.spark.variables import get_jars

GRAPH = Path(__file__).with_name("warming.json")
PARTITIONS = 4
RECORDS = 16_000
AT_A_TIME = 4_000
"""Enough records for each worker to have a share. Its first share is slow, because it must find the brokers."""
ROUNDS = 2
"""Number of queries. The second start of a query is also faster."""
ANSWER_SECONDS = 10.0
log = logging.getLogger(__name__)


class Ready(NamedTuple):
    """A session, and the fork server that makes its queries start faster."""

    spark: SparkSession
    forks: ForkServer


def start(plan: Plan, writes_classes: bool = False, *, may_use_s3: bool = False) -> Ready:
    """Starts both."""
    forks = ForkServer()
    return Ready(start_session(plan, writes_classes, may_use_s3=may_use_s3), forks)


def make_ready(ahead: Ahead, enough: threading.Event) -> Ready:
    """Starts a session for any plan that fits, and runs a small query until `enough`. A failed one does no harm."""
    plan, began = _make_plan(ahead), time.monotonic()
    ready = start(plan, writes_classes=True, may_use_s3=ahead.may_use_s3)
    start_workers(ready.spark, ahead.slots)
    try:
        if not enough.is_set():
            _run_queries(ready.spark, plan, enough)
        if not enough.is_set():
            class_archive.write(ready.spark, get_jars())
    except Exception as error:
        log.warning("The warm-up ended early: %s", error)
    log.info("Ready after %.1f s.", time.monotonic() - began)
    return ready


def _run_queries(spark: SparkSession, plan: Plan, enough: threading.Event) -> None:
    with _topic(plan) as topic:
        for number in range(ROUNDS):
            if not enough.is_set():
                _query(spark, plan, topic, number, enough)


def _query(spark: SparkSession, plan: Plan, topic: TopicFacts, number: int, enough: threading.Event) -> None:
    """Runs one query over all records of the topic, without output."""
    program = make_program(plan.model_copy(update={"topics": dict.fromkeys(plan.topics, topic)}))
    packs = make_chain(spark, program, Limits(AT_A_TIME, AT_A_TIME))
    writing = call_for_each_batch(packs.writeStream, _ignore)
    query = writing.option("checkpointLocation", f"{plan.checkpoint}-{number}").start()
    try:
        while query.isActive and not enough.wait(0.1) and query.status["message"] != "Waiting for data to arrive":
            continue
    finally:
        query.stop()


def _ignore(packs: DataFrame, batch: int) -> None:
    Results.read(collect(packs, PACK))


@contextmanager
def _topic(plan: Plan) -> Iterator[TopicFacts]:
    """A topic with records that is deleted in the end. Two underscores hide it from lists of users' topics."""
    (name,) = plan.topics
    cluster = KafkaCluster.of(plan.kafka)
    topic = cluster.create(name, PARTITIONS, {"retention.ms": "3600000"})
    try:
        _fill(plan, name)
        yield TopicFacts(id=topic.id, partitions=topic.partitions, start=[-2] * topic.partitions)
    finally:
        cluster.delete(name)


def _fill(plan: Plan, topic: str) -> None:
    producer = Producer({**plan.kafka, "partitioner": "murmur2_random"})
    for number in range(RECORDS):
        value = {"name": f"name {number % 50}", "city": f"city {number % 9}", "amount": number}
        producer.produce(topic, orjson.dumps(value), f"k{number % 50}")
    producer.flush(ANSWER_SECONDS)


def _make_plan(ahead: Ahead) -> Plan:
    topic = f"__streamwright-warm-up-{socket.gethostname()}"
    return Plan(
        shared_shuffles=True,
        application_id="streamwright-warm-up",
        epoch=1,
        generation=1,
        graph=_make_graph(topic).to_json(),
        schemas={},
        tasks=[PARTITIONS] * 2,
        slots=ahead.slots,
        settings=JobSettings.model_validate({"memory_mb": ahead.memory_mb}),
        kafka=ahead.kafka,
        topics={topic: TopicFacts(id="", partitions=PARTITIONS, start=[])},
        marker_topic="",
        checkpoint=str(Path(ahead.folder) / "checkpoint"),
        state_dir=ahead.folder,
    )


def _make_graph(topic: str) -> Graph:
    """A join with a table, then counts of another key in windows: two stages of state after one without."""
    return Graph.from_json(orjson.loads(GRAPH.read_text().replace("<topic>", topic)))
