"""What the run's own process spends on a result, on a Spark cluster: `python -m tests.bench.cluster_writers`.

Counts of orders leave through the run, then by writers beside slots, on two worker hosts of one core each. Processor
time of the run's Python and Java counts: large batches beside small ones tell a result from a batch, and eight slots
beside two tell what a batch costs for each slot.

Needs what `tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.bench.figures import Row, keep
from tests.cluster.conftest import Cluster, running_cluster
from tests.runner.spark.runs import Child, World, counting, started

PAIRS, WARM_UP, LARGE, SMALL = 12, 8, 100_000, 500
CUSTOMERS = 1_000
FEW, MANY = 2, 8
"""Slots."""


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="bench-cluster-"))
    with running_cluster(folder) as cluster:
        rows = [*_rows(cluster, folder)]
    for row in rows:
        print(*row, sep=" · ")
    keep(rows)


def _rows(cluster: Cluster, folder: Path) -> Iterator[Row]:
    about = f"median of {PAIRS} batches of {LARGE:,} counts, each less one of {SMALL:,}; two slots on two hosts"
    alone = f"median of {PAIRS} batches of {SMALL:,} counts; two slots on two hosts"
    small: list[float] = []
    for name, module in (("one writer", "tests.bench.one_writer"), ("writers beside slots", "runner.spark")):
        small, large = _measured(cluster, _world(cluster, folder / module), module)
        of_one = statistics.median(more - less for less, more in zip(small, large, strict=True)) / (LARGE - SMALL)
        yield f"the run's process for one more result, {name}", f"{of_one * 1e6:.2f} µs", about
        yield f"the run's process for a batch, {name}", f"{statistics.median(small) * 1e3:.0f} ms", alone
    many, _ = _measured(cluster, _world(cluster, folder / "many"), "runner.spark", large=SMALL, slots=MANY)
    of_slot = (statistics.median(many) - statistics.median(small)) / (MANY - FEW)
    of_many = f"median of {PAIRS} batches of {SMALL:,} counts with {MANY} slots, less that with {FEW}, on two hosts"
    yield "the run's process for one more slot of a batch", f"{of_slot * 1e3:.1f} ms", of_many


def _world(cluster: Cluster, home: Path) -> World:
    home.mkdir()
    return World(cluster.kafka, home)


def _measured(
    cluster: Cluster, world: World, module: str, *, large: int = LARGE, slots: int = FEW
) -> tuple[list[float], list[float]]:
    """Processor seconds of the run's own processes for small batches and for large ones, by turns, once warm."""
    orders, counts = world.topic("orders", MANY), world.topic("counts", MANY)
    plan = cluster.on_spark(world.plan(counting(orders, counts), [orders], records_per_batch=LARGE, slots=slots))
    total, spent = 0, []
    with started(plan, module=module) as run:
        for size in [large] * WARM_UP + [SMALL, large] * PAIRS:
            before = _spent(run)
            with run.asleep():
                world.produce(orders, _orders(size))
            total += size
            run.wait_for_offsets(orders, total)
            spent.append(_spent(run) - before)
        assert run.stop() == 0
    assert sum(world.settled_ends(counts)) >= total
    return spent[WARM_UP::2], spent[WARM_UP + 1 :: 2]


def _orders(count: int) -> Iterator[tuple[str, str, int]]:
    return ((f"c{n % CUSTOMERS}", json.dumps({"n": n}), n) for n in range(count))


def _spent(run: Child) -> float:
    own = psutil.Process(run.popen.pid)
    return sum(sum(each.cpu_times()[:2]) for each in (own, *own.children(recursive=True)))


if __name__ == "__main__":
    main()
