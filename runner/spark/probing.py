"""A small job that tries a Spark cluster before a run depends on it: `python -m runner.spark.probing`, JSON in and out.

Each executor imports our packages and asks Kafka; together they write a file to the checkpoint folder and read it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from tempfile import TemporaryDirectory
from uuid import uuid4

import pyarrow as pa
from pyspark.sql import SparkSession

from designer.refusals import Refusal
from runner.kafka import KafkaCluster
from runner.plan import Executors, JobSettings, Plan
from runner.spark.executor import find_own_address
from runner.spark.failures import read_failure
from runner.spark.hadoop import file_at, remove_tree
from runner.spark.owner import claim
from runner.spark.probe import HostSeen, Probe, Seen
from runner.spark.session.session import start_session

SLOTS = 2
LOOK_DDL = "host string, python string, kafka string"
TASKS = 4
"""Enough for each executor to get one."""
LOOK_SECONDS = 0.25
"""How long a task takes at least, so that no executor takes them all."""


def probe(wanted: Probe) -> Seen:
    """Runs the job. Raises RunFailed where it does not come to an end."""
    with TemporaryDirectory() as folder:
        spark = start_session(_plan(wanted.executors, folder))
        try:
            return Seen(hosts=_hosts(spark, wanted.kafka), checkpoint=_checkpoint(spark, wanted))
        finally:
            spark.stop()


def _hosts(spark: SparkSession, kafka: dict[str, str]) -> list[HostSeen]:
    looks = spark.range(0, TASKS, 1, TASKS).mapInArrow(partial(_look, kafka), LOOK_DDL)
    found = {row.host: HostSeen(**row.asDict()) for row in looks.collect()}
    return [found[host] for host in sorted(found)]


def _look(kafka: dict[str, str], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """In a worker: what it has and reaches."""
    import runner.spark.stage.stage  # noqa: F401  (imports all that a run needs)

    for _ in batches:
        pass
    time.sleep(LOOK_SECONDS)
    python = ".".join(map(str, sys.version_info[:3]))
    found = {"host": find_own_address(), "python": python}
    yield pa.RecordBatch.from_pylist([found | {"kafka": _explain_refusal(lambda: KafkaCluster.of(kafka).check())}])


def _explain_refusal(call: Callable[[], object]) -> str:
    """Why it is refused; empty: it is not."""
    try:
        call()
    except Refusal as refusal:
        return f"{refusal.message} {refusal.hint}"
    return ""


def _checkpoint(spark: SparkSession, wanted: Probe) -> str:
    """Writes a file from each executor, reads them here and there, and claims the folder."""
    root = wanted.checkpoint_root
    folder = f"{root}/.probe-{uuid4().hex[:8]}"
    try:
        spark.range(0, TASKS, 1, TASKS).selectExpr("cast(id as string)").write.text(folder)
        written = [path for path in file_at(folder).glob("part-*") if path.stat().st_size]
        read = spark.read.text(folder).count()
    except Exception as error:  # of Java or the file system, of many kinds
        return f"{root} cannot be written or read: {read_failure(error).message}"
    finally:
        with suppress(OSError):
            remove_tree(file_at(folder))
    if len(written) != TASKS or read != TASKS:
        return f"The hosts do not share {root}: of {TASKS} files that executors wrote, this host sees {len(written)}."
    return _explain_refusal(lambda: claim(root, wanted.product))


def _plan(executors: Executors, folder: str) -> Plan:
    return Plan(
        shared_shuffles=True,
        application_id="streamwright-probe",
        epoch=1,
        generation=1,
        graph={"nodes": [], "edges": []},
        schemas={},
        tasks=[],
        slots=SLOTS,
        settings=JobSettings.model_validate({}),
        topics={},
        marker_topic="",
        checkpoint=f"{folder}/checkpoint",
        state_dir=folder,
        executors=executors,
    )


def main() -> int:
    try:
        seen = probe(Probe.model_validate_json(sys.stdin.read()))
    except Exception as error:  # whatever it is, it is told
        failure = read_failure(error)
        seen = Seen(problem=f"{failure.message} {failure.hint}")
    print(seen.model_dump_json())
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads of the JVM gateway may still wait for answers
