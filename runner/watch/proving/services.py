"""Carries out a proof: reads kept and new batches of a job, and has another process execute them in both versions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

from django.contrib.auth.models import AbstractUser

from designer.projects.code_permission import refuse_code
from designer.projects.models import Draft, Version
from designer.refusals import Conflict, NotFound, Refusal
from designer.text import write_count
from designer.topology.user_code import find_unrecorded
from runner.control.environment import make_environment
from runner.control.jobs import disk
from runner.control.jobs.models import Job
from runner.control.jobs.plans.facts import collect_facts
from runner.control.jobs.plans.graph_facts import refuse_unpermitted
from runner.control.jobs.plans.planner import make_plan
from runner.control.jobs.plans.state_changes import StateChange, find_state_changes
from runner.control.jobs.targets import Target
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.codes import RunCode
from runner.spark.program import make_program
from runner.spark.proving.limits import HostShort, refuse_short
from runner.spark.proving.observing import MAX_OBSERVED
from runner.spark.proving.process import MAX_STATE, Executed, Process, Question, SentCandidate, send_plan
from runner.spark.proving.report import ComparedBatches
from runner.spark.replay import read_inputs
from runner.spark.schemas import read_kept
from runner.spark.source.reading import read
from runner.watch.proving.models import ProofReport
from runner.watch.proving.rebuilding import Rebuilding
from runner.watch.trials.in_job import make_plan_here, open_log

SECONDS_BETWEEN_REPORTS = 1.0
LOOK_SECONDS = 0.5
Note = Callable[[ProofReport], bool]
"""Takes a report. Returns whether the proof should continue."""


class RebuiltState(NamedTuple):
    """The rows of a candidate after a batch. `ends` are the offsets by topic up to which they hold its records."""

    plan: Plan
    batch: int
    ends: dict[str, list[int]]
    rows: bytes


Keep = Callable[[RebuiltState], None]


class NothingKept(NotFound):
    """No batch of a job can be executed again."""

    code = RunCode.FOLLOW_NOT_KEPT


@dataclass(frozen=True)
class Candidate:
    """The plan of a candidate version, and what happens to each store, as a deploy would decide it."""

    plan: Plan
    changes: Sequence[StateChange]

    @classmethod
    def of(cls, job: Job, running: Plan, origin: Version | Draft) -> Candidate:
        """Raises HasIssues, TopicMissing, KafkaUnreachable."""
        plan = make_plan(collect_facts(origin, Target.of(job))).plan
        return cls(plan, find_state_changes(running, plan))

    def find_kept(self) -> list[str]:
        return [each.store for each in self.changes if each.effect == "kept"]


class KeptBatches:
    """The batches of a running job that can be executed again, as its host and its checkpoint know them."""

    def __init__(self, job: Job) -> None:
        """Raises Conflict if the state is not on this host."""
        self.plan = make_plan_here(job)
        self.program = make_program(self.plan)
        self.registry_schemas = {str(number): schema for number, schema in read_kept(self.plan).items()}
        self.outcome = self.plan.outcome()
        self.log = open_log(self.program)

    def find_last(self, minutes: float) -> list[Manifest]:
        """Return consecutive batches of the running version of the last minutes, oldest first. 0: only the newest one.

        Raises NothingKept.
        """
        found = (
            self._read_since(int((time.time() - minutes * 60) * 1_000))
            if minutes
            else self._find_own(self.log.read()[-1:])
        )
        if not found:
            raise NothingKept(
                "No batch of this version of the job is known.",
                "Wait until the job has processed records, or choose a longer time.",
            )
        return found

    def find_from(self, number: int) -> list[Manifest]:
        """Return the batches of the running version from this one on, oldest first. Raises NothingKept."""
        first = self.log.find(number)
        found = self._read_since(first.time) if first is not None else []
        if not found or found[0].number != number:
            oldest = f" Its oldest one is batch {found[0].number}." if found else ""
            raise NothingKept(
                f"Batch {number} is not a kept batch of the running version.{oldest}", "Choose a later batch."
            )
        return found

    def _read_since(self, since: int) -> list[Manifest]:
        manifests = self.log.read()
        if not manifests or manifests[0].time > since:
            manifests = self.log.read_kept(since)
        return self._find_own([each for each in manifests if each.time >= since])

    def _find_own(self, manifests: Sequence[Manifest]) -> list[Manifest]:
        """Return the newest of these batches that follow each other and that the running version executed."""
        found: list[Manifest] = []
        for manifest in reversed(manifests):
            follows = not found or found[-1].number == manifest.number + 1
            if not follows or manifest.start is None or manifest.facts.get("plan") != self.outcome:
                break
            found.append(manifest)
        return found[::-1]

    def begin(
        self, manifests: list[Manifest], stack: ExitStack, candidate: SentCandidate | None = None
    ) -> tuple[Process, list[Manifest]]:
        """Start a process with the state before the first of these batches.

        Return it, and the batches that it can execute: if that state is no longer kept, the newer half of them, and so
        on. Raises Refusal.
        """
        plan = send_plan(self.plan, self.registry_schemas)
        while True:
            question: Question = {"plan": plan, "time": manifests[0].time}
            if candidate is not None:
                question["candidate"] = candidate
            process = Process(question, make_environment())
            try:
                process.read()
            except Refusal as refusal:
                process.close()
                if refusal.code != RunCode.FOLLOW_NOT_KEPT or len(manifests) < 2:
                    raise
                manifests = manifests[len(manifests) // 2 :]
            else:
                stack.enter_context(process)
                return process, manifests

    def find_after(self, last: int) -> list[Manifest]:
        """Return the batches since the batch `last`. Raises Conflict if another version has executed one."""
        manifests = [each for each in self.log.read(last) if each.number > last]
        if any(each.facts.get("plan") != self.outcome for each in manifests):
            raise Conflict("The job was deployed again during the proof.", "Prove the change against its new version.")
        return manifests


def prove(
    *,
    job: Job,
    origin: Version | Draft,
    by: AbstractUser,
    minutes: float,
    live_seconds: float = 0.0,
    is_rebuilt: bool = False,
    keep: Keep | None = None,
    note: Note = lambda report: True,
) -> ProofReport:
    """Compare a candidate version with the running one: over the batches of the last minutes, then over new ones.

    With 0 minutes it begins with the newest batch. It executes kept batches at full speed, and new ones as the job
    commits them. The candidate begins with the stores that a deploy would keep, or with all state rebuilt from the
    topics if it `is_rebuilt`. Then `keep` gets the state behind the last batch, if it can be taken along.

    Its `equal` says whether all results are the same, and its `limits` what the proof could not look at. Nothing is
    written to Kafka, and the job is not touched. Raises Conflict, NothingKept, HasIssues and the refusals of a deploy.
    """
    batches = KeptBatches(job)
    refuse_code(batches.plan.read_graph(), by)
    refuse_unpermitted(origin.read_graph(), by)
    candidate = Candidate.of(job, batches.plan, origin)
    manifests = batches.find_last(minutes)
    plan = send_plan(candidate.plan, batches.registry_schemas)
    with ExitStack() as stack:
        stores = [] if is_rebuilt else candidate.find_kept()
        sent: SentCandidate = {"plan": plan, "stores": stores, "is_rebuilt": is_rebuilt}
        process, manifests = batches.begin(manifests, stack, sent)
        proof = Progress(batches, candidate, process, note)
        try:
            goes_on = (not is_rebuilt or proof.rebuild(manifests[0])) and proof.run_kept(manifests)
            until = time.monotonic() + live_seconds
            while goes_on and time.monotonic() < until:
                new = batches.find_after(proof.last_batch)
                goes_on = proof.run(new)
                if not new:
                    goes_on = proof.tell() and goes_on
                    time.sleep(LOOK_SECONDS)
        except HostShort as refusal:
            proof.limits.append(refusal.message)
        if keep is not None and (state := proof.find_state()) is not None:
            keep(state)
        return proof.make_report()


class Progress:
    """A proof at work: passes batches on, and reports about once a second."""

    def __init__(self, batches: KeptBatches, candidate: Candidate, process: Process, note: Note) -> None:
        self.batches = batches
        self.candidate = candidate
        self.process = process
        self.note = note
        self.rebuilding: Rebuilding | None = None
        self.limits: list[str] = []
        graphs = (batches.plan.read_graph(), candidate.plan.read_graph())
        self.unrecorded = {node: modules for graph in graphs for node, modules in find_unrecorded(graph).items()}
        """The nodes of both versions that may have asked other servers again, with the modules that they import."""
        self.last_batch = -1
        self.ends: dict[str, list[int]] = {}
        """Where the last batch ended."""
        self.kept_batches = 0
        self.pace = Pace(0)
        """The pace of the rebuilding, then that of the kept batches, in records."""
        self.began = self.compared_since = self.told = time.monotonic()
        self.used_before = process.measure()

    def rebuild(self, first: Manifest) -> bool:
        """Rebuild the candidate's state up to where a batch begins. Return False if the proof should end."""
        plan = self.candidate.plan
        cluster = KafkaCluster.of(plan.kafka)
        self.rebuilding = Rebuilding.find(self.batches.program, make_program(plan), first, cluster)
        self.pace = Pace(self.rebuilding.backlog.count)
        for inputs in self.rebuilding.backlog.read(read):
            self.process.rebuild(inputs)
            self.pace.done = self.rebuilding.backlog.done
            if not self._goes_on():
                return False
        return True

    def run_kept(self, manifests: Sequence[Manifest]) -> bool:
        """Has the kept batches executed. False if the proof shall end."""
        self.kept_batches, self.compared_since = len(manifests), time.monotonic()
        self.pace = Pace(sum(map(_count_records, manifests)))
        return self.run(manifests)

    def run(self, manifests: Sequence[Manifest]) -> bool:
        """Execute batches in both versions. Return False if the proof should end."""
        program, own = self.batches.program, None if self.rebuilding is None else self.rebuilding.own
        if own is not None:
            own.look(manifests)
        for manifest, inputs in read_inputs(program, manifests, read):
            self.process.run(manifest, inputs, own.take(manifest) if own is not None else ())
            self.last_batch, self.ends = manifest.number, manifest.end
            self.pace.done += _count_records(manifest)
            if not self._goes_on():
                return False
        return True

    def find_state(self) -> RebuiltState | None:
        """Return the rebuilt state after the last batch. None if it was not rebuilt, or cannot be taken along."""
        if self.rebuilding is None or not self.ends:
            return None
        if self.process.report()["not_recorded"]:
            self.limits.append("The rebuilt state lacks what other servers would answer, so it cannot be taken along.")
            return None
        _, rows = self.process.find_corrections()
        if rows is None:
            self.limits.append(f"The rebuilt state has more than {MAX_STATE >> 20} MiB, so it cannot be taken along.")
            return None
        plan = self.candidate.plan
        ends = {name: places for name, places in self.ends.items() if name in plan.topics}
        return RebuiltState(plan, self.last_batch, ends | self.rebuilding.own.at, rows)

    def _goes_on(self) -> bool:
        """Report if it is time. Return False if the proof should end. Raises HostShort."""
        refuse_short(self.process.folder)
        return time.monotonic() - self.told < SECONDS_BETWEEN_REPORTS or self.tell()

    def tell(self) -> bool:
        """Report. Return False if the proof should end."""
        goes_on = self.note(self.make_report())
        self.told = time.monotonic()
        return goes_on

    def make_report(self) -> ProofReport:
        report = self.process.report()
        seconds = time.monotonic() - self.began
        compared_seconds = time.monotonic() - self.compared_since
        used = self.process.measure()
        spent = used.processor_seconds - self.used_before.processor_seconds
        return {
            **report,
            "limits": [*self.limits, *self._list_limits(report)],
            "rebuilt": self.rebuilding.describe() if self.rebuilding is not None else None,
            "stores": [
                {"node": each.node, "store": each.store, "effect": each.effect, "why": each.why}
                for each in self.candidate.changes
            ],
            "seconds": round(seconds, 1),
            "records_per_second": round(report["records"] / compared_seconds) if compared_seconds else 0,
            "memory": used.memory_bytes,
            "cores": round(max(0.0, spent) / seconds, 2) if seconds else 0.0,
            "disk": disk.measure(str(self.process.folder)).bytes or 0,
            "kept_batches": self.kept_batches,
            "left_s": self.pace.left_seconds(),
        }

    def _list_limits(self, report: ComparedBatches) -> Iterator[str]:
        """What the proof could not look at, or not with certainty, in whole sentences."""
        if topics := report["topics_without_records"]:
            yield f"Only the new version reads {', '.join(topics)}: the proof gives it no records of these."
        for node, modules in self.unrecorded.items():
            yield (
                f"`{node}` imports {', '.join(modules)} and does not record what other servers answer. The proof asked "
                "them again, and they may have answered otherwise."
            )
        for node, counts in report["not_recorded"].items():
            by_version = (("running", counts["old"]), ("new", counts["new"]))
            times = " and ".join(f"{write_count(of, 'time')} in the {name} version" for name, of in by_version if of)
            yield (
                f"`{node}` asked other servers for what was not recorded, {times}. A proof calls no server: these "
                "records failed in it."
            )
        if unobserved := report["unobserved"]:
            yield (
                f"The shares of nodes leave out {write_count(unobserved, 'batch', 'batches')} of more than "
                f"{MAX_OBSERVED:,} records, compared by results alone."
            )
        repeated = report["repeated"]
        if repeated["same"] < repeated["batches"]:
            yield (
                f"{write_count(repeated['batches'] - repeated['same'], 'batch', 'batches')} of "
                f"{repeated['batches']:,} gave other results in the running version than the job wrote, so some "
                "differences may not come from the change."
            )
        if self.rebuilding is not None:
            yield from self.rebuilding.list_limits()
            return
        for each in self.candidate.changes:
            if each.effect == "starts_empty":
                yield f"The store {each.store} of `{each.node}` starts empty, as in a deploy: {each.why}"


PACE_SECONDS = 10.0
"""After this time, even less than a hundredth of the work tells how fast it goes."""


@dataclass
class Pace:
    """How fast work of a known size goes."""

    count: int
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def left_seconds(self) -> float | None:
        """About how long the rest takes. None before enough is done to tell, and in the end.

        The first part is slow: what was read of it in a second would foretell hours.
        """
        seconds = time.monotonic() - self.began
        can_tell = self.done * 100 >= self.count or seconds >= PACE_SECONDS
        if not (0 < self.done < self.count and can_tell):
            return None
        return round(seconds * (self.count - self.done) / self.done, 1)


def _count_records(manifest: Manifest) -> int:
    """Offsets that a batch read."""
    return sum(
        manifest.count_of(topic, partition) for topic, ends in manifest.end.items() for partition in range(len(ends))
    )


def replay(*, job: Job, by: AbstractUser, minutes: float) -> Iterator[tuple[Manifest, Executed]]:
    """Execute the batches of the last minutes again, each with its new `checksum`. Raises Conflict, NothingKept."""
    batches = KeptBatches(job)
    refuse_code(batches.plan.read_graph(), by)
    manifests = batches.find_last(minutes)
    with ExitStack() as stack:
        process, manifests = batches.begin(manifests, stack)
        for manifest, inputs in read_inputs(batches.program, manifests, read):
            yield manifest, process.run(manifest, inputs)
