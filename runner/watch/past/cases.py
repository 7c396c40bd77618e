"""Makes a difference that a proof has found a test case: the fewest records that show it, without private values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractUser

from designer.projects.models import TestCase
from designer.refusals import Conflict, NotFound, Refusal
from runner.control.jobs.models import Job
from runner.watch.past.services import KeptPast, find_topic_rows
from runner.watch.proving.models import Proof
from runner.watch.proving.newest import find_proof
from runner.watch.trials.cases import Gave, keep, try_texts
from runner.watch.trials.differences import find_first_difference
from runner.watch.trials.lines import write_line
from runner.watch.trials.smallest import list_scalars, mask_records, shrink

Record = Mapping[str, Any]


class Made(NamedTuple):
    """A test case, and what someone should know of it."""

    case: TestCase
    notes: list[str]


def make_case(*, job: Job, name: str, batch: int, at: str, topic: str | None, key: str, by: AbstractUser) -> Made:
    """A test case from a difference of the newest proof. It expects what the compared version gives.

    1. Take the newest input records of the difference's key, up to the one that differs.
    2. Put the rows of tables before them that these may look up, as they were before the first of their batches.
    3. Replace private values, so that everything after this only sees the others.
    4. Leave out records as long as both versions still differ in the topic. Both are tried, with empty state.

    If both versions give the same for the records of 3, the difference needs state that the case lacks: it then keeps
    all records, and a note says so.

    Raises NotFound, Conflict, and the refusals of `cases.keep`.
    """
    proof = find_proof(job=job)
    difference = _find(proof, batch, at, topic, key)
    if proof.against is None:
        raise Conflict("The version that was compared is gone.", "Prove the change again.")
    trial = Trial(proof, job, by, topic)
    notes = list[str]()
    inputs = difference["records"]
    try:
        rows = find_topic_rows(KeptPast.of(job), by, batch, list_scalars(inputs))
    except Refusal as refusal:
        rows = []
        notes.append(f"The rows of tables before the batch are missing: {refusal.message}")
    records: Sequence[Record] = [*rows, *inputs]
    if private := job.topology.project.private_fields:
        records = mask_records(records, private, f"{settings.SECRET_KEY}{job.topology.project_id}")
    if trial.shows([[*records]])[0]:
        left = shrink(records, trial.shows)
        if len(left) < len(records):
            notes.append(f"{len(records) - len(left)} of {len(records)} records were left out: they are not needed.")
        records = left
    else:
        notes.append(
            "These records alone do not show the difference: it needs older records, which are in the job's state"
            + (", or a private value that was replaced." if private else ".")
        )
    case = keep(
        topology=job.topology, name=name, records=write(records), expectation=None, **trial.of(proof.against), by=by
    )
    return Made(case, notes)


class Trial:
    """Both versions of a proof, tried with records."""

    def __init__(self, proof: Proof, job: Job, by: AbstractUser, topic: str | None) -> None:
        self.proof, self.by, self.topic = proof, by, topic
        self.cluster = job.cluster.connect()

    def of(self, version: Any) -> dict[str, Any]:
        """The arguments of a trial of a version: `graph`, `schemas` and `cluster`."""
        return {"graph": version.read_graph(), "schemas": version.read_schemas(), "cluster": self.cluster}

    def shows(self, parts: Sequence[Sequence[Record]]) -> list[bool]:
        """Whether both versions differ in the topic, for each part."""
        texts = [write(part) for part in parts]
        old, new = (try_texts(texts, **self.of(version), by=self.by) for version in (self.proof.against, self.proof))
        return [self._differ(*pair) for pair in zip(old, new, strict=True)]

    def _differ(self, old: Gave, new: Gave) -> bool:
        if old.refusal or new.refusal:
            return False
        lines = [[each for each in gave.left if each.get("topic") == self.topic] for gave in (old, new)]
        return find_first_difference(*lines) is not None


def write(records: Sequence[Record]) -> str:
    """Records as the lines of a test case."""
    return "\n".join(map(write_line, records))


def _find(proof: Proof, batch: int, at: str, topic: str | None, key: str) -> Mapping[str, Any]:
    report = proof.report or {"first": [], "newest": []}
    for each in (*report["first"], *report["newest"]):
        if (each["batch"], each["at"], each["topic"], each["key"]) == (batch, at, topic, key) and each["records"]:
            found: Mapping[str, Any] = each
            return found
    raise NotFound("The newest proof has no such difference, or lacks its input records.", "Choose another difference.")
