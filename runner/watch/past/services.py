"""Opens one kept batch of a job: what its nodes did, its tables, and the way of a record through it.

A process without secrets answers (`runner.spark.past`). The job is not touched: the process reads the run's working
copies as of the batch, and gets the records of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractUser

from runner.control.jobs.models import Job
from runner.control.jobs.plans.graph_facts import refuse_unpermitted
from runner.engine.planning.layout import Store
from runner.engine.queryable import Query, find_queryable
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.events import PageOfRows
from runner.spark.past.answers import BatchActivity, TopicRow
from runner.spark.program import make_program
from runner.watch.history.models import HistoryRow, Step
from runner.watch.past.kept import BatchFacts, KeptPast, read_batch, send_plan_for
from runner.watch.proving.services import Candidate
from runner.watch.trials.in_job import send_plan
from runner.watch.trials.questions import (
    AskBatch,
    AskSteps,
    AskTable,
    AskTopicRows,
    Place,
    SteppedThrough,
)
from runner.watch.trials.questions import Candidate as SentCandidate
from runner.watch.trials.services import ask


class PastBatch(BatchFacts, BatchActivity):
    """A batch, what nodes did in it, the lag of the job then, and the offsets of each topic that it left unread."""

    lag: float | None
    unread: Mapping[str, int] | None


def look_at(*, job: Job, by: AbstractUser, number: int, node: str | None, port: str | None) -> PastBatch:
    """Return what nodes did in a batch, and the newest records that left a node by a port.

    Raises Conflict, NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    batch = KeptPast.of(job).find(number)
    question = AskBatch(plan=send_plan_for(batch.plan, by), batch=read_batch(batch), node=node, port=port)
    return {
        **batch.describe(),
        **ask(question, by=by),
        "lag": _find_lag(job, batch.manifest.time),
        "unread": _find_unread(batch.manifest),
    }


def _find_unread(manifest: Manifest) -> dict[str, int] | None:
    """The offsets of each topic that were there when a batch was planned, and that it left. None if nobody knows."""
    unread: Mapping[str, int] | None = manifest.facts.get("unread")
    if unread is None:
        return None
    return dict.fromkeys(manifest.end, 0) | {**unread}


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
    """Return the tables of the version that executed a batch. Raises NotFound, Conflict."""
    return find_queryable(make_program(KeptPast.of(job).find(number).plan).layout)


def read_table(*, job: Job, by: AbstractUser, number: int, store: str, query: Query) -> PageOfRows:
    """Return a page of a table as it was after a batch.

    Raises NotFound, NotKept, QueryRefused, CodeNotPermitted, and the refusals of a trial.
    """
    batch = KeptPast.of(job).find(number)
    plan, after = send_plan_for(batch.plan, by), batch.manifest.time + 1
    return ask(AskTable(plan=plan, store=store, query=query.model_dump(), time=after), by=by)


def find_topic_rows(past: KeptPast, by: AbstractUser, number: int, keys: Sequence[Any]) -> list[TopicRow]:
    """Return the rows with these keys in tables of topics, as they were before a batch, as records of these topics.

    Raises NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    batch = past.find(number)
    question = AskTopicRows(plan=send_plan_for(batch.plan, by), keys=list(keys), time=batch.manifest.time)
    return ask(question, by=by)["rows"]


class SteppedBatch(BatchFacts, SteppedThrough):
    """A batch, and the way of one of its inputs."""


def step(*, job: Job, by: AbstractUser, number: int, record: Place | None, has_draft: bool) -> SteppedBatch:
    """Return the path of an input record of a batch, the first one if none is given, and all its input records.

    The path is through the version that executed the batch, or through the draft with the stores that a deploy would
    keep. Raises Conflict, NotFound, NotKept, CodeNotPermitted, the refusals of a trial, and with the draft those of a
    deploy.
    """
    batch = KeptPast.of(job).find(number)
    candidate: SentCandidate | None = None
    if has_draft:
        draft = job.topology.draft
        refuse_unpermitted(draft.read_graph(), by)
        found = Candidate.of(job, batch.plan, draft)
        candidate = {"plan": send_plan(found.plan), "stores": found.find_kept()}
    plan, read = send_plan_for(batch.plan, by), read_batch(batch)
    question = AskSteps(plan=plan, batch=read, origin=record, candidate=candidate)
    return {**batch.describe(), **ask(question, by=by)}
