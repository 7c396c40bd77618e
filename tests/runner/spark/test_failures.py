"""What a run says of what Spark meets, in Spark's own words."""

import errno
import socket
import traceback
from pathlib import Path

import pytest

from runner.control.jobs.restart_policy import OUTAGES
from runner.spark.checkpoint import hadoop
from runner.spark.codes import RunCode
from runner.spark.failures import (
    CheckpointUnreachable,
    DiskBroken,
    FileSystemFailed,
    RunFailed,
    carry_failures,
    of_refusal,
    read_checkpoint,
    read_failure,
)
from runner.spark.state import DiskFull

LOST = (
    "Lost task 1.3 in stage 7.0 (TID 31) (10.9.0.3 executor 4): ExecutorLostFailure (executor 4 exited caused by one of"
)
SEEN = [
    (
        "StreamingQueryException: Python worker failed to connect back.",
        "spark.worker_late",
        "did not start within ten seconds",
        "Give the host fewer jobs",
    ),
    (
        "Lost task 1.3 in stage 7.0 (TID 31) (10.9.0.3 executor 4): java.io.FileNotFoundException: "
        "/tmp/blockmgr-1/0c/temp_shuffle (Input/output error)",
        "run.disk_broken",
        "A disk of host `10.9.0.3` cannot be read or written",
        "Replace the disk",
    ),
    (
        'java.io.IOException: Cannot run program "python3.11": error=2, No such file or directory',
        "spark.python",
        "lacks the Python that the run needs",
        "Install that Python on every worker host",
    ),
    (
        "pyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python in worker has different "
        "version: 3.9 than that in driver: 3.11, PySpark cannot run with different minor versions.",
        "spark.python",
        "has another version",
        "Install that Python on every worker host",
    ),
    (
        "Error from python worker:\n  ModuleNotFoundError: No module named 'runner'",
        "spark.packages",
        "could not import our packages",
        "Python version, machine type and glibc",
    ),
    (
        "java.io.InvalidClassException: org.apache.spark.rpc.RpcEndpointRef; local class incompatible: stream "
        "classdesc serialVersionUID = 3992716321891270988, local class serialVersionUID = 1835832137613908542",
        "spark.version",
        "has another version of Spark",
        "docs/how-to/spark-cluster.md",
    ),
    (
        "org.apache.spark.SparkException: Exiting due to error from cluster scheduler: All masters are unresponsive! "
        "Giving up.",
        "spark.refused",
        "does not accept the run",
        "has the secret of the Spark cluster",
    ),
    (
        f"{LOST} the running tasks) Reason: Command exited with code 137",
        "spark.executor_memory",
        "too much memory",
        "more",
    ),
    (
        f"{LOST} the running tasks) Reason: Command exited with code 52",
        "spark.executor_memory",
        "too much memory",
        "more",
    ),
    (
        f"{LOST} the running tasks) Reason: The executor with id 4 exited with exit code 137(SIGKILL).",
        "spark.executor_memory",
        "too much memory",
        "Give executors of the Spark cluster more memory",
    ),
    (  # -XX:+ExitOnOutOfMemoryError
        f"{LOST} the running tasks) Reason: Command exited with code 3",
        "spark.executor_memory",
        "too much memory",
        "Give executors of the Spark cluster more memory",
    ),
    (
        f"{LOST} the running tasks) Reason: The executor with id 4 exited with exit code 3.",
        "spark.executor_memory",
        "too much memory",
        "Give executors of the Spark cluster more memory",
    ),
    (
        "org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)",
        "spark.worker_died",
        "ended early",
        "more memory",
    ),
    ("java.lang.OutOfMemoryError: Java heap space", "run.out_of_memory", "memory is full", "Give the job more memory."),
    *(
        (words, "checkpoint.unreachable", "checkpoint cannot be read or written.", "Check that its file system runs")
        for words in (
            "org.apache.hadoop.hdfs.BlockMissingException: Could not obtain block: BP-1:blk_1073_1001 file=/a/metadata",
            "hdfs://a:9000/b: ConnectException: Call From c/10.0.0.3 to a:9000 failed on connection exception: Refused",
            "java.io.IOException: All datanodes [DatanodeInfoWithStorage[10.0.0.4:9866]] are bad. Aborting...",
            "RemoteException: File /a/offsets/5 could only be written to 0 of the 1 minReplication nodes.",
            "RemoteException: Cannot create file/a/offsets/5. Name node is in safe mode.",
            "java.net.ConnectException: getFileStatus on s3a://a/b: software.amazon.awssdk.core.exception."
            "SdkClientException: Unable to execute HTTP request: Connect to 10.0.0.4:9000 failed: Connection refused",
        )
    ),
    (
        "UnknownStoreException: `s3a://a/b': getFileStatus on s3a://a/b: NoSuchBucketException: It is not there",
        "checkpoint.unreachable",
        "The bucket of the checkpoint does not exist.",
        "Create the bucket",
    ),
    (
        "Lost task 1.0 in stage 3.0 (TID 5) (10.0.0.3 executor 1): java.nio.file.AccessDeniedException: s3a://a/b: "
        "org.apache.hadoop.fs.s3a.auth.NoAuthWithAWSException: No AWS Credentials provided by Default",
        "checkpoint.unreachable",
        "Host `10.0.0.3` has no credentials for S3.",
        "Give each host a role",
    ),
    (
        "(TID 5) (10.0.0.3 executor 1): java.nio.file.AccessDeniedException: s3a://a/b: getFileStatus on s3a://a/b: "
        "S3Exception: Forbidden (Service: S3, Status Code: 403, Request ID: 18EC03C28654075F)",
        "checkpoint.unreachable",
        "S3 does not let host `10.0.0.3` read or write the checkpoint.",
        "Give its credentials the permissions",
    ),
]


@pytest.mark.parametrize(
    ("said", "code", "what", "next_step"), SEEN, ids=[f"{code}-{at}" for at, (_, code, *_) in enumerate(SEEN)]
)
def test_a_failure_says_what_happened_and_what_to_do(said: str, code: str, what: str, next_step: str) -> None:
    failure = read_failure(RuntimeError(said))

    assert failure.code == code
    assert what in failure.message
    assert next_step in failure.hint


def read_what_has_no_bytes() -> None:
    """As on a disk that is broken, the kernel answers EIO."""
    Path("/proc/self/mem").read_bytes()


def test_a_broken_disk_is_no_outage_of_the_checkpoint() -> None:
    with (
        pytest.raises(
            DiskBroken, match=r"cannot be read or written\. A file cannot be used: input/output error\."
        ) as found,
        read_checkpoint(),
    ):
        read_what_has_no_bytes()

    assert of_refusal(found.value).retriable
    assert found.value.code not in OUTAGES


def test_a_broken_disk_of_a_worker_is_told_by_its_name() -> None:
    with pytest.raises(RuntimeError) as found, carry_failures():
        read_what_has_no_bytes()

    failure = read_failure(found.value)
    assert (failure.code, failure.retriable) == ("run.disk_broken", True)
    assert "Errno" not in failure.message
    assert f"`{socket.gethostname()}`" in failure.message


def test_a_file_that_may_not_be_read_is_named_in_a_sentence() -> None:
    with pytest.raises(CheckpointUnreachable) as found, read_checkpoint():
        raise PermissionError(errno.EACCES, "Permission denied", "/jobs/epoch-1/offsets/7")

    assert found.value.message == (
        "The checkpoint cannot be read or written. `/jobs/epoch-1/offsets/7` cannot be used: permission denied."
    )


def test_a_silent_file_system_is_an_outage_of_the_checkpoint_wherever_it_is_noticed() -> None:
    failure = read_failure(FileSystemFailed("`hdfs://a:9/b` cannot be used: its server refuses connections."))

    assert (failure.code, failure.retriable) == ("checkpoint.unreachable", True)
    assert failure.message.endswith("`hdfs://a:9/b` cannot be used: its server refuses connections.")


@pytest.mark.parametrize(
    ("name", "message", "reason"),
    [
        ("ConnectException", "Call From c/10.0.0.3 to a:9000 failed on connection exception: java.net.Connect",
         "its server refuses connections"),
        ("RemoteException", "Cannot create file/a/offsets/5. Name node is in safe mode.\nThe reported blocks",
         "Cannot create file/a/offsets/5. Name node is in safe mode"),
        ("IOException", "org.apache.hadoop.hdfs.BlockMissingException: Could not obtain block BP-1",
         "Could not obtain block BP-1"),
        ("IOException", "", "Java gives no reason"),
    ],
)  # fmt: skip
def test_what_java_says_of_a_file_system_is_told_without_names_of_classes(name: str, message: str, reason: str) -> None:
    assert hadoop._find_reason(name, message) == reason


@pytest.mark.parametrize("status", [1, 13, 30, 143, 1370])
def test_an_executor_that_ended_for_another_reason_is_not_said_to_lack_memory(status: int) -> None:
    failure = read_failure(RuntimeError(f"{LOST} the running tasks) Reason: Command exited with code {status}"))

    assert failure.code == "run.failed"


def test_a_failure_after_an_error_whose_text_cannot_be_written_reaches_the_driver() -> None:
    """PySpark writes the whole traceback in UTF-8. If it cannot, the worker ends without a word."""
    failure = RunFailed(RunCode.RUN_FAILED, "The record failed.", "Correct the node.")
    failure.__cause__ = ValueError("half a pair: \ud800")

    with pytest.raises(RuntimeError) as found, carry_failures():
        raise failure

    told = "".join(traceback.format_exception(found.value)).encode().decode()
    assert read_failure(RuntimeError(told)).message == "The record failed."


def test_a_disk_without_room_for_the_state_that_an_epoch_takes_over_is_named() -> None:
    """The run itself puts that state together before its first batch."""
    failure = read_failure(DiskFull(Path("/state"), 99 << 20, 143 << 20))

    assert (failure.code, failure.retriable) == ("run.disk_full", True)
    assert "/state has 99 MiB left, at least 143 MiB are needed" in failure.message
