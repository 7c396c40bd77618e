"""Everything that we use of Spark and PySpark beyond their public API.

`tests/runner/spark/test_private.py` says which parts moved in another version of PySpark. The files of a checkpoint are
not here: Spark keeps their form for running queries, and `checkpoint.py` reads them.

Only the standard library is imported at the top: every Python that Spark starts reads this file.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import Any, BinaryIO, NamedTuple, TypeVar

DRIVER_WORKERS = (
    "pyspark.sql.streaming.transform_with_state_driver_worker",
    "pyspark.sql.streaming.python_streaming_source_runner",
    "pyspark.sql.worker.create_data_source",
    "pyspark.sql.worker.lookup_data_sources",
    "pyspark.sql.worker.plan_data_source_read",
)
"""The modules that Spark's driver runs, each in its own Python. Each has `main(infile, outfile)`."""
WORKER_MODULES = ("pyspark.sql.pandas.serializers", "pyspark.sql.streaming.proto.StateMessage_pb2")
"""Modules that a worker imports for our tasks."""
CHECKPOINT_FILES = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
"""Spark's classes, as its settings name them."""
HADOOP_SETTINGS = "org.apache.hadoop.conf.Configuration"

_VERSION_AND_LENGTH = struct.Struct(">ii")
"""What precedes a message to Spark's state server."""
Task = Callable[[BinaryIO, BinaryIO], None]
Reader = TypeVar("Reader")


def get_worker_task() -> Task:
    """The function with which a Python worker reads a task and its rows, and writes the results."""
    from pyspark import worker

    task: Task = worker.main
    return task


def replace_worker_task(task: Task) -> None:
    """Makes every worker that is forked from now on call this for a task."""
    from pyspark import worker

    worker.main = task  # each fork looks it up there


def serve_as_daemon() -> None:
    """Forks workers for Spark until it closes our standard input."""
    from pyspark.daemon import manager

    manager()


def let_prefetch(reader: type[Reader]) -> type[Reader]:
    """Lets a reader of a stream hand Spark the records of a batch when Spark asks for its partitions.

    Only readers of `SimpleDataSourceStreamReader` may: Spark calls their `getCache(start, end)` after `partitions`.
    """
    from pyspark.sql.datasource_internal import _SimpleStreamReaderWrapper

    _SimpleStreamReaderWrapper.register(reader)
    return reader


def call_for_each_batch(writing: Any, run: Callable[[Any, int], None]) -> Any:
    """`DataStreamWriter.foreachBatch`, for a function that needs no session of its own.

    PySpark makes a session for each batch, with a dozen calls to the JVM.
    """
    from pyspark.java_gateway import ensure_callback_server_started
    from pyspark.sql import DataFrame
    from pyspark.sql.utils import ForeachBatchFunction

    class ForEachBatch(ForeachBatchFunction):
        def call(self, jdf: Any, batch_id: int) -> None:  # name from Java
            self.func(DataFrame(jdf, self.session), batch_id)

    gateway = writing._spark._sc._gateway
    helper = gateway.jvm.org.apache.spark.sql.execution.streaming.sources.PythonForeachBatchHelper
    helper.callForeachBatch(writing._jwrite, ForEachBatch(writing._spark, run))
    ensure_callback_server_started(gateway)  # type: ignore[no-untyped-call]
    return writing


def collect(rows: Any, schema: Any) -> Any:
    """`DataFrame.toArrow` of rows whose Arrow schema is known. PySpark asks the JVM for it, and for its settings.

    Raises what ended the batch, as `toArrow` does.
    """
    import pyarrow as pa
    from pyspark.errors.exceptions.captured import unwrap_spark_exception
    from pyspark.sql.pandas.serializers import ArrowCollectSerializer
    from pyspark.util import _load_from_socket

    address = rows._jdf.collectAsArrowToPython()
    server = address[2]
    try:
        serializer = ArrowCollectSerializer()  # type: ignore[no-untyped-call]
        with _load_from_socket((address[0], address[1]), serializer) as parts:
            *batches, places = parts
    finally:
        with unwrap_spark_exception():
            server.getResult()
    return pa.Table.from_batches([batches[place] for place in places]) if batches else schema.empty_table()


def keep_on_disk(rows: Any) -> Any:
    """Computes a DataFrame now, and returns its rows as one that reads them from the disks of the executors.

    Spark keeps them until `release_disk`, or the end of the session. A batch that reads them fails if an executor that
    has some of them is lost.
    """
    from pyspark import StorageLevel

    return rows.localCheckpoint(eager=True, storageLevel=StorageLevel.DISK_ONLY)


def release_disk(spark: Any) -> None:
    """Deletes all rows that `keep_on_disk` has kept. Nothing may read them any more."""
    for rows in spark.sparkContext._jsc.getPersistentRDDs().values():
        rows.unpersist(False)


def get_running_java() -> tuple[Any, Any] | None:
    """The py4j gateway to the JVM of this process's Spark, and its Hadoop settings. None without Spark."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return None if context is None else (context._gateway, context._jsc.hadoopConfiguration())


def choose_hadoop_defaults(spark: Any, *, are_needed: bool) -> None:
    """Gives a session Hadoop's own default settings, or takes them out. What was set since stays.

    Spark copies, sends and reads all settings in each batch. The 1,100 defaults took a sixth of the processor time of a
    small batch, and Java's local files do not need them: the code that asks for one has the same value.
    """
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    loads = get_gateway(spark).jvm.java.lang.Class.forName(HADOOP_SETTINGS).getDeclaredField("loadDefaults")
    loads.setAccessible(True)
    loads.setBoolean(settings, are_needed)
    settings.reloadConfiguration()


def interpret_for_state(spark: Any) -> None:
    """Has Java's threads that serve state to Python interpret expressions, as `spark.sql.codegen.factoryMode` says.

    These threads know no session, so they follow the default: they generate code for both encoders in each call of a
    slot, and then find it compiled. That took 8 % of Java's processor time in a small batch. Executors on other hosts
    keep the default.
    """
    mode = get_gateway(spark).jvm.org.apache.spark.sql.internal.SQLConf.CODEGEN_FACTORY_MODE()
    default = mode.getClass().getDeclaredField("_defaultValue")
    default.setAccessible(True)
    default.set(mode, mode.valueConverter().apply("NO_CODEGEN"))


def remove_status_listeners(spark: Any, *, needs_executors: bool) -> None:
    """Removes the listeners that keep the newest 1,000 jobs, stages and executions for Spark's own web pages.

    Nobody opens these pages. With `needs_executors`, the listener that knows the executors stays
    (`find_gone_executors`).
    """
    context, executions = spark.sparkContext._jsc.sc(), spark._jsparkSession.sharedState().statusStore()
    context.removeSparkListener(executions.listener().get())
    if not needs_executors:
        context.removeSparkListener(context.statusStore().listener().get())


def find_executors(spark: Any) -> frozenset[str]:
    """The executors that a session has now, each by `host:port`, without its driver."""
    context = spark.sparkContext._jsc.sc()
    names = context.getExecutorMemoryStatus().keySet().mkString(" ").split()
    driver = context.getConf().get("spark.driver.host")
    return frozenset(name for name in names if name != f"{driver}:{_get_driver_port(context)}")


class GoneExecutor(NamedTuple):
    """An executor that Spark has lost: `name` is its `host:port`, `at` in ms since 1970, `reason` in Spark's words."""

    name: str
    at: int
    reason: str

    @property
    def host(self) -> str:
        return self.name.rpartition(":")[0]


def find_gone_executors(spark: Any) -> list[GoneExecutor]:
    """The executors that a session has lost so far, as far as Spark remembers them."""
    executor_list = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    executors = [executor_list.apply(number) for number in range(executor_list.size())]
    return [
        GoneExecutor(each.hostPort(), each.removeTime().get().getTime(), each.removeReason().get())
        for each in executors
        if each.removeTime().isDefined() and each.removeReason().isDefined()
    ]


def end_applications(spark: Any, master: tuple[str, int], variable: str, value: str) -> list[str]:
    """Has a standalone master end all other applications whose executors have a variable of that value."""
    context, jvm = spark.sparkContext._jsc.sc(), spark.sparkContext._jvm
    deploy = jvm.org.apache.spark.deploy
    at = context.env().rpcEnv().setupEndpointRef(jvm.org.apache.spark.rpc.RpcAddress(*master), "Master")
    request = getattr(getattr(deploy, "DeployMessages$RequestMasterState$"), "MODULE$")
    state = at.askSync(request, getattr(getattr(jvm.scala.reflect, "ClassTag$"), "MODULE$").Any())
    variables = {each.id(): each.desc().command().environment().get(variable) for each in state.activeApps()}
    names = [name for name, of in variables.items() if of.isDefined() and of.get() == value]
    others = [name for name in names if name != context.applicationId()]
    for name in others:
        at.send(getattr(deploy, "DeployMessages$UnregisterApplication")(name))
    return others


def _get_driver_port(context: Any) -> int:
    return int(context.env().blockManager().blockManagerId().port())


def open_connection_to_jvm() -> AbstractContextManager[Any]:
    """The connection of a driver's worker, at the address that its environment names."""
    from pyspark.worker_util import get_sock_file_to_executor

    return get_sock_file_to_executor(timeout=None)


def allow_missing_pandas() -> None:
    """Lets PySpark work without pandas. It asks for pandas before functions of rows or of Arrow, which never use it.

    The import would add a second to a start.
    """
    from pyspark.sql import udf
    from pyspark.sql.pandas import functions

    for module in (udf, functions):
        module.require_minimum_pandas_version = lambda: None  # type: ignore[attr-defined]


@contextmanager
def use_own_workers(spark: Any, pool: str) -> Iterator[None]:
    """Functions that DataFrames get meanwhile run in Python workers that no other functions share.

    Spark keeps idle workers by their environment, so `STREAMWRIGHT_POOL` distinguishes the pools.
    """
    environment = spark.sparkContext.environment
    environment["STREAMWRIGHT_POOL"] = pool
    try:
        yield
    finally:
        del environment["STREAMWRIGHT_POOL"]


def is_in_task() -> bool:
    """True if this process executes a task, as workers of an executor do."""
    from pyspark import TaskContext

    return TaskContext.get() is not None


def get_partition_of_task() -> int:
    """In a worker: the partition of its stage that the current task has."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return context.partitionId()


def get_state_client(handle: Any) -> Any:
    """The client behind a `StatefulProcessorHandle`. Its `set_implicit_key((key,))` chooses the grouping key."""
    return handle._statefulProcessorApiClient


@contextmanager
def send_together(client: Any) -> Iterator[None]:
    """The calls of a state client meanwhile, which only change state, reach the JVM together. They take one round trip.

    The JVM executes and answers them in their order. Raises RuntimeError for the first one that it refuses. Its answers
    are short, so that neither side waits for the other to read, as long as there are less than thousands of calls.
    """
    file, count = client.sockfile, 0

    def send(message: bytes) -> None:
        nonlocal count
        file.write(_VERSION_AND_LENGTH.pack(0, len(message)) + message)
        count += 1

    client._send_proto_message, client._receive_proto_message = send, lambda: (0, "", b"")
    try:
        yield
    finally:
        del client._send_proto_message, client._receive_proto_message
        file.flush()
        for _ in range(count):
            status, error, _ = client._receive_proto_message()
            if status != 0:
                raise RuntimeError(f"Spark refuses a change of state: {error}")


def get_ports(client: Any) -> tuple[int, int]:
    """The ports of a state client's connection: the JVM's end and Python's."""
    connection = client._client_socket
    return connection.getpeername()[1], connection.getsockname()[1]


def get_pid_of_java(spark: Any) -> int:
    """The process of a session's JVM."""
    return int(get_gateway(spark).proc.pid)


def wait_for_exit_of_java(spark: Any, seconds: float) -> int | None:
    """The exit code of a session's JVM. None if it does not end in so many seconds."""
    try:
        return int(get_gateway(spark).proc.wait(seconds))
    except subprocess.TimeoutExpired:
        return None


@lru_cache(maxsize=1)
def make_file_closer(spark: Any) -> Callable[[int], None]:
    """A function that closes an open file of a session's JVM, by its number. Nothing there may still hold it."""
    jvm = get_gateway(spark).jvm
    # PySpark asks the JVM for each part of a name, and each batch leaves a file open
    open_stream, make_descriptor = jvm.java.io.FileInputStream, jvm.sun.nio.ch.IOUtil.newFD

    def close(number: int) -> None:
        open_stream(make_descriptor(number)).close()

    return close


def get_gateway(spark: Any) -> Any:
    """The py4j gateway to the JVM of a session."""
    return spark.sparkContext._gateway
