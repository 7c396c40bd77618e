"""`make bench`'s latency side by side: W2 at 1,000 orders a second, on this product and on Kafka Streams.

The latency of an order runs from its produce() to the first count that includes it, as a read_committed consumer sees
it. `python -m tests.bench latency` does this alone.
"""

from __future__ import annotations

import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson
from confluent_kafka import Producer

from runner.kafka import KafkaCluster
from tests.bench import orders
from tests.bench.rivals import PARTITIONS
from tests.bench.sides import EXACTLY_ONCE, OURS, STREAMS_SETTINGS, deployed, streams_command
from tests.bench.workloads import graph, key_of, value_of
from tests.proof.product import Product, consumer

WORKLOAD = "W2"
RATE = 1_000
WARM_UP, SECONDS = 90, 60
"""The warm-up begins with the start of the application."""
SETTINGS: Mapping[str, Mapping[str, Any]] = {OURS: {}, f"{OURS}, one slot": {"slots": 1}}


class Count(NamedTuple):
    """A customer's window, how many of its orders were sent, or seen to be counted, and when (s)."""

    window: tuple[str, int]
    orders: int
    at: float


def latency_aside(product: Product) -> Iterator[tuple[str, str, str]]:
    """Rows of the report. The product must have no standby, which would start while a job is measured."""
    cluster = KafkaCluster(product.kafka)
    for number, rival in enumerate([*SETTINGS, EXACTLY_ONCE]):
        topic, output = f"paced-{number}", f"visible-{number}"
        cluster.create(topic, PARTITIONS, {"retention.ms": "-1"})
        cluster.create(output, PARTITIONS, {"retention.ms": "-1"})
        with running(product, rival, topic, output):
            sent, seen = loaded(product.kafka, topic, output)
        times, missing = waits(sent, seen)
        cut = statistics.quantiles(times, n=100)
        about = f"{len(times):,} orders of {WORKLOAD} at {RATE:,}/s after {WARM_UP} s, {missing} missing"
        figure = " / ".join(f"{cut[at - 1]:.0f} ms" for at in (50, 95, 99))
        yield f"latency, {rival}: p50 / p95 / p99", figure, about


@contextmanager
def running(product: Product, rival: str, topic: str, output: str) -> Iterator[None]:
    """The workload from `topic` to `output`, for as long as it is measured."""
    if rival in SETTINGS:
        job = deployed(product, graph(WORKLOAD, topic, output), output, SETTINGS[rival])
        yield
        product.post(f"/jobs/{job}/stop")
        product.wait_for_status(job, "stopped")
    else:
        command = streams_command(product, WORKLOAD, topic, output, STREAMS_SETTINGS[rival], 0)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as streams:
            yield
            streams.terminate()


def loaded(servers: str, topic: str, output: str) -> tuple[list[Count], list[Count]]:
    """The orders sent behind the warm-up, and every count that was seen."""
    found: list[tuple[float, bytes]] = []
    stop = threading.Event()
    reader = threading.Thread(target=_read, args=(servers, output, found, stop))
    reader.start()
    sent = _write(servers, topic)
    time.sleep(5)
    stop.set()
    reader.join()
    return sent, [_count(*each) for each in found]


def waits(sent: list[Count], seen: list[Count]) -> tuple[list[float], int]:
    """Milliseconds until each order was counted, and how many never were."""
    counts: dict[tuple[str, int], list[Count]] = {}
    for count in seen:
        counts.setdefault(count.window, []).append(count)
    times = []
    for order in sent:
        includes = (found.at for found in counts.get(order.window, ()) if found.orders >= order.orders)
        if (at := next(includes, None)) is not None:
            times.append((at - order.at) * 1_000)
    return times, len(sent) - len(times)


def _write(servers: str, topic: str) -> list[Count]:
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 0, "partitioner": "murmur2_random"})
    sent: list[Count] = []
    counts: Counter[tuple[str, int]] = Counter()
    began = time.time()
    for number, (key, value, at) in enumerate(orders.orders(RATE * (WARM_UP + SECONDS))):
        while number > (now := time.time() - began) * RATE:
            producer.poll(0.001)
        producer.produce(topic, value, key, timestamp=at)
        window = key, at // orders.WINDOW_MS * orders.WINDOW_MS
        counts[window] += 1
        if number >= RATE * WARM_UP:
            sent.append(Count(window, counts[window], began + now))
    producer.flush()
    return sent


def _read(servers: str, output: str, found: list[tuple[float, bytes]], stop: threading.Event) -> None:
    with consumer(servers, output) as reader:
        while not stop.is_set():
            for message in reader.consume(10_000, timeout=0.005):
                if message.error() is None:
                    found.append((time.time(), message.value() or b""))


def _count(at: float, value: bytes) -> Count:
    result = orjson.loads(value)
    return Count(key_of(WORKLOAD, None, result), value_of(WORKLOAD, result), at)
