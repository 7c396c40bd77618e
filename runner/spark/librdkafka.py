"""Records from and to the clients of confluent-kafka without a Python object for each record.

confluent-kafka has no such calls, so the kernel calls librdkafka itself, with the client that confluent-kafka made and
controls. A client's Python object holds the address of librdkafka's client in its first field. Its interface does not
promise that. So this serves only the versions in `KNOWN`, whose source says so (`Handle` in `confluent_kafka.h`), and
Python's objects serve any other.

confluent-kafka's callbacks need a state that only its own calls make. Without it they end the process. So a producer
here has no callbacks, and records of a consumer come through a queue that gets only what arrives from partitions.
Its other reports, such as those of a lost broker, stay where `Consumer.poll` finds them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

import confluent_kafka
import numpy as np
import pyarrow as pa

from runner import kernel
from runner.spark.buffers import get_blobs, get_numbers, make_blobs, make_numbers
from runner.spark.columns import ArrowRecords, RecordArrays

KNOWN = frozenset({"2.16.1"})
"""Versions of confluent-kafka whose clients begin with the address of librdkafka's."""
Headers = list[tuple[str, bytes | None]]


@cache
def _load(module: Any) -> Any:
    if version("confluent-kafka") not in KNOWN:
        return None
    library = ctypes.CDLL(confluent_kafka.cimpl.__file__)  # a search in it finds what it is linked with
    return module.Librdkafka(lambda name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def load() -> Any:
    """The kernel's way to librdkafka. None if the kernel is not there, or does not know this confluent-kafka."""
    module = kernel.load()
    return None if module is None else _load(module)


def find_client(client: confluent_kafka.Consumer | confluent_kafka.Producer) -> int:
    """The address of librdkafka's client. Hold the Python object while you use it."""
    address = ctypes.c_void_p.from_address(id(client) + object.__basicsize__).value
    if not address:
        raise RuntimeError("The client of Kafka is closed.")
    return address


class Inbox:
    """A queue of what arrives from partitions, which are assigned to the consumer after it is open."""

    def __init__(self, way: Any, consumer: confluent_kafka.Consumer, places: Iterable[tuple[str, int]]) -> None:
        self._way = way
        self._queue = way.open(find_client(consumer), list(places))

    def take(self, most: int, timeout_ms: int) -> list[Any]:
        """What waits, by partition. Waits for the first."""
        runs: list[Any] = self._way.take(self._queue, most, timeout_ms)
        return runs

    def close(self) -> None:
        self._way.close(self._queue)


def read_records(run: Any, encode_headers: Callable[[Headers], str | None], end: int) -> ArrowRecords:
    """The records up to an offset of a run of messages that the kernel has taken."""
    count: int = run["count"]
    headers: list[str | None] = [None] * count
    for row, found in run["headers"]:
        headers[row] = encode_headers(found)
    offsets = make_numbers(run["offsets"], pa.int64())
    kept = int(np.searchsorted(offsets.to_numpy(), end))
    arrays = (
        offsets,
        make_numbers(run["timestamps"], pa.int64()),
        make_blobs(count, run["keys"], pa.binary()),
        make_blobs(count, run["values"], pa.binary()),
        pa.array(headers, pa.string()) if run["headers"] else pa.nulls(count, pa.string()),
    )
    return ArrowRecords(RecordArrays(*(array[:kept] for array in arrays)))


def produce(
    way: Any, client: confluent_kafka.Producer, topic: str, records: pa.RecordBatch, first: int
) -> tuple[int, int]:
    """Queues records from one on. Returns the next to queue, and why it was not: an error code, or 0."""
    timestamps, keys, values = (records.column(name) for name in ("timestamp", "key", "value"))
    queued: tuple[int, int] = way.produce(
        find_client(client),
        topic,
        first,
        records.num_rows,
        get_numbers(timestamps),
        get_blobs(keys),
        get_blobs(values),
    )
    return queued
