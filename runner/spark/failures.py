"""Failures that end a run: exceptions that say what happened, what to do, and whether another try may help."""

from __future__ import annotations

import errno
import os
import re
import socket
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson

from designer.refusal_codes import RefusalCode, read_code
from designer.refusals import Refusal
from runner.spark.codes import RunCode
from runner.spark.events import FailureCause

CARRIED_PREFIX = "streamwright-failure:"
"""Prefix of a failure that crosses from a worker to the driver inside the text of an exception."""


NO_DETAILS: Mapping[str, Any] = {}
TRIED_AGAIN = "The run is tried again automatically."
"""Ends the hint of a failure that needs no user, if it ends a run."""


class RunFailed(Exception):
    """Ends the run. `retriable` says whether the next try may succeed."""

    def __init__(
        self,
        code: RefusalCode,
        message: str,
        hint: str,
        *,
        node: str | None = None,
        retriable: bool = False,
        details: Mapping[str, Any] = NO_DETAILS,
    ) -> None:
        """`details` are for the run itself, as JSON can hold them."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.node = node
        self.retriable = retriable
        self.details = details

    def to_text(self) -> str:
        """Text form that survives Spark. See `read_failure`."""
        fields = {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "node": self.node,
            "retriable": self.retriable,
            "details": self.details,
        }
        return CARRIED_PREFIX + orjson.dumps(fields).decode()


class StopRequested(Exception):
    """A batch may not begin: the run was asked to stop, or its lease ran out."""


class CheckpointUnreachable(Refusal):
    """The file system of a checkpoint does not answer. This says nothing about the files in it."""

    code = RunCode.CHECKPOINT_UNREACHABLE
    status = 503
    next_step = "Check that its file system runs, can be reached, and lets Streamwright write."


class DiskBroken(Refusal):
    """A disk of a host cannot be read or written. Unlike an outage, this does not end by itself."""

    code = RunCode.RUN_DISK_BROKEN
    status = 503

    def __init__(self, host: str, reason: str) -> None:
        """`reason` is one or more sentences."""
        super().__init__(
            f"A disk of host `{host}` cannot be read or written. {reason}",
            "Replace the disk, or take the host out of service. Then restart the job.",
        )


class FileSystemFailed(OSError):
    """A Hadoop file system does not work. The text is a sentence for users."""


@contextmanager
def read_checkpoint() -> Iterator[None]:
    """Turns failures of file systems into CheckpointUnreachable or DiskBroken."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EIO:
            raise DiskBroken(socket.gethostname(), describe_file_error(error)) from error
        raise _make_unreachable(error) from error


def describe_file_error(error: OSError) -> str:
    """A sentence for an error of a file system, without names of exceptions and without error numbers.

    >>> describe_file_error(PermissionError(errno.EACCES, "Permission denied", "/jobs/epoch-1"))
    '`/jobs/epoch-1` cannot be used: permission denied.'
    """
    if error.strerror is None:
        return str(error)  # we raised it with a sentence
    place = "A file" if error.filename is None else f"`{os.fsdecode(error.filename)}`"
    return f"{place} cannot be used: {error.strerror[:1].lower()}{error.strerror[1:]}."


def _make_unreachable(error: OSError) -> CheckpointUnreachable:
    return CheckpointUnreachable(
        f"The checkpoint cannot be read or written. {describe_file_error(error)}", CheckpointUnreachable.next_step
    )


BROKEN_DISK = re.compile(os.strerror(errno.EIO), re.IGNORECASE)
STATE = {
    "DiskFull": (RunCode.RUN_DISK_FULL, "Free some space.", True),
    "Contended": (RunCode.STATE_CONTENDED, "Stop the other run, or give this one another directory.", True),
    "BrokenChangelog": (
        RunCode.CHECKPOINT_UNREADABLE,
        "Deploy the job again. The dialog shows the options.",
        False,
    ),
    "UnknownCodec": (
        RunCode.STATE_UNKNOWN_CODEC,
        "Run the version that wrote the state, or deploy the job fresh.",
        False,
    ),
}
"""Exceptions of the state, by name: code, hint, retriable."""


CREATE_AGAIN = (
    "Create it again, then deploy the job: the dialog offers to keep its state and continue with the new topic, or to "
    "start fresh."
)
"""What to do if a topic that a run reads is gone. A new topic alone would not do: the offsets are those of the old."""


@contextmanager
def carry_failures() -> Iterator[None]:
    """In a worker: carries an error to the driver with its parts."""
    try:
        yield
    except RunFailed as error:
        raise RuntimeError(error.to_text()) from _find_writable(error)
    except Refusal as error:
        raise RuntimeError(of_refusal(error).to_text()) from _find_writable(error)
    except Exception as error:
        if BROKEN_DISK.search(str(error)):
            reason = describe_file_error(error) if isinstance(error, OSError) else f"{error}."
            raise RuntimeError(of_refusal(DiskBroken(socket.gethostname(), reason)).to_text()) from error
        if (failure := _find_failure_of_state(error)) is not None:
            raise RuntimeError(failure.to_text()) from error
        raise


def _find_failure_of_state(error: BaseException) -> RunFailed | None:
    """The failure after an exception of the state. None for any other."""
    if (known_failure := STATE.get(type(error).__name__)) is None:
        return None
    code, hint, retriable = known_failure
    return RunFailed(code, str(error), hint, retriable=retriable)


def _find_writable(error: Exception) -> Exception | None:
    """The error as a cause. None if UTF-8 cannot write its traceback, because PySpark would then report nothing."""
    try:
        "".join(traceback.format_exception(error)).encode()
    except UnicodeEncodeError:
        return None
    return error


def of_refusal(error: Refusal) -> RunFailed:
    """The failure of a run after a refusal."""
    from runner.kafka import TopicMissing  # only here: workers of a stage start sooner without Kafka

    hint = CREATE_AGAIN if isinstance(error, TopicMissing) else error.hint
    return RunFailed(error.code, error.message, hint, node=error.details.get("node"), retriable=error.status >= 500)


def read_failure(error: BaseException) -> RunFailed:
    """The original failure of an exception, wherever it was raised."""
    if isinstance(error, RunFailed):
        return error
    for cause in _list_causes(error):
        if isinstance(cause, RunFailed):
            return cause
        if isinstance(cause, FileSystemFailed):
            return of_refusal(_make_unreachable(cause))
        if (failure := _find_failure_of_state(cause)) is not None:
            return failure
    text = str(error)
    if match := re.search(re.escape(CARRIED_PREFIX) + r"(\{.*\})", text):
        members = orjson.loads(match.group(1))
        return RunFailed(**members | {"code": read_code(members["code"])})
    return _convert_failure(error, text)


def describe_cause(
    failure: RunFailed, error: BaseException, batch: int | None, offsets: Mapping[str, list[int]]
) -> FailureCause:
    """The `cause` of a `failed` event."""
    is_of_file = failure.code == RunCode.CHECKPOINT_DAMAGED
    return {
        "code": failure.code,
        "message": failure.message,
        "hint": failure.hint,
        "node": failure.node,
        "batch": batch,
        "offsets": offsets,
        # a place in the code says nothing about a file, and the log has it
        "traceback": "" if is_of_file else "".join(traceback.format_exception(error))[-20_000:],
        "retriable": failure.retriable,
    }


def _list_causes(error: BaseException) -> list[BaseException]:
    causes: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in causes:
        causes.append(current)
        current = current.__cause__ or current.__context__
    return causes


class KnownFailure(NamedTuple):
    """A failure whose words match the pattern, with its next step. `{host}` in its message is the task's host."""

    pattern: str
    code: RefusalCode
    message: str
    hint: str
    is_retriable: bool


KNOWN_FAILURES = (
    KnownFailure(
        r'Cannot run program "python|PYTHON_VERSION_MISMATCH',
        RunCode.SPARK_PYTHON,
        "A worker host lacks the Python that the run needs, or has another version.",
        "Install that Python on every worker host, or name its path with the Spark cluster.",
        False,
    ),
    KnownFailure(
        r"No module named '(runner|designer)|BadZipFile|Error from python worker",
        RunCode.SPARK_PACKAGES,
        "A worker host could not import our packages.",
        "Check that worker hosts have the Python version, machine type and glibc of this host.",
        False,
    ),
    KnownFailure(
        r"InvalidClassException|local class incompatible",
        RunCode.SPARK_VERSION,
        "A host of the Spark cluster has another version of Spark.",
        "Install the version that docs/how-to/spark-cluster.md names. Pods need the image of this product's version.",
        False,
    ),
    KnownFailure(
        r"All masters are unresponsive",
        RunCode.SPARK_REFUSED,
        "The Spark master answers, but does not accept the run.",
        "Check that it has the secret of the Spark cluster and this host's version of Spark.",
        True,
    ),
    KnownFailure(
        # 3 is a full heap, by our -XX:+ExitOnOutOfMemoryError
        r"(?i)exit(ed with)? (code|status):? (137|52|3)\b|OOMKilled",
        RunCode.SPARK_EXECUTOR_MEMORY,
        "An executor was killed because it used too much memory.",
        "Give executors of the Spark cluster more memory, or lower `batch_size_mb` of the job.",
        True,
    ),
    KnownFailure(
        # Spark gives it ten seconds, which a host that starts many processes may need
        r"Python worker failed to connect",
        RunCode.SPARK_WORKER_LATE,
        "A Python worker did not start within ten seconds, most often because its host is overloaded.",
        "Give the host fewer jobs, or more cores.",
        True,
    ),
    KnownFailure(
        r"Python worker exited unexpectedly",
        RunCode.SPARK_WORKER_DIED,
        "A Python worker ended early, most often because its host had no memory left.",
        "Give the host or the executors more memory, or the job fewer records per batch.",
        True,
    ),
    KnownFailure(
        r"OutOfMemoryError",
        RunCode.RUN_OUT_OF_MEMORY,
        "The run's memory is full.",
        "Give the job more memory.",
        True,
    ),
    KnownFailure(
        r"No space left on device",
        RunCode.RUN_DISK_FULL,
        "The disk is full.",
        "Free some space.",
        True,
    ),
    KnownFailure(
        r"ChecksumException|Corruption: |Stream is corrupted|Incomplete log file",
        RunCode.CHECKPOINT_UNREADABLE,
        "Spark cannot read its checkpoint.",
        "Deploy the job again. The dialog shows the options.",
        False,
    ),
    KnownFailure(
        r"UnknownStoreException|NoSuchBucket",
        CheckpointUnreachable.code,
        "The bucket of the checkpoint does not exist.",
        "Create the bucket, or correct the checkpoint folder.",
        True,
    ),
    KnownFailure(
        r"NoAuthWithAWSException",
        CheckpointUnreachable.code,
        "Host `{host}` has no credentials for S3.",
        "Give each host a role, a profile or AWS variables, as docs/how-to/spark-cluster.md says.",
        True,
    ),
    KnownFailure(
        r"Service: S3, Status Code: 403",
        CheckpointUnreachable.code,
        "S3 does not let host `{host}` read or write the checkpoint.",
        "Give its credentials the permissions that docs/how-to/spark-cluster.md lists.",
        True,
    ),
    KnownFailure(
        r"on s3a://\S+: .*(SdkClientException|Service: S3, Status Code: 5)",
        CheckpointUnreachable.code,
        "The checkpoint cannot be read or written.",
        CheckpointUnreachable.next_step,
        True,
    ),
    KnownFailure(  # words of HDFS, for its clients and in its answers
        r"Call From .+ failed on|BlockMissingException|Name node is in safe mode|All datanodes .+ are bad"
        r"|could only be (replicated|written) to",
        CheckpointUnreachable.code,
        "The checkpoint cannot be read or written.",
        CheckpointUnreachable.next_step,
        True,
    ),
)


def make_hint_of_loss(reason: str) -> str:
    """The next step if Spark's words for the loss of an executor suggest too little memory, else empty."""
    failure = next(each for each in KNOWN_FAILURES if each.code == RunCode.SPARK_EXECUTOR_MEMORY)
    is_memory = re.search(failure.pattern, reason)
    return f"This exit code most often means too little memory. {failure.hint}" if is_memory else ""


def _convert_failure(error: BaseException, text: str) -> RunFailed:
    for failure in KNOWN_FAILURES:
        if re.search(failure.pattern, text):
            words = f"{failure.message.format(host=_find_host(text))} {_find_reason(text)}".strip()
            return RunFailed(failure.code, words, failure.hint, retriable=failure.is_retriable)
    if BROKEN_DISK.search(text):
        return of_refusal(DiskBroken(_find_host(text), _find_reason(text)))
    words = f"{type(error).__name__}: {_take_first_line(text)}"
    return RunFailed(RunCode.RUN_FAILED, words, "The traceback and the run's log have details.", retriable=True)


def _find_host(text: str) -> str:
    """The host of the task that failed, else this one."""
    of_task = re.search(r"\(TID \d+\) \((\S+) executor \w+\)", text)
    return of_task[1] if of_task else socket.gethostname()


def _find_reason(text: str) -> str:
    """The line of a Java traceback that says most: the output of a Python worker, else the innermost cause."""
    worker_error = re.search(r"Error from python worker:\s*(.+)", text)
    causes = re.findall(r"^\s*Caused by: (?:[\w.$]+: )?(.+)", text, re.MULTILINE)
    reason: str = worker_error[1] if worker_error else causes[-1] if causes else _take_first_line(text)
    return re.sub(r" in the chain \w+\(.*", ".", reason).strip()[:500]


def _take_first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:500]
