"""Records to the producers of confluent-kafka without a Python object for each record.

confluent-kafka has no such calls, so the kernel calls librdkafka itself, with the client that confluent-kafka made and
controls. A client's Python object holds the address of librdkafka's client in its first field. Its interface does not
promise that. So this serves only the versions in `KNOWN`, whose source says so (`Handle` in `confluent_kafka.h`), and
Python's objects serve any other. A client here must have no callbacks in Python: they need a state that only
confluent-kafka's own calls make. Consumers have such a callback, for errors of brokers, so they are not served.
"""

from __future__ import annotations

import ctypes
from functools import cache
from importlib.metadata import version
from typing import Any

import confluent_kafka
import pyarrow as pa

from runner import kernel
from runner.spark.buffers import get_blobs, get_numbers

KNOWN = frozenset({"2.16.1"})
"""Versions of confluent-kafka whose clients begin with the address of librdkafka's."""


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


def find_client(client: confluent_kafka.Producer) -> int:
    """The address of librdkafka's client. Hold the Python object while you use it."""
    address = ctypes.c_void_p.from_address(id(client) + object.__basicsize__).value
    if not address:
        raise RuntimeError("The client of Kafka is closed.")
    return address


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
