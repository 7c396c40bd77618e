"""What needs a session of this host, and no run: all share one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from runner.plan import Executors
from runner.spark.failures import RunFailed
from runner.spark.private import collect, get_gateway, use_own_workers
from runner.spark.probe.probe import Probe
from runner.spark.probe.probing import _try_checkpoint
from runner.spark.session.cluster import wait_for_executor
from runner.spark.session.session import LOCAL_FILES, use_session
from tests.runner.spark.runs import World, counting

pytestmark = pytest.mark.spark
CLUSTER = Executors(name="blue", master="spark://127.0.0.1:7077")


def pids(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for _ in batches:
        yield pa.RecordBatch.from_pydict({"pid": [os.getpid()]})


def worker(spark: SparkSession, pool: AbstractContextManager[None]) -> int:
    """The process that a function runs in."""
    with pool:
        found = spark.range(1, numPartitions=1).mapInArrow(pids, "pid long")
    (row,) = found.collect()
    pid: int = row.pid
    return pid


def test_functions_of_a_pool_stay_in_its_worker_while_others_take_turns(spark: SparkSession):
    own = {worker(spark, use_own_workers(spark, "writers")) for _ in range(3)}
    shared = worker(spark, nullcontext())
    again = worker(spark, use_own_workers(spark, "writers"))

    assert own == {again}
    assert shared != again


def fail(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches
    raise ValueError("the last record is broken")


def test_rows_are_collected_in_order_or_the_error_is_raised(spark: SparkSession):
    schema = pa.schema([("id", pa.int64())])

    assert collect(spark.range(0, 100, 1, 4), schema).column("id").to_pylist() == list(range(100))
    assert collect(spark.range(0), schema) == schema.empty_table()
    with pytest.raises(Exception, match="the last record is broken"):
        collect(spark.range(0, 4, 1, 2).mapInArrow(fail, "id long"), schema)


def test_expressions_are_interpreted_also_by_threads_that_know_no_session(spark: SparkSession):
    settings = get_gateway(spark).jvm.org.apache.spark.sql.internal.SQLConf

    mode = settings.getFallbackConf().getConf(settings.CODEGEN_FACTORY_MODE())

    assert mode.toString() == "NO_CODEGEN"


def test_nothing_is_kept_for_pages_that_nobody_sees(spark: SparkSession):
    spark.range(1).collect()

    assert spark.sparkContext._jsc.sc().statusStore().jobsList(None).isEmpty()
    assert spark._jsparkSession.sharedState().statusStore().executionsCount() == 0


def test_a_master_without_free_workers_is_named_and_tried_again(spark: SparkSession):
    with pytest.raises(RunFailed, match="started no executor within 0 seconds") as failed:
        wait_for_executor(spark, CLUSTER, seconds=0)

    assert (failed.value.code, failed.value.retriable) == ("spark.no_executor", True)


def test_a_checkpoint_folder_that_executors_cannot_write_is_named(spark: SparkSession):
    wanted = Probe(executors=CLUSTER, slots=2, checkpoint_root="/proc/jobs", product="tests", kafka={})

    assert _try_checkpoint(spark, wanted).startswith("/proc/jobs cannot be written or read: ")


def test_only_checkpoints_on_other_file_systems_need_hadoop_s_defaults(spark: SparkSession, world: World):
    topic = world.topic("orders")
    here = world.plan(counting(topic, topic), [topic])
    settings = spark.sparkContext._jsc.hadoopConfiguration()

    use_session(spark, here.model_copy(update={"checkpoint": "hdfs://names:8020/jobs/1"}))
    with_defaults = settings.size()
    use_session(spark, here)

    assert settings.size() < 100 < with_defaults
    assert settings.get("fs.file.impl") == LOCAL_FILES


FROZEN = """
import sys, time, psutil
from pyspark.sql import SparkSession
from runner.spark.session.session import OF_ONE_HOST

builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
for name, value in OF_ONE_HOST.items():
    builder = builder.config(name, value) if not name.startswith("spark.hadoop") else builder
for name, seconds in {"network.timeout": 4, "network.timeoutInterval": 1, "executor.heartbeatInterval": 1}.items():
    builder = builder.config(f"spark.{name}", f"{seconds}s")
spark = builder.getOrCreate()
spark.range(1).count()
(java,) = (each for each in psutil.Process().children(recursive=True) if each.name() == "java")
java.suspend()
time.sleep(6)
java.resume()
time.sleep(4)
print(spark.range(10).count())
"""
"""A session whose JVM stands still for longer than Spark waits for an executor, which is 4 s here."""


def test_a_session_outlives_a_machine_that_slept():
    ended = subprocess.run([sys.executable, "-c", FROZEN], capture_output=True, text=True, check=True)

    assert ended.stdout.split()[-1] == "10"
    assert "Removing executor" not in ended.stderr
    assert "heartbeat" not in ended.stderr.lower()
