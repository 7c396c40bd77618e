"""Following records of the sample's job with a million flights behind it, while flights keep coming."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from runner.kafka import KafkaCluster
from tests.bench.figures import Row
from tests.proof.product import Product

FLIGHTS = 1_000_000
TIMES = 10
BEHIND = 2_000
"""Records between one that is followed and the end of its topic, so that its batch is done."""
STORE = "hourly-delays"
Wanted = dict[str, Any]


def follow(product: Product) -> Iterator[Row]:
    """Rows of the report."""
    product.feed("--rate", "0", "--loop", "--max", str(FLIGHTS)).wait()
    job = product.deploy_sample("followed")
    product.wait(lambda: product.lag(job) == 0, "a million flights to be read")
    feed = product.feed("--rate", "500", "--loop")
    try:
        time.sleep(20)
        cluster = KafkaCluster(product.kafka)
        for what, wanted in (
            ("an input", lambda: _record(cluster, "flights", BEHIND)),
            ("a record of an output topic", lambda: _record(cluster, "delays-by-airport", 100)),
            ("the row of a table", lambda: _row(product, job)),
        ):
            yield f"follow {what} of a job", *_measure(product, job, wanted)
    finally:
        feed.terminate()
        feed.wait()


def _measure(product: Product, job: int, wanted: Callable[[], Wanted]) -> tuple[str, str]:
    took, records = [], []
    for _ in range(TIMES):
        product.wait(lambda: (product.lag(job) or 0) < BEHIND // 4, "the job to keep up")
        asked, began = wanted(), time.monotonic()
        answer = product.post(f"/jobs/{job}/follow", asked)
        took.append(time.monotonic() - began)
        records.append(answer["records"])
        assert answer["steps"], answer
    about = f"median of {TIMES}, longest {max(took):.1f} s; batches of {max(records):,} records at most"
    return f"{statistics.median(took):.1f} s", f"{about}; {FLIGHTS:,} flights before, 500 a second beside"


def _record(cluster: KafkaCluster, topic: str, behind: int) -> Wanted:
    found = min(cluster.sample(topic, behind), key=lambda each: each.timestamp)
    return {"record": {"topic": topic, "partition": found.partition, "offset": found.offset}}


def _row(product: Product, job: int) -> Wanted:
    """A row of the newest window: older ones leave the table soon."""
    rows = product.get(f"/jobs/{job}/tables/{STORE}?as_text=true")["rows"]
    newest = max(rows, key=lambda row: row["window"]["start"])
    return {"row": {"store": STORE, "key": newest["key"], "window": newest["window"]}}
