"""Requests and answers of the API of trials. The browser's types are generated from these."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from ninja import Schema
from pydantic import Field, model_validator

from designer.projects.models import TestCase
from designer.projects.schemas import RefusalOut, RequestBody, SentGraph, SentSchemas
from runner.engine.queryable.query import WindowTimes
from runner.spark.past.answers import StoredRow
from runner.watch.queries.api import WindowOut
from runner.watch.trials.cases import Verdict
from runner.watch.trials.lines import write_line


class TrialGraphIn(RequestBody):
    """A graph, saved or not, and the records it is tried on."""

    graph: SentGraph
    schemas: SentSchemas = Field(default_factory=dict, description="Inferred schemas of sources, by node id.")
    cluster: str | None = None
    lines: str | None = Field(
        None,
        max_length=1_000_000,
        description='Records to try instead of the newest, one per line, in this order: {"topic", "key", "value", '
        '"timestamp"}. Records of topics that do not feed the node are left out.',
    )


class TrialIn(TrialGraphIn):
    """The node whose output is wanted."""

    node: str


class StateEstimateIn(RequestBody):
    """A version, or the draft of a topology, on a cluster. Without a cluster, on that of the topology."""

    topology: int | None = None
    version: int | None = None
    cluster: str | None = None


class StoreEstimateOut(Schema):
    """A store after a day: its expected rows and bytes, and its rows after the records of the trial."""

    node: str
    store: str
    rows: int
    bytes: int
    tried_rows: int


class StateEstimateOut(Schema):
    """The expected state after a day, from a trial with the newest records of the topics.

    `records` is the number of records of the trial, `records_per_day` how many come in a day at their rate,
    `restore_s` the time in which a run on two cores restores the rows. `topics_of_old_records` have no record of the
    last day: how many come is unknown, so only the records that they hold count.
    """

    stores: list[StoreEstimateOut]
    records: int
    records_per_day: int
    topics_of_old_records: list[str]
    restore_s: float


class OriginOut(Schema):
    """The record of a topic that was being processed."""

    topic: str
    partition: int
    offset: int


class TrialResultOut(Schema):
    """A record that left the node. Key and value are JSON texts, null is Kafka's own; `timestamp` ms since 1970.

    A text of more than 16,384 characters is cut and ends with "…"; `key_length` or `value_length` is then the length of
    the whole, else null.
    """

    key: str | None
    key_length: int | None
    window: WindowOut | None
    value: str | None
    value_length: int | None
    timestamp: int
    origin: OriginOut


class PortRecordsOut(Schema):
    """How many records left by a port, and the newest of them."""

    count: int
    records: list[TrialResultOut]


class FailedRecordOut(Schema):
    node: str
    message: str
    origin: OriginOut


class TrialOut(Schema):
    """`read`: records taken of each topic. `sources`: a few of each source. `counters`: in, out, dropped and errors of
    each node that was tried; `dropped`: those by node and reason.

    `stopped` is the refusal of a node whose policy is to fail; what came before it is here.
    """

    read: dict[str, int]
    outputs: dict[str, PortRecordsOut]
    sources: list[TrialResultOut]
    counters: dict[str, dict[str, int]]
    dropped: dict[str, dict[str, int]]
    failed: list[FailedRecordOut]
    stopped: RefusalOut | None


class WindowTimesOut(Schema):
    """A window and the times of its records; `end` is the time of the last one in a session."""

    start: int
    end: int
    times: list[int]


class WindowsOut(Schema):
    """The windows of the records that were tried. `late` records came after the grace period of theirs."""

    windows: list[WindowTimesOut]
    grace_ms: int
    late: int


class RecordOut(Schema):
    """A record as texts, as `TrialResultOut` has it. `old` is the value before, of an update of a table."""

    key: str | None
    window: WindowOut | None
    value: str | None
    timestamp: int
    old: str | None = None


class LeavingOut(RecordOut):
    """A record that leaves a node by a port."""

    port: str


class InputRecordOut(RecordOut):
    """A record of a topic."""

    origin: OriginOut


class StoredValueOut(Schema):
    value: str | None
    timestamp: int


class RowChangeOut(Schema):
    """A row of a store that was read or written, before and after; null: it was not there."""

    store: str
    key: str | None
    window: WindowOut | None
    before: StoredValueOut | None
    after: StoredValueOut | None


class StepOut(Schema):
    """A record reaches a `port` of a node; null: it comes from the topic. `from_step` is the step that it left.

    `dropped` and `no_result` say why it went no further; `waits` how many more results are held back since. `met` are
    the inputs that wrote the rows it touched.
    """

    node: str
    port: str | None
    record: RecordOut
    from_step: int | None
    outputs: list[LeavingOut]
    dropped: list[str]
    no_result: list[str]
    waits: int
    error: str | None
    rows: list[RowChangeOut]
    met: list[InputRecordOut]


class FollowOut(Schema):
    """The path of a record, in the order in which nodes took it.

    `origin` is the followed record of a topic: for one of an output topic, the input that it came from. `at` is
    the number of the step to look at first.
    """

    steps: list[StepOut]
    origin: OriginOut
    at: int


class FollowJobOut(FollowOut):
    """The same in a job: in its batch of a `time`, which read so many `records`. Batches are known `since` (ms)."""

    time: int
    records: int
    since: int


class StoredRowIn(RequestBody):
    """A row of a table of a job; its key is a JSON text."""

    store: str
    key: str
    window: WindowOut | None = None

    def read(self) -> StoredRow:
        window: WindowTimes | None = {"start": self.window.start, "end": self.window.end} if self.window else None
        return {"store": self.store, "key": self.key, "window": window}


class FollowJobIn(RequestBody):
    """The record to follow: one of a topic that the job reads or writes, a row of a table, or the newest of a node."""

    record: OriginOut | None = None
    row: StoredRowIn | None = None
    node: str | None = Field(None, description="Follow the newest record that reached this node.")

    @model_validator(mode="after")
    def _names_one(self) -> FollowJobIn:
        if [self.record, self.row, self.node].count(None) != 2:
            raise ValueError("Name a record, a row or a node.")
        return self


class LeftIn(RequestBody):
    """A record that left a node in a step."""

    node: str
    port: str
    record: RecordOut


class FollowIn(TrialGraphIn):
    """The record to follow, of a topic that the graph reads or writes, or among `lines`."""

    topic: str
    partition: int
    offset: int


class InputsIn(FollowIn):
    """An output of that record."""

    output: LeftIn


class JobInputsIn(RequestBody):
    """An output of a record of a job."""

    record: OriginOut
    output: LeftIn


class InputsOut(Schema):
    """The inputs without which an output is not made. Time was up before `unsure` were left out one by one."""

    inputs: list[InputRecordOut]
    unsure: list[InputRecordOut]


class CaseGraphIn(RequestBody):
    """A graph, saved or not; the draft as it is saved if none is given."""

    graph: SentGraph | None = None
    schemas: SentSchemas = Field(default_factory=dict, description="Inferred schemas of sources, by node id.")
    cluster: str | None = Field(None, description="Cluster to ask for unknown schemas. Null: none.")


class TestCaseIn(CaseGraphIn):
    """Records with what is expected of them, a line of JSON each."""

    name: str
    records: str = Field(description='In this order: {"topic", "key", "value", "timestamp"}.')
    expected: str | None = Field(
        None,
        description="Expected output in the same form, in order by topic and key. Times that are left out are not "
        'compared. {"dead_letter": node, "record": number} stands for a record that fails. Null: the current output.',
    )


class TestCaseChange(RequestBody):
    """Members that are null keep their value."""

    revision: int = Field(description="Revision to change. The server refuses the request if there is a newer one.")
    name: str | None = None
    records: str | None = None
    expected: str | None = None


class TestCaseOut(Schema):
    id: int
    name: str
    records: str
    expected: str
    revision: int
    updated_at: datetime
    updated_by: str | None

    @staticmethod
    def resolve_updated_by(case: TestCase) -> str | None:
        return case.updated_by.get_username() if case.updated_by else None


class DifferenceOut(Schema):
    """The first difference: the expected line and the actual one; null: none."""

    expected: str | None
    given: str | None
    at: str = Field(description="Path where the two differ, such as value.total. Empty if one of them is missing.")


class VerdictOut(Schema):
    """The result of a test case. `impossible`: its lines cannot be tried or compared, as `why` says."""

    case: int
    name: str
    verdict: Literal["passed", "failed", "impossible"]
    why: str
    difference: DifferenceOut | None
    given: str | None = Field(
        description="Everything that leaves the topology now, one record per line. Null if the case passed."
    )

    @staticmethod
    def of(verdict: Verdict) -> VerdictOut:
        mismatch = verdict.difference
        difference = None
        if mismatch is not None:
            lines = [None if each is None else write_line(each) for each in (mismatch.expectation, mismatch.outcome)]
            difference = DifferenceOut(expected=lines[0], given=lines[1], at=mismatch.at)
        outcome = verdict.lines() if verdict.word == "failed" else None
        return VerdictOut(
            case=verdict.case.id,
            name=verdict.case.name,
            verdict=verdict.word,
            why=verdict.why,
            difference=difference,
            given=outcome,
        )
