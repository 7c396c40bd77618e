"""The Spark master of a run that is not of this machine: whether it answers, and whether it gives executors."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

from runner.spark.failures import RunFailed
from runner.spark.private import executors

CONNECT_SECONDS = 5.0
EXECUTOR_SECONDS = 60.0
"""How long a standalone master usually takes at most to start an executor."""


def refuse_unreachable(master: str) -> None:
    """Raises RunFailed where none of the masters of `spark://host:port,host:port` answers.

    Spark itself tries for a minute and then says only that its context was stopped.
    """
    if not master.startswith("spark://"):
        return
    addresses = [urlsplit(f"//{address}") for address in master.removeprefix("spark://").split(",")]
    if not any(_answers(each.hostname or "", each.port or 7077) for each in addresses):
        raise RunFailed(
            "spark.unreachable",
            f"The Spark master {master} does not answer.",
            "Start the master, or correct SPARK_MASTER. The run is tried again automatically.",
            retriable=True,
        )


def await_executor(spark: SparkSession, master: str, seconds: float = EXECUTOR_SECONDS) -> None:
    """Waits for the first executor; raises RunFailed where none comes."""
    deadline = time.monotonic() + seconds
    while not executors(spark):
        if time.monotonic() > deadline:
            raise RunFailed(
                "spark.no_executor",
                f"The Spark master {master} started no executor within {seconds:.0f} seconds.",
                "Start a worker with a free core and 1 GiB of memory. The run is tried again automatically.",
                retriable=True,
            )
        time.sleep(0.1)


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), CONNECT_SECONDS).close()
    except OSError:
        return False
    return True
