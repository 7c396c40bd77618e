"""Makes real traffic a test case: the fewest records and rows that show something, without private values.

It may be a difference that a proof has found (`make_case`), or records of topics (`make_case_of_records`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from django.conf import settings
from django.contrib.auth.models import AbstractUser

from designer.projects.models import StoredGraph, TestCase, Version
from designer.refusals import Conflict, NotFound, Refusal
from designer.streams.flows import make_operator
from designer.topology.graph import Graph
from designer.values import exact_json
from designer.values.schemas import Schema
from runner.control.jobs.models import Job
from runner.engine.following.steps import RowChange, ShownRecord
from runner.engine.records.record import OriginJson
from runner.engine.trial import Line
from runner.kafka import KafkaCluster
from runner.spark.past.answers import StoredRow, TopicRow
from runner.spark.proving.report import ProofDifference, ProofInput
from runner.watch.past.kept import KeptPast
from runner.watch.past.services import find_topic_rows, step
from runner.watch.past.stories import explain_record, explain_row
from runner.watch.proving.models import Proof
from runner.watch.proving.newest import get_proof
from runner.watch.proving.pins import list_pins
from runner.watch.trials import services as trials
from runner.watch.trials.cases import Gave, NotTried, keep, try_texts
from runner.watch.trials.differences import find_first_difference
from runner.watch.trials.lines import write_line
from runner.watch.trials.smallest import list_scalars, mask_records, shrink

MAX_CHOSEN = 20
"""Most records that a test case can be made of."""
MAX_OLDER = 200
"""Most older records that are looked at, and may be left out again."""
Place = tuple[str, int, int]


class TrialArguments(TypedDict):
    """What a trial of a version takes."""

    graph: Graph
    schemas: Mapping[str, Schema]
    cluster: KafkaCluster


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
    proof = get_proof(job=job)
    difference = _find(proof, batch, at, topic, key)
    if proof.against is None:
        raise Conflict("The version that was compared is gone.", "Prove the change again.")
    trial = Trial(proof, proof.against, job, by, topic)
    notes = list[str]()
    inputs = difference["records"]
    try:
        rows = find_topic_rows(KeptPast.of(job), by, batch, list_scalars(inputs))
    except Refusal as refusal:
        rows = []
        notes.append(f"The rows of tables before the batch are missing: {refusal.message}")
    records: Sequence[Line] = [_make_line(each) for each in (*rows, *inputs)]
    if private := job.topology.project.private_fields:
        records = mask_records(records, private, _make_salt(job))
    if trial.shows([[*records]])[0]:
        left = shrink(records, trial.shows)
        notes += _note_left_out(len(records), len(left))
        records = left
    else:
        notes.append(
            "These records alone do not show the difference: it needs older records, which are in the job's state"
            + (", or a private value that was replaced." if private else ".")
        )
    case = keep(topology=job.topology, name=name, records=write(records), expectation=None, **trial.old, by=by)
    return Made(case, notes)


class Trial:
    """Both versions of a proof, tried with records."""

    def __init__(self, proof: Proof, against: Version, job: Job, by: AbstractUser, topic: str | None) -> None:
        cluster = job.cluster.connect()
        self.old, self.new = _make_arguments(against, cluster), _make_arguments(proof, cluster)
        self.by, self.topic = by, topic

    def shows(self, parts: Sequence[Sequence[Line]]) -> list[bool]:
        """Whether both versions differ in the topic, for each part."""
        texts = [write(part) for part in parts]
        old, new = (try_texts(texts, **arguments, by=self.by) for arguments in (self.old, self.new))
        return [self._differ(*pair) for pair in zip(old, new, strict=True)]

    def _differ(self, old: Gave, new: Gave) -> bool:
        if old.refusal or new.refusal:
            return False
        lines = [[each for each in gave.left if each.get("topic") == self.topic] for gave in (old, new)]
        return find_first_difference(*lines) is not None


def make_case_of_records(
    *, job: Job, name: str, records: Sequence[Place], batch: int | None = None, by: AbstractUser
) -> Made:
    """A test case from records of topics that a job reads or writes. It expects what the running version gives.

    Of a record that the job has written, and of a dead letter's, the input record counts. With a `batch`, they are
    inputs of it. Without records, the batch is a pinned one: the record that it was pinned for, or its first ones.

    1. Find the batch of each record, what the job gave for it, and the rows that it met on its way.
    2. Add the older records that made these rows, as far as batches are kept.
    3. Put the rows of tables before them that they may look up, as they were before the first of their batches.
    4. Replace private values, so that everything after this only sees the others.
    5. Leave out older records and rows as long as the chosen ones still give the same, from empty state.

    If they do not give what the job gave, they need state that the case lacks: a note says so.

    Raises NotFound, Conflict, and the refusals of `cases.keep`.
    """
    notes = list[str]()
    if not records and batch is not None:
        records = _choose_of_pin(job, by, batch, notes)
    if not 1 <= len(records) <= MAX_CHOSEN:
        raise Refusal(f"These are {len(records)} records; choose 1 to {MAX_CHOSEN}.", "Choose other records.")
    traffic = Traffic(job, by, notes)
    for place in records:
        traffic.choose(place, batch)
    traffic.mask()
    trial = RunningTrial(job, by, traffic.chosen)
    others, chosen = traffic.others, traffic.chosen
    shown = trial.find_given([others])[0]
    if _count_values(shown) != traffic.count_given():
        notes.append(
            "These records alone do not give what the job gave: that needs older records, which are in the job's state"
            + (", or a private value that was replaced." if job.topology.project.private_fields else ".")
        )

    def shows(parts: Sequence[Sequence[Numbered]]) -> list[bool]:
        return [given == shown for given in trial.find_given(parts)]

    left = [] if shows([[]])[0] else shrink(others, shows)
    notes += _note_left_out(len(others) + len(chosen), len(left) + len(chosen))
    text = write([record for _, record in sorted([*left, *chosen], key=lambda each: each[0])])
    case = keep(topology=job.topology, name=name, records=text, expectation=None, **trial.arguments, by=by)
    return Made(case, notes)


def _choose_of_pin(job: Job, by: AbstractUser, batch: int, notes: list[str]) -> list[Place]:
    """The record that a batch was pinned for. If nobody said, its first ones."""
    pin = next((each for each in list_pins(job=job).pins if each.batch == batch), None)
    if pin is not None and pin.record is not None:
        return [(pin.record.topic, pin.record.partition, pin.record.offset)]
    inputs = step(job=job, by=by, number=batch, record=None, has_draft=False)["inputs"]
    if len(inputs) > MAX_CHOSEN:
        notes.append(f"It has the first {MAX_CHOSEN} input records of the batch, of {len(inputs)} or more.")
    return [_make_place(each["origin"]) for each in inputs[:MAX_CHOSEN]]


def _make_place(origin: OriginJson) -> Place:
    return origin["topic"], origin["partition"], origin["offset"]


Numbered = tuple[int, Line]
"""A record, and its place in the order of a case."""


class Traffic:
    """Records of a job that someone has chosen, and the older ones and the rows that these may need."""

    def __init__(self, job: Job, by: AbstractUser, notes: list[str]) -> None:
        self.job, self.by, self.notes = job, by, notes
        self.version = job.version
        self.records: dict[Place, tuple[int, Line]] = {}
        """The batch of each, -1 if it is not known, and the record."""
        self.places: set[Place] = set()
        """The places of the chosen records."""
        self.given: Sequence[Line] = []
        """What the job gave for these: `value`, or `dead_letter`."""
        self.chosen: list[Numbered] = []
        self.others: list[Numbered] = []

    def choose(self, place: Place, batch: int | None) -> None:
        """Adds a record, and the older ones that made the rows which it met. Raises NotFound, NotTried."""
        try:
            story = explain_record(job=self.job, by=self.by, record=place, number=batch, node=None)
        except NotFound as refusal:
            self._choose_alone(place, refusal)
            return
        origin = _make_place(story["origin"])
        if origin in self.places:
            return
        self._add(origin, story["batch"], story["record"])
        self.places.add(origin)
        sinks = _find_sinks(self.version.read_graph())
        for each in story["steps"]:
            if each["error"] is not None:
                self.given = [*self.given, {"dead_letter": each["node"]}]
            elif each["node"] in sinks and each["from_step"] is not None:
                self.given = [*self.given, {"value": _read(each["record"]["value"], origin)}]
        for row in story["rows"]:
            self._add_older(story["batch"], row, origin)

    def _choose_alone(self, place: Place, refusal: Refusal) -> None:
        """Adds an input record whose batch is not known any more, such as that of an old dead letter."""
        graph, schemas = self.version.read_graph(), self.version.read_schemas()
        cluster = self.job.cluster.connect()
        trial = trials.Trial(graph, schemas, cluster, self.by, None, self.job.cluster.find_registry())
        steps = trials.follow(trial, place)["steps"]
        self._add(place, -1, steps[0]["record"] if steps else None)
        self.places.add(place)
        self.notes.append(f"It has no older records: {refusal.message}")

    def _add_older(self, batch: int, row: RowChange, until: Place) -> None:
        before: int | None = None
        of: StoredRow = {"store": row["store"], "key": row["key"], "window": row["window"]}
        while len(self.records) < MAX_OLDER:
            try:
                story = explain_row(job=self.job, by=self.by, number=batch, row=of, before=before, until=until)
                for change in story["changes"]:
                    if change["origin"] is not None:
                        self._add(_make_place(change["origin"]), change["batch"], change["record"])
            except Refusal as refusal:
                self.notes.append(f"Older records of `{row['store']}` are missing: {refusal.message}")
                return
            before = story["older"]
            if before is None:
                return

    def _add(self, place: Place, batch: int, record: ShownRecord | None) -> None:
        topic, partition, offset = place
        if record is None or (record["key"] is None and record["value"] is None):
            raise NotTried(
                f"Record {topic}-{partition}@{offset} cannot be read with the formats of its source, so a test case "
                "cannot hold it.",
                "Choose another record, or correct the formats of the source first.",
            )
        key, value = _read(record["key"], place), _read(record["value"], place)
        self.records[place] = batch, {"topic": topic, "key": key, "value": value, "timestamp": record["timestamp"]}

    def mask(self) -> None:
        """Orders everything as the job has read it, the rows of tables first, without private values."""
        ordered = sorted(self.records, key=lambda place: (self.records[place][0], self.records[place][1]["timestamp"]))
        known = [self.records[place][1] for place in ordered]
        rows = self._find_rows(known)
        given: list[Line] = [{"key": None, "value": None, **each} for each in self.given]
        records: Sequence[Line] = [*rows, *known, *given]
        if private := self.job.topology.project.private_fields:
            records = mask_records(records, private, _make_salt(self.job))
        end = len(rows) + len(known)
        self.given = records[end:]
        are_chosen = [*[False] * len(rows), *(place in self.places for place in ordered)]
        for number, (record, is_chosen) in enumerate(zip(records[:end], are_chosen, strict=True)):
            (self.chosen if is_chosen else self.others).append((number, record))

    def _find_rows(self, records: Sequence[Line]) -> list[Line]:
        first = min(batch for batch, _ in self.records.values())
        if first < 0:
            return []
        try:
            rows = find_topic_rows(KeptPast.of(self.job), self.by, first, list_scalars(records))
        except Refusal as refusal:
            self.notes.append(f"The rows of tables before the batch are missing: {refusal.message}")
            return []
        return [_make_line(row) for row in rows]

    def count_given(self) -> Counter[str]:
        """What the job gave for the chosen records. Keys and times do not count: the job knows them as texts."""
        return _count_values(Counter(_write_part(each) for each in self.given))


class RunningTrial:
    """The running version of a job, tried with older records, with and without the chosen ones."""

    def __init__(self, job: Job, by: AbstractUser, chosen: Sequence[Numbered]) -> None:
        self.by, self.chosen = by, chosen
        self.arguments = _make_arguments(job.version, job.cluster.connect())

    def find_given(self, parts: Sequence[Sequence[Numbered]]) -> list[Counter[str]]:
        """What the chosen records add to the output, for each part of the others, from empty state."""
        texts = list[str]()
        for part in parts:
            every = sorted([*part, *self.chosen], key=lambda each: each[0])
            texts += [write([record for _, record in each]) for each in (every, part)]
        outputs = [Counter(map(_write_part, each.left)) for each in try_texts(texts, **self.arguments, by=self.by)]
        return [outputs[at] - outputs[at + 1] for at in range(0, len(outputs), 2)]


def _make_line(record: TopicRow | ProofInput) -> Line:
    return {
        "topic": record["topic"],
        "key": record["key"],
        "value": record["value"],
        "timestamp": record["timestamp"],
    }


def _make_arguments(version: StoredGraph, cluster: KafkaCluster) -> TrialArguments:
    return {"graph": version.read_graph(), "schemas": version.read_schemas(), "cluster": cluster}


def _find_sinks(graph: Graph) -> set[str]:
    operators = ((node.id, make_operator(node)) for node in graph.nodes)
    return {id_ for id_, operator in operators if operator is not None and not operator.get_declared_outputs()}


def _read(text: str | None, place: Place) -> Any:
    """The value of a text that a step shows. Raises NotTried if the text was cut."""
    if text is None:
        return None
    try:
        return exact_json.loads(text)
    except ValueError as error:
        topic, partition, offset = place
        raise NotTried(
            f"Record {topic}-{partition}@{offset}, or a result of it, is too long for a test case.",
            "Choose another record.",
        ) from error


def _write_part(line: Line) -> str:
    """What counts of a line of output: a dead letter's node, or a record without its time."""
    names = ("dead_letter",) if "dead_letter" in line else ("topic", "key", "value")
    return exact_json.dumps({name: line.get(name) for name in names}).decode()


def _count_values(parts: Counter[str]) -> Counter[str]:
    """The values, and the nodes of dead letters, of parts of output."""
    found: Counter[str] = Counter()
    for part, count in parts.items():
        line = exact_json.loads(part)
        found[exact_json.dumps(line.get("dead_letter", [line.get("value")])).decode()] += count
    return found


def _note_left_out(count: int, left: int) -> Iterator[str]:
    if left < count:
        yield f"{count - left} of {count} records were left out: they are not needed."


def _make_salt(job: Job) -> str:
    return f"{settings.SECRET_KEY}{job.topology.project_id}"


def write(records: Sequence[Line]) -> str:
    """Records as the lines of a test case."""
    return "\n".join(map(write_line, records))


def _find(proof: Proof, batch: int, at: str, topic: str | None, key: str) -> ProofDifference:
    for each in (*proof.report["first"], *proof.report["newest"]) if proof.report else ():
        if (each["batch"], each["at"], each["topic"], each["key"]) == (batch, at, topic, key) and each["records"]:
            return each
    raise NotFound("The newest proof has no such difference, or lacks its input records.", "Choose another difference.")
