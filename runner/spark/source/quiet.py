"""Waits for records where there have been none for a while, so that Spark need not ask for them ten times a second.

Each question of Spark costs the run's JVM about three times as much as the look at Kafka that answers it. And a broker
tells a consumer by itself that a record has come: it holds back its answer until then.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from confluent_kafka import Consumer, TopicPartition

from runner.kafka import KafkaCluster

QUIET_SECONDS = 10.0
"""Time without records after which the source waits. A run has started by then, which it sees by Spark's status."""
WAIT_SECONDS = 0.5
"""Longest time that Spark waits for an answer. A stop of the run may take that much longer."""
MIN_LOOK_SECONDS = 0.02
WATCHING = {
    "group.id": "streamwright-run",
    "auto.offset.reset": "error",
    "fetch.wait.max.ms": 2_000,
    # the first record is only seen here: it is read later, with those that came after it
    "fetch.message.max.bytes": 1,
    "queued.min.messages": 1,
}
Ends = Mapping[str, Sequence[int]]
"""The end of each partition, by topic."""


class Quiet:
    """The time since the last records, and the wait for the next ones.

    `look_ms` is the longest time that a record may wait unseen. None: it never waits.
    """

    def __init__(self, cluster: KafkaCluster, look_ms: int | None) -> None:
        self.cluster = cluster
        self.look_seconds = None if look_ms is None else max(MIN_LOOK_SECONDS, look_ms / 1_000)
        self.since = time.monotonic()
        self.consumer: Consumer | None = None
        self.watched: Ends | None = None
        """Ends of topics behind which the consumer watches for records."""

    def end(self) -> None:
        """Note that there were records."""
        self.since = time.monotonic()
        self._stop_watching()

    def list_looks(self, ends: Ends, most_seconds: float) -> Iterator[int]:
        """Wait until a record comes behind `ends`, for at most so long. Return at once unless it is quiet.

        Yield times, in ms of the monotonic clock, at which there was none. Not every change of an end is a record: the
        marker of a transaction is seen by the next question.
        """
        began = time.monotonic()
        if self.look_seconds is None or began - self.since < QUIET_SECONDS:
            return
        until = began + min(WAIT_SECONDS, most_seconds)
        with self.cluster.answers():
            consumer = self._watch(ends)
            while (at := time.monotonic()) + self.look_seconds <= until:
                # an error is no reason to ask at once, and again and again: the next question meets it as well
                if any(each.error() is None for each in consumer.consume(1, self.look_seconds)):
                    self._stop_watching()
                    return
                yield int(at * 1_000)

    def _watch(self, ends: Ends) -> Consumer:
        if self.consumer is None:
            self.consumer = self.cluster.consumer(**WATCHING)
        if self.watched != ends:
            places = [
                TopicPartition(topic, partition, end)
                for topic, offsets in ends.items()
                for partition, end in enumerate(offsets)
            ]
            self.consumer.assign(places)
            self.watched = ends
        return self.consumer

    def _stop_watching(self) -> None:
        if self.consumer is not None and self.watched is not None:
            self.consumer.unassign()
            self.watched = None
