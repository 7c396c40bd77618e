"""Asks Kafka again while it is busy with itself, and limits the wait for an answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from confluent_kafka import KafkaError, KafkaException

from runner.spark.sink.beside import call_beside

T = TypeVar("T")
PASSING = frozenset(
    {
        KafkaError.NOT_COORDINATOR,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.CONCURRENT_TRANSACTIONS,
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.LEADER_NOT_AVAILABLE,
    }
)
"""Errors while a coordinator or leader is being chosen or reads its log."""


def call_patiently(call: Callable[[], T], seconds: float = 30.0) -> T:
    """Return the result of a call. Repeat it for up to `seconds` while it fails with one of `PASSING`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return call()
        except KafkaException as error:
            if error.args[0].code() not in PASSING or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """Return the result of a call. Raises KafkaException if there is none after `seconds`.

    librdkafka's `send_offsets_to_transaction` ignores its timeout. It may wait forever if the group's coordinator
    went away meanwhile (librdkafka #5456 and #5511, seen with 2.16.0). The call is abandoned with its producer.
    """
    try:
        return call_beside(call).result(seconds)
    except TimeoutError:
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, f"no answer after {seconds:.0f} seconds")) from None
