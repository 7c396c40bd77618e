"""`make bench`'s side by side: the workloads on this product and on Kafka Streams, same broker, same records, one run.

A rate is records / (last result appended - first record consumed): starts are left out, warming up is not. Each
result is read back (read_committed) and compared with what the data must give, every key of it.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from confluent_kafka import Producer

from runner.kafka import KafkaCluster
from tests.bench import orders
from tests.bench.watching import Watch, batches
from tests.bench.workloads import WORKLOADS, graph, key_of, value_of
from tests.java import compiled
from tests.proof.product import Product, consumer, records
from webapp.local.java import java

RECORDS = min(4_000_000, 600_000 * (os.cpu_count() or 1))
"""Fewer cores take longer: so that it lasts about half an hour anywhere."""
ROUNDS = 3
PARTITIONS = 8
OURS, EXACTLY_ONCE, AT_LEAST_ONCE = "Streamwright", "exactly_once_v2", "at_least_once"
RIVALS = (OURS, EXACTLY_ONCE, AT_LEAST_ONCE)
AIMS = {"W1": 1.0, "W2": 1.3, "W3": 1.0, "W4": 1.3}
"""How many times as fast as Kafka Streams exactly_once_v2 this product wants to be."""
SOURCES = Path(__file__).with_name("streams")
SETTINGS = {"records_per_batch": 500_000}


class Result(NamedTuple):
    """Records a second, results written, and what is wrong with them (empty: nothing)."""

    rate: float
    written: int
    wrong: str


def side_by_side(product: Product, count: int = RECORDS) -> Iterator[tuple[str, str, str]]:
    """Rows of the report: workload and rival, the median rate, how it was.

    The product must have no standby: the next one would start while a job of this one is measured.
    """
    cluster = KafkaCluster(product.kafka)
    fill(cluster, product.kafka, "customers", orders.customers())
    fill(cluster, product.kafka, "orders", orders.orders(count))
    for workload, what in WORKLOADS.items():
        found: dict[str, list[Result]] = {rival: [] for rival in RIVALS}
        for number in range(ROUNDS):
            for rival in RIVALS:
                found[rival].append(measured(product, cluster, workload, rival, number, count))
        medians = {rival: statistics.median(each.rate for each in results) for rival, results in found.items()}
        ratio = medians[OURS] / medians[EXACTLY_ONCE]
        yield f"{workload}: {what}", f"{ratio:.2f} ×", f"of Kafka Streams {EXACTLY_ONCE}; aim {AIMS[workload]} ×"
        for rival, results in found.items():
            yield f"{workload}, {rival}", f"{medians[rival]:,.0f} records/s", _about(results)


def fill(cluster: KafkaCluster, servers: str, topic: str, rows: Iterable[orders.Record]) -> None:
    """Puts rows into a new topic that keeps them all."""
    cluster.create(topic, PARTITIONS, {"retention.ms": "-1"})
    send(servers, topic, rows)


def send(servers: str, topic: str, rows: Iterable[orders.Record]) -> None:
    """Puts rows into a topic, by the partitioner of the Java clients."""
    producer = Producer(
        {
            "bootstrap.servers": servers,
            "partitioner": "murmur2_random",
            "linger.ms": 20,
            "queue.buffering.max.messages": 500_000,
            "queue.buffering.max.kbytes": 500_000,
        }
    )
    for number, (key, value, at) in enumerate(rows):
        producer.produce(topic, value, key, timestamp=at)
        if number % 1_000 == 0:
            while len(producer) > 400_000:
                producer.poll(0.05)
            producer.poll(0)
    producer.flush()


def measured(product: Product, cluster: KafkaCluster, workload: str, rival: str, number: int, count: int) -> Result:
    """One catch-up over all orders."""
    output = f"{workload}-{rival}-{number}".lower()
    cluster.create(output, PARTITIONS, {"message.timestamp.type": "LogAppendTime"})
    if rival == OURS:
        first_ms = ours(product, workload, output)
    else:
        first_ms = kafka_streams(product, workload, output, rival, count)
    result = judged(product.kafka, workload, output, first_ms, count)
    cluster.delete(output)
    print(output, f"{result.rate:,.0f} records/s", result.written, result.wrong, flush=True)
    return result


def ours(product: Product, workload: str, output: str) -> float:
    """Deploys, waits for the end, stops; when the first batch began (ms)."""
    job = deployed(product, workload, "orders", output, SETTINGS)
    seen = batches(Watch(product, job), until=lambda: product.lag(job) == 0)
    steps = {step["step"]: step["at"] for step in product.job(job)["steps"]}
    product.post(f"/jobs/{job}/stop")
    product.wait_for_status(job, "stopped")
    # live numbers may miss the first batch, which is short; its step begins a little too early
    return seen[0].at - seen[0].duration_ms if seen[0].number == 0 else float(steps["first_batch"])


def deployed(product: Product, workload: str, topic: str, output: str, settings: Mapping[str, Any]) -> int:
    """The job of a workload that reads its orders from `topic`."""
    topology = product.post("/topologies", {"name": output, "graph": graph(workload, topic, output)})["id"]
    return int(product.post("/jobs/deploy", {"topology": topology, "settings": settings})["id"])


def kafka_streams(product: Product, workload: str, output: str, guarantee: str, count: int) -> float:
    """Runs the application until it has processed everything; when it consumed its first record (ms)."""
    # the records through its threads: W3 also reads the table and its own repartition topic
    through = 2 * count + orders.CUSTOMERS if workload == "W3" else count
    command = streams_command(product, workload, "orders", output, guarantee, through)
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    first = re.search(r"PEER first (\d+)", done.stdout)
    assert first, done.stdout[-2_000:] + done.stderr[-2_000:]
    return float(first[1])


def streams_command(
    product: Product, workload: str, topic: str, output: str, guarantee: str, through: int
) -> list[str]:
    """Kafka Streams on a workload, to its end after `through` records; 0: until it is terminated."""
    classes = compiled(SOURCES, product.home / "streams")
    command = [str(java()), "-Xmx2g", "-cp", classes, "bench.Main", workload, topic, "customers", output]
    command += [str(through), output, str(product.home / "streams-state"), product.kafka]
    return [*command, f"processing.guarantee={guarantee}"]


def judged(servers: str, workload: str, output: str, first_ms: float, count: int) -> Result:
    """Reads the results back and compares the last of each key."""
    want, got, written, last_ms = orders.expected(workload, count), {}, 0, 0
    with consumer(servers, output) as reader:
        for key, value, at in records(reader):
            got[key_of(workload, key, value)] = value_of(workload, value)
            written, last_ms = written + 1, max(last_ms, at)
    differ = sum(1 for key, value in want.items() if got.get(key) != value)
    wrong = f"{differ} of {len(want)} keys differ, {len(got) - len(want)} too many" if got != want else ""
    return Result(count / (last_ms - first_ms) * 1_000, written, wrong)


def _about(results: list[Result]) -> str:
    rates = ", ".join(f"{each.rate / 1_000:.0f}" for each in results)
    wrong = [each.wrong for each in results if each.wrong]
    verdict = "; ".join(wrong) if wrong else "every key right"
    return f"median of {rates} thousand/s; {results[-1].written:,} results; {verdict}"
