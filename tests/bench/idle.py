"""What jobs cost that have nothing to read: one, and then ten; `python -m tests.bench idle`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import psutil

from runner.kafka import KafkaCluster
from tests.bench.figures import Row
from tests.bench.meter import Meter, below
from tests.bench.state import counting
from tests.proof.product import Product

JOBS = 10
SETTLE_SECONDS, SECONDS = 60, 60


def idle(product: Product) -> Iterator[Row]:
    """Rows of the report; the product must have no standby."""
    runs = [_deploy(product, "idle-0")]
    yield "an idle job", *_measure(runs)
    runs += [_deploy(product, f"idle-{number}") for number in range(1, JOBS)]
    yield f"{JOBS} idle jobs", *_measure(runs)
    about = f"of all processes of the product, Kafka and Postgres among them, while {JOBS} jobs idle; aim 8 GiB"
    held = 0
    for process in product.processes():
        with suppress(psutil.NoSuchProcess):  # one that helps for a moment
            held += process.memory_full_info().pss
    yield "the product with idle jobs", f"{held / 2**30:.1f} GiB", about


def _deploy(product: Product, name: str) -> psutil.Process:
    """A job that has counted one record; the process that drives it."""
    KafkaCluster(product.kafka).create(name, 2, {"retention.ms": "-1"})
    product.produce(name, "k", {"n": 1})
    topology = product.post("/topologies", {"name": name, "graph": counting(name, f"{name}-counts")})["id"]
    job = product.post("/jobs/deploy", {"topology": topology, "name": name})["id"]
    product.wait(lambda: product.lag(job) == 0, f"{name} to count its record")
    (supervisor,) = product.processes("webapp", "supervise", "--run", str(product.job(job)["run"]))
    return supervisor


def _measure(runs: list[psutil.Process]) -> tuple[str, str]:
    """The share of a core and the memory of the processes of some runs."""
    time.sleep(SETTLE_SECONDS)
    with Meter(lambda: [process for run in runs for process in below(run)]) as meter:
        time.sleep(SECONDS)
    first, last = meter.samples[0], meter.samples[-1]
    spent = sum(last.seconds.values()) - sum(first.seconds.values())
    share = spent / (last.at - first.at) * 1_000
    about = f"means of {SECONDS} s, {SETTLE_SECONDS} s after the last start, each with its supervisor; memory as PSS"
    return (
        f"{share / len(runs):.1%} of a core, {meter.peak / len(runs) / 2**20:,.0f} MiB each",
        f"{about}; aim 2 %, 600 MiB",
    )
