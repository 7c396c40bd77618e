"""What the run's own process spends on a result, on a Spark cluster: `python -m tests.bench.cluster_writers`.

Counts of orders leave through the run, then by writers beside slots, on two worker hosts of one core each. Processor
time of the run's Python and Java counts. Needs what `tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.bench.figures import Row, keep
from tests.cluster.conftest import Cluster, running_cluster
from tests.runner.spark.runs import Child, World, counting, started

RECORDS, WARM_UP, BATCH = 400_000, 100_000, 50_000
CUSTOMERS = 1_000


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="bench-cluster-"))
    with running_cluster(folder) as cluster:
        rows = [*_rows(cluster, folder)]
    for row in rows:
        print(*row, sep=" · ")
    keep(rows)


def _rows(cluster: Cluster, folder: Path) -> Iterator[Row]:
    about = f"{RECORDS:,} counts of {CUSTOMERS:,} customers in batches of {BATCH:,}, two slots on two hosts"
    for name, module in (("one writer", "tests.bench.one_writer"), ("writers beside slots", "runner.spark")):
        home = folder / module
        home.mkdir()
        spent, seconds = _measured(cluster, World(cluster.kafka, home), module)
        rate = RECORDS / seconds
        yield f"the run's process for a result, {name}", f"{spent / RECORDS * 1e6:.1f} µs", f"{about}; {rate:,.0f}/s"


def _measured(cluster: Cluster, world: World, module: str) -> tuple[float, float]:
    """Processor seconds of the run's own processes for the records, and how long they took."""
    orders, counts = world.topic("orders", 4), world.topic("counts", 4)
    plan = cluster.on_spark(world.plan(counting(orders, counts), [orders], records_per_batch=BATCH))
    world.produce(orders, _orders(WARM_UP))
    with started(plan, module=module) as run:
        run.wait_for_offsets(orders, WARM_UP)
        with run.asleep():
            world.produce(orders, _orders(RECORDS))
        before = _spent(run)
        ended = run.wait_for_offsets(orders, WARM_UP + RECORDS)
        spent = _spent(run) - before
        batches = [event for event in run.of_type("progress") if event["sources"] and event["records_in"]]
        first = next(event for event in batches if sum(event["sources"][orders]) > WARM_UP)
        assert run.stop() == 0
    assert len(world.read(counts)) == WARM_UP + RECORDS
    return spent, (ended["committed_at"] - first["started_at"]) / 1_000


def _orders(count: int) -> Iterator[tuple[str, str, int]]:
    return ((f"c{n % CUSTOMERS}", json.dumps({"n": n}), n) for n in range(count))


def _spent(run: Child) -> float:
    own = psutil.Process(run.popen.pid)
    return sum(sum(each.cpu_times()[:2]) for each in (own, *own.children(recursive=True)))


if __name__ == "__main__":
    main()
