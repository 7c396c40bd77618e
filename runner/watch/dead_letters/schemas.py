"""Requests and answers of the API of dead letters. The browser's types are generated from these."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from designer.projects.schemas import RequestBody
from runner.kafka import Place
from runner.watch.dead_letters.contents import Content
from runner.watch.dead_letters.groups import Filter, Group, Grouping, ShownDeadLetter
from runner.watch.dead_letters.marks import Mark
from runner.watch.dead_letters.models import Redrive, RedriveStatus
from runner.watch.dead_letters.reading import ReadOut
from runner.watch.dead_letters.services import EditedRecord
from runner.watch.dead_letters.trying import TriedDeadLetters
from runner.watch.topics.dead_letters import DeadLetter, with_dead_letter

MAX_CHOICE = 10_000


class PlaceIn(RequestBody):
    """Where a letter is in the topic of dead letters."""

    partition: Annotated[int, Field(ge=0)]
    offset: Annotated[int, Field(ge=0)]


class FilterIn(RequestBody):
    """A filter of letters. Members that are left out match every letter.

    `since` is a time of failure in ms since 1970, which may be long after the time of the record.
    """

    node: str | None = None
    group: str | None = None
    search: Annotated[str, Field(max_length=200)] = ""
    since: int | None = None
    is_waiting: Annotated[bool, Field(description="Only those that were not sent back yet.")] = False

    def filter(self) -> Filter:
        return Filter(self.node, self.group, self.search, self.since, self.is_waiting)


class ChosenDeadLettersIn(FilterIn):
    """The letters at these places or, if none are named, those that the filter takes."""

    letters: Annotated[list[PlaceIn] | None, Field(max_length=MAX_CHOICE)] = None

    def places(self) -> list[Place] | None:
        return None if self.letters is None else [(each.partition, each.offset) for each in self.letters]


class EditIn(RequestBody):
    """Key and value of the one record that is sent instead of the original; `base64:` begins bytes."""

    key: str | None
    value: str | None

    def to_edit(self) -> EditedRecord:
        return EditedRecord(self.key, self.value)


class RedriveIn(ChosenDeadLettersIn):
    rate: Annotated[
        float | None, Field(gt=0, le=1_000_000, description="Records a second, 0.1 or more. Null: no limit.")
    ] = None
    edited: EditIn | None = None


class MarkOut(Schema):
    """Who sent a letter back, when (ms since 1970), where to, and what was edited."""

    redrive: int
    by: str
    at: int
    to: str
    original: EditIn | None
    edited: EditIn | None

    @classmethod
    def of(cls, mark: Mark) -> MarkOut:
        return cls.model_validate({"original": None, "edited": None, **mark})


class ShownDeadLetterOut(Schema):
    """A letter: its record, why it failed, when (ms since 1970), and what happened to it."""

    record: DeadLetter
    at: int
    mark: MarkOut | None

    @classmethod
    def of(cls, letter: ShownDeadLetter, grouping: Grouping) -> ShownDeadLetterOut:
        mark = grouping.marks.get(letter.place)
        return cls(record=with_dead_letter(letter.message), at=letter.at, mark=MarkOut.of(mark) if mark else None)


class DeadLetterGroupOut(Schema):
    """Letters with one node and one reason. `counts`: by the steps of the time axis. `again`: the nodes that keep or
    write something and had the record when it failed; sent back, it reaches them a second time."""

    id: str
    node: str | None
    reason: str
    exception: str | None
    output_topic: str | None
    count: int
    waiting: int
    first: int
    last: int
    counts: list[int]
    sources: list[str]
    again: list[str]
    samples: list[ShownDeadLetterOut]

    @classmethod
    def of(cls, group: Group, grouping: Grouping, start: int, step: int, again: list[str]) -> DeadLetterGroupOut:
        """`start` and `step` (ms) are the time axis of all groups."""
        counts = [0] * ((max(group.times) - start) // step + 1)
        for at in group.times:
            counts[(at - start) // step] += 1
        return cls(
            id=group.id,
            node=group.node,
            reason=group.reason,
            exception=group.exception,
            output_topic=group.output_topic,
            count=group.count,
            waiting=group.waiting,
            first=min(group.times),
            last=max(group.times),
            counts=counts,
            sources=sorted(group.sources),
            again=again,
            samples=[ShownDeadLetterOut.of(each, grouping) for each in sorted(group.samples, reverse=True)],
        )


class DeadLettersOut(Schema):
    """The dead letters of a job as their topic holds them. `has_topic`: whether it is there yet.

    `groups` come by how many they have; those beyond the first 200 are left out and counted. `start` and `step` (ms)
    are the time axis of their counts. `letters` are the newest 100 of those `matched`.
    A redrive sends the `waiting` ones of those matched: the others were sent back already.
    """

    topic: str
    cluster: str
    has_topic: bool
    read: ReadOut
    start: int
    step: int
    groups: list[DeadLetterGroupOut]
    groups_left_out: int
    matched: int
    waiting: int
    letters: list[ShownDeadLetterOut]


class FailingOut(Schema):
    """A record that would fail again, and where its letter lies."""

    partition: int
    offset: int
    node: str
    reason: str


class UntriedDeadLetterOut(Schema):
    partition: int
    offset: int
    why: str


class TriedDeadLettersOut(Schema):
    """The result of the draft on the records of letters: `passing` of `of` would not fail now."""

    of: int
    passing: int
    failing: list[FailingOut]
    untried: list[UntriedDeadLetterOut]

    @classmethod
    def of_tried(cls, trial: TriedDeadLetters) -> TriedDeadLettersOut:
        return cls(
            of=trial.of,
            passing=trial.passing,
            failing=[
                FailingOut(**_describe_place(each), node=node, reason=reason) for each, node, reason in trial.failing
            ],
            untried=[
                UntriedDeadLetterOut(**_describe_place(each), why=each.why) for each in trial.untried_dead_letters
            ],
        )


class RefusedDeadLettersOut(Schema):
    """Letters of one record that cannot go back, and why."""

    letters: list[PlaceIn]
    why: str


class RedriveOut(Schema):
    """Letters that go back: how many records, how many are `sent`, and which were refused. `problem`: why it waits."""

    id: int
    status: Literal["running", "done", "stopped"]
    standing: Literal["running", "done", "stopped"] = Field(
        json_schema_extra={"deprecated": True},
        description="Read `status` instead. A later release removes this member.",
    )
    records: int
    sent: int
    refused: list[RefusedDeadLettersOut]
    rate: float | None
    is_edited: bool
    problem: str
    by: str
    created_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, redrive: Redrive) -> RedriveOut:
        return cls(
            id=redrive.id,
            status=RedriveStatus(redrive.status).value,  # type: ignore[arg-type]
            standing=RedriveStatus(redrive.status).value,  # type: ignore[arg-type]
            records=redrive.amount,
            sent=redrive.sent,
            refused=[
                RefusedDeadLettersOut(letters=[PlaceIn(partition=at, offset=offset) for at, offset in places], why=why)
                for places, why in redrive.refused
            ],
            rate=redrive.rate,
            is_edited=redrive.edited is not None,
            problem=redrive.problem,
            by=redrive.by.get_username(),
            created_at=redrive.created_at,
            ended_at=redrive.ended_at,
        )


def _describe_place(content: Content) -> dict[str, int]:
    partition, offset = content.letters[0]
    return {"partition": partition, "offset": offset}
