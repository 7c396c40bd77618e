"""Memory of a run at full rate for half an hour; `python -m tests.bench growth`.

A count by key whose backlog is never empty: records are made beside it, and deleted once their segments are full.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from threading import Thread

import numpy as np

from runner.kafka import KafkaCluster
from tests.bench.rivals import PARTITIONS, send
from tests.bench.state import BASE_MS, Row, counting, key_text, own_mb
from tests.bench.watching import Watch
from tests.proof.product import Product

KEYS = 100_000
SLICE = 500_000
BACKLOG = 2_000_000
WARM_SECONDS, SECONDS, EDGE_SECONDS, LOOK_SECONDS = 180, 1_800, 180, 10
KEPT = {"retention.ms": "-1", "retention.bytes": str(512 << 20), "segment.bytes": str(64 << 20)}
SPARK = "runner.spark"
"""Names both a run's Java and its Python workers."""


def growth(product: Product) -> Iterator[Row]:
    """Rows of the report: memory at the end against the beginning, once the run is warm."""
    cluster = KafkaCluster(product.kafka)
    for topic in ("endless", "endless-counts"):
        cluster.create(topic, PARTITIONS, KEPT)
    send(product.kafka, "endless", _updates(0))
    topology = product.post("/topologies", {"name": "endless", "graph": counting("endless", "endless-counts")})["id"]
    job = product.post("/jobs/deploy", {"topology": topology, "name": "endless"})["id"]
    product.wait(lambda: product.batch(job) is not None, "the first batch")
    end = time.monotonic() + WARM_SECONDS + SECONDS
    Thread(target=_keep_backlog, args=(product, job, end), daemon=True).start()
    time.sleep(WARM_SECONDS)
    first = Watch(product, job).newest()
    looks = list(_looks(product, SECONDS // LOOK_SECONDS))
    last = Watch(product, job).newest()
    assert first and last and product.job(job)["generation"] == 1, "the run did not last"
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    edge = EDGE_SECONDS // LOOK_SECONDS
    before, after = statistics.mean(looks[:edge]), statistics.mean(looks[-edge:])
    rate = (last.records - first.records) / (last.at - first.at) * 1_000
    about = f"{SECONDS // 60} minutes at {rate:,.0f} records/s, once warm, from {before:,.0f} to {after:,.0f} MB"
    yield "growth of memory", f"{after / before - 1:+.1%}", f"{about}: means of {EDGE_SECONDS} s; aim below 10 %"


def _looks(product: Product, count: int) -> Iterator[float]:
    """The memory of all processes of the run, MB."""
    for _ in range(count):
        time.sleep(LOOK_SECONDS)
        yield sum(map(own_mb, product.processes(SPARK)))


def _keep_backlog(product: Product, job: int, end: float) -> None:
    number = 0
    while time.monotonic() < end:
        if (product.lag(job) or 0) < BACKLOG:
            number += 1
            send(product.kafka, "endless", _updates(number))
        else:
            time.sleep(0.5)


def _updates(number: int) -> Iterator[tuple[str, str, int]]:
    drawn = np.random.Generator(np.random.PCG64(number)).integers(0, KEYS, SLICE)
    for at, key in enumerate(drawn.tolist(), number * SLICE):
        yield key_text(key), '{"n":1}', BASE_MS + at
