"""The kept batches of a job, how far back they can be opened, and what a question about one takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypedDict

from django.contrib.auth.models import AbstractUser

from designer.projects.code_permission import refuse_code
from designer.projects.models import Version
from designer.refusals import NotFound
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import BatchLog, Manifest
from runner.spark.program import Program, make_program
from runner.spark.state import had_records
from runner.spark.state.changelog import NO_NONCE
from runner.spark.state.history import History
from runner.watch.trials.in_job import make_plan_here, open_log, read_batches, send_plan
from runner.watch.trials.questions import SentBatch

MAX_WINDOW = 20_000
"""Manifests that one question looks at. A question about older ones goes on before them."""
MAX_BATCHES = 500
"""Most batches in one answer. Of more, evenly spread ones are chosen."""
NEVER = 1 << 62
"""The state as of no batch is kept."""


class BatchFacts(TypedDict):
    """A kept batch in a list of batches. `failed` counts its dead letters."""

    number: int
    time: int
    records: int
    failed: int
    version: int
    version_id: int


class KeptBatch(NamedTuple):
    """A kept batch, and the version and plan that executed it."""

    manifest: Manifest
    version: Version
    plan: Plan

    def describe(self) -> BatchFacts:
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
    versions: dict[int, tuple[Version, Plan]] = field(default_factory=dict)
    """The versions and plans that were asked for, by the generation of their run. An epoch may have many runs."""

    @classmethod
    def of(cls, job: Job) -> KeptPast:
        """Raises Conflict if the state is not on this host."""
        plan = make_plan_here(job)
        program = make_program(plan)
        return cls(job, plan, program, open_log(program))

    def find_before(self, time: int) -> list[Manifest]:
        """The newest batches up to a time (ms), oldest first. There may be older ones (`has_before`)."""
        return [each for each in self.log.read_before(time, MAX_WINDOW) if each.start is not None]

    def has_before(self, manifest: Manifest) -> bool:
        """Whether older batches are kept."""
        first = self.log.find_first()
        return first is not None and first < manifest.number - 1

    def find(self, number: int) -> KeptBatch:
        """A batch. Raises NotFound."""
        found = self.log.find(number)
        if found is None or found.start is None:
            raise NotFound(f"Batch {number} of {self.job.name} is not kept.", "List the kept batches of the job.")
        return self.with_plan(found)

    def with_plan(self, manifest: Manifest) -> KeptBatch:
        """A batch with the version and plan of the run that executed it. Raises SecretLost."""
        generation = manifest.facts.get("generation", 0)
        if generation not in self.versions:
            self.versions[generation] = self._find_version(generation)
        return KeptBatch(manifest, *self.versions[generation])

    def _find_version(self, generation: int) -> tuple[Version, Plan]:
        """The version and plan of a run of this epoch. Those of the newest run if its generation is not known.

        If Postgres has forgotten the run or its plan, the next one that has a plan was made for the same request
        (`runs.forget_old_runs`).
        """
        runs = self.job.runs.filter(epoch=self.plan.epoch, generation__gte=generation).exclude(plan={})
        ordered_runs = runs.select_related("version", "cluster", "spark").order_by("generation")
        run = ordered_runs.first() if generation else None
        return (self.job.version, self.plan) if run is None else (run.version, run.connect_plan())

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
    directory = program.kept_directory(depth, slot)
    if not had_records(directory):
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


class KeptBatches(TypedDict):
    """Kept batches, how many there are between their times, and the oldest ones (ms) that can be opened (`Ends`)."""

    batches: list[BatchFacts]
    count: int
    tables_since: int | None
    records_since: int | None


def list_batches(*, job: Job, since: int | None, until: int | None, limit: int) -> KeptBatches:
    """The kept batches between two times (ms), oldest first, and how far back they can be opened. Raises Conflict."""
    past = KeptPast.of(job)
    if until is None:
        manifests, count = past.log.read_spread(_find_start(past) if since is None else since, limit)
    else:
        manifests = [each for each in past.find_before(until) if each.time >= (since or 0)][-limit:]
        count = len(manifests)
    manifests = [each for each in manifests if each.start is not None]
    ends = past.find_ends(manifests)
    return {
        "batches": [past.with_plan(each).describe() for each in manifests],
        "count": max(count, len(manifests)),
        "tables_since": ends.state,
        "records_since": ends.records,
    }


def _find_start(past: KeptPast) -> int:
    """The time (ms) of the oldest batch whose manifest is on the host."""
    return next((each.time for each in past.log.read()), 0)


def send_plan_for(plan: Plan, by: AbstractUser) -> Mapping[str, Any]:
    """Return a plan for a question of this user. Raises CodeNotPermitted."""
    refuse_code(plan.read_graph(), by)
    return send_plan(plan)


def read_batch(batch: KeptBatch) -> SentBatch:
    """Return a batch for a question, with its records from Kafka. Raises NotFound."""
    (read,) = read_batches(make_program(batch.plan), [batch.manifest])
    return read
