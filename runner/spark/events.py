"""What a run tells its supervisor, one event a line, and the supervisor its listeners. Times are ms since 1970."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from designer.refusal_codes import RefusalCode
from designer.refusals import RefusalJson
from runner.engine.counts.drops import Drops
from runner.engine.counts.outcomes import Outcomes
from runner.engine.queryable import TextRow
from runner.engine.queryable.holding import HeldByTask

Counters = Mapping[str, Mapping[str, int]]
"""Node -> counter -> number."""


class FailureCause(TypedDict):
    """Why a run failed. Postgres keeps it with the run."""

    code: RefusalCode
    message: str
    hint: str
    """The next step."""
    node: str | None
    """The node whose code or record failed."""
    batch: int | None
    """The batch that failed, else the last one."""
    offsets: Mapping[str, list[int]]
    """Topic -> next offset of each partition after that batch."""
    traceback: str
    retriable: bool
    """Whether the next run may succeed. The restart policy asks."""


class StatusEvent(TypedDict):
    type: Literal["status"]
    status: str
    """One of `runner.control.jobs.statuses.Status`."""


class StepEvent(TypedDict):
    """A step of the start begins."""

    type: Literal["step"]
    step: str
    """One of `runner.control.jobs.statuses.Step`."""
    at: int


class BeatEvent(TypedDict):
    """Sent each second, so that a silent run is noticed."""

    type: Literal["beat"]
    batch: int | None
    """The batch that Spark executes, else the last one."""
    in_batch_ms: int
    """How long it takes so far. 0 between batches."""


class ProgressEvent(TypedDict):
    """A batch is committed. Numbers are those of the batch, not totals."""

    type: Literal["progress"]
    batch: int
    started_at: int
    committed_at: int
    duration_ms: int
    in_batch_ms: NotRequired[int]
    """As of `BeatEvent`: the next batch may have begun."""
    phases: NotRequired[Mapping[str, int]]
    """How long each step took."""
    latency_ms: NotRequired[int]
    """Age of its oldest record at the commit."""
    records_in: int
    nodes: Counters
    drops: NotRequired[Drops]
    outcomes: NotRequired[Outcomes]
    sources: Mapping[str, list[int]]
    """Topic -> next offset of each partition."""
    state: NotRequired[Mapping[str, int]]
    """`rows` and `bytes` of all stores."""
    stores: NotRequired[Counters]
    """`rows` and `bytes` of each node with a store."""
    busy_ms: NotRequired[Mapping[str, int]]
    """Node -> processor time."""
    workers: NotRequired[int]
    dead_letters: NotRequired[int]


class ExecutorsEvent(TypedDict):
    """The memory that executors of a Spark cluster hold has changed."""

    type: Literal["executors"]
    memory: Mapping[str, int]
    """Host -> bytes."""


class LostExecutor(TypedDict):
    """An executor that a run lost, `executor` by its `host:port`; `reason` is in Spark's words, `at` in ms since 1970.

    `batch` is the one that Spark executes `again`, or else the next one, which builds state again: null while it
    has not begun. `took_ms` is what it took in all, null while it runs. `cost_ms` is how much longer that was than
    usual; null without batches before it.
    """

    executor: str
    host: str
    at: int
    reason: str
    hint: str
    batch: int | None
    again: bool
    took_ms: int | None
    cost_ms: int | None


class ExecutorLostEvent(LostExecutor):
    """Spark lost an executor. A second event about it has the cost."""

    type: Literal["executor_lost"]


class WaitingRecords(TypedDict):
    """From `offset` on, records of a partition wait for the schema `id` of the registry."""

    topic: str
    partition: int
    offset: int
    id: int | str
    why: str
    since: int


class SchemasEvent(TypedDict):
    """Which records wait for schemas has changed."""

    type: Literal["schemas"]
    waiting: list[WaitingRecords]


class Question(TypedDict):
    """A question to a run: about the rows of a `store`, or about the records that a node and those before hold back.

    It travels from the web server over Redis and the supervisor to the child (`runner.spark.queries`).
    """

    id: str
    store: NotRequired[str]
    query: NotRequired[Mapping[str, object]]
    """A `runner.engine.queryable.Query`."""
    held: NotRequired[str]
    """The node."""


class PageOfRows(TypedDict):
    rows: list[TextRow]
    next: str | None
    """The cursor of the next page. None: there is none."""


class Readiness(TypedDict):
    """How many slots of a table are ready, of how many. Null while that is not known."""

    ready: int
    of: int | None


class Answer(TypedDict):
    """The answer to a question, with one of these members. A `refusal` has its HTTP `status` beside it."""

    page: NotRequired[PageOfRows]
    restoring: NotRequired[Readiness]
    """The table is not there yet."""
    held: NotRequired[Mapping[str, list[HeldByTask]]]
    """By node. Nodes whose slots are not ready are left out."""
    refusal: NotRequired[RefusalJson]
    status: NotRequired[int]


class AnswerEvent(Answer):
    type: Literal["answer"]
    id: str


class FailedEvent(TypedDict):
    """The last event of a run that fails."""

    type: Literal["failed"]
    cause: FailureCause


class MemoryEvent(TypedDict):
    """The memory of all processes of the run on its host. The supervisor measures it."""

    type: Literal["memory"]
    bytes: int


Event = (
    StatusEvent
    | StepEvent
    | BeatEvent
    | ProgressEvent
    | ExecutorsEvent
    | ExecutorLostEvent
    | SchemasEvent
    | AnswerEvent
    | FailedEvent
    | MemoryEvent
)
