"""The parent of Spark's Python workers: it imports once what each of them needs, so a worker is a quick fork.

It has one thread when it forks, but for the allocator's own, which minds forks.
"""

import gc
from importlib import import_module

from pyspark.daemon import manager

NEEDED = (
    "pyspark.worker",
    "pyspark.sql.pandas.serializers",
    "pyspark.sql.streaming.proto.StateMessage_pb2",
    "runner.spark.intake",
    "runner.spark.source",
    "runner.spark.processor",
    "runner.spark.stage",
)

if __name__ == "__main__":
    for module in NEEDED:
        import_module(module)
    gc.collect()
    gc.freeze()
    manager()
