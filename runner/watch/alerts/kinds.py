"""Every kind of rule: its figure, its sentence, and its default limit.

A kind reads the fleet, as `/metrics` does: nothing is measured twice. A new kind adds a member of `AlertKind`, and its
entry in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from designer.text import write_duration
from runner.watch.live.fleet import Fleet, HostFacts, JobFacts
from runner.watch.live.messages import NodeNumbers, RunNumbers, Snapshot, SourceNumbers
from runner.watch.live.positions import Change
from runner.watch.live.tables import describe_holder

MIB = 1_024 * 1_024
HOUR_MS = 3_600_000
DESIRED_RUNNING = "running"


class AlertKind(StrEnum):
    """What a rule watches, as a code."""

    FAILED = "failed"
    RESTARTING = "restarting"
    EXECUTORS_LOST = "executors_lost"
    NO_COMMIT = "no_commit"
    LAG = "lag"
    HELD_UP = "held_up"
    SCHEMA_AWAITED = "schema_awaited"
    SCHEMA_BREAKS = "schema_breaks"
    BREAKPOINT = "breakpoint"
    LATENCY = "latency"
    DEAD_LETTERS = "dead_letters"
    DROPS = "drops"
    STATE_GROWTH = "state_growth"
    JOB_MEMORY = "job_memory"
    TOPIC_GONE = "topic_gone"
    TOPIC_CHANGED = "topic_changed"
    CERTIFICATE = "certificate"
    HOST_GONE = "host_gone"
    HOST_OUTDATED = "host_outdated"
    DISK = "disk"
    MEMORY = "memory"
    UNKNOWN = "unknown"
    """The kind of an alert from a version of the product with other kinds."""

    @classmethod
    def _missing_(cls, value: object) -> AlertKind:
        return cls.UNKNOWN


class Subject(NamedTuple):
    """The owner of a figure: a job, a part of it (a node or a topic), or a host."""

    job: int | None = None
    host: str = ""
    part: str = ""


class Finding(NamedTuple):
    """`note` is an extra sentence about the problem."""

    subject: Subject
    value: float
    note: str = ""


Look = Callable[[Fleet], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A rule fires if a figure was above the limit for `seconds`.

    `says` may name `{where}` (the job or host), `{part}` and `{value}`. `is_live`: the figures come from a run, so
    that nothing is known of them while it says nothing. `is_floor`: it fires below the limit.

    >>> KINDS[AlertKind.LAG].sentence("Flights", "flights", 312)
    '`flights` of Flights is 5 min 12 s behind.'
    """

    title: str
    help: str
    unit: str
    says: str
    look: Look
    threshold: float
    seconds: int = 0
    is_on: bool = True
    is_live: bool = True
    is_of_host: bool = False
    is_floor: bool = False

    @property
    def has_limit(self) -> bool:
        """Whether its figure is a number. Else it only says yes or no, as 1 or 0, and the threshold is 0.

        >>> KINDS[AlertKind.LAG].has_limit, KINDS[AlertKind.HOST_GONE].has_limit
        (True, False)
        """
        return "{value}" in self.says

    def is_wrong(self, value: float, threshold: float) -> bool:
        """Whether a figure is beyond the limit."""
        return value < threshold if self.is_floor else value > threshold

    def sentence(self, where: str, part: str, value: float) -> str:
        return self.says.format(where=where, part=part, value=describe_amount(value, self.unit))


def describe_amount(value: float, unit: str) -> str:
    """A value with its unit, as people say it.

    >>> describe_amount(90, "s"), describe_amount(1_200, "per minute"), describe_amount(3, "")
    ('1 min 30 s', '1,200 per minute', '3')
    """
    if unit != "s":
        return f"{value:,.0f} {unit}".rstrip()
    return write_duration(round(value) * 1_000)


def _look_at_jobs(take: Callable[[JobFacts, Snapshot], float | None]) -> Look:
    """One value for each job that should run, from its facts and its snapshot."""
    return lambda fleet: (
        Finding(Subject(job=snapshot["job"]), value)
        for facts, snapshot in _find_wanted_jobs(fleet)
        if (value := take(facts, snapshot)) is not None
    )


def _look_at_runs(take: Callable[[RunNumbers], float | None]) -> Look:
    """One value for each job that should run, from the numbers of its run."""
    return lambda fleet: (
        Finding(Subject(job=job), value) for job, numbers in _list_runs(fleet) if (value := take(numbers)) is not None
    )


def _look_at_nodes(take: Callable[[NodeNumbers], float]) -> Look:
    """One value for each node of a run."""
    return lambda fleet: (
        Finding(Subject(job=job, part=node), take(each))
        for job, numbers in _list_runs(fleet)
        for node, each in numbers["nodes"].items()
    )


def _look_at_sources(take: Callable[[SourceNumbers, RunNumbers], float | None]) -> Look:
    """One value for each source of a run, from its own numbers and those of the run."""
    return lambda fleet: (
        Finding(Subject(job=job, part=topic), value)
        for job, numbers in _list_runs(fleet)
        for topic, each in numbers["sources"].items()
        if (value := take(each, numbers)) is not None
    )


def _look_at_hosts(take: Callable[[HostFacts], float | None]) -> Look:
    return lambda fleet: (
        Finding(Subject(host=host["host"]), value) for host in fleet.hosts if (value := take(host)) is not None
    )


def _find_wanted_jobs(fleet: Fleet) -> Iterator[tuple[JobFacts, Snapshot]]:
    return ((facts, snapshot) for facts, snapshot in fleet.jobs if snapshot["desired"] == DESIRED_RUNNING)


def _list_runs(fleet: Fleet) -> Iterator[tuple[int, RunNumbers]]:
    """The jobs that should run and have fresh numbers."""
    return (
        (snapshot["job"], snapshot["numbers"])
        for _, snapshot in _find_wanted_jobs(fleet)
        if snapshot["numbers"] is not None and not snapshot["is_stale"]
    )


def _measure_seconds_uncommitted(facts: JobFacts, snapshot: Snapshot) -> float | None:
    """How long records have waited. If unknown: since the last numbers, or since a user's request for the job.

    A failed job has its own alert.
    """
    if snapshot["status"] == "failed":
        return None
    numbers, age_ms = snapshot["numbers"], snapshot["age_ms"]
    if numbers is None or age_ms is None:
        return facts["asked_s"]
    wait_seconds = numbers.get("uncommitted_s", 0)
    return min(facts["asked_s"], wait_seconds + age_ms / 1_000) if snapshot["is_stale"] else wait_seconds


def _measure_growth(facts: JobFacts, snapshot: Snapshot) -> float | None:
    """MiB an hour since the oldest point of the history, which reaches back an hour."""
    now, before = snapshot["numbers"], facts["oldest"]
    if snapshot["is_stale"] or now is None or now["state"] is None:
        return None
    if before is None or before["state_bytes"] is None:
        return None
    hours = max(1.0, (now["at"] - before["at"]) / HOUR_MS)
    return (now["state"]["bytes"] - before["state_bytes"]) / MIB / hours


def _measure_lag(source: SourceNumbers, run: RunNumbers) -> float | None:
    """An unread lag has no rate: it is at least as old as its records have waited."""
    if source["lag_s"] is not None:
        return source["lag_s"]
    return None if source["total_lag"] is None else run.get("uncommitted_s", 0)


def _list_waits(fleet: Fleet) -> Iterator[Finding]:
    """How long records of each source have waited behind a transaction, and its owner."""
    for job, numbers in _list_runs(fleet):
        for topic, source in numbers["sources"].items():
            holder = source.get("held_by")
            note = f"The transaction is {describe_holder(holder)}." if holder else ""
            yield Finding(Subject(job=job, part=topic), source["waiting_s"] or 0, note)


def _list_awaited(fleet: Fleet) -> Iterator[Finding]:
    """How long records of each source have waited for a schema, and the registry's reason."""
    for job, numbers in _list_runs(fleet):
        for topic, source in numbers["sources"].items():
            awaited = source.get("awaits_schema")
            seconds = max(0, (numbers["at"] - awaited["since"]) // 1_000) if awaited else 0
            note = f"Schema {awaited['id']}: {awaited['why']}" if awaited else ""
            yield Finding(Subject(job=job, part=topic), seconds, note)


def _list_breaking(fleet: Fleet) -> Iterator[Finding]:
    """The places at which the newest schema of a topic breaks a job, and the first of them."""
    for facts, snapshot in _find_wanted_jobs(fleet):
        for breaking in facts["breaking_schemas"]:
            note = f"{breaking['subject']} version {breaking['version']}: {breaking['message']}"
            yield Finding(Subject(job=snapshot["job"], part=breaking["topic"]), breaking["places"], note)


def _list_hits(fleet: Fleet) -> Iterator[Finding]:
    """The breakpoints with a hit at each node, and the first of them."""
    for facts, snapshot in fleet.jobs:
        for node in sorted({hit["node"] for hit in facts["hits"]}):
            hits = [hit for hit in facts["hits"] if hit["node"] == node]
            note = f"`{hits[0]['condition']}` in batch {hits[0]['batch']}, which is pinned."
            yield Finding(Subject(job=snapshot["job"], part=node), len(hits), note)


def _take_recent(member: Literal["dropped", "dead_letters"]) -> Callable[[NodeNumbers], float]:
    return lambda node: node["recent"][member] if "recent" in node else 0


def _count_changed_topics(*what: Change) -> Callable[[SourceNumbers, RunNumbers], float]:
    return lambda source, _: source.get("changed") in what


def _make_share_used(what: Literal["disk", "memory"]) -> Callable[[HostFacts], float | None]:
    """The used share in per cent. Unknown for a lost host."""

    def measure(host: HostFacts) -> float | None:
        free, size = (
            (host["disk_free_bytes"], host["disk_bytes"])
            if what == "disk"
            else (host["memory_free_bytes"], host["memory_bytes"])
        )
        return 100 * (1 - free / size) if host["up"] and size else None

    return measure


KINDS: Mapping[AlertKind, Kind] = {
    AlertKind.FAILED: Kind(
        "Job failed",
        "The job failed, and Streamwright does not retry.",
        "",
        "{where} failed and is not retried.",
        _look_at_jobs(lambda _, snapshot: snapshot["status"] == "failed"),
        threshold=0,
        is_live=False,
    ),
    AlertKind.RESTARTING: Kind(
        "Job restarts again and again",
        "Failed runs of the last ten minutes, or those that failed in a row without a batch in between.",
        "",
        "Runs of {where} failed in the last ten minutes, or in a row: {value}.",
        _look_at_jobs(lambda facts, snapshot: max(facts["recent_failures"], snapshot["failed_runs"])),
        threshold=2,
        is_live=False,
    ),
    AlertKind.EXECUTORS_LOST: Kind(
        "Executors lost again and again",
        "Executors that the Spark cluster lost in the last ten minutes.",
        "",
        "The Spark cluster of {where} lost executors in the last ten minutes: {value}.",
        _look_at_runs(lambda run: run.get("recently_lost", 0)),
        threshold=2,
    ),
    AlertKind.NO_COMMIT: Kind(
        "No commit",
        "Records wait, or the job should run, and nothing is committed.",
        "s",
        "{where} has committed nothing for {value}.",
        _look_at_jobs(_measure_seconds_uncommitted),
        threshold=180,
        is_live=False,
    ),
    AlertKind.LAG: Kind(
        "Lag",
        "Time to read what a source has not read yet.",
        "s",
        "`{part}` of {where} is {value} behind.",
        _look_at_sources(_measure_lag),
        threshold=300,
        seconds=300,
    ),
    AlertKind.HELD_UP: Kind(
        "Open transaction",
        "Time for which records have waited behind an open transaction.",
        "s",
        "Records of `{part}` have waited behind an open transaction for {value}. {where} reads them when it ends.",
        _list_waits,
        threshold=300,
    ),
    AlertKind.SCHEMA_AWAITED: Kind(
        "Records wait for a schema",
        "Time for which records have waited for a schema that the registry did not give.",
        "s",
        "Records of `{part}` have waited for their schema for {value}. {where} reads them when the registry answers.",
        _list_awaited,
        threshold=30,
    ),
    AlertKind.SCHEMA_BREAKS: Kind(
        "New schema breaks a job",
        "Places of the job that lose a field, or cannot read records, with the newest schema of a topic.",
        "",
        "The newest schema of `{part}` breaks {where}, number of places: {value}.",
        _list_breaking,
        threshold=0,
        is_live=False,
    ),
    AlertKind.BREAKPOINT: Kind(
        "Breakpoint hit",
        "Breakpoints with an alert that found a record, until someone removes them.",
        "",
        "Breakpoints at `{part}` of {where} found a record: {value}.",
        _list_hits,
        threshold=0,
        is_live=False,
    ),
    AlertKind.LATENCY: Kind(
        "Latency",
        "Longest wait of a record of the last batch, from its arrival to the commit of its result.",
        "s",
        "A record of {where} waited {value} for its result.",
        _look_at_runs(lambda run: None if run["latency_ms"] is None else run["latency_ms"] / 1_000),
        threshold=60,
        seconds=120,
    ),
    AlertKind.DEAD_LETTERS: Kind(
        "Dead letters",
        "Dead letters of a node in the last minute.",
        "per minute",
        "`{part}` of {where} writes dead letters: {value}.",
        _look_at_nodes(_take_recent("dead_letters")),
        threshold=10,
    ),
    AlertKind.DROPS: Kind(
        "Drops",
        "Records that a node dropped in the last minute.",
        "per minute",
        "`{part}` of {where} drops records: {value}.",
        _look_at_nodes(_take_recent("dropped")),
        threshold=1_000,
        seconds=300,
    ),
    AlertKind.STATE_GROWTH: Kind(
        "State growth",
        "Growth of all stores in the last hour.",
        "MiB",
        "The state of {where} grew by {value} in the last hour.",
        _look_at_jobs(_measure_growth),
        threshold=10_240,
    ),
    AlertKind.JOB_MEMORY: Kind(
        "Memory of a job",
        "Memory of all processes of the run.",
        "MiB",
        "{where} takes {value} of memory.",
        _look_at_runs(lambda run: None if run["memory"] is None else run["memory"] / MIB),
        threshold=8_192,
        seconds=300,
        is_on=False,
    ),
    AlertKind.TOPIC_GONE: Kind(
        "Source topic gone",
        "A source topic was deleted.",
        "",
        "The topic `{part}`, which {where} reads, was deleted.",
        _look_at_sources(_count_changed_topics("gone", "recreated")),
        threshold=0,
    ),
    AlertKind.TOPIC_CHANGED: Kind(
        "Source topic changed",
        "A source topic has another number of partitions than when the run began.",
        "",
        "The topic `{part}`, which {where} reads, has another number of partitions. The run reads all of them. Restart "
        "the job to end this alert.",
        _look_at_sources(_count_changed_topics("partitions")),
        threshold=0,
    ),
    AlertKind.CERTIFICATE: Kind(
        "Certificate ends",
        "Days until a certificate of the job's cluster ends.",
        "days",
        "A certificate of the cluster of {where} has {value} left.",
        _look_at_jobs(
            lambda facts, _: None if facts["certificate_days"] is None else max(0, facts["certificate_days"])
        ),
        threshold=14,
        is_live=False,
        is_floor=True,
    ),
    AlertKind.HOST_GONE: Kind(
        "Host gone",
        "The agent of a host does not report.",
        "",
        "The host {where} does not report.",
        _look_at_hosts(lambda host: not host["up"] and not host["draining"]),
        threshold=0,
        seconds=30,
        is_live=False,
        is_of_host=True,
    ),
    AlertKind.HOST_OUTDATED: Kind(
        "Host of another version",
        "A host has another version of Streamwright than the product, and takes no job.",
        "",
        "The host {where} has another version of Streamwright than the product, and takes no job. "
        "Install the product's version there, and start the agent again.",
        _look_at_hosts(lambda host: host["outdated"]),
        threshold=0,
        seconds=60,
        is_live=False,
        is_of_host=True,
    ),
    AlertKind.DISK: Kind(
        "Disk",
        "Used share of the disk with the home folder.",
        "%",
        "The disk of {where} is {value} full.",
        _look_at_hosts(_make_share_used("disk")),
        threshold=90,
        seconds=60,
        is_live=False,
        is_of_host=True,
    ),
    AlertKind.MEMORY: Kind(
        "Memory of a host",
        "Share of the memory that is in use.",
        "%",
        "The memory of {where} is {value} full.",
        _look_at_hosts(_make_share_used("memory")),
        threshold=95,
        seconds=120,
        is_live=False,
        is_of_host=True,
    ),
}
"""The kinds by name."""
