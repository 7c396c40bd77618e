"""The questions of trials and the types of their answers. Both are JSON between two processes.

`services.ask` sends a question, and `runner.watch.trials.answers` answers it in a process of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypedDict, TypeVar

from designer.refusals import RefusalJson
from runner.engine.following.steps import RowChange, ShownOutput, ShownRecord
from runner.engine.records.record import OriginJson
from runner.engine.trial import FailedRecord, Line, TrialFacts, TrialResult
from runner.spark.events import PageOfRows
from runner.spark.past.answers import BatchActivity, Found, ShownWrite, StoredRow, TopicRow

A = TypeVar("A", covariant=True)
Json = Mapping[str, Any]
SentRecord = list[Any]
"""A record of a topic: topic, partition, offset, timestamp, key, value and headers. Bytes are in base64."""
GivenRecord = list[Any]
"""A `MadeUpRecord`: topic, key, value and timestamp."""
SentBatch = list[Any]
"""A batch of a job: its time (ms), whether it had caught up, the columns of its records by input and partition, and
what other servers answered in it."""
Place = tuple[str, int, int]
"""Topic, partition and offset."""


class PortRecords(TypedDict):
    """The number of records that left by a port, and the newest of them."""

    count: int
    records: list[TrialResult]


class Failures(TypedDict):
    """The records that failed, and the refusal of the node whose policy is to fail."""

    failed: list[FailedRecord]
    stopped: RefusalJson | None


class NodeOutput(Failures):
    """The output of a node by port, a few records of each source, and counts of all nodes that were tried."""

    outputs: dict[str, PortRecords]
    sources: list[TrialResult]
    counters: Mapping[str, Mapping[str, int]]
    dropped: Mapping[str, Mapping[str, int]]
    facts: TrialFacts


class CaseOutput(TypedDict):
    """The records that left for the records of a case, and the refusal if one ended it."""

    left: list[Line]
    refusal: RefusalJson | None
    stopped: RefusalJson | None


class CaseOutputs(TypedDict):
    cases: list[CaseOutput]


class StoreSize(TypedDict):
    """The rows of a store after half of the records and after all, and the bytes of their keys and values."""

    node: str
    store: str
    retention_ms: int | None
    rows_at_half: int
    rows: int
    bytes: int


class StoreSizes(TypedDict):
    stores: list[StoreSize]


class InputRecord(ShownRecord):
    """A record of a topic as texts."""

    origin: OriginJson


class ShownStep(TypedDict):
    """`runner.engine.following.steps.Step` with the records of the inputs that it met."""

    node: str
    port: str | None
    record: ShownRecord
    from_step: int | None
    outputs: list[ShownOutput]
    dropped: list[str]
    no_result: list[str]
    waits: int
    error: str | None
    rows: list[RowChange]
    met: list[InputRecord]


class Followed(TypedDict):
    """The steps of a record of a topic, and the number of the step to look at first."""

    steps: list[ShownStep]
    origin: OriginJson
    at: int


class FollowedInBatch(Followed):
    """The same in the batch of a time (ms), which read so many records."""

    time: int
    records: int


class FollowedInJob(FollowedInBatch):
    """The way of a record through a job, whose batches are known since a time (ms)."""

    since: int


class SteppedThrough(Followed):
    """The same with all inputs of the batch."""

    inputs: list[InputRecord]


class FoundInputs(TypedDict):
    """The inputs without which an output is not made. Time was up before `unsure` were left out one by one."""

    inputs: list[InputRecord]
    unsure: list[InputRecord]


class ChangesJson(TypedDict):
    """`runner.spark.past.rows.Changes` with the key as hexadecimal digits."""

    times: list[int]
    key: str
    node: str
    since: int
    has_more: bool


class TopicRows(TypedDict):
    rows: list[TopicRow]


class Writes(TypedDict):
    writes: list[ShownWrite]


class Output(TypedDict):
    """A record that left a node by a port."""

    node: str
    port: str
    record: Json


class Row(TypedDict):
    """A row of a table: its key in the state as hexadecimal digits, and the node that changed it last."""

    key: str
    node: str


class Candidate(TypedDict):
    """Another version: its plan, and the stores that it would keep."""

    plan: Json
    stores: list[str]


@dataclass(frozen=True, kw_only=True)
class Question(Generic[A]):
    """A question whose answer has the type `A`."""

    def to_json(self) -> Json:
        return {"asks": type(self).__name__, **vars(self)}


@dataclass(frozen=True, kw_only=True)
class GraphQuestion(Question[A]):
    """About a graph, with the schemas of its sources by node, and those of the registry by number."""

    graph: Json
    schemas: Json
    registry_schemas: Mapping[str, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AskOutput(GraphQuestion[NodeOutput]):
    """The output of a node for the newest records of topics, or for given ones."""

    node: str
    records: list[SentRecord]
    given: list[GivenRecord] | None = None


@dataclass(frozen=True, kw_only=True)
class AskFailures(GraphQuestion[Failures]):
    """The records of topics that fail."""

    records: list[SentRecord]


@dataclass(frozen=True, kw_only=True)
class AskCases(GraphQuestion[CaseOutputs]):
    """Everything that leaves the graph for the records of each case, each time from empty state."""

    cases: list[list[GivenRecord]]


@dataclass(frozen=True, kw_only=True)
class AskStoreSizes(GraphQuestion[StoreSizes]):
    """The rows and bytes of each store after the records."""

    records: list[SentRecord]


@dataclass(frozen=True, kw_only=True)
class WayQuestion(GraphQuestion[A]):
    """About the way of a record. `made` is a record of an output topic: then its input is followed."""

    origin: Place
    made: SentRecord | None
    records: list[SentRecord]
    given: list[GivenRecord] | None


@dataclass(frozen=True, kw_only=True)
class AskWay(WayQuestion[Followed]):
    """The steps of a record through the graph."""


@dataclass(frozen=True, kw_only=True)
class AskInputs(WayQuestion[FoundInputs]):
    """The inputs that made an output of a record."""

    output: Output


@dataclass(frozen=True, kw_only=True)
class JobQuestion(Question[A]):
    """About a job, over the state of its run on this host."""

    plan: Json


@dataclass(frozen=True, kw_only=True)
class WayInJobQuestion(JobQuestion[A]):
    """About the way of a record through a job, newest batch first.

    The record is one of these: the `origin` in an input topic, the last one that changed a `row`, the newest that
    reached a node, or the input of one that the job `made`.
    """

    batches: list[SentBatch]
    origin: Place | None = None
    row: Row | None = None
    newest: str | None = None
    made: SentRecord | None = None


@dataclass(frozen=True, kw_only=True)
class AskWayInJob(WayInJobQuestion[FollowedInBatch]):
    """The steps of a record through a job."""


@dataclass(frozen=True, kw_only=True)
class AskInputsInJob(WayInJobQuestion[FoundInputs]):
    """The inputs of its batch that made an output of a record."""

    output: Output


@dataclass(frozen=True, kw_only=True)
class AskBatch(JobQuestion[BatchActivity]):
    """What each node did in a batch, and the newest records that left a node by a port."""

    batch: SentBatch
    node: str | None
    port: str | None


@dataclass(frozen=True, kw_only=True)
class AskTable(JobQuestion[PageOfRows]):
    """A page of a table before the batch of a time (ms). `query` is a `runner.engine.queryable.Query`."""

    store: str
    query: Json
    time: int


@dataclass(frozen=True, kw_only=True)
class AskTopicRows(JobQuestion[TopicRows]):
    """The rows with these keys in tables of topics before the batch of a time (ms)."""

    keys: list[Any]
    time: int


@dataclass(frozen=True, kw_only=True)
class AskSteps(JobQuestion[SteppedThrough]):
    """The steps of an input of a batch, of the first one without an `origin`. With a candidate, through that."""

    batch: SentBatch
    origin: Place | None
    candidate: Candidate | None


@dataclass(frozen=True, kw_only=True)
class AskSearch(JobQuestion[Found]):
    """The newest records that left a node by a port and for which a condition is true."""

    batches: list[SentBatch]
    node: str
    port: str
    condition: str


@dataclass(frozen=True, kw_only=True)
class AskChanges(JobQuestion[ChangesJson]):
    """The batches, of these `times` (ms), that changed a row of a store, from those of the time `until` back."""

    row: StoredRow
    times: list[int]
    until: int


@dataclass(frozen=True, kw_only=True)
class AskWrites(JobQuestion[Writes]):
    """The writes of a row in some batches, by its key in the state, up to an input `until` in the batch of its time."""

    batches: list[SentBatch]
    key: str
    until: tuple[int, Place] | None


KINDS: Mapping[str, type[Question[Any]]] = {
    kind.__name__: kind
    for kind in (
        AskOutput,
        AskFailures,
        AskCases,
        AskStoreSizes,
        AskWay,
        AskInputs,
        AskWayInJob,
        AskInputsInJob,
        AskBatch,
        AskTable,
        AskTopicRows,
        AskSteps,
        AskSearch,
        AskChanges,
        AskWrites,
    )
}


def read_question(sent: Json) -> Question[Any]:
    """The question of its JSON. Raises KeyError or TypeError if it is none."""
    members = dict(sent)
    return KINDS[members.pop("asks")](**members)
