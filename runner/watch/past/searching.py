"""Looks in kept batches for records for which a condition is true."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TypedDict

from django.contrib.auth.models import AbstractUser

from runner.control.jobs.models import Job
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.past.answers import Found, Hit
from runner.spark.past.batches import make_condition
from runner.spark.program import make_program
from runner.spark.replay import count_read
from runner.watch.past.kept import MAX_BATCHES, KeptPast, send_plan_for
from runner.watch.trials.in_job import read_batches
from runner.watch.trials.questions import (
    AskSearch,
)
from runner.watch.trials.services import ask

SEARCH_SECONDS = 8.0
"""Longest time for a search, but for its last part."""
MAX_SEARCHED = 20_000
"""About how many records one process searches."""


class BatchHit(Hit):
    """A record for which a condition is true, with the number of its batch."""

    batch: int


class SearchedBatches(TypedDict):
    """The newest hits, and the number of all of them and of failures, in so many batches back to a time `since` (ms).

    `older` is where to search on, None at the end of the kept past.
    """

    hits: list[BatchHit]
    count: int
    failed: int
    searched: int
    older: int | None
    since: int | None


def search(
    *, job: Job, by: AbstractUser, number: int, node: str, port: str, condition: str, before: int | None
) -> SearchedBatches:
    """Find the newest records that left a node by a port and for which a condition is true, from a batch back.

    `before` continues with batches before a time (ms). Raises Conflict, NotFound, NotKept, QueryRefused,
    CodeNotPermitted, and the refusals of a trial.
    """
    past = KeptPast.of(job)
    last = past.find(number)
    make_condition(make_program(last.plan), node, port, condition)
    until = last.manifest.time if before is None else before - 1
    every = past.find_before(until)
    since = past.find_ends(every).records
    left = [each for each in every if since is not None and since <= each.time]
    numbers = {each.time: each.number for each in every}
    deadline = monotonic() + SEARCH_SECONDS
    hits: list[Hit] = []
    searched = failed = count = 0
    while left and not hits and monotonic() < deadline:
        found, read = _search_chunk(past, take_newest(past, left), by, node, port, condition)
        hits, count, failed = found["hits"], found["count"], failed + found["failed"]
        searched += read
        left = left[:-read]
    older = left[-1].time + 1 if left else None
    if count > len(hits):
        older = hits[-1]["time"]
    if older is None and every and since == every[0].time and past.has_before(every[0]):
        older = since
    return {
        "hits": [BatchHit(**hit, batch=numbers[hit["time"]]) for hit in hits],
        "count": count,
        "failed": failed,
        "searched": searched,
        "older": older,
        "since": left[-1].time if left else since,
    }


def _search_chunk(
    past: KeptPast, chunk: Sequence[Manifest], by: AbstractUser, node: str, port: str, condition: str
) -> tuple[Found, int]:
    """Return what is found in consecutive batches of one version, newest first, and how many of them were searched."""
    batch = past.with_plan(chunk[0])
    read = list(read_batches(make_program(batch.plan), chunk))
    plan = send_plan_for(batch.plan, by)
    return ask(AskSearch(plan=plan, batches=read, node=node, port=port, condition=condition), by=by), len(read)


def find_hits(
    past: KeptPast, chunk: Sequence[Manifest], by: AbstractUser, node: str, port: str, condition: str
) -> list[BatchHit]:
    """The newest hits in some batches (`take_oldest`), newest first.

    Raises NotFound, NotKept, QueryRefused, CodeNotPermitted, and the refusals of a trial.
    """
    found, read = _search_chunk(past, chunk, by, node, port, condition)
    numbers = {each.time: each.number for each in chunk[:read]}
    return [BatchHit(**hit, batch=numbers[hit["time"]]) for hit in found["hits"]]


def take_newest(past: KeptPast, manifests: Sequence[Manifest]) -> list[Manifest]:
    """The newest consecutive batches of one version for one question, newest first."""
    return _take(past, list(reversed(manifests)))


def take_oldest(past: KeptPast, manifests: Sequence[Manifest]) -> list[Manifest]:
    """The oldest consecutive batches of one version for one question, newest first."""
    return _take(past, [each for each in manifests if each.start is not None])[::-1]


def _take(past: KeptPast, manifests: Sequence[Manifest]) -> list[Manifest]:
    taken: list[Manifest] = []
    records = 0
    for manifest in manifests:
        records += count_read(past.program, manifest)
        follows = not taken or (
            abs(taken[-1].number - manifest.number) == 1 and taken[-1].facts.get("plan") == manifest.facts.get("plan")
        )
        if taken and (not follows or records > MAX_SEARCHED or len(taken) == MAX_BATCHES):
            break
        taken.append(manifest)
    return taken
