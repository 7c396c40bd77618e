"""The messages of a job's websocket, as the page's generated types know them, and the meaning of each metric.

These describe and never check: a tick costs what it did. Tests compare the sent messages with them.
The reference page of metrics lists each `Metric` (`webapp.docs.reference`).
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, NotRequired

from typing_extensions import TypedDict

from runner.control.jobs.job_status import JobStatus
from runner.engine.counts.drops import DroppedRecord
from runner.watch.live.lags import Trend
from runner.watch.live.positions import AwaitedSchema, Change, HeldBy


class Metric(NamedTuple):
    """The unit and the meaning of a number, and its place on the page, with the label in brackets."""

    unit: str
    meaning: str
    place: str


class Size(TypedDict):
    """The size of the stores. Null before the first batch of a run, and of a node without a store."""

    rows: Annotated[int, Metric("rows", "Rows in the stores.", "Inspector (Rows), job page (State)")]
    bytes: Annotated[int, Metric("bytes", "Bytes of these rows.", "Inspector (State), job page (State)")]
    held: NotRequired[
        Annotated[int, Metric("records", "Results that a suppress holds back now.", "Canvas, Inspector (Waiting)")]
    ]


class Recent(TypedDict):
    """Problems of a node in the last minute."""

    dropped: Annotated[int, Metric("records", "Records that the node dropped in the last minute.", "Alerts")]
    dead_letters: Annotated[int, Metric("records", "Dead letters of the node in the last minute.", "Alerts")]


NodeCounts = TypedDict(
    "NodeCounts",
    {
        "in": Annotated[int, Metric("records", "Records that arrived at the node.", "Inspector (In), job page (In)")],
        "out": Annotated[int, Metric("records", "Records that the node forwarded.", "Inspector (Out), job page (Out)")],
        "dropped": Annotated[
            int, Metric("records", "Records that the node dropped, such as late ones.", "Canvas, Inspector (Dropped)")
        ],
        "errors": Annotated[int, Metric("records", "Records that failed at the node.", "Canvas, Inspector (Errors)")],
    },
)
"""Records of a node since its run began; `in` is a keyword of Python."""


class NodeNumbers(NodeCounts):
    """The numbers of a node. Counts begin with the run.

    They balance: in + extra = out + dropped + errors + no result + waiting. Members that may be missing are those
    that some nodes, or earlier versions, do not have.
    """

    no_match: NotRequired[
        Annotated[int, Metric("records", "Records that found no row in the table of a join.", "Inspector (No match)")]
    ]
    closed_idle: NotRequired[
        Annotated[int, Metric("results", "Results emitted because of an idle time.", "Inspector (Emitted when idle)")]
    ]
    unlikely_times: NotRequired[
        Annotated[
            int,
            Metric(
                "records",
                "Records that a source read with a time before 2000 or more than a day ahead.",
                "Inspector (Unlikely times)",
            ),
        ]
    ]
    rate: Annotated[
        float,
        Metric("records/s", "Records in per second. Of a source: records out.", "Canvas, Inspector (In /s)"),
    ]
    out_rate: Annotated[float, Metric("records/s", "Records out per second.", "Edges, Inspector (Out /s)")]
    busy: Annotated[
        float,
        Metric("0 to 1", "Share of the workers' time that the node's own code takes.", "Canvas, Inspector (Busy)"),
    ]
    state: Size | None
    dropped_by: NotRequired[
        Annotated[dict[str, int], Metric("records", "Dropped records by reason.", "Inspector (Dropped)")]
    ]
    dropped_samples: NotRequired[
        Annotated[dict[str, list[DroppedRecord]], Metric("records", "Recent examples.", "Inspector (Dropped)")]
    ]
    lost_samples: NotRequired[
        Annotated[
            dict[str, list[DroppedRecord]], Metric("records", "Examples of records that found no partner.", "HTTP only")
        ]
    ]
    no_result: NotRequired[
        Annotated[
            dict[str, int],
            Metric("records", "Records that gave no result and were not dropped, by reason.", "Inspector (No result)"),
        ]
    ]
    extra: NotRequired[
        Annotated[
            int,
            Metric("records", "Records emitted in addition to one for each record in.", "Inspector (Extra)"),
        ]
    ]
    waiting: NotRequired[
        Annotated[int, Metric("records", "Records that the node holds until something happens.", "Inspector (Waiting)")]
    ]
    dead_letters: NotRequired[
        Annotated[int, Metric("records", "Errors of the node that became dead letters.", "Dead letters")]
    ]
    recent: NotRequired[Recent]


class SourceNumbers(TypedDict):
    """How far a topic is read; lists are by partition."""

    rate: Annotated[float, Metric("records/s", "Records read per second.", "Job page, Sources")]
    offsets: Annotated[list[int], Metric("offset", "The next record to read.", "Job page (Next offset)")]
    ends: Annotated[list[int], Metric("offset", "How far the committed records reach.", "Job page (End)")]
    lag: Annotated[
        list[int] | None,
        Metric("records", "Committed records not read yet. Null while the end is unknown.", "Job page (Lag)"),
    ]
    total_lag: Annotated[int | None, Metric("records", "The lag of all partitions.", "Canvas, Inspector (Lag)")]
    lag_s: Annotated[
        float | None,
        Metric(
            "s",
            "Lag as time to read it at the present rate: 0 while the source keeps up, null while nothing moves.",
            "Canvas, Inspector (Lag)",
        ),
    ]
    catch_up_s: Annotated[
        float | None, Metric("s", "Time until the lag is zero, if rates stay. Null if it does not fall.", "Job page")
    ]
    trend: Annotated[Trend | None, Metric("", "Whether the lag is falling, steady or rising.", "Canvas, Inspector")]
    waiting: Annotated[
        list[int] | None,
        Metric("records", "Records behind an open transaction. No read_committed reader gets them yet.", "HTTP only"),
    ]
    total_waiting: Annotated[int | None, Metric("records", "The same for all partitions.", "HTTP only")]
    waiting_s: Annotated[int | None, Metric("s", "How long they have been waiting.", "HTTP only")]
    held_up: NotRequired[
        Annotated[
            int, Metric("records", "Number of records that have waited for seconds.", "Canvas, Inspector, job page")
        ]
    ]
    held_by: NotRequired[
        Annotated[
            HeldBy | None,
            Metric("", "Whose transaction they wait behind, and since when. Null if unknown.", "Inspector, job page"),
        ]
    ]
    awaits_schema: NotRequired[
        Annotated[
            AwaitedSchema | None,
            Metric("", "Records whose schema the registry did not give, and why. Null if none wait.", "Canvas, Alerts"),
        ]
    ]
    rereads: NotRequired[
        Annotated[
            int,
            Metric(
                "records",
                "Records to read again only to build the state: their results are already written.",
                "Canvas, Inspector, job page",
            ),
        ]
    ]
    changed: NotRequired[
        Annotated[
            Change | None,
            Metric("", "What happened to the topic since the run began. Null if nothing.", "Alerts"),
        ]
    ]


class BatchNumbers(TypedDict):
    """The last committed batch; before there was one, only the first two members are there."""

    number: Annotated[int | None, Metric("", "Number of the last committed batch.", "Job page (Batch time)")]
    in_batch_ms: Annotated[float, Metric("ms", "How long the present batch has run; 0 between two.", "HTTP only")]
    started_at: NotRequired[Annotated[int, Metric("ms since 1970", "When the batch began.", "HTTP only")]]
    committed_at: NotRequired[Annotated[int, Metric("ms since 1970", "When its results were committed.", "HTTP only")]]
    duration_ms: NotRequired[
        Annotated[float, Metric("ms", "Time from its start to its commit.", "Metrics (Batch time)")]
    ]
    interval_ms: NotRequired[
        Annotated[int | None, Metric("ms", "Time from the start of the previous batch to its own start.", "HTTP only")]
    ]
    phases: NotRequired[
        Annotated[
            dict[str, float],
            Metric("ms", "Time of each step. Of steps in slots, the slowest slot's time.", "HTTP only"),
        ]
    ]


class RunNumbers(TypedDict):
    """The numbers of a run."""

    at: Annotated[int, Metric("ms since 1970", "The server's time of these numbers.", "HTTP only")]
    run: int
    generation: int
    records_in: Annotated[int, Metric("records", "Records read since the run began.", "Job page (Throughput)")]
    rate: Annotated[float, Metric("records/s", "Records read per second.", "Metrics (Throughput), Home")]
    lag: Annotated[
        int | None,
        Metric("records", "The lag of all sources. Null while the lag of one is unknown.", "Metrics (Lag), Home"),
    ]
    waiting: Annotated[int | None, Metric("records", "Records of all sources behind an open transaction.", "HTTP only")]
    held_up: NotRequired[
        Annotated[int, Metric("records", "Number of these records that have waited for seconds.", "Job page (Lag)")]
    ]
    uncommitted_s: NotRequired[
        Annotated[int, Metric("s", "How long records have waited without a commit. 0 while none waits.", "Alerts")]
    ]
    dead_letters: Annotated[
        int, Metric("records", "Dead letters that the run has written.", "Job page (Dead letters), Home")
    ]
    latency_ms: Annotated[
        float | None,
        Metric(
            "ms",
            "Longest wait of a record of the last batch, from its arrival to the commit of its result. Null once no "
            "record has come for a minute.",
            "Metrics (Latency), Home",
        ),
    ]
    memory: Annotated[
        int | None, Metric("bytes", "Memory of all processes of the run. Null until counted.", "Job page (Memory)")
    ]
    executors: NotRequired[
        Annotated[dict[str, int], Metric("bytes", "The share of executors, by host.", "Job page (Memory by host)")]
    ]
    lost_executor_count: NotRequired[
        Annotated[int, Metric("executors", "Executors that the Spark cluster lost since the run began.", "HTTP only")]
    ]
    recently_lost: NotRequired[Annotated[int, Metric("executors", "Only the last ten minutes.", "Alerts")]]
    state: Size | None
    batch: BatchNumbers
    slowest: Annotated[
        str | None, Metric("node", "The node with the highest busy. Null while none has much to do.", "Canvas")
    ]
    nodes: dict[str, NodeNumbers]
    sources: dict[str, SourceNumbers]


METRICS = {
    "Of a run": RunNumbers,
    "Of its last batch": BatchNumbers,
    "Of a source topic": SourceNumbers,
    "Of a node": NodeNumbers,
    "Of the last minute of a node": Recent,
    "Of stores": Size,
}
"""The classes that declare metrics."""


class Snapshot(JobStatus):
    """The whole state of a job. `age_ms` is how old the numbers are; null if there are none."""

    type: Literal["snapshot"]
    sequence: int
    numbers: RunNumbers | None
    age_ms: int | None
    is_stale: bool


class StatusChanged(JobStatus):
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
    state_rows: int | None
    state_bytes: int | None
