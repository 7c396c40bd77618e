"""What one run costs, in seconds and in processor time of all its processes: `python -m tests.bench one-run`.

The run alone, without drive and web, on the product's broker: orders joined with a global table and counted by
another key (`shops` of tests/runner/spark/runs.py), two slots, and small batches once more with one.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.bench.meter import below
from tests.proof.product import Product
from tests.runner.spark.runs import Child, World, shops, started

CUSTOMERS, CITIES = 50, 5
FIRST, SMALL = 500, 100
ROUNDS, WARM_UP = 60, 100
STARTS = 3
Row = tuple[str, str, str]


def one_run(product: Product) -> Iterator[Row]:
    """Rows of the report: starts, then small batches, each alone, of the last run once it is warm."""
    starts = []
    for number in range(STARTS):
        with _started(product, slots=2) as (began, world, child, orders):
            starts.append((time.monotonic() - began, *_spent(child)))
            if number == STARTS - 1:
                yield _start_row(starts)
                yield _small_batches(world, child, orders, "")
    with _started(product, slots=1) as (_, world, child, orders):
        yield _small_batches(world, child, orders, ", one slot")


@contextmanager
def _started(product: Product, slots: int) -> Iterator[tuple[float, World, Child, str]]:
    """A run that has read its first records, and when it began; with its world and the topic of orders."""
    with tempfile.TemporaryDirectory(dir=product.home) as folder:
        world = World(product.kafka, Path(folder))
        orders, names, counts = world.topic("orders"), world.topic("names", 1), world.topic("counts", 1)
        plan = world.plan(shops(orders, names, counts), [orders, names], slots=slots)
        world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(CUSTOMERS)])
        world.produce(orders, _orders(FIRST))
        began = time.monotonic()
        with started(plan) as child:
            child.wait_for_offsets(orders, FIRST)
            yield began, world, child, orders
            child.stop()


def _start_row(starts: list[tuple[float, float, float]]) -> Row:
    walls, spent, java = zip(*starts, strict=True)
    about = f"median of {', '.join(f'{wall:.1f}' for wall in walls)}; {statistics.median(spent):.0f} s of processors, "
    about += f"{statistics.median(java):.0f} of them Java's"
    return f"a run, cold, until its first batch of {FIRST} records", f"{statistics.median(walls):.1f} s", about


def _small_batches(world: World, child: Child, topic: str, slots: str) -> Row:
    total, durations = FIRST, []
    for number in range(WARM_UP + ROUNDS):
        if number == WARM_UP:
            before = _spent(child)
        world.produce(topic, _orders(SMALL))
        total += SMALL
        durations.append(child.wait_for_offsets(topic, total)["duration_ms"])
    spent, java = ((now - then) / ROUNDS * 1_000 for now, then in zip(_spent(child), before, strict=True))
    about = f"median of {ROUNDS} after {WARM_UP} others; {spent:.0f} ms of processors, {java:.0f} of them Java's"
    return f"a batch of {SMALL} records, alone{slots}", f"{statistics.median(durations[WARM_UP:]):.0f} ms", about


def _orders(count: int) -> list[tuple[str, str, int]]:
    return [(f"c{n % CUSTOMERS}", json.dumps({"city": f"city {n % CITIES}"}), n) for n in range(count)]


def _spent(child: Child) -> tuple[float, float]:
    """Processor seconds of a run's processes so far, and of its Java alone."""
    by_name = [(each.name(), sum(each.cpu_times()[:2])) for each in below(psutil.Process(child.popen.pid))]
    return sum(spent for _, spent in by_name), sum(spent for name, spent in by_name if name == "java")
