"""Every metric for Prometheus: its name, its labels, its meaning, and the source of its values.

Names follow Prometheus: base units, `_total` for counts. Counts begin with the run, like those of a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from runner.watch.live.fleet import Fleet, HostFacts
from runner.watch.live.messages import NodeNumbers, RunNumbers, SourceNumbers

Labels = tuple[str, ...]
Sample = tuple[Labels, float]
Values = Iterable[tuple[Labels, float | None]]

PREFIX = "streamwright_"
RUN: Labels = ("application",)
"""A job by its application id: Prometheus itself adds a label `job`."""
NODE: Labels = (*RUN, "node")
REASON: Labels = (*NODE, "reason")
TOPIC: Labels = (*RUN, "topic")
PARTITION: Labels = (*TOPIC, "partition")
HOST: Labels = ("host",)


@dataclass(frozen=True, slots=True)
class Family:
    """A metric. `streams` is its name in Kafka Streams (or its consumer), or empty without an equivalent.

    `is_live`: it says how a run is now, so it has no value for a job whose run sends no numbers: a stopped job has no
    rate, and nobody knows its lag.

    >>> FAMILIES["streamwright_dead_letters_total"].kind
    'counter'
    """

    name: str
    help: str
    labels: Labels
    find_values: Callable[[Fleet], Values]
    streams: str = ""
    is_live: bool = False

    @property
    def kind(self) -> Literal["counter", "gauge"]:
        return "counter" if self.name.endswith("_total") else "gauge"

    def samples(self, fleet: Fleet) -> Iterator[Sample]:
        """The known values."""
        if self.is_live:
            fleet = Fleet(
                [(facts, snapshot) for facts, snapshot in fleet.jobs if not snapshot["is_stale"]], fleet.hosts
            )
        return ((labels, float(value)) for labels, value in self.find_values(fleet) if value is not None)


def _of_run(take: Callable[[RunNumbers], float | None]) -> Callable[[Fleet], Values]:
    """One value for each job with numbers."""
    return lambda fleet: (((name,), take(numbers)) for name, numbers in _list_numbers(fleet))


def _of_node(take: Callable[[NodeNumbers], float | None]) -> Callable[[Fleet], Values]:
    return lambda fleet: (
        ((name, node), take(each)) for name, numbers in _list_numbers(fleet) for node, each in numbers["nodes"].items()
    )


def _list_drops(fleet: Fleet) -> Values:
    """One value for each reason of a node."""
    return (
        ((name, node, reason), count)
        for name, numbers in _list_numbers(fleet)
        for node, each in numbers["nodes"].items()
        for reason, count in each.get("dropped_by", {}).items()
    )


def _of_topic(take: Callable[[SourceNumbers], float | None]) -> Callable[[Fleet], Values]:
    return lambda fleet: (
        ((name, topic), take(each))
        for name, numbers in _list_numbers(fleet)
        for topic, each in numbers["sources"].items()
    )


def _of_partition(member: Literal["offsets", "ends", "lag", "waiting"]) -> Callable[[Fleet], Values]:
    return lambda fleet: (
        ((name, topic, str(partition)), value)
        for name, numbers in _list_numbers(fleet)
        for topic, each in numbers["sources"].items()
        for partition, value in enumerate(each[member] or ())
    )


def _of_host(take: Callable[[HostFacts], float]) -> Callable[[Fleet], Values]:
    return lambda fleet: (((host["host"],), take(host)) for host in fleet.hosts)


def _list_numbers(fleet: Fleet) -> Iterator[tuple[str, RunNumbers]]:
    return (
        (facts["application"], numbers)
        for facts, snapshot in fleet.jobs
        if (numbers := snapshot["numbers"]) is not None
    )


def _make_seconds(ms: float | None) -> float | None:
    return None if ms is None else ms / 1_000


INFO: tuple[Literal["application", "topology", "version", "host", "cluster", "spark"], ...] = (
    "application",
    "topology",
    "version",
    "host",
    "cluster",
    "spark",
)
_FAMILIES = (
    Family(
        "job_info",
        "1. The labels say what the job runs, and where; `spark` is empty on a host of Streamwright.",
        INFO,
        lambda fleet: ((tuple(facts[label] for label in INFO), 1) for facts, _ in fleet.jobs),
        "application-id, version",
    ),
    Family(
        "job_status",
        "1. The label says what the job does now.",
        (*RUN, "status"),
        lambda fleet: (((facts["application"], snapshot["status"]), 1) for facts, snapshot in fleet.jobs),
        "state",
    ),
    Family(
        "job_desired",
        "1 if the job should run, 0 if a user stopped it.",
        RUN,
        lambda fleet: (((facts["application"],), snapshot["desired"] == "running") for facts, snapshot in fleet.jobs),
    ),
    Family(
        "job_runs_total",
        "Runs started: deploys, restarts and retries.",
        RUN,
        lambda fleet: (((facts["application"],), snapshot["generation"]) for facts, snapshot in fleet.jobs),
    ),
    Family(
        "job_recent_failures",
        "Runs of the last ten minutes that failed.",
        RUN,
        lambda fleet: (((facts["application"],), facts["recent_failures"]) for facts, _ in fleet.jobs),
    ),
    Family(
        "numbers_age_seconds",
        "Age of the numbers of a job. They are sent about once a second.",
        RUN,
        lambda fleet: (((facts["application"],), _make_seconds(snapshot["age_ms"])) for facts, snapshot in fleet.jobs),
    ),
    Family(
        "records_read_total",
        "Records read.",
        RUN,
        _of_run(lambda run: run["records_in"]),
        "records-consumed-total",
    ),
    Family(
        "records_read_per_second",
        "Records read per second, of the last seconds.",
        RUN,
        _of_run(lambda run: run["rate"]),
        "records-consumed-rate",
        is_live=True,
    ),
    Family(
        "lag_records",
        "Committed records of all sources not read yet.",
        RUN,
        _of_run(lambda run: run["lag"]),
        is_live=True,
    ),
    Family(
        "held_up_records",
        "Records of all sources that have waited behind an open transaction for seconds.",
        RUN,
        _of_run(lambda run: run.get("held_up")),
        is_live=True,
    ),
    Family(
        "uncommitted_seconds",
        "How long records have waited without a commit; 0 while none waits.",
        RUN,
        _of_run(lambda run: run.get("uncommitted_s")),
        is_live=True,
    ),
    Family("dead_letters_total", "Dead letters written.", RUN, _of_run(lambda run: run["dead_letters"])),
    Family(
        "latency_seconds",
        "Longest wait of a record of the last batch, from its arrival to the commit of its result.",
        RUN,
        _of_run(lambda run: _make_seconds(run["latency_ms"])),
        "record-e2e-latency-max",
        is_live=True,
    ),
    Family(
        "batch_duration_seconds",
        "Duration of the last committed batch.",
        RUN,
        _of_run(lambda run: _make_seconds(run["batch"].get("duration_ms"))),
        "commit-latency-avg, process-latency-avg",
    ),
    Family(
        "batch_committed_timestamp_seconds",
        "Time of the last commit, since 1970. `time() - x` is its age.",
        RUN,
        _of_run(lambda run: _make_seconds(run["batch"].get("committed_at"))),
    ),
    Family(
        "batch_running_seconds",
        "How long the present batch has run; 0 between two.",
        RUN,
        _of_run(lambda run: _make_seconds(run["batch"]["in_batch_ms"])),
        is_live=True,
    ),
    Family(
        "memory_bytes", "Memory of all processes of the run.", RUN, _of_run(lambda run: run["memory"]), is_live=True
    ),
    Family(
        "executors_lost_total",
        "Executors that the Spark cluster lost.",
        RUN,
        _of_run(lambda run: run.get("lost_executor_count")),
    ),
    Family("state_rows", "Rows in all stores.", RUN, _of_run(lambda run: run["state"] and run["state"]["rows"])),
    Family("state_bytes", "Bytes of these rows.", RUN, _of_run(lambda run: run["state"] and run["state"]["bytes"])),
    Family(
        "node_records_in_total",
        "Records that arrived at the node.",
        NODE,
        _of_node(lambda node: node["in"]),
        "process-total",
    ),
    Family("node_records_out_total", "Records that the node forwarded.", NODE, _of_node(lambda node: node["out"])),
    Family(
        "node_records_dropped_total",
        "Records that the node dropped.",
        REASON,
        _list_drops,
        "dropped-records-total",
    ),
    Family("node_errors_total", "Records that failed at the node.", NODE, _of_node(lambda node: node["errors"])),
    Family(
        "node_dead_letters_total",
        "Errors of the node that became dead letters.",
        NODE,
        _of_node(lambda node: node.get("dead_letters")),
    ),
    Family(
        "node_no_match_total",
        "Records that found no row in the table of a join.",
        NODE,
        _of_node(lambda node: node.get("no_match")),
    ),
    Family(
        "node_records_in_per_second",
        "Records in per second. Of a source: records out.",
        NODE,
        _of_node(lambda node: node["rate"]),
        "process-rate",
        is_live=True,
    ),
    Family(
        "node_busy_ratio",
        "Share of the workers' time, 0 to 1, that the node's own code takes.",
        NODE,
        _of_node(lambda node: node["busy"]),
        "process-ratio",
        is_live=True,
    ),
    Family(
        "node_records_waiting",
        "Records that the node holds until something happens.",
        NODE,
        _of_node(lambda node: node.get("waiting")),
        "suppression-buffer-count-max",
    ),
    Family(
        "node_state_rows",
        "Rows in the stores of the node.",
        NODE,
        _of_node(lambda node: node["state"] and node["state"]["rows"]),
        "estimate-num-keys, num-keys",
    ),
    Family(
        "node_state_bytes",
        "Bytes of these rows.",
        NODE,
        _of_node(lambda node: node["state"] and node["state"]["bytes"]),
        "total-sst-files-size",
    ),
    Family(
        "source_offset",
        "The next record to read.",
        PARTITION,
        _of_partition("offsets"),
    ),
    Family("source_end_offset", "How far the committed records reach.", PARTITION, _of_partition("ends"), is_live=True),
    Family(
        "source_lag_records",
        "Committed records not read yet.",
        PARTITION,
        _of_partition("lag"),
        "records-lag",
        is_live=True,
    ),
    Family(
        "source_waiting_records",
        "Records behind an open transaction, which no read_committed reader gets yet.",
        PARTITION,
        _of_partition("waiting"),
        is_live=True,
    ),
    Family(
        "source_lag_seconds",
        "Time to read the lag at the present rate.",
        TOPIC,
        _of_topic(lambda source: source["lag_s"]),
        is_live=True,
    ),
    Family(
        "source_waiting_seconds",
        "How long records have waited behind an open transaction.",
        TOPIC,
        _of_topic(lambda source: source["waiting_s"]),
        is_live=True,
    ),
    Family(
        "source_open_transaction_timestamp_seconds",
        "When the transaction began that records wait behind, since 1970. `producer` is its transactional id.",
        (*PARTITION, "producer"),
        lambda fleet: (
            (
                (name, topic, str(holder["partition"]), holder["transactional_id"] or str(holder["producer_id"])),
                holder["since"] / 1_000,
            )
            for name, numbers in _list_numbers(fleet)
            for topic, each in numbers["sources"].items()
            if (holder := each.get("held_by"))
        ),
        is_live=True,
    ),
    Family(
        "source_awaits_schema",
        "1 while records of the topic wait for a schema that the registry did not give.",
        TOPIC,
        _of_topic(lambda source: source.get("awaits_schema") is not None),
        is_live=True,
    ),
    Family(
        "source_changed",
        "1 if the topic was deleted, recreated, or repartitioned since the run began.",
        TOPIC,
        _of_topic(lambda source: source.get("changed") is not None),
        is_live=True,
    ),
    Family("host_up", "1 while the agent of the host reports.", HOST, _of_host(lambda host: host["up"])),
    Family("host_draining", "1 if the host takes no new run.", HOST, _of_host(lambda host: host["draining"])),
    Family("host_jobs", "Jobs that run on the host.", HOST, _of_host(lambda host: host["jobs"])),
    Family("host_cores", "Cores of the host.", HOST, _of_host(lambda host: host["cores"])),
    Family("host_memory_bytes", "Memory of the host.", HOST, _of_host(lambda host: host["memory_bytes"])),
    Family(
        "host_memory_free_bytes",
        "Memory that new processes can have.",
        HOST,
        _of_host(lambda host: host["memory_free_bytes"]),
    ),
    Family(
        "host_disk_bytes",
        "Size of the disk with the home folder.",
        HOST,
        _of_host(lambda host: host["disk_bytes"]),
    ),
    Family("host_disk_free_bytes", "Free space of this disk.", HOST, _of_host(lambda host: host["disk_free_bytes"])),
    Family(
        "host_beat_timestamp_seconds",
        "When the agent last reported, since 1970.",
        HOST,
        _of_host(lambda host: host["beat_at"]),
    ),
)
FAMILIES = {PREFIX + family.name: family for family in _FAMILIES}
"""Every metric by its full name."""
