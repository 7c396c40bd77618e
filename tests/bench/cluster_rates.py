"""W1 to W4 on a Spark cluster and on this machine with as many cores.

`python -m tests.bench.cluster_rates [--rounds 3] [--cases W1 restore latency]`

Two worker hosts of one core each, then `local[2]`, by turns: the same broker, orders and settings. A rate is that of
the batches that begin 15 s after the first or later. Each result is judged as in `tests.bench.rivals`. `restore` is of
a million keys from HDFS, and `latency` as in `tests.bench.rival_latency`.
Needs what `tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from designer.topology.graph import Graph
from runner.plan import Plan
from tests.bench import orders
from tests.bench.figures import Row, keep
from tests.bench.rival_latency import RATE, SECONDS, WARM_UP, WORKLOAD, loaded, waits
from tests.bench.rivals import PARTITIONS, ROUNDS, WARM_UP_MS, fill, judge, send
from tests.bench.workloads import WORKLOADS, graph
from tests.cluster.conftest import Cluster, running_cluster
from tests.cluster.standalone import WORKER
from tests.runner.spark.runs import Child, World, counting, started
from tests.runner.spark.test_child import restart

RECORDS, RECORDS_PER_BATCH = 20_000_000, 500_000
EXECUTOR_MB = 1_024
"""All that a worker of `tests/cluster/standalone.py` offers."""
SMALL, SMALL_BATCHES = 100, 20
HERE, THERE = "local[2]", "two workers of one core"
KEYS = 1_000_000
CASES = [*WORKLOADS, "restore", "latency"]
AIM = 0.7
"""What a cluster of as many cores should reach of the rate of one machine."""


class Result(NamedTuple):
    """Records a second, ms of a small batch, bytes of a record that left or reached a worker host, what is wrong."""

    rate: float
    batch_ms: float
    crossed: float
    wrong: str


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="bench-cluster-"))
    folder.chmod(0o755)
    with running_cluster(folder) as cluster:
        rows = [*_rows(cluster, folder, asked.cases, asked.rounds)]
    for row in rows:
        print(*row, sep=" · ")
    keep(rows)


def _rows(cluster: Cluster, folder: Path, cases: Sequence[str], rounds: int) -> Iterator[Row]:
    world = World(cluster.kafka, folder)
    fill(world.cluster, cluster.kafka, "customers", orders.customers())
    for workload in (case for case in cases if case in WORKLOADS):
        found: dict[str, list[Result]] = {HERE: [], THERE: []}
        for number in range(rounds):
            for place, results in found.items():
                results.append(_measured(cluster, folder / f"{workload}-{len(results)}-{len(place)}", workload, place))
                print(workload, number, place, results[-1], flush=True)
        here, there = (statistics.median(each.rate for each in results) for results in found.values())
        wrong = {each.wrong for results in found.values() for each in results if each.wrong}
        verdict = "; ".join(wrong) or "every key right"
        about = f"{THERE} each, {there:,.0f} records/s; {HERE}, {here:,.0f}; medians of {rounds}; {verdict}"
        yield f"{workload} on a cluster beside one machine", f"{there / here:.2f} ×", f"{about}; aim {AIM} ×"
        alone, beside = (statistics.median(each.batch_ms for each in results) for results in found.values())
        small = f"median of {SMALL_BATCHES} batches of {SMALL} records, {rounds} times; {HERE}: {alone:.0f} ms"
        yield f"{workload}, a small batch on a cluster", f"{beside:.0f} ms", small
        crossed = statistics.median(each.crossed for each in found[THERE])
        yield f"{workload}, bytes that cross hosts", f"{crossed:.0f} bytes/record", "of both workers' interfaces"
    if "restore" in cases:
        yield _restored(cluster, folder / "restore")
    if "latency" in cases:
        on_cluster, on_machine = (_delay(cluster, folder / f"latency-{len(place)}", place) for place in (THERE, HERE))
        about = f"{RATE * SECONDS:,} orders of {WORKLOAD} at {RATE:,}/s after {WARM_UP} s; {HERE}: {on_machine}"
        yield "latency on a cluster: p50 / p95 / p99", on_cluster, about


def _measured(cluster: Cluster, home: Path, workload: str, place: str) -> Result:
    """One catch-up over all orders, then small batches."""
    home.mkdir()
    world = World(cluster.kafka, home)
    reads = world.name("orders")
    fill(world.cluster, cluster.kafka, reads, orders.orders(RECORDS))
    output = world.topic(workload.lower(), PARTITIONS, message_timestamp_type="LogAppendTime")
    plan = _plan(world, workload, reads, output)
    before = _crossed(cluster)
    with started(_on_cluster(cluster, plan) if place == THERE else plan) as run:
        run.wait_for_offsets(reads, RECORDS)
        crossed = _crossed(cluster) - before
        results = judge(cluster.kafka, workload, output, orders.expected(workload, RECORDS))
        rate = _steady(run, reads, results.appended[-1])
        small = [*_small_batches(run, cluster, reads)]
        assert run.stop() == 0
    for topic in (reads, output):
        world.cluster.delete(topic)
    return Result(rate, statistics.median(small), crossed / RECORDS, results.wrong)


def _restored(cluster: Cluster, home: Path) -> Row:
    """From the start of a stopped run to its next batch: its state comes from HDFS."""
    home.mkdir()
    world = World(cluster.kafka, home)
    reads, counts = world.name("orders"), world.topic("counts", PARTITIONS)
    fill(world.cluster, cluster.kafka, reads, ((f"k{n}", '{"n": 1}', n) for n in range(KEYS)))
    plan = _on_cluster(cluster, world.plan(counting(reads, counts), [reads], records_per_batch=RECORDS_PER_BATCH))
    with started(plan) as run:
        run.wait_for_offsets(reads, KEYS)
        assert run.stop() == 0
    send(cluster.kafka, reads, [("k1", '{"n": 1}', KEYS)])
    began = time.monotonic()
    with started(restart(plan)) as run:
        run.wait_for_offsets(reads, KEYS + 1)
        seconds = time.monotonic() - began
        assert run.stop() == 0
    about = "from the start of a stopped run to its next batch, new executors; aim 60 s"
    return f"restore of {KEYS:,} keys from HDFS on a cluster", f"{seconds:.1f} s", about


def _delay(cluster: Cluster, home: Path, place: str) -> str:
    """How long orders wait at p50, p95 and p99; all are counted."""
    home.mkdir()
    world = World(cluster.kafka, home)
    reads, output = world.topic("paced", PARTITIONS), world.topic("visible", PARTITIONS)
    plan = _plan(world, WORKLOAD, reads, output)
    with started(_on_cluster(cluster, plan) if place == THERE else plan) as run:
        sent, seen = loaded(cluster.kafka, reads, output)
        assert run.stop() == 0
    times, missing = waits(sent, seen)
    assert missing == 0
    cut = statistics.quantiles(times, n=100)
    return " / ".join(f"{cut[at - 1]:.0f} ms" for at in (50, 95, 99))


def _plan(world: World, workload: str, reads: str, output: str) -> Plan:
    drawn = Graph.from_json(graph(workload, reads, output))
    topics = [reads, "customers"] if workload == "W3" else [reads]
    return world.plan(drawn, topics, records_per_batch=RECORDS_PER_BATCH, cache=True)


def _on_cluster(cluster: Cluster, plan: Plan) -> Plan:
    there = cluster.on_spark(plan)
    assert there.executors is not None
    return there.model_copy(update={"executors": there.executors.model_copy(update={"memory_mb": EXECUTOR_MB})})


def _steady(run: Child, topic: str, last_ms: float) -> float:
    """Records a second once warm, until the last result was appended (ms)."""
    batches = [event for event in run.events if event["type"] == "progress"]
    warm_ms = batches[0]["started_at"] + WARM_UP_MS
    before, first = next(pair for pair in pairwise(batches) if pair[1]["started_at"] >= warm_ms)
    read: Sequence[int] = before["sources"][topic]
    return (RECORDS - sum(read)) / (last_ms - float(first["started_at"])) * 1_000


def _small_batches(run: Child, cluster: Cluster, reads: str) -> Iterator[float]:
    """The duration of each, in ms."""
    for number in range(1, SMALL_BATCHES + 1):
        rows: Sequence[orders.Record] = [*orders.orders(SMALL)]
        send(cluster.kafka, reads, rows)
        run.wait_for_offsets(reads, RECORDS + number * SMALL)
        last = [event for event in run.events if event["type"] == "progress"][-1]
        yield float(last["duration_ms"])


def _crossed(cluster: Cluster) -> int:
    """Bytes that the worker hosts have sent and received."""
    return sum(_counted(worker.pid) for host in cluster.spark.network.hosts for worker in host.javas(WORKER))


def _counted(pid: int) -> int:
    lines = (line.split() for line in Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:])
    return sum(int(line[1]) + int(line[9]) for line in lines if line[0] != "lo:")


if __name__ == "__main__":
    main()
