"""Everything that we use of Spark and PySpark beyond their public API.

`tests/runner/spark/test_private.py` says which parts moved in another version of PySpark. The files of a checkpoint are
not here: Spark keeps their form for running queries, and `checkpoint.py` reads them.

Only the standard library is imported at the top: every Python that Spark starts reads this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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


def get_running_java() -> tuple[Any, Any] | None:
    """The py4j gateway to the JVM of this process's Spark, and its Hadoop settings. None without Spark."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return None if context is None else (context._gateway, context._jsc.hadoopConfiguration())


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


def get_ports(client: Any) -> tuple[int, int]:
    """The ports of a state client's connection: the JVM's end and Python's."""
    connection = client._client_socket
    return connection.getpeername()[1], connection.getsockname()[1]


def get_pid_of_java(spark: Any) -> int:
    """The process of a session's JVM."""
    return int(get_gateway(spark).proc.pid)


def close_file(spark: Any, number: int) -> None:
    """Closes an open file of a session's JVM. Nothing there may still hold it."""
    jvm = get_gateway(spark).jvm
    jvm.java.io.FileInputStream(jvm.sun.nio.ch.IOUtil.newFD(number)).close()


def get_gateway(spark: Any) -> Any:
    """The py4j gateway to the JVM of a session."""
    return spark.sparkContext._gateway
