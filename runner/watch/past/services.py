"""The kept batches of a job, and questions about them that a process of its own answers (`runner.spark.past`).

The job is not touched: the process reads the run's working copies as of a batch, and gets the records of the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import groupby
from time import monotonic
from typing import Any, NamedTuple, TypedDict

from django.contrib.auth.models import AbstractUser

from designer.projects.code_permission import refuse_code
from designer.projects.models import Version
from designer.refusals import NotFound
from runner.control.jobs.models import Job
from runner.engine.following.steps import RowChange, ShownRecord
from runner.engine.planning.layout import Store
from runner.engine.queryable import Query, find_queryable
from runner.engine.records.record import Origin, OriginJson
from runner.kafka import KafkaCluster
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import BatchLog, Manifest
from runner.spark.events import PageOfRows
from runner.spark.past.answers import BatchActivity, Found, Hit, ShownWrite, StoredRow, TopicRow
from runner.spark.past.batches import make_condition
from runner.spark.program import Program, make_program
from runner.spark.replay import count_read
from runner.spark.state import had_records
from runner.spark.state.changelog import NO_NONCE
from runner.spark.state.history import History
from runner.watch.history.models import HistoryRow, Step
from runner.watch.proving.services import Candidate
from runner.watch.trials.in_job import follow, make_plan_here, open_log, read_batches, send_plan
from runner.watch.trials.questions import (
    AskBatch,
    AskChanges,
    AskSearch,
    AskSteps,
    AskTable,
    AskTopicRows,
    AskWrites,
    ChangesJson,
    Followed,
    Place,
    SentBatch,
    ShownStep,
    SteppedThrough,
)
from runner.watch.trials.questions import Candidate as SentCandidate
from runner.watch.trials.services import ask

SEARCH_SECONDS = 8.0
"""Longest time for a search, but for its last part."""
MAX_WINDOW = 20_000
"""Manifests that one question looks at. A question about older ones goes on before them."""
MAX_EXPLAINED = 50_000
"""About how many records one story of a row reads."""
MAX_SEARCHED = 20_000
"""About how many records one process searches."""
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


class BatchHit(Hit):
    """A record for which a condition is true, with the number of its batch."""

    batch: int


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
        """A batch with the version and plan of the run that executed it."""
        return KeptBatch(
            manifest, *self.versions.get(manifest.facts.get("generation", 0), (self.job.version, self.plan))
        )

    @cached_property
    def versions(self) -> Mapping[int, tuple[Version, Plan]]:
        """The versions and plans of the runs of this epoch, by generation. Raises SecretLost."""
        runs = self.job.runs.filter(epoch=self.plan.epoch).select_related("version", "cluster", "spark")
        return {run.generation: (run.version, run.connect_plan()) for run in runs}

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


class PastBatch(BatchFacts, BatchActivity):
    """A batch, what nodes did in it, the lag of the job then, and the offsets of each topic that it left unread."""

    lag: float | None
    unread: Mapping[str, int] | None


def look_at(*, job: Job, by: AbstractUser, number: int, node: str | None, port: str | None) -> PastBatch:
    """What nodes did in a batch, and the newest records that left a node by a port.

    Raises Conflict, NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    batch = KeptPast.of(job).find(number)
    question = AskBatch(plan=_send_plan(batch.plan, by), batch=_read_batch(batch), node=node, port=port)
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
    """The tables of the version that executed a batch. Raises NotFound, Conflict."""
    return find_queryable(make_program(KeptPast.of(job).find(number).plan).layout)


def read_table(*, job: Job, by: AbstractUser, number: int, store: str, query: Query) -> PageOfRows:
    """A page of a table as of a batch: its rows after it.

    Raises NotFound, NotKept, QueryRefused, CodeNotPermitted, and the refusals of a trial.
    """
    batch = KeptPast.of(job).find(number)
    plan, after = _send_plan(batch.plan, by), batch.manifest.time + 1
    return ask(AskTable(plan=plan, store=store, query=query.model_dump(), time=after), by=by)


def find_topic_rows(past: KeptPast, by: AbstractUser, number: int, keys: Sequence[Any]) -> list[TopicRow]:
    """The rows with these keys in tables of topics before a batch, as records of the topics.

    Raises NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    batch = past.find(number)
    question = AskTopicRows(plan=_send_plan(batch.plan, by), keys=list(keys), time=batch.manifest.time)
    return ask(question, by=by)["rows"]


class RecordStory(TypedDict):
    """What made a record: its batch, the input that it came from, the rows that it met, and all steps of that input."""

    batch: int
    time: int
    origin: OriginJson
    record: ShownRecord | None
    rows: list[RowChange]
    steps: list[ShownStep]


def explain_record(*, job: Job, by: AbstractUser, record: Place, number: int | None, node: str | None) -> RecordStory:
    """What made a record of a topic: its batch, the input record, and the rows that it met on its way.

    `rows` are those that the nodes before the topic read or changed for it, nearest first, each before and after. With
    the `number` of a batch, the record is an input of that batch, and the way ends at a `node`. Raises Conflict,
    NotFound, NotKept, CodeNotPermitted, and the refusals of a trial.
    """
    past = KeptPast.of(job)
    if number is None:
        found = follow(job=job, by=by, origin=record)
        way: Followed = found
        manifest = next(each for each in past.log.read() if each.time == found["time"])
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
    """The records that made a row what it is after a batch, newest first, as far back as batches are kept.

    `until` is an input of that batch: what later ones wrote is left out. `before` asks for older ones: those of batches
    before a time (ms). Raises Conflict, NotFound, CodeNotPermitted, and the refusals of a trial.
    """
    past = KeptPast.of(job)
    batch = past.find(number)
    newest = batch.manifest.time if before is None else before - 1
    manifests = {each.time: each for each in past.find_before(newest)}
    plan = _send_plan(batch.plan, by)
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
            reads.append((changed, _read_batch(changed)))
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
    question = AskWrites(plan=_send_plan(reads[0][0].plan, by), batches=batches, key=key, until=until)
    return ask(question, by=by)["writes"]


class SteppedBatch(BatchFacts, SteppedThrough):
    """A batch, and the way of one of its inputs."""


def step(*, job: Job, by: AbstractUser, number: int, record: Place | None, has_draft: bool) -> SteppedBatch:
    """The path of an input record of a batch, the first one if none is given, and all input records of the batch.

    Through the version that executed the batch, or through the draft with the stores that a deploy would keep. Raises
    Conflict, NotFound, NotKept, CodeNotPermitted, the refusals of a trial, and with the draft those of a deploy.
    """
    batch = KeptPast.of(job).find(number)
    candidate: SentCandidate | None = None
    if has_draft:
        draft = job.topology.draft
        refuse_code(draft.read_graph(), by)
        found = Candidate.of(job, batch.plan, draft)
        candidate = {"plan": send_plan(found.plan), "stores": found.find_kept()}
    plan, read = _send_plan(batch.plan, by), _read_batch(batch)
    question = AskSteps(plan=plan, batch=read, origin=record, candidate=candidate)
    return {**batch.describe(), **ask(question, by=by)}


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
    """The newest records that left a node by a port and for which a condition is true, from a batch back.

    `before` goes on with batches before a time (ms). Raises Conflict, NotFound, NotKept, QueryRefused,
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
    """What is found in consecutive batches of one version, newest first, and in how many of them was searched."""
    batch = past.with_plan(chunk[0])
    read = list(read_batches(make_program(batch.plan), chunk))
    plan = _send_plan(batch.plan, by)
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


def _name_end(changes: ChangesJson, past: KeptPast, manifests: Mapping[int, Manifest]) -> str:
    if changes["has_more"]:
        return "more"
    if not changes["since"]:
        return "began"
    oldest = min(manifests, default=None)
    goes_on = oldest is not None and changes["since"] <= oldest and past.has_before(manifests[oldest])
    return "more" if goes_on else "not_kept"


def _send_plan(plan: Plan, by: AbstractUser) -> Mapping[str, Any]:
    """A plan for a question. Raises CodeNotPermitted."""
    refuse_code(plan.read_graph(), by)
    return send_plan(plan)


def _read_batch(batch: KeptBatch) -> SentBatch:
    """A batch for a question, with its records from Kafka. Raises NotFound."""
    (read,) = read_batches(make_program(batch.plan), [batch.manifest])
    return read
