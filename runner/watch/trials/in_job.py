"""Follows records of a running job: a trial's process executes a batch again over the state before it.

The job is not touched. It reads Kafka without a group, and the run's working copies like the run's own queries.
`runner.spark.state.history` and `runner.spark.checkpoint.batch_log` limit how far back.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate, islice
from typing import Any, Required, TypedDict

import psutil
from django.contrib.auth.models import AbstractUser

from designer.projects.code_permission import refuse_code
from designer.refusals import Conflict, NotFound
from runner.control.environment import make_environment
from runner.control.jobs.models import Desired, Job
from runner.control.processes import read_boot_id
from runner.engine.planning.layout import Sink
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import FOLDER, BatchLog, Manifest
from runner.spark.checkpoint.hadoop import get_file, is_on_s3
from runner.spark.columns import RecordColumns
from runner.spark.failures import RunFailed
from runner.spark.past.answers import StoredRow
from runner.spark.past.rows import find_changes
from runner.spark.program import Program, make_program
from runner.spark.replay import count_read, read_inputs
from runner.spark.schemas import read_kept
from runner.spark.state.far import AWAY
from runner.spark.variables import ROOT
from runner.watch.trials.questions import (
    AskInputsInJob,
    AskWayInJob,
    FollowedInJob,
    FoundInputs,
    Output,
    Place,
    Row,
    SentBatch,
    SentRecord,
)
from runner.watch.trials.services import as_sent, ask, encode_base64, fetch

MAX_RECORDS = 50_000
"""Maximum of inputs in repeated batches."""
MAX_BATCHES = 300
"""Maximum of batches to search for that of an output."""
MAX_NEWEST = 5
"""Maximum of batches to search for the newest record of a node: a glance must stay cheap."""
FETCH_SECONDS = 600.0
"""Longest time to read the state of a stopped job from its checkpoint."""
START_FIRST = "Start the job first: its executors then have the state."
IN_A_TRIAL = "Follow it in a trial."


def follow(
    *,
    job: Job,
    by: AbstractUser,
    origin: Place | None,
    row: StoredRow | None = None,
    node: str | None = None,
) -> FollowedInJob:
    """The path of a record through a job.

    The record is one of a topic, `origin`, or the row of a table: its `store`, `key` and `window`, or else the newest
    that reached a `node`. Raises Conflict, NotFound, CodeNotPermitted, NotKept, and the refusals of a trial.
    """
    way, since = _prepare_way(job, by, origin, row, node)
    return {**ask(AskWayInJob(**way), by=by), "since": since}


def find_inputs(*, job: Job, by: AbstractUser, origin: Place, output: Output) -> FoundInputs:
    """The inputs of the batch of a record that made an output of it. Raises the refusals of `follow`."""
    way, _ = _prepare_way(job, by, origin, None, None)
    return ask(AskInputsInJob(**way, output=output), by=by)


class Way(TypedDict, total=False):
    """What a question about the way of a record begins with (`WayInJobQuestion`)."""

    plan: Required[Mapping[str, Any]]
    batches: Required[list[SentBatch]]
    origin: Place
    row: Row
    newest: str
    made: SentRecord


def _prepare_way(
    job: Job, by: AbstractUser, origin: Place | None, row: StoredRow | None, node: str | None
) -> tuple[Way, int]:
    """A question about the way of a record, and the time (ms) of the first known batch."""
    plan = make_plan_here(job)
    refuse_code(plan.read_graph(), by)
    program, cluster = make_program(plan), KafkaCluster.of(plan.kafka)
    known_batches = _list_known(program)
    if not known_batches:
        raise NotFound("No batch of the job is known yet.", IN_A_TRIAL)
    way: Way = {"plan": send_plan(plan), "batches": []}
    if row is not None:
        time, key, changer = _find_last_change(program, row, known_batches)
        batches = [each for each in known_batches if each.time == time]
        way["row"] = {"key": key.hex(), "node": changer}
    elif node is not None:
        batches = known_batches[: -MAX_NEWEST - 1 : -1]
        way["newest"] = node
    elif origin is not None and origin[0] in {each.topic for each in program.inputs}:
        batches = [each for each in known_batches if each.reads(*origin)][-1:]
        way["origin"] = origin
    else:
        assert origin is not None
        batches = list(islice(reversed(known_batches), MAX_BATCHES))
        way["made"] = as_sent(origin[0], _make_output(program, cluster, origin))
    if not batches:
        raise _make_not_known(known_batches, origin)
    way["batches"] = list(read_batches(program, batches))
    return way, known_batches[0].time


def _list_known(program: Program) -> list[Manifest]:
    """The batches since this host was started, oldest first: it has no state from before. All, if the job has none."""
    log, since = open_log(program), psutil.boot_time() * 1_000 if program.stateful else 0
    known = [each for each in log.read() if each.time >= since]
    if known and known[0].start is None:  # another host has the batch before it
        known[0] = log.find(known[0].number) or known[0]
    return [each for each in known if each.start is not None]


def send_plan(plan: Plan) -> Mapping[str, Any]:
    """A plan for the process of a trial: without secrets, and with the schemas that the job has kept."""
    known = {str(number): schema for number, schema in read_kept(plan).items()}
    without = {"kafka": {}, "registry": {}, "executors": None, "registry_schemas": known}
    return plan.model_copy(update=without).model_dump(mode="json")


def make_plan_here(job: Job) -> Plan:
    """The plan of a job's newest run, if its past is on this host.

    Of a job that has stopped on a Spark cluster it first fetches the rows, which takes some seconds. Raises Conflict.
    """
    run = job.find_last_run()
    if run is None:
        raise Conflict(f"{job.name} did not run yet.", "Start the job first, or follow the record in a trial.")
    plan = run.connect_plan()
    if run.boot_id != read_boot_id():
        raise Conflict(f"The state of {job.name} is on the host `{run.host}`.", IN_A_TRIAL)
    if plan.executors is not None and job.desired == Desired.STOPPED and job.find_live_run() is None:
        _fetch_rows(plan)
    return plan


def _fetch_rows(plan: Plan) -> None:
    """Reads the rows from the checkpoint, unless they are here. Raises Conflict."""
    program = make_program(plan)
    folders = [program.kept_directory(stage.depth, slot) for stage in program.stateful for slot in program.slot_ids]
    program.host_directory.mkdir(parents=True, exist_ok=True)
    with (program.host_directory / "fetching").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not any((folder / AWAY).exists() for folder in folders):
            return
        try:
            process = subprocess.run(
                [sys.executable, "-m", "runner.spark.fetching"],
                input=plan.model_copy(update={"kafka": {}, "registry": {}}).model_dump_json().encode(),
                capture_output=True,
                timeout=FETCH_SECONDS,
                env=make_environment(may_use_s3=is_on_s3(plan.checkpoint)),
                cwd=ROOT,
            )
        except subprocess.TimeoutExpired as error:
            raise Conflict(
                f"The state could not be read from `{plan.checkpoint}` within {FETCH_SECONDS:.0f} s.", START_FIRST
            ) from error
    if process.returncode:
        why = process.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise Conflict(f"The state could not be read from `{plan.checkpoint}`: {why[:500]}", START_FIRST)


def open_log(program: Program) -> BatchLog:
    """The manifests of a job on its host, and beside its checkpoint."""
    plan = program.plan
    return BatchLog(program.host_directory, get_file(plan.checkpoint) / FOLDER, plan.find_first_offsets())


def _make_not_known(batches: Sequence[Manifest], origin: Place | None) -> NotFound:
    if origin is not None and batches[-1].get_first(*origin[:2]) + batches[-1].count_of(*origin[:2]) <= origin[2]:
        return NotFound("The job has not read this record yet.", "Wait until it has, or follow the record in a trial.")
    oldest = datetime.fromtimestamp(batches[0].time / 1_000, UTC)
    return NotFound(
        f"The batch of this record is no longer known. The oldest known one is of {oldest:%F %T} UTC.", IN_A_TRIAL
    )


def _make_output(program: Program, cluster: KafkaCluster, origin: Place) -> Any:
    """A record that the job may have written. Raises NotFound."""
    output_topics = {target.topic for target in program.layout.targets if isinstance(target, Sink)}
    if origin[0] not in output_topics:
        raise NotFound(f"The job neither reads nor writes `{origin[0][:80]}`.", "Follow a record of its topics.")
    return fetch(cluster, origin, 0)[-1]


def _find_last_change(program: Program, row: StoredRow, batches: Sequence[Manifest]) -> tuple[int, bytes, str]:
    """The time of the known batch that changed a row last, the row's key in the state, and the node.

    Raises NotFound.
    """
    changes = find_changes(program, row, {batch.time for batch in batches}, batches[-1].time, limit=1)
    if not changes.times:
        raise NotFound("The batch that last changed this row is no longer known.", "Follow a row that changed later.")
    return changes.times[0], changes.key, changes.node


def read_batches(program: Program, batches: Sequence[Manifest]) -> Iterator[SentBatch]:
    """The times and inputs of consecutive batches, newest first, until there are too many.

    Raises NotFound.
    """
    counts = [count_read(program, each) for each in batches]
    taken = [each for each, count in zip(batches, accumulate(counts), strict=True) if count <= MAX_RECORDS]
    if not taken:
        raise NotFound(f"Its batch read {counts[0]:,} records; at most {MAX_RECORDS:,} can be read again.", IN_A_TRIAL)
    try:
        inputs = [each for _, each in read_inputs(program, taken[::-1])]
    except RunFailed as failure:
        raise NotFound(f"Its batch cannot be read again: {failure.message}", "Follow a newer record.") from failure
    for batch in reversed(inputs):
        columns = [_make_columns(*arrivals) for arrivals in batch.arrivals]
        yield [batch.time, batch.is_caught_up, columns, batch.answers]


def _make_columns(number: int, partition: int, records: RecordColumns) -> list[Any]:
    offsets, timestamps, keys, values, headers = records
    return [number, partition, offsets, timestamps, [*map(encode_base64, keys)], [*map(encode_base64, values)], headers]
