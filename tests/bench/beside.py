"""What a shadow and a watched breakpoint cost the running job, by turns; `python -m tests.bench beside`.

A job counts by key while records arrive at a fixed rate. In each round it runs alone, beside a proof of new records,
and beside a breakpoint that nothing fulfils, in another order each time. The cost is what its own processes use, and
how long its batches take. What the shadow itself uses is told apart from it.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import orjson
import psutil
from confluent_kafka import Producer

from runner.kafka import KafkaCluster
from tests.bench.figures import Row
from tests.bench.meter import below
from tests.bench.state import counting
from tests.bench.watching import Watch, batches
from tests.proof.product import Product

RATE, KEYS = 1_000, 1_000
ROUNDS, SECONDS = 3, 15
NAME = "beside"


class Turn(NamedTuple):
    """Processor time of the run (µs per record), the median of how long its batches took (ms), and its records/s."""

    spent: float
    took: float
    rate: float
    load: float
    other: float
    """Processor time (% of a core) of all other processes of the product, Kafka and Postgres among them."""


def beside(product: Product, rounds: int = ROUNDS) -> Iterator[Row]:
    """Rows of the report. The product must have no standby."""
    KafkaCluster(product.kafka).create(NAME, 2, {"retention.ms": "-1"})
    graph = counting(NAME, f"{NAME}-counts")
    topology = product.post("/topologies", {"name": NAME, "graph": graph})["id"]
    job = product.post("/jobs/deploy", {"topology": topology, "name": NAME})["id"]
    (source,) = (node["id"] for node in graph["nodes"] if node["operator"] == "stream")
    ways: dict[str, Callable[[], Any]] = {
        "alone": lambda: _nothing(),
        "a shadow": lambda: _shadow(product, job),
        "a breakpoint": lambda: _breakpoint(product, job, source),
    }
    turns: dict[str, list[Turn]] = {name: [] for name in ways}
    with _feed(product):
        product.wait(lambda: (product.batch(job) or 0) > 50, "the job to be warm")
        for number in range(rounds):
            order = [*ways][number % len(ways) :] + [*ways][: number % len(ways)]
            for name in order:
                with ways[name]():
                    turns[name].append(_measure(product, job))
    alone = turns.pop("alone")
    for name, of_way in turns.items():
        pairs = [*zip(of_way, alone, strict=True)]
        spent, took, rate = (
            statistics.median(getattr(one, part) / getattr(base, part) for one, base in pairs)
            for part in ("spent", "took", "rate")
        )
        more = statistics.median(one.other - base.other for one, base in pairs)
        loads = sorted(each.load for pair in pairs for each in pair)
        about = (
            f"batches take {took:.2f} ×, rate {rate:.3f} ×; medians of {rounds} pairs of {SECONDS} s at {RATE:,} "
            f"records/s; alone {_median(alone, 'spent'):.0f} µs a record and {_median(alone, 'took'):.0f} ms a batch; "
            f"beside it {more:.0f} % of a core more; load {loads[0]:.0f} to {loads[-1]:.0f}"
        )
        yield f"processor time of a job beside {name}", f"{spent:.2f} ×", about


def _median(turns: list[Turn], part: str) -> float:
    return float(statistics.median(getattr(each, part) for each in turns))


def _measure(product: Product, job: int) -> Turn:
    (supervisor,) = product.processes("webapp", "supervise", "--run", str(product.job(job)["run"]))
    watch = Watch(product, job)
    run, whole, began = _spend(below(supervisor)), _spend(product.processes()), time.monotonic()
    seen = batches(watch, lambda: time.monotonic() - began > SECONDS)
    run, whole = _spend(below(supervisor)) - run, _spend(product.processes()) - whole
    count = seen[-1].records - seen[0].records
    seconds = (seen[-1].at - seen[0].at) / 1_000
    took = statistics.median(each.duration_ms for each in seen)
    return Turn(1e6 * run / count, took, count / seconds, os.getloadavg()[0], 100 * (whole - run) / SECONDS)


def _spend(processes: Iterable[psutil.Process]) -> float:
    """Processor seconds that these processes have used, with those that they have waited for."""
    seconds = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # it has just ended
            seconds += sum(process.cpu_times()[:4])
    return seconds


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _shadow(product: Product, job: int) -> Iterator[None]:
    product.post(f"/jobs/{job}/proof", {"minutes": 0, "live_seconds": 10 * SECONDS})

    def begun() -> bool:
        proof = product.get(f"/jobs/{job}/proof")
        assert proof["failure"] is None, proof["failure"]
        return bool(proof["report"] and proof["report"]["batches"])

    product.wait(begun, "the shadow to begin")
    yield
    product.post(f"/jobs/{job}/proof/stop")
    product.wait(lambda: product.get(f"/jobs/{job}/proof")["status"] != "running", "the shadow to end")


@contextmanager
def _breakpoint(product: Product, job: int, node: str) -> Iterator[None]:
    path = f"/jobs/{job}/breakpoints"
    found = product.post(path, {"node": node, "port": "result", "condition": "timestamp < 0", "alerts": False})
    yield
    product.delete(f"{path}/{found['id']}")


@contextmanager
def _feed(product: Product) -> Iterator[None]:
    """Records at the rate, until the end."""
    producer, over = Producer({"bootstrap.servers": product.kafka, "linger.ms": 5}), threading.Event()

    def write() -> None:
        number, began = 0, time.monotonic()
        while not over.wait(0.02):
            for n in range(number, int((time.monotonic() - began) * RATE)):
                producer.produce(NAME, orjson.dumps({"n": n}), f"k{n % KEYS}")
                number = n + 1
            producer.poll(0)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        producer.flush()
