"""What we use of PySpark beyond its public API is where `runner/spark/private.py` looks for it."""

import inspect
import os
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pyspark
import pytest
from pyspark import SparkContext, worker_util
from pyspark.serializers import read_int, write_int
from pyspark.sql import udf
from pyspark.sql.pandas import functions
from pyspark.sql.streaming.stateful_processor import StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor_api_client import StatefulProcessorApiClient
from pyspark.sql.streaming.value_state_client import ValueStateClient
from pyspark.sql.types import BinaryType, LongType, StructType

from runner.spark import private
from tests.patience import PATIENCE_SECONDS

ROOM = Path(private.__file__).parent
PUBLIC = r"sql( |\.types|\.datasource|\.streaming\.stateful_processor )"
NOT_PUBLIC = re.compile(
    rf"(from|import) pyspark( import (?!__)|\.(?!{PUBLIC}))|\._(jvm|jsc|jdf|gateway|statefulProcessor)"
)


def parameters(function: Callable[..., object]) -> list[str]:
    return list(inspect.signature(function).parameters)


@pytest.mark.parametrize("module", private.DRIVER_WORKERS)
def test_the_driver_runs_these_modules(module: str) -> None:
    assert parameters(import_module(module).main) == ["infile", "outfile"]


@pytest.mark.parametrize("module", private.WORKER_MODULES)
def test_a_worker_imports_these_modules(module: str) -> None:
    assert import_module(module)


def test_a_worker_reads_a_task_from_one_file_and_writes_to_another() -> None:
    assert parameters(private.get_worker_task()) == ["infile", "outfile"]


def test_the_daemon_finds_what_a_worker_does_when_it_forks() -> None:
    daemon = import_module("pyspark.daemon")

    assert "main" in inspect.getsource(daemon.worker)
    assert parameters(daemon.manager) == []


def test_a_driver_s_worker_is_told_where_to_connect() -> None:
    assert "timeout" in parameters(worker_util.get_sock_file_to_executor)


def test_a_reader_that_may_prefetch_is_asked_for_what_it_has() -> None:
    class Reader: ...

    runner = import_module("pyspark.sql.streaming.python_streaming_source_runner")

    reader = private.let_prefetch(Reader)()

    assert isinstance(reader, runner._SimpleStreamReaderWrapper)
    assert "reader.getCache(start_offset, end_offset)" in inspect.getsource(runner.partitions_func)


@pytest.mark.parametrize("module", [udf, functions])
def test_pandas_is_asked_for_where_we_answer(module: object) -> None:
    assert "require_minimum_pandas_version" in vars(module)


def test_a_state_client_chooses_the_grouping_key() -> None:
    client = object()

    assert private.get_state_client(StatefulProcessorHandle(client)) is client  # type: ignore[arg-type]
    assert parameters(StatefulProcessorApiClient.set_implicit_key) == ["self", "key"]


def test_a_state_client_sends_a_call_and_then_receives_its_answer() -> None:
    sending = inspect.getsource(StatefulProcessorApiClient._send_proto_message)
    changing = inspect.getsource(import_module("pyspark.sql.streaming.value_state_client").ValueStateClient)

    assert [line.strip() for line in sending.splitlines() if "self." in line] == [
        "write_int(0, self.sockfile)",
        "write_int(len(message), self.sockfile)",
        "self.sockfile.write(message)",
        "self.sockfile.flush()",
    ]
    assert "_api_client._send_proto_message(message" in changing
    assert "response_message = self._stateful_processor_api_client._receive_proto_message()" in changing


@contextmanager
def state_server(statuses: Sequence[int]) -> Iterator[StatefulProcessorApiClient]:
    """A client of a server that reads as many requests before it answers the first one."""
    response = import_module("pyspark.sql.streaming.proto.StateMessage_pb2").StateResponse

    def serve() -> None:
        connection, _ = server.accept()
        with connection, connection.makefile("rwb") as file:
            for _ in statuses:
                assert read_int(file) == 0
                assert file.read(read_int(file))
            for number, status in enumerate(statuses):
                answer = response(statusCode=status, errorMessage=f"change {number}").SerializeToString()
                write_int(len(answer), file)
                file.write(answer)

    with socket.create_server(("localhost", 0)) as server, ThreadPoolExecutor(1) as thread:
        served = thread.submit(serve)
        client = StatefulProcessorApiClient(server.getsockname()[1], StructType().add("slot", LongType()))
        yield client
        served.result(PATIENCE_SECONDS)


def change_thrice(client: StatefulProcessorApiClient) -> None:
    with private.send_together(client):
        client.set_implicit_key((1,))
        ValueStateClient(client, StructType().add("entry", BinaryType())).update("entries", (b"x" * 100_000,))
        ValueStateClient(client, StructType()).clear("entries")


def test_changes_of_state_reach_java_before_it_answers_the_first() -> None:
    with state_server([0, 0, 0]) as client:
        change_thrice(client)


def test_the_first_change_that_java_refuses_is_an_error() -> None:
    with state_server([0, 1, 2]) as client, pytest.raises(RuntimeError, match="change 1"):
        change_thrice(client)


def test_a_state_client_knows_the_ports_of_its_connection() -> None:
    assert "self._client_socket.connect" in inspect.getsource(StatefulProcessorApiClient.__init__)


def test_a_session_has_a_gateway_to_a_process() -> None:
    assert "_gateway" in SparkContext.__annotations__
    assert "gateway.proc = proc" in inspect.getsource(import_module("pyspark.java_gateway"))


def test_spark_calls_an_object_for_each_batch() -> None:
    called = import_module("pyspark.sql.utils").ForeachBatchFunction

    assert parameters(called) == ["session", "func"]
    assert parameters(called.call) == ["self", "jdf", "batch_id"]
    assert called.Java.implements == ["org.apache.spark.sql.execution.streaming.sources.PythonForeachBatchFunction"]


def test_java_serves_rows_at_an_address_with_their_order_behind_them() -> None:
    collecting = inspect.getsource(import_module("pyspark.sql.pandas.conversion"))
    util = import_module("pyspark.util")

    assert "jsocket_auth_server,\n            ) = self._jdf.collectAsArrowToPython()" in collecting
    assert "with _load_from_socket((port, auth_secret), ArrowCollectSerializer()) as batch_stream" in collecting
    assert "with unwrap_spark_exception():" in collecting
    assert "batch_order = results[-1]" in collecting
    assert parameters(util._load_from_socket) == ["sock_info", "serializer"]


HELPER = "org.apache.spark.sql.execution.streaming.sources.PythonForeachBatchHelper"


@pytest.mark.parametrize("name", [private.CHECKPOINT_FILES, private.ROCKSDB, HELPER])
def test_spark_has_these_classes(name: str) -> None:
    [jar] = (Path(pyspark.__file__).parent / "jars").glob("spark-sql_*.jar")

    assert f"{name.replace('.', os.sep)}.class" in ZipFile(jar).namelist()


def test_no_other_file_uses_more_than_the_public_api() -> None:
    others = [file for file in ROOM.rglob("*.py") if file != Path(private.__file__)]
    lines = [(file.name, line) for file in others for line in file.read_text().splitlines()]

    assert not [(name, line) for name, line in lines if NOT_PUBLIC.search(line)]
