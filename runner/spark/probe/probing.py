"""A small job that tries a Spark cluster before a run depends on it, with JSON in and out.

The command is `python -m runner.spark.probe.probing`.

Each executor imports our packages and asks the Kafka clusters. Together they write files to the checkpoint folder and
read them.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from tempfile import TemporaryDirectory
from uuid import uuid4

import pyarrow as pa
from pyspark.sql import SparkSession

from designer.refusals import Refusal
from runner.kafka import KafkaCluster, KafkaUnreachable
from runner.outgoing import describe_error
from runner.plan import JobSettings, Plan
from runner.spark.checkpoint.hadoop import File, HadoopPath, Overtaken, get_file, remove_tree
from runner.spark.checkpoint.owner import claim
from runner.spark.executors.executor import find_own_address
from runner.spark.failures import TRIED_AGAIN, RunFailed, read_failure
from runner.spark.private import find_executors
from runner.spark.probe.probe import HostSeen, Probe, Seen
from runner.spark.session.session import start_session

LOOK_DDL = "host string, python string, kafka map<string,string>"
TASKS_PER_SLOT = 2
"""Usually enough tasks for each executor to get one."""
LOOK_SECONDS = 0.25
"""Shortest time of a task, so no executor takes them all."""
GATHER_SECONDS = 15.0
"""Longest wait for all executors once there is one, and for each to execute a task."""
CONNECT_SECONDS = 5.0
Kafka = Mapping[str, Mapping[str, str]]


def probe(probe: Probe) -> Seen:
    """Runs the job. Raises RunFailed if it does not end."""
    with TemporaryDirectory() as folder:
        spark = start_session(_make_plan(probe, folder))
        try:
            _wait_for_executors(spark, -(-probe.slots // probe.executors.cores))
            return Seen(hosts=_find_hosts(spark, probe), checkpoint=_try_checkpoint(spark, probe))
        finally:
            spark.stop()


def _wait_for_executors(spark: SparkSession, count: int) -> None:
    """Waits for so many executors, but not for long: others may use the cores of some."""
    deadline = time.monotonic() + GATHER_SECONDS
    while len(find_executors(spark)) < count and time.monotonic() < deadline:
        time.sleep(0.1)


def _find_hosts(spark: SparkSession, probe: Probe) -> list[HostSeen]:
    """Runs tasks until each host with an executor has had one."""
    deadline = time.monotonic() + GATHER_SECONDS
    tasks = probe.slots * TASKS_PER_SLOT
    hosts: dict[str, HostSeen] = {}
    while not hosts or (len(hosts) < len(_name_hosts(spark)) and time.monotonic() < deadline):
        looks = spark.range(0, tasks, 1, tasks).mapInArrow(partial(_look, probe.kafka), LOOK_DDL)
        hosts |= {row.host: HostSeen(**row.asDict()) for row in looks.collect()}
    return [hosts[host] for host in sorted(hosts)]


def _name_hosts(spark: SparkSession) -> set[str]:
    return {name.rpartition(":")[0] for name in find_executors(spark)}


def _look(kafka: Kafka, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """In a worker: the modules that it has and the clusters that it reaches."""
    import runner.spark.stage.stage  # noqa: F401  (imports all that a run needs)

    for _ in batches:
        pass
    time.sleep(LOOK_SECONDS)
    columns = {
        "host": [find_own_address()],
        "python": [".".join(map(str, sys.version_info[:3]))],
        "kafka": pa.array([list(explain_unreached(kafka).items())], pa.map_(pa.string(), pa.string())),
    }
    yield pa.RecordBatch.from_pydict(columns)


def explain_unreached(kafka: Kafka) -> dict[str, str]:
    """The Kafka clusters that this host does not reach, with reasons. It asks all of them at once."""
    with ThreadPoolExecutor(len(kafka) or 1) as threads:
        answers = threads.map(lambda name: _explain_refusal(partial(_connect_to_brokers, name, kafka[name])), kafka)
        return {name: why for name, why in zip(kafka, answers, strict=True) if why}


def _connect_to_brokers(name: str, settings: Mapping[str, str]) -> None:
    """Asks a cluster, and connects to each broker at the address that the cluster gives for it."""
    for host, port in KafkaCluster.of(settings, name).brokers().values():
        try:
            socket.create_connection((host, port), CONNECT_SECONDS).close()
        except OSError as error:
            raise KafkaUnreachable(
                f"The cluster answers, but not its broker. {describe_error(error, f'{host}:{port}')}",
                "Let the brokers advertise addresses that all hosts reach (`advertised.listeners`).",
            ) from error


def _explain_refusal(call: Callable[[], object]) -> str:
    """The reason for a refusal. Empty if the call is not refused."""
    try:
        call()
    except Refusal as refusal:
        return f"{refusal.message} {refusal.hint}"
    return ""


def _try_checkpoint(spark: SparkSession, probe: Probe) -> str:
    """Writes a file from each executor, reads the files on executors and here, and claims the folder."""
    root = probe.checkpoint_root
    folder = f"{root}/.probe-{uuid4().hex[:8]}"
    tasks = probe.slots * TASKS_PER_SLOT
    try:
        spark.range(0, tasks, 1, tasks).selectExpr("cast(id as string)").write.text(folder)
        files = [path for path in get_file(folder).glob("part-*") if path.stat().st_size]
        read = spark.read.text(folder).count()
        fault = _explain_replaced(root, get_file(f"{folder}/once"))
    except Exception as error:  # many kinds of errors, from Java or the file system
        return f"{root} cannot be written or read: {describe(read_failure(error))}"
    finally:
        with suppress(OSError):
            remove_tree(get_file(folder))
    if fault:
        return fault
    if len(files) != tasks or read != tasks:
        return f"The hosts do not share {root}: of {tasks} files that executors wrote, this host sees {len(files)}."
    return _explain_refusal(lambda: claim(root, probe.product))


def _explain_replaced(root: str, file: File) -> str:
    """Why a store does not work: if two runs record the same batch, each would take the other's record for its own."""
    if not isinstance(file, HadoopPath) or not file.is_on_s3:
        return ""
    file.create_on_s3(b"first")
    try:
        file.create_on_s3(b"second")
    except Overtaken:
        return ""
    return (
        f"The store of {root} lets a second writer replace a file, in spite of `If-None-Match`. "
        "Use S3 itself, or a store with conditional writes."
    )


def _make_plan(probe: Probe, folder: str) -> Plan:
    return Plan(
        shared_shuffles=True,
        application_id="streamwright-probe",
        epoch=1,
        generation=1,
        graph={"nodes": [], "edges": []},
        schemas={},
        tasks=[],
        slots=probe.slots,
        settings=JobSettings.model_validate({}),
        topics={},
        marker_topic="",
        checkpoint=f"{probe.checkpoint_root}/.probe-{uuid4().hex[:8]}/checkpoint",
        state_dir=folder,
        executors=probe.executors,
    )


def describe(failure: RunFailed) -> str:
    """Return the message and the hint of a failure. Nothing tries a probe again.

    >>> describe(RunFailed(RunCode.SPARK_UNREACHABLE, "No master answers.", f"Start it. {TRIED_AGAIN}"))
    'No master answers. Start it.'
    """
    return f"{failure.message} {failure.hint.removesuffix(TRIED_AGAIN)}".rstrip()


def main() -> int:
    try:
        findings = probe(Probe.model_validate_json(sys.stdin.read()))
    except Exception as error:  # report any error
        findings = Seen(problem=describe(read_failure(error)))
    print(findings.model_dump_json())
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads of the JVM gateway may still wait for answers
