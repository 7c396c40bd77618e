"""The kept batches of a job, and questions about them that a process of its own answers (`runner.spark.past`).

The job is not touched: the process reads the run's working copies as of a batch, and gets the records of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractUser

from designer.projects.code_permission import refuse_code
from designer.projects.models import Version
from designer.refusals import NotFound
from runner.control.jobs.models import Job
from runner.engine.planning.layout import Store
from runner.engine.queryable import Query, find_queryable
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import FOLDER, BatchLog, Manifest
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.program import Program, make_program
from runner.spark.state.changelog import NO_NONCE
from runner.spark.state.history import History
from runner.watch.history.models import HistoryRow, Step
from runner.watch.trials.in_job import begins, make_plan_here, read_batches, send_plan
from runner.watch.trials.services import run_question

MAX_BATCHES = 500
"""Most batches in one answer. Of more, evenly spread ones are chosen."""
NEVER = 1 << 62
"""The state as of no batch is kept."""


class KeptBatch(NamedTuple):
    """A kept batch, and the version and plan that executed it."""

    manifest: Manifest
    version: Version
    plan: Plan

    def describe(self) -> dict[str, Any]:
        """The facts of a list of batches."""
        facts = self.manifest.facts
        return {
            "number": self.manifest.number,
            "time": self.manifest.time,
            "records": facts.get("records", 0),
            "failed": facts.get("results", {}).get(self.plan.dead_letter_topic, 0),
            "version": self.version.number,
            "version_id": self.version.id,
        }


class Ends(NamedTuple):
    """How far back batches can be opened: times of batches (ms).

    Tables open as of batches since `state`. Since `records`, Kafka also has all records of each batch, so it can be
    executed again. None: no batch.
    """

    state: int | None
    records: int | None


@dataclass(frozen=True)
class KeptPast:
    """The kept batches of a job's present epoch: earlier ones had another checkpoint."""

    job: Job
    plan: Plan
    program: Program
    log: BatchLog

    @classmethod
    def of(cls, job: Job) -> KeptPast:
        """Raises Conflict if the state is not on this host."""
        plan = make_plan_here(job)
        program = make_program(plan)
        return cls(job, plan, program, BatchLog(program.host_directory, get_file(plan.checkpoint) / FOLDER))

    def find_since(self, since: int | None) -> list[Manifest]:
        """Batches since a time (ms), oldest first. None: those whose manifests are on the host."""
        manifests = self.log.read()
        if since is not None and (not manifests or manifests[0].time > since):
            manifests = self.log.read_kept(since)
        return [each for each in manifests if begins(each, self.plan) and each.time >= (since or 0)]

    def find(self, number: int) -> KeptBatch:
        """A batch. Raises NotFound."""
        found = self._choose(self.log.read(max(0, number - 1)), number) or self._choose(self.log.read_kept(), number)
        if found is None:
            raise NotFound(f"Batch {number} of {self.job.name} is not kept.", "List the kept batches of the job.")
        return self.with_plan(found)

    def with_plan(self, manifest: Manifest) -> KeptBatch:
        """A batch with the version and plan of the run that executed it."""
        return KeptBatch(
            manifest, *self.versions.get(manifest.facts.get("generation", 0), (self.job.version, self.plan))
        )

    @cached_property
    def versions(self) -> Mapping[int, tuple[Version, Plan]]:
        """The versions and plans of the runs of this epoch, by generation. Raises SecretLost."""
        runs = self.job.runs.filter(epoch=self.plan.epoch).select_related("version", "cluster", "spark")
        return {run.generation: (run.version, run.connect_plan()) for run in runs}

    def _choose(self, manifests: Sequence[Manifest], number: int) -> Manifest | None:
        return next((each for each in manifests if each.number == number and begins(each, self.plan)), None)

    def find_ends(self, manifests: Sequence[Manifest]) -> Ends:
        """How far back these batches can be opened. Raises KafkaUnreachable."""
        oldest = max((_find_oldest(self.program, *place) for place in self._list_slots()), default=0)
        opened = [each for each in manifests if each.time >= oldest]
        cluster = KafkaCluster.of(self.plan.kafka)
        topics = cluster.find([each.topic for each in self.program.inputs])
        starts = cluster.start_offsets(topics.values())
        read = next((at for at, each in enumerate(opened) if _has_records(each, starts)), None)
        return Ends(opened[0].time if opened else None, None if read is None else opened[read].time)

    def _list_slots(self) -> list[tuple[int, int]]:
        return [(stage.depth, slot) for stage in self.program.stateful for slot in self.program.slot_ids]


def _find_oldest(program: Program, depth: int, slot: int) -> int:
    """The time (ms) of the oldest batch before which a slot can be opened. 0: it can be at any time."""
    directory = program.state_directory(depth, slot)
    if not (directory / "data.mdb").exists():
        return 0
    oldest = History(directory).read_oldest()
    return NEVER if oldest is None else 0 if oldest.parent == NO_NONCE else oldest.time


def _has_records(manifest: Manifest, starts: Mapping[str, Sequence[int]]) -> bool:
    """Whether Kafka still has all records of a batch."""
    return all(
        manifest.count_of(topic, partition) <= 0
        or (partition < len(starts.get(topic, ())) and starts[topic][partition] <= manifest.get_first(topic, partition))
        for topic, ends in manifest.end.items()
        for partition in range(len(ends))
    )


def list_batches(*, job: Job, since: int | None, until: int | None, limit: int) -> dict[str, Any]:
    """The kept batches between two times (ms), oldest first, and how far back they can be opened. Raises Conflict."""
    past = KeptPast.of(job)
    manifests = [each for each in past.find_since(since) if until is None or each.time <= until]
    ends = past.find_ends(manifests)
    return {
        "batches": [past.with_plan(each).describe() for each in spread(manifests, limit)],
        "count": len(manifests),
        "tables_since": ends.state,
        "records_since": ends.records,
    }


def spread(every: Sequence[Manifest], limit: int) -> list[Manifest]:
    """At most so many of them, evenly spread, with the first and the last."""
    count = len(every)
    if count <= limit:
        return list(every)
    return [every[round(at * (count - 1) / (limit - 1))] for at in range(limit)]


def look_at(*, job: Job, by: AbstractUser, number: int, node: str | None, port: str | None) -> dict[str, Any]:
    """What nodes did in a batch, and the newest records that left a node by a port.

    Raises Conflict, NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    batch = KeptPast.of(job).find(number)
    read = list(read_batches(make_program(batch.plan), [batch.manifest]))
    answer = _ask(batch.plan, by, {"past": "batch", "node": node, "port": port, "batches": read})
    return {**batch.describe(), **answer, "lag": _find_lag(job, batch.manifest.time)}


def _find_lag(job: Job, time: int) -> float | None:
    """The lag of a job in the minute of a time (ms), as its history has it, or in the ten minutes."""
    at = datetime.fromtimestamp(time / 1_000, UTC)
    for step in Step:
        row = HistoryRow.objects.filter(job=job, step=step, at__lte=at, at__gt=at - timedelta(seconds=step)).first()
        if row is not None:
            lag: float | None = row.values["lag"]
            return lag
    return None


def find_tables(*, job: Job, number: int) -> Mapping[str, Store]:
    """The tables of the version that executed a batch. Raises NotFound, Conflict."""
    return find_queryable(make_program(KeptPast.of(job).find(number).plan).layout)


def read_table(*, job: Job, by: AbstractUser, number: int, store: str, query: Query) -> dict[str, Any]:
    """A page of a table as of a batch: its rows after it.

    Raises NotFound, NotKept, QueryRefused, CodeNotPermitted, and the refusals of a trial.
    """
    batch = KeptPast.of(job).find(number)
    after = batch.manifest.time + 1
    return _ask(batch.plan, by, {"past": "table", "store": store, "query": query.model_dump(), "time": after})


def explain_row(
    *, job: Job, by: AbstractUser, number: int, row: Mapping[str, Any], before: int | None
) -> dict[str, Any]:
    """The records that made a row what it is after a batch, newest first, as far back as batches are kept.

    `before` asks for older ones: those of batches before a time (ms). Raises Conflict, NotFound, CodeNotPermitted, and
    the refusals of a trial.
    """
    past = KeptPast.of(job)
    batch = past.find(number)
    manifests = {each.time: each for each in past.find_since(0)}
    until = batch.manifest.time if before is None else before - 1
    changes = _ask(batch.plan, by, {"past": "changes", "row": row, "times": sorted(manifests), "until": until})
    written: list[dict[str, Any]] = []
    since, end = changes["since"], _name_end(changes)
    try:
        for time in changes["times"]:
            written += _read_writes(past.with_plan(manifests[time]), by, changes["key"])
            since = time
    except NotFound:
        end = "no_records"
    older = changes["since"] if end == "more" else None
    return {"changes": written, "older": older, "end": end, "since": since if end == "no_records" else changes["since"]}


def _name_end(changes: Mapping[str, Any]) -> str:
    if changes["has_more"]:
        return "more"
    return "not_kept" if changes["since"] else "began"


def _read_writes(batch: KeptBatch, by: AbstractUser, key: str) -> list[dict[str, Any]]:
    """The writes of a row in a batch, newest first. Raises NotFound if the batch cannot be executed again."""
    read = list(read_batches(make_program(batch.plan), [batch.manifest]))
    writes = _ask(batch.plan, by, {"past": "writes", "key": key, "batches": read})["writes"]
    return [each | {"batch": batch.manifest.number} for each in writes]


def _ask(plan: Plan, by: AbstractUser, question: dict[str, Any]) -> dict[str, Any]:
    refuse_code(plan.read_graph(), by)
    return run_question({"plan": send_plan(plan), **question}, by=by)
