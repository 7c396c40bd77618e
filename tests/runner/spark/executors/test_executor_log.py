"""What becomes of an executor's log in the log of its run."""

from pathlib import Path

from runner.spark.executors.executor_log import with_host
from runner.spark.executors.reader import LOG_AT_ONCE, read_log

LOG = """Spark Executor Command: "/usr/bin/java" "-cp" "/tmp/shown/conf"
========================================

WARNING: Using incubator modules: jdk.incubator.vector
26/11/27 07:32:35 INFO SignalUtils: Registering signal handler for TERM
26/11/27 07:32:37 WARN NativeCodeLoader: Unable to load native-hadoop library
26/11/27 07:32:59 WARN TransformWithStateInPySparkStateServer: Value state entries doesn't contain a value.
HashMap()
HashMap(000008.sst -> (1,RocksDBSstFile(000008.sst,000008-545c7620.sst,69994)), 000009.sst -> (1,RocksDBSstFile()))
26/11/27 07:33:01 ERROR Executor: Exception in task 0.0
java.io.IOException: Filesystem closed
\tat org.apache.hadoop.Client
Starting Streaming TransformWithStateInPandas Python worker.
2026-11-27 07:33:02,377 INFO record.late: key ada
printed by a processor
"""


def test_lines_name_their_host_and_chatter_is_left_out() -> None:
    assert list(with_host(LOG.splitlines(), "10.0.0.2")) == [
        "2026-11-27 07:33:01.000 ERROR Executor: [10.0.0.2] Exception in task 0.0",
        "[10.0.0.2] java.io.IOException: Filesystem closed",
        "[10.0.0.2] \tat org.apache.hadoop.Client",
        "2026-11-27 07:33:02,377 INFO record.late: [10.0.0.2] key ada",
        "[10.0.0.2] printed by a processor",
    ]


def test_a_log_is_read_in_whole_lines_from_where_it_was_left(tmp_path: Path) -> None:
    log = tmp_path / "stderr"
    assert read_log(log, 0) == (b"", 0)

    log.write_bytes(b"one\ntwo\nthr")
    assert read_log(log, 0) == (b"one\ntwo\n", 8)
    assert read_log(log, 8) == (b"", 8)
    log.write_bytes(b"one\ntwo\nthree\n")
    assert read_log(log, 8) == (b"three\n", 14)


def test_of_much_that_is_new_the_last_lines_are_read_and_a_log_that_begins_again_from_its_start(tmp_path: Path) -> None:
    log = tmp_path / "stderr"
    log.write_bytes(b"x" * 9 + b"\n" + b"123456789\n" * (LOG_AT_ONCE // 10 + 5))

    data, offset = read_log(log, 10)
    assert (len(data), offset) == (LOG_AT_ONCE // 10 * 10, log.stat().st_size)
    assert set(data.splitlines()) == {b"123456789"}
    log.write_bytes(b"new\n")
    assert read_log(log, offset) == (b"new\n", 4)
