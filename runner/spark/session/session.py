"""The Spark session of a run: the settings for every plan, with reasons."""

from __future__ import annotations

import logging
import os
import shlex
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from designer.command_line import START
from designer.topology.user_code import ALLOW, is_python_allowed
from runner.plan import Plan
from runner.spark.checkpoint.hadoop import get_file, is_on_s3, make_settings
from runner.spark.private import (
    CHECKPOINT_FILES,
    ROCKSDB,
    allow_missing_pandas,
    choose_hadoop_defaults,
    interpret_for_state,
    remove_status_listeners,
)
from runner.spark.session import class_archive, s3
from runner.spark.session.allocator import ARENAS
from runner.spark.session.cluster import (
    end_earlier_runs,
    make_cluster_settings,
    prepare_secret,
    refuse_unreachable,
    wait_for_executor,
)
from runner.spark.session.fork_server import CLIENT as FORK_CLIENT
from runner.spark.session.worker_files import name_version
from runner.spark.variables import ROOT, get_home, get_jars

HERE = Path(__file__).resolve().parent
LOCAL_FILES = "com.globalmentor.apache.hadoop.fs.BareLocalFileSystem"

JAVA_OPTIONS = (
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+UseParallelGC",
    # otherwise Java takes a 64th of the machine's memory at once, and a quiet run uses only a little of it
    "-Xms48m",
    # packs of a batch are garbage after it. A third of the heap for them is not collected sooner, and stays taken
    "-XX:MaxNewSize=64m",
    # records go through the JVM in packs, so its second compiler costs more than it saves
    "-XX:TieredStopAtLevel=1",
    "-Djava.net.preferIPv4Stack=true",
)
LOGGING = f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}"

FIXED_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    # one plan for a life: adaptive or repeated work would run state twice or move slots
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.adaptive.streaming.stateless.enabled": "false",
    "spark.speculation": "false",
    "spark.sql.streaming.noDataMicroBatches.enabled": "false",
    "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.minBatchesToRetain": "20",
    "spark.sql.streaming.maxBatchesToRetainInMemory": "1",
    "spark.sql.streaming.numRecentProgressUpdates": "5",
    # a batch is over once all its tasks are, and each of them has committed its state. To have it confirmed takes two
    # questions to the driver for a batch, and two for each slot
    "spark.sql.streaming.stateStore.commitValidation.enabled": "false",
    # each batch is planned again: rules that find nothing in a chain, and reports that no one reads, are left out
    "spark.sql.exchange.reuse": "false",
    "spark.sql.execution.reuseSubquery": "false",
    "spark.sql.execution.removeRedundantProjects": "false",
    "spark.sql.execution.removeRedundantSorts": "false",
    "spark.sql.sources.bucketing.autoBucketedScan.enabled": "false",
    "spark.sql.optimizer.dynamicPartitionPruning.enabled": "false",
    "spark.sql.lightweightPlanChangeValidation": "false",
    "spark.sql.ui.explainMode": "simple",
    "spark.ui.liveUpdate.period": "3600s",
    # a batch has a few rows, each a pack of records: to generate and look up code for them takes longer than to
    # interpret their expressions
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # Java's serializer holds the objects that it has written until it is reset, here after four. Each may be a MiB of
    # the state that a new epoch takes over
    "spark.serializer.objectStreamReset": "4",
    "spark.python.worker.reuse": "true",
    "spark.python.daemon.module": "runner.spark.session.daemon",
    # Spark keeps a pool of workers for each environment, and the source's would have another pool than the stages'
    "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false",
    # packs are already compressed
    "spark.shuffle.compress": "false",
    # it would say what broke a compressed block
    "spark.shuffle.checksum.enabled": "false",
    # each batch broadcasts its task and its settings, about 100 kB, and Java clears so large a buffer for each of them
    "spark.broadcast.blockSize": "256k",
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    # a second defence: no user text ever becomes Spark SQL
    "spark.sql.restrictedMode.enabled": "true",
    "spark.sql.reflect.allowList": "(?!)",
    "spark.sql.runSQLOnFiles": "false",
}
OF_ONE_HOST = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # Hadoop's own local files fork a process for each file that they make
    "spark.hadoop.fs.file.impl": LOCAL_FILES,
    # The executor is this process. Spark removes it if the process stood still for two minutes, as on a machine that
    # slept, and ends the JVM ten minutes later, because nobody answers its heartbeats.
    "spark.storage.blockManagerHeartbeatTimeoutMs": "3650d",
    # Each batch would ask which slots upload their snapshots late. One process uploads those of all slots here.
    "spark.sql.streaming.stateStore.forceSnapshotUploadOnLag": "false",
    "spark.sql.streaming.stateStore.coordinatorReportSnapshotUploadLag": "false",
}
FILE_MANAGER = "spark.sql.streaming.checkpointFileManagerClass"


allow_missing_pandas()


class JarsMissing(Exception):
    """The folder of Spark's extra jars lacks a required file."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} lacks the file system for Spark's checkpoints. Run `{START}` to install it.")


def start_session(plan: Plan, writes_classes: bool = False, *, may_use_s3: bool = False) -> SparkSession:
    """Starts the JVM and the session in some seconds. With `writes_classes` it can write the archive of classes."""
    _prepare_environment(plan)
    logging.getLogger("py4j").setLevel(logging.WARNING)
    settings = FIXED_SETTINGS | _make_settings(plan, writes_classes)
    if may_use_s3 or plan.is_on_s3:
        settings["spark.jars"] = s3.make_jars(get_home() / "workers")
    if plan.executors is None:
        own = OF_ONE_HOST | _choose_class_path()
        return use_session(_start(plan, f"local[{max(plan.slots, 2)}]", settings | own), plan)
    refuse_unreachable(plan.executors)
    folder = Path(plan.state_dir) / "spark-settings"
    prepare_secret(plan.executors, folder)
    job = plan.checkpoint.rpartition("/")[0]
    own = make_cluster_settings(plan.executors, plan.slots, get_home(), folder, job)
    spark = _start(plan, plan.executors.master, settings | own)
    end_earlier_runs(spark, plan.executors, job)
    wait_for_executor(spark, plan.executors)
    if is_on_s3(plan.checkpoint):
        spark.conf.set(FILE_MANAGER, s3.CHECKPOINT_FILES)
    return spark


def _start(plan: Plan, master: str, settings: Mapping[str, str]) -> SparkSession:
    builder = SparkSession.builder.appName(plan.application_id).master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    interpret_for_state(spark)
    remove_status_listeners(spark, needs_executors=plan.executors is not None)
    return spark


def use_session(spark: SparkSession, plan: Plan) -> SparkSession:
    """A session of this host, with the settings of a plan that can change after its start."""
    spark.conf.set("spark.sql.shuffle.partitions", str(plan.slots))
    are_local = all(isinstance(get_file(address), Path) for address in plan.checkpoints())
    choose_hadoop_defaults(spark, are_needed=not are_local)
    if isinstance(get_file(plan.checkpoint), Path):
        spark.conf.set(FILE_MANAGER, CHECKPOINT_FILES)
    elif is_on_s3(plan.checkpoint):
        spark.conf.set(FILE_MANAGER, s3.CHECKPOINT_FILES)
    else:
        spark.conf.unset(FILE_MANAGER)
    return spark


def start_workers(spark: SparkSession, workers: int) -> None:
    """Starts Python workers in the background, while Spark plans the query."""
    job = spark.range(0, workers, 1, workers).mapInArrow(_give_same, "id long")
    threading.Thread(target=job.collect, daemon=True, name="warm-up").start()


def _give_same(batches: Any) -> Any:
    return batches


def _prepare_environment(plan: Plan) -> None:
    """Workers run this Python, find our packages, and hash the same in every process.

    On a cluster they run their host's Python. Processes that Spark starts here then find this one by that name.
    """
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYSPARK_PYTHON"] = sys.executable if plan.executors is None else plan.executors.python or name_version()
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    os.environ["PYTHONHASHSEED"] = "0"
    os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
    os.environ["MALLOC_ARENA_MAX"] = str(ARENAS)
    python_path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(FORK_CLIENT), str(ROOT), *([python_path] if python_path else [])])
    os.environ["SPARK_LOCAL_DIRS"] = str(Path(plan.state_dir) / "spark")
    if plan.executors is None:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


def _make_settings(plan: Plan, writes_classes: bool) -> dict[str, str]:
    own = Path(plan.state_dir) / "java"
    own.mkdir(parents=True, exist_ok=True)
    # a killed JVM leaves libraries of 15 MB there, and in the system's folder no one would delete them
    temporary = f"-Djava.io.tmpdir={own}"
    java = (*JAVA_OPTIONS, LOGGING, temporary, *class_archive.make_java_options(get_jars(), writes_classes))
    return {
        **{f"spark.hadoop.{name}": value for name, value in make_settings().items()},
        "spark.sql.shuffle.partitions": str(plan.slots),
        "spark.driver.memory": f"{plan.settings.memory_mb}m",
        "spark.driver.extraJavaOptions": shlex.join(java),
        "spark.driver.maxResultSize": "0",
        "spark.executor.extraJavaOptions": " ".join(JAVA_OPTIONS),
        "spark.executorEnv.PYTHONHASHSEED": "0",
        f"spark.executorEnv.{ALLOW}": str(int(is_python_allowed())),
        "spark.sql.warehouse.dir": str(Path(plan.state_dir) / "warehouse"),
    }


def _choose_class_path() -> dict[str, str]:
    files = sorted(get_jars().glob("*bare-naked-local-fs*.jar"))
    if not files:
        raise JarsMissing(get_jars())
    return {"spark.driver.extraClassPath": str(files[0])}
