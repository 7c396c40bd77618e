"""Request and response models of the kept past."""

from __future__ import annotations

from typing import Literal

from ninja import Schema
from pydantic import Field

from designer.projects.schemas import RequestBody
from runner.spark.past.answers import NodeActivity
from runner.watch.trials.schemas import (
    FollowOut,
    InputRecordOut,
    OriginOut,
    RecordOut,
    RowChangeOut,
    StoredRowIn,
    StoredValueOut,
    TestCaseOut,
)


class BatchOut(Schema):
    """A kept batch. `failed` counts its dead letters, and `time` is in ms since 1970."""

    number: int
    time: int
    records: int
    failed: int
    version: int = Field(description="Number of the version that executed it.")
    version_id: int


class BatchesOut(Schema):
    """Kept batches, oldest first. If there are more than were asked for, these are evenly spread."""

    batches: list[BatchOut]
    count: int = Field(description="All kept batches since that time.")
    tables_since: int | None = Field(description="Time of the first batch as of which tables open.")
    records_since: int | None = Field(
        description="Time of the first batch that can be executed again: Kafka still has all of its records."
    )


class PastRecordOut(RecordOut):
    """A record that left a node in a batch. No input made it if `origin` is null, but a clock."""

    origin: OriginOut | None


class PastBatchOut(BatchOut):
    """A batch, executed again. `left` are the newest of the `left_count` records that left the node by that port."""

    nodes: dict[str, NodeActivity]
    lag: float | None = Field(description="Unread records of the job in the minute of the batch. Null: not known.")
    unread: dict[str, int] | None = Field(
        description="By topic, the offsets that were there when the batch was planned, and that it left for later ones."
        " Null: not known, as for a batch that was executed again after a restart."
    )
    left: list[PastRecordOut]
    left_count: int


class StepIn(RequestBody):
    """An input record of a batch. Null: the first one."""

    record: OriginOut | None = None
    through: Literal["version", "draft"] = Field(
        "version", description="Through the version that executed the batch, or through the draft as it is saved."
    )


class StepThroughOut(FollowOut, BatchOut):
    """The path of an input record, and the input records of its batch by their times, the first 200."""

    inputs: list[InputRecordOut]


class WhyRecordIn(RequestBody):
    """A record of a topic that the job reads or writes."""

    record: OriginOut
    batch: int | None = Field(None, description="Number of the batch that read the record, if it is an input.")
    node: str | None = Field(None, description="With a batch: the node where the record was seen.")


class WhyRecordOut(Schema):
    """What made a record: its batch, and the input record whose `origin` is a place in a topic.

    `rows` are those of tables and stores that the nodes before it read or changed, the nearest first.
    """

    batch: int
    time: int
    origin: OriginOut
    record: RecordOut | None
    rows: list[RowChangeOut]


class WhyRowIn(RequestBody):
    """A row of a table as of a batch."""

    row: StoredRowIn
    until: OriginOut | None = Field(
        None, description="An input record of the batch: what later ones of it wrote is left out."
    )
    before: int | None = Field(None, description="The `older` of the answer before, to go on from there.")


class WriteOut(Schema):
    """A change of a row: the record that caused it, and the row before and after.

    Without an `origin` a clock caused it. Without `before` and `after` the row went with its window or time to live.
    """

    batch: int
    time: int
    origin: OriginOut | None
    record: RecordOut | None
    before: StoredValueOut | None
    after: StoredValueOut | None


class WhyRowOut(Schema):
    """The changes of a row, newest first, back to the time `since` (ms).

    `end` says why they end there: `began`: the row had not been there before. `more`: ask for the `older` ones.
    `not_kept`: earlier changes of state are no longer kept. `no_records`: Kafka no longer has the records of the next
    older batch.
    """

    changes: list[WriteOut]
    older: int | None
    end: Literal["began", "more", "not_kept", "no_records"]
    since: int


class BatchSearchIn(RequestBody):
    """A condition on the records that leave a node by a port, searched from a batch back."""

    node: str
    port: str
    condition: str = Field(max_length=10_000, description="An expression over the record, such as `amount < 0`.")
    before: int | None = Field(None, description="The `older` of the answer before, to go on from there.")


class HitOut(Schema):
    """A record for which the condition is true, with its batch and the input record that made it."""

    batch: int
    time: int
    origin: OriginOut | None
    record: RecordOut


class BatchSearchOut(Schema):
    """The newest hits, at most 20 of one part of the past, and how far back the search came.

    It ends with the first part that has hits. `older` goes on. Null: no earlier batch can be searched.
    """

    hits: list[HitOut]
    count: int = Field(description="All hits of the part that was searched last.")
    failed: int = Field(description="Records for which the condition could not be computed.")
    searched: int = Field(description="Batches that were searched.")
    older: int | None
    since: int | None


class MadeCaseIn(RequestBody):
    """A difference of the newest proof of a job, as its report names it."""

    case: str = Field(description="Name of the test case.")
    batch: int
    at: str = Field(description="The input record: `orders-3@18811`.")
    topic: str | None = Field(description="Null: dead letters.")
    key: str


class RecordsCaseIn(RequestBody):
    """Records of topics that a job reads or writes, or a pinned batch."""

    case: str = Field(description="Name of the test case.")
    records: list[OriginOut] = Field(
        default=[],
        max_length=20,
        description="Of a record that the job has written, its input record is taken. Empty: the record that the "
        "batch was pinned for, or its first 20 ones.",
    )
    batch: int | None = Field(None, description="Number of the batch that read the records, if it is known.")


class MadeCaseOut(Schema):
    """A test case that was made, and what to know of it."""

    case: TestCaseOut
    notes: list[str]
