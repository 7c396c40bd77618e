"""What made a record or a row: the batches, inputs and earlier rows that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypedDict

from django.contrib.auth.models import AbstractUser

from designer.refusals import NotFound
from runner.control.jobs.models import Job
from runner.engine.following.steps import RowChange, ShownRecord
from runner.engine.records.record import Origin, OriginJson
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.past.answers import ShownWrite, StoredRow
from runner.spark.replay import count_read
from runner.watch.past.kept import KeptBatch, KeptPast, read_batch, send_plan_for
from runner.watch.past.services import step
from runner.watch.trials.in_job import follow
from runner.watch.trials.questions import (
    AskChanges,
    AskWrites,
    ChangesJson,
    Followed,
    Place,
    SentBatch,
    ShownStep,
)
from runner.watch.trials.services import ask

MAX_EXPLAINED = 50_000
"""About how many records one story of a row reads."""


class RecordStory(TypedDict):
    """What made a record: its batch, the input that it came from, the rows that it met, and all steps of that input."""

    batch: int
    time: int
    origin: OriginJson
    record: ShownRecord | None
    rows: list[RowChange]
    steps: list[ShownStep]


def explain_record(*, job: Job, by: AbstractUser, record: Place, number: int | None, node: str | None) -> RecordStory:
    """Say what made a record of a topic: its batch, the input record, and the rows that it met on its way.

    `rows` are those that the nodes before the topic read or changed for it, nearest first, each before and after. With
    the `number` of a batch, the record is an input of that batch, and the way ends at a `node`. Raises Conflict,
    NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    past = KeptPast.of(job)
    if number is None:
        found = follow(job=job, by=by, origin=record)
        way: Followed = found
        manifest = _find_manifest(past, found["time"])
        is_input = Origin(*record) == Origin(**way["origin"])
        last = None if is_input else way["at"]
    else:
        way, manifest = step(job=job, by=by, number=number, record=record, has_draft=False), past.find(number).manifest
        last = max((at for at, each in enumerate(way["steps"]) if each["node"] == node), default=None)
    steps = way["steps"]
    return {
        "batch": manifest.number,
        "time": manifest.time,
        "origin": way["origin"],
        "record": steps[0]["record"] if steps else None,
        "rows": list(_list_rows(steps, range(len(steps))[::-1] if last is None else _find_way(steps, last))),
        "steps": steps,
    }


def _find_manifest(past: KeptPast, time: int) -> Manifest:
    """The manifest of the batch of a time (ms). Raises NotFound if it was deleted meanwhile."""
    for manifest in past.log.read_before(time, 1):
        if manifest.time == time:
            return manifest
    raise NotFound("The batch of this record is no longer kept.", "Choose a newer record.")


def _find_way(steps: Sequence[ShownStep], last: int) -> Iterator[int]:
    """A step, the one that it comes from, and so on back to the record of the topic."""
    at: int | None = last
    while at is not None:
        yield at
        at = steps[at]["from_step"]


def _list_rows(steps: Sequence[ShownStep], numbers: Iterable[int]) -> Iterator[RowChange]:
    """The rows of these steps, each once."""
    seen = list[Any]()
    for number in numbers:
        for row in steps[number]["rows"]:
            if (place := (row["store"], row["key"], row["window"])) not in seen:
                seen.append(place)
                yield row


class RowWrite(ShownWrite):
    """A write of a row, with the number of its batch."""

    batch: int


class RowStory(TypedDict):
    """The writes of a row, newest first, back to a time `since` (ms). `end` says why they end there.

    `older` is where to ask for older ones, None if there are none.
    """

    changes: list[RowWrite]
    older: int | None
    end: str
    since: int


def explain_row(
    *,
    job: Job,
    by: AbstractUser,
    number: int,
    row: StoredRow,
    before: int | None,
    until: Place | None = None,
) -> RowStory:
    """Return the records that made a row what it is after a batch, newest first, as far back as batches are kept.

    `until` is an input of that batch: what later ones wrote is left out. `before` asks for older ones: those of batches
    before a time (ms). Raises Conflict, NotFound, CodeNotPermitted, and the refusals of a trial.
    """
    past = KeptPast.of(job)
    batch = past.find(number)
    newest = batch.manifest.time if before is None else before - 1
    manifests = {each.time: each for each in past.find_before(newest)}
    plan = send_plan_for(batch.plan, by)
    changes = ask(AskChanges(plan=plan, row=row, times=sorted(manifests), until=newest), by=by)
    reads, end = list[tuple[KeptBatch, SentBatch]](), _name_end(changes, past, manifests)
    since, records = changes["since"], 0
    for time in changes["times"]:
        changed = past.with_plan(manifests[time])
        records += count_read(past.program, changed.manifest)
        if reads and records > MAX_EXPLAINED:
            end, since = "more", reads[-1][0].manifest.time
            break
        try:
            reads.append((changed, read_batch(changed)))
        except NotFound:
            end = "no_records"
            break
    written: list[RowWrite] = [
        {**each, "batch": manifests[each["time"]].number}
        for _, of_plan in groupby(reads, key=lambda read: read[0].manifest.facts.get("plan"))
        for each in _ask_writes(list(of_plan), by, changes["key"], until and (batch.manifest.time, until))
    ]
    if end == "no_records" and reads:
        since = reads[-1][0].manifest.time
    return {"changes": written, "older": since if end == "more" else None, "end": end, "since": since}


def _ask_writes(
    reads: list[tuple[KeptBatch, SentBatch]], by: AbstractUser, key: str, until: tuple[int, Place] | None
) -> list[ShownWrite]:
    """The writes of a row in batches of one version, newest first."""
    batches = [read for _, read in reads]
    question = AskWrites(plan=send_plan_for(reads[0][0].plan, by), batches=batches, key=key, until=until)
    return ask(question, by=by)["writes"]


def _name_end(changes: ChangesJson, past: KeptPast, manifests: Mapping[int, Manifest]) -> str:
    if changes["has_more"]:
        return "more"
    if not changes["since"]:
        return "began"
    oldest = min(manifests, default=None)
    goes_on = oldest is not None and changes["since"] <= oldest and past.has_before(manifests[oldest])
    return "more" if goes_on else "not_kept"
