"""File systems that the JVM of a run reaches."""

import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from runner.spark.checkpoint import hadoop
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.checkpoint.hadoop import add_settings, get_file
from runner.spark.failures import FileSystemFailed

pytestmark = pytest.mark.spark


def test_a_session_reaches_a_file_system_with_settings_that_come_after_it(spark: SparkSession, tmp_path: Path) -> None:
    add_settings({"fs.viewfs.mounttable.late.link./jobs": tmp_path.as_uri()})

    get_file("viewfs://late/jobs/offsets").write_bytes(b"9")

    assert (tmp_path / "offsets").read_bytes() == b"9"


@pytest.fixture
def own_java(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The gateway of a JVM for processes without Spark."""
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setattr(hadoop, "_find_settings", lambda uri: hadoop.NO_SETTINGS)  # the web server's are in Postgres
    hadoop._start_own_java.cache_clear()
    return hadoop._start_own_java().gateway


def kill(gateway: Any) -> None:
    os.kill(gateway.java_process.pid, signal.SIGKILL)
    gateway.java_process.wait()


def test_a_process_without_spark_starts_another_java_after_its_own_was_killed(own_java: Any) -> None:
    """The kernel may end it if memory is short. The web server would reach no checkpoint until its next start."""
    kill(own_java)

    with pytest.raises(FileSystemFailed, match="Empty Mount table"):  # says Java
        get_file("viewfs://nowhere/jobs").exists()


def test_a_run_whose_java_has_ended_says_that_of_its_checkpoint(own_java: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other error would keep the run from telling why it failed."""
    make_settings = lambda: own_java.jvm.org.apache.hadoop.conf.Configuration()  # noqa: E731
    context = SimpleNamespace(_gateway=own_java, _jsc=SimpleNamespace(hadoopConfiguration=make_settings))
    monkeypatch.setattr(SparkContext, "_active_spark_context", context)
    kill(own_java)

    with pytest.raises(FileSystemFailed, match="has ended"):
        Checkpoint("hdfs://nowhere:9000/jobs").offsets(1)
