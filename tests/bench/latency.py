"""Latency as a reader sees it: each flight carries the time it was produced in a header, which reaches the output."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import orjson
from confluent_kafka import Producer

from runner.demo.samples.flights import Row, get_record_time, make_flights
from tests.bench.watching import Batch, Watch, batches
from tests.proof.product import Product, consumer

RATE = 1_000
SECONDS = 40


class Load(NamedTuple):
    """Flights from number `first` on, `RATE` a second: for `warm_up` seconds, then for `SECONDS` that are measured."""

    first: int
    warm_up: int

    @property
    def header(self) -> str:
        """Of its own: a later job reads the flights of an earlier load, too."""
        return f"produced-{self.first}"


def latencies(product: Product, watch: Watch, load: Load) -> tuple[list[float], list[Batch]]:
    """Milliseconds from produce() to a read_committed consumer of `late-flights`, and the batches meanwhile."""
    found: list[float] = []
    stop = threading.Event()
    reader = threading.Thread(target=_read, args=(product.kafka, load.header, found, stop))
    writer = threading.Thread(target=_write, args=(product.kafka, load))
    reader.start()
    writer.start()
    warm = time.monotonic() + load.warm_up
    batches(watch, until=lambda: time.monotonic() > warm)
    seen = batches(watch, until=lambda: not writer.is_alive())
    time.sleep(3)
    stop.set()
    reader.join()
    return found, seen


def _write(servers: str, load: Load) -> None:
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 0, "partitioner": "murmur2_random"})
    began = time.monotonic()
    for number, row in enumerate(islice(_late_years(load.first), RATE * (load.warm_up + SECONDS))):
        while number > (time.monotonic() - began) * RATE:
            producer.poll(0.001)
        warm = number >= RATE * load.warm_up
        headers: list[tuple[str, str | bytes | None]] = [(load.header, str(time.time_ns()).encode())] if warm else []
        key = row["tailnum"] and row["tailnum"].encode()
        producer.produce("flights", orjson.dumps(row), key, timestamp=get_record_time(row), headers=headers)
    producer.flush()


def _late_years(first: int) -> Iterator[Row]:
    """Flights later than any in the topic, so that none is late for its window."""
    return make_flights(years=10, start=first)


def _read(servers: str, header: str, found: list[float], stop: threading.Event) -> None:
    with consumer(servers, "late-flights") as reader:
        while not stop.is_set():
            message = reader.poll(0.1)
            if message is None or message.error() is not None:
                continue
            produced = dict(message.headers() or ()).get(header)
            if produced is not None:
                found.append((time.time_ns() - int(produced)) / 1e6)
