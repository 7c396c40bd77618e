"""The process that executes kept batches again, as its parent sees it.

It has no secrets and no access to Kafka: the parent reads the records and passes them on. It gives way to
other processes, and has a limit of memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, NotRequired, Self, TypedDict

import msgpack
import orjson
import psutil

from designer.refusal_codes import read_code
from designer.refusals import Refusal
from designer.values.schemas import SchemaText
from runner.engine.records.record import Origin
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.codes import RunCode
from runner.spark.columns import RecordColumns
from runner.spark.executors.memory import measure_anonymous
from runner.spark.proving.corrections import Correction
from runner.spark.proving.report import ComparedBatches
from runner.spark.proving.scratch import make_scratch
from runner.spark.replay import Arrivals, BatchInputs
from runner.spark.variables import ROOT

MODULE = "runner.spark.proving"
STATE = ".rows"
"""Ends the name of the file with the candidate's state, beside that of corrections."""
MAX_STATE = 256 << 20
"""Most bytes of state that a version takes along from corrections. A run reads them into memory."""
ORIGIN_OF_CORRECTION = Correction._fields.index("origin")
Json = Mapping[str, Any]
SentRows = Sequence[tuple[int, int, Sequence[tuple[bytes, bytes]]]]
"""Rows of state: depth, slot, and pairs of key and value."""
Last = dict[bytes | None, bytes | None]
"""The last value of each key."""


class CorrectedTopics(TypedDict):
    """The arguments of `Proof.correct`."""

    tables: list[str]
    topic: str | None


class SentCandidate(TypedDict):
    """A version that executes the batches beside the running one."""

    plan: Json
    stores: list[str]
    """The stores that it keeps."""
    is_rebuilt: NotRequired[bool]
    """The version keeps no store: batches that rebuild its state come first."""
    correct: NotRequired[CorrectedTopics]
    """Asks for what corrects the results of the running version."""


class Question(TypedDict):
    """What a process begins with. It needs either `time` or `rows`."""

    plan: Json
    time: NotRequired[int]
    """Of the first batch (ms): the batches begin with the kept state before it."""
    candidate: NotRequired[SentCandidate]
    rows: NotRequired[SentRows]
    """The batches begin with this state instead."""


class SentQuestion(Question):
    folder: str
    """For the state of the process."""


class Executed(TypedDict):
    """The answer to a batch: what it gave, or with a candidate whether all results were equal so far."""

    batch: int
    checksum: NotRequired[str]
    records: NotRequired[int]
    equal: NotRequired[bool]
    not_recorded: NotRequired[dict[str, int]]
    """By node, how often it asked other servers for what was not recorded, in this batch and those before."""


class Used(NamedTuple):
    """What a replay uses of its host. Files of state do not count as memory."""

    memory_bytes: int
    processor_seconds: float


class ReplayFailed(Refusal):
    """The process of a replay gave no answer."""

    code = RunCode.TRIAL_FAILED
    status = 422


class Process:
    """The process, which begins with a question (`runner.spark.proving.__main__`). Use it as a context."""

    def __init__(self, question: Question, environment: Mapping[str, str]) -> None:
        self._scratch = ExitStack()
        self.folder = self._scratch.enter_context(make_scratch(Path(question["plan"]["state_dir"]).parent))
        """The folder for the state of the process, on the disk of the job's state."""
        self._popen = subprocess.Popen(
            [sys.executable, "-m", MODULE],
            cwd=ROOT,
            env={**environment, "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._send({**question, "folder": str(self.folder)})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process, and remove its state."""
        self._popen.kill()
        self._popen.wait()
        self._scratch.close()

    def read(self) -> Any:
        """Wait for an answer. The first one says that the process is ready.

        Raises ReplayFailed, and what the process refuses.
        """
        assert self._popen.stdout is not None
        line = self._popen.stdout.readline()
        if not line:
            raise ReplayFailed(
                "The process that executes the batches again has ended. It may have used too much memory.",
                "Look for `replay` in the log of the system, or choose a shorter time.",
            )
        answer = orjson.loads(line)
        if fields := answer.get("refusal"):
            refusal = Refusal(fields["message"], fields["hint"])
            refusal.code, refusal.status = read_code(fields["code"]), answer["status"]
            raise refusal
        if "ended" in answer:
            message = f"A batch could not be executed again: {answer['ended'][:500]}"
            raise ReplayFailed(message, "See the log of the command or of the web server.")
        return answer

    def rebuild(self, inputs: BatchInputs) -> None:
        """Let the candidate execute a batch from before those that are compared (`Proof.rebuild`)."""
        self._send({"rebuild": inputs})
        self.read()

    def run(self, manifest: Manifest, inputs: BatchInputs, more: Sequence[Arrivals] = ()) -> Executed:
        """Execute a batch. `more` has the records of topics that only the candidate reads."""
        self._send([manifest.number, dict(manifest.facts), inputs, more])
        executed: Executed = self.read()
        return executed

    def measure(self) -> Used:
        """What it uses, and this process, which reads records for it."""
        pids = (os.getpid(), self._popen.pid)
        with suppress(psutil.Error):  # it has just ended
            times = [psutil.Process(pid).cpu_times() for pid in pids]
            return Used(sum(map(measure_anonymous, pids)), sum(each.user + each.system for each in times))
        return Used(0, 0.0)

    def report(self) -> ComparedBatches:
        """Return what is known of the candidate so far (`Proof.report`)."""
        self._send(None)
        report: ComparedBatches = self.read()
        return report

    def find_last(self) -> dict[str, Last]:
        """Return the last value of each key of each topic, after batches that began with `rows`."""
        self._send(None)
        return {
            topic: {_read_hex(key): _read_hex(value) for key, value in pairs}
            for topic, pairs in self.read()["last"].items()
        }

    def find_corrections(self) -> tuple[list[Correction], bytes | None]:
        """Return what corrects the results that the job has sent (`Proof.find_corrections`), and the candidate's rows.

        The rows are None if the state is too large to be taken along. Raises TooManyCorrections.
        """
        file = self.folder / "corrections"
        self._send(str(file))
        has_rows = self.read()["has_rows"]
        rows = msgpack.unpackb(file.read_bytes())
        found = [Correction(*row)._replace(origin=Origin(*row[ORIGIN_OF_CORRECTION])) for row in rows]
        return found, file.with_name(file.name + STATE).read_bytes() if has_rows else None

    def _send(self, message: Any) -> None:
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(msgpack.packb(message))
            self._popen.stdin.flush()
        except BrokenPipeError:
            """`read` says why."""


def receive(stream: Any) -> Iterator[Any]:
    """Yield the messages of the parent. `stream` must be raw: it gives what is there, and does not wait for more."""
    return iter(msgpack.Unpacker(stream, max_buffer_size=0, strict_map_key=False, use_list=True))


def read_batch(message: Any) -> tuple[Manifest, BatchInputs, list[Arrivals]]:
    """Read a batch from a message, and the records of topics that only the candidate reads."""
    number, facts, sent, more = message
    inputs = read_inputs(sent)
    return Manifest(number, inputs.time, None, {}, facts), inputs, _read_arrivals(more)


def read_inputs(sent: Any) -> BatchInputs:
    """Read the records of a batch from a message."""
    time, arrivals, is_caught_up, answers = sent
    return BatchInputs(time, _read_arrivals(arrivals), is_caught_up, answers)


def _read_arrivals(sent: Any) -> list[Arrivals]:
    return [(input_, partition, RecordColumns(*columns)) for input_, partition, columns in sent]


def send_plan(plan: Plan, registry_schemas: Mapping[str, SchemaText] | None = None) -> Json:
    """Return a plan for the process: without secrets, and with the schemas of the registry that the job has kept.

    The process itself does what the executors of a Spark cluster have done.
    """
    without = {"kafka": {}, "registry": {}, "hadoop": {}, "executors": None, "registry_schemas": registry_schemas or {}}
    return plan.model_copy(update=without).model_dump(mode="json")


def _read_hex(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
