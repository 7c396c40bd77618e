"""What the websocket of a job sends, as the page's generated types know it.

These describe and never check: a tick costs what it did. Tests hold what is sent against them.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from runner.control.jobs.standing import Standing
from runner.engine.counts.drops import DroppedRecord
from runner.watch.live.lags import Trend


class Size(TypedDict):
    """How much is stored."""

    rows: int
    bytes: int


NodeCounts = TypedDict("NodeCounts", {"in": int, "out": int, "dropped": int, "errors": int})
"""Records of a node since its run began; `in` is a keyword of Python."""


class NodeNumbers(NodeCounts):
    """The numbers of a node; counts are of the run since it began.

    `rate` is of records in, of a source of records out. `busy` is the share (0 to 1) of the workers' time that goes
    into the node's own code; `state` is what its stores hold, null where it has none or has not said yet.
    `dropped_by` counts what it dropped by reason, `dropped_samples` holds some of the last ones. `no_match` counts
    the records that found no row in the table that a join looks up, `closed_idle` the results that went on by idle
    time, `unlikely_times` the records a source read whose time lies before 2000 or more than a day ahead.
    The numbers balance: in + extra = out + dropped + errors + no result + waiting. `dead_letters` is how many of the
    errors became some. Members that may be missing are those that some nodes, or earlier versions, do not have.
    """

    no_match: NotRequired[int]
    closed_idle: NotRequired[int]
    unlikely_times: NotRequired[int]
    rate: float
    out_rate: float
    busy: float
    state: Size | None
    dropped_by: NotRequired[dict[str, int]]
    dropped_samples: NotRequired[dict[str, list[DroppedRecord]]]
    no_result: NotRequired[dict[str, int]]
    extra: NotRequired[int]
    waiting: NotRequired[int]
    dead_letters: NotRequired[int]


class SourceNumbers(TypedDict):
    """How far a topic is read; lists are by partition.

    `lag` counts committed records that are not read yet, null while it is not known how far the topic reaches.
    `lag_s` is the seconds of work behind: 0 while the topic is kept up with, null while unknown or nothing moves.
    `waiting` counts records behind an open transaction, which no read_committed reader gets yet; `waiting_s` is for
    how long it has been; `held_up` is how many where that is seconds.
    """

    rate: float
    offsets: list[int]
    ends: list[int]
    lag: list[int] | None
    total_lag: int | None
    lag_s: float | None
    catch_up_s: float | None
    trend: Trend | None
    waiting: list[int] | None
    total_waiting: int | None
    waiting_s: int | None
    held_up: NotRequired[int]


class BatchNumbers(TypedDict):
    """The last committed batch; before there was one, only the first two members are there. Times in ms."""

    number: int | None
    in_batch_ms: float
    started_at: NotRequired[int]
    committed_at: NotRequired[int]
    duration_ms: NotRequired[float]
    interval_ms: NotRequired[int | None]
    phases: NotRequired[dict[str, float]]


class RunNumbers(TypedDict):
    """The numbers of a run. Rates are per second, `at` is the server's clock (ms since 1970).

    `lag` and `waiting` are of all sources, null while one's is unknown. `memory` is the bytes that all processes of
    the run hold, null until they were counted. `slowest` is the node with the highest `busy`, null while none has
    much to do.
    """

    at: int
    run: int
    generation: int
    records_in: int
    rate: float
    lag: int | None
    waiting: int | None
    held_up: NotRequired[int]
    dead_letters: int
    latency_ms: float | None
    memory: int | None
    state: Size
    batch: BatchNumbers
    slowest: str | None
    nodes: dict[str, NodeNumbers]
    sources: dict[str, SourceNumbers]


class Snapshot(Standing):
    """The whole state of a job. `age_ms` is how old the numbers are; null where there are none."""

    type: Literal["snapshot"]
    sequence: int
    numbers: RunNumbers | None
    age_ms: int | None
    stale: bool


class StatusChanged(Standing):
    type: Literal["run.status_changed"]
    sequence: int


class Progressed(TypedDict):
    """All numbers that changed since the last such event; of `nodes` and `sources` only the members that did."""

    type: Literal["job.progressed"]
    sequence: int
    numbers: RunNumbers


class Point(TypedDict):
    """A point of a job's last hour, one every two seconds; null is unknown. Times in ms."""

    at: int
    rate: float
    lag: int | None
    waiting: int | None
    latency_ms: float | None
    batch_ms: float | None
    memory_bytes: int | None
    state_rows: int
    state_bytes: int
