"""A job on a real cluster that has dead letters, and a process that sends them back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
from confluent_kafka import Producer
from django.test import Client

from runner.control.jobs.models import Job
from runner.engine.tasks.errors import PREFIX
from runner.kafka import KafkaCluster, Message, TopicReader
from tests.settled import settled_ends
from webapp.local.places import ROOT

CARRY_ON = """
import sys
import django
django.setup()
from runner.watch.dead_letters import carrying, redriver
from runner.watch.dead_letters.redriver import Redriver
redriver.AT_ONCE = int(sys.argv[2])
send = Redriver._send
def told(*arguments):
    send(*arguments)
    print("sent", flush=True)
Redriver._send = told
print("begun", flush=True)
while carrying.send_dead_letters(int(sys.argv[1])):
    pass
print("over", flush=True)
"""
"""What a worker does with a redrive, telling of each transaction."""


@dataclass
class Stage:
    job: Job
    cluster: KafkaCluster
    client: Client
    source: str

    @property
    def letters(self) -> str:
        return f"{self.job.application_id}-dead-letters"

    def feed(self, records: list[tuple[bytes | None, bytes | None, int]], partition: int | None = None) -> None:
        """Records of the source topic: key, value and time."""
        self._produce((self.source, *record, [], partition) for record in records)

    def bury(self, *letters: dict[str, Any]) -> None:
        """Dead letters: key, value, time, own headers, and what their story says by name."""
        self._produce(
            (
                self.letters,
                each.get("key", b"k"),
                each.get("value", b"{}"),
                each.get("time", 1_000),
                [*each.get("headers", []), *_story(each)],
                each.get("partition"),
            )
            for each in letters
        )

    def get(self, **asked: Any) -> dict[str, Any]:
        answer = self.client.get(f"/api/jobs/{self.job.id}/letters", asked)
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def post(self, what: str, expect: int, **asked: Any) -> dict[str, Any]:
        answer = self.client.post(f"/api/jobs/{self.job.id}/{what}", asked, "application/json")
        assert answer.status_code == expect, answer.content
        found: dict[str, Any] = answer.json()
        return found

    def records(self, topic: str) -> list[Message]:
        """All committed records of a topic, in order within each partition."""
        ends = dict(enumerate(settled_ends(self.cluster.servers, topic)))
        reader = TopicReader(self.cluster, self.cluster.topic(topic))
        found: list[Message] = []
        try:
            reader.go(reader.starts())
            while any(reader.at[number] < end for number, end in ends.items()):
                found += reader.read(10_000, 0.05)
        finally:
            reader.close()
        return sorted(found, key=lambda each: (each.partition, each.offset))

    def marks(self) -> list[dict[str, Any]]:
        return [orjson.loads(each.value or b"") for each in self.records(f"{self.letters}-redriven")]

    def _produce(self, records: Any) -> None:
        producer = Producer({"bootstrap.servers": self.cluster.servers, "partitioner": "murmur2_random"})
        for topic, key, value, timestamp, headers, partition in records:
            where = {} if partition is None else {"partition": partition}
            producer.produce(topic, value, key, timestamp=timestamp, headers=headers, **where)
            producer.poll(0)
        producer.flush()


@contextmanager
def carrying_on(redrive: int, at_once: int, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that sends a redrive's letters, so many in a transaction; killed if it lives at the end."""
    command = [sys.executable, "-c", CARRY_ON, str(redrive), str(at_once)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def _story(each: dict[str, Any]) -> list[tuple[str, bytes]]:
    said = {"exception": "RecordError", "message": "Division by zero.", "node": "shares"} | each.get("story", {})
    return [(f"{PREFIX}{name}", str(text).encode()) for name, text in said.items() if text is not None]
