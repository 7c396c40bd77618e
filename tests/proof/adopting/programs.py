"""Runs of the applications in `Programs.java` on a broker, and the records that they read."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal
from uuid import uuid4

from confluent_kafka import Producer

from runner.kafka import KafkaCluster
from tests import java
from tests.java import FOLDER, compiled

PARTITIONS = 2
KEYS = ("ann", "bob", "cid", "dan", "eve")
WORDS = ("red", "green", "blue")
STEP_MS = 700
Record = tuple[str, str, int]


class Programs:
    """One program with topics of its own. `application` has read the first half of its records and is stopped."""

    def __init__(self, servers: str, program: str, protocol: Literal["classic", "streams"] = "classic") -> None:
        self.servers = servers
        self.program = program
        self.protocol = protocol
        self.tag = f"{program}-{uuid4().hex[:6]}"
        self.application = f"app-{self.tag}"
        self.classes = compiled(Path(__file__).parent, FOLDER.parent / "adopting")
        self.left, self.right = self._make_topic("left"), self._make_topic("right")
        self.out, self.expected = self._make_topic("out"), self._make_topic("expected")
        self.since = time.time_ns() // 1_000_000 // 10_000 * 10_000 - 3_600_000
        self.produce(self.right, [(key, f"{key} the {n}", self.since - 1_000 + n) for n, key in enumerate(KEYS)])
        self.produce(self.left, self.make_records(0, 60))
        self.run(self.application, self.out)

    def go_on(self) -> None:
        """The second half arrives. One application reads both halves into `expected` without stopping."""
        self.produce(self.left, self.make_records(60, 60))
        self.run(f"oracle-{self.tag}", self.expected)

    def make_records(self, first: int, count: int) -> list[Record]:
        """Records of all keys with rising times. Every seventh is late, and there are gaps that close windows."""
        return [
            (
                KEYS[n % len(KEYS)],
                WORDS[n // 2 % len(WORDS)],
                self.since + n * STEP_MS + (n // 20) * 9_000 - (n % 7 == 6) * 6_000,
            )
            for n in range(first, first + count)
        ]

    def produce(self, topic: str, records: list[Record]) -> None:
        producer = Producer({"bootstrap.servers": self.servers, "partitioner": "murmur2_random"})
        for key, value, timestamp in records:
            producer.produce(topic, value, key, timestamp=timestamp)
        assert producer.flush(20) == 0

    def run(self, application: str, out: str) -> None:
        """One run, until everything in its topics went through it."""
        options = ["-Xmx256m", f"-Dgroup.protocol={self.protocol}", "-cp", self.classes, "adopting.Programs"]
        done = java.run([*options, self.servers, self.program, application, self.left, self.right, out])
        assert done.returncode == 0, done.stderr[-4_000:]

    def _make_topic(self, name: str) -> str:
        return KafkaCluster(self.servers).create(f"{name}-{self.tag}", PARTITIONS, {"retention.ms": "-1"}).name
