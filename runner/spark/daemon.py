"""The parent of Spark's Python workers: it imports once what each of them needs, so a worker is a quick fork.

It has one thread when it forks, but for the allocator's own, which minds forks.
"""

import gc

import pyspark.sql.pandas.serializers
import pyspark.sql.streaming.proto.StateMessage_pb2
import pyspark.worker
from pyspark.daemon import manager

import runner.spark.intake
import runner.spark.processor
import runner.spark.stage  # noqa: F401

if __name__ == "__main__":
    gc.collect()
    gc.freeze()
    manager()
