"""Python workers that functions share, and those of a pool of their own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from runner.spark.private import own_workers

pytestmark = pytest.mark.spark


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
    own = {worker(spark, own_workers(spark, "writers")) for _ in range(3)}
    shared = worker(spark, nullcontext())
    again = worker(spark, own_workers(spark, "writers"))

    assert own == {again}
    assert shared != again
