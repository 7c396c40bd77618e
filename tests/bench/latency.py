"""Latency as a reader sees it: each flight carries the time it was produced in a header, which reaches the output."""

from __future__ import annotations

import threading
import time
from itertools import islice

import orjson
from confluent_kafka import Producer

from runner.nycflights import Row, flights, record_time
from tests.bench.watching import Batch, Watch, batches
from tests.proof.product import Product, consumer

RATE = 1_000
SECONDS = 40
WARM_UP = 10
HEADER = "produced"


def latencies(product: Product, watch: Watch) -> tuple[list[float], list[Batch]]:
    """Milliseconds from produce() to a read_committed consumer of `late-flights`, and the batches meanwhile."""
    found: list[float] = []
    stop = threading.Event()
    reader = threading.Thread(target=_read, args=(product.kafka, found, stop))
    writer = threading.Thread(target=_write, args=(product.kafka,))
    reader.start()
    writer.start()
    seen = batches(watch, until=lambda: not writer.is_alive())
    time.sleep(3)
    stop.set()
    reader.join()
    return found, seen


def _write(servers: str) -> None:
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 0, "partitioner": "murmur2_random"})
    began = time.monotonic()
    for number, row in enumerate(islice(_late_years(), RATE * (WARM_UP + SECONDS))):
        while number > (time.monotonic() - began) * RATE:
            producer.poll(0.001)
        warm = number >= RATE * WARM_UP
        headers: list[tuple[str, str | bytes | None]] = [(HEADER, str(time.time_ns()).encode())] if warm else []
        key = row["tailnum"] and row["tailnum"].encode()
        producer.produce("flights", orjson.dumps(row), key, timestamp=record_time(row), headers=headers)
    producer.flush()


def _late_years() -> islice[Row]:
    """Flights later than any in the topic, so that none is late for its window."""
    return islice(flights(years=10), None)


def _read(servers: str, found: list[float], stop: threading.Event) -> None:
    with consumer(servers, "late-flights") as reader:
        while not stop.is_set():
            message = reader.poll(0.1)
            if message is None or message.error() is not None:
                continue
            produced = dict(message.headers() or ()).get(HEADER)
            if produced is not None:
                found.append((time.time_ns() - int(produced)) / 1e6)
