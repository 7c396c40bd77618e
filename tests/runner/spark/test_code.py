"""Python of users on Spark: what it finds in its process, and what lasts from batch to batch."""

import json
import os
import textwrap
import time
from typing import Any

import pytest

from runner.control.environment import make_environment
from runner.spark.program import without_secrets
from tests.runner.spark.runs import World, graph, node, started
from tests.runner.spark.test_queries import ask, rows

RECORDS = (*((key, "good") for key in "abdefgh"), ("c", "bad"))
SECRETS = {
    "DATABASE_URL": "postgres://streamwright:pg-password@127.0.0.1/streamwright",
    "REDIS_URL": "redis://:redis-password@127.0.0.1:6379/0",
    "KAFKA_BOOTSTRAP_SERVERS": "kafka-servers:9092",
    "KAFKA_PASSWORD": "kafka-password",
    "SECRET_KEY_FILE": "/secret-key",
}
CODE = """
    import os

    class Looking(Processor):
        def init(self, context):
            self.context = context
            self.counts = context.store("counts")
            self.latest = context.store("latest")
            self.windows = context.store("windows")
            self.sessions = context.store("sessions")
            self.past = context.store("past")
            self.every = context.store("every")
            context.schedule(1, "wall_clock", self.tick)
            context.schedule(1_000, "stream_time", self.tock)

        def process(self, record):
            count = (self.counts.get(record.key) or 0) + 1
            before = self.latest.get(record.key)
            self.counts.put(record.key, count)
            self.latest.put(record.key, ValueAndTimestamp(count, record.timestamp))
            self.windows.put(record.key, count, record.timestamp)
            self.sessions.put(Windowed(record.key, 0, record.timestamp), count)
            self.past.put(record.key, count, record.timestamp)
            self.every.put(record.key, count, 1_000)
            if record.value == "bad":
                raise ValueError("bad")
            since = record.timestamp - before.timestamp if before else None
            windows = list(self.windows.fetch(record.key, 0, record.timestamp))
            seen = {"count": count, "since": since, "windows": windows, "environment": dict(os.environ)}
            seen["sessions"] = [count for _, count in self.sessions.fetch(record.key)]
            seen["past"] = [self.past.get(record.key, time).value for time in (1_000, record.timestamp)]
            seen["every"] = [count for _, count in self.every.fetch(record.key, 1_000)]
            self.context.forward(record.with_value(seen))

        def tick(self, now):
            self.context.forward(Record("tick", [self.context.task, now], now))

        def tock(self, now):
            self.context.forward(Record("tock", now, now))
"""


def test_a_child_starts_without_the_secrets_of_the_product() -> None:
    given = make_environment({**os.environ, **SECRETS, "STREAMWRIGHT_ALLOW_PYTHON": "1"})

    assert not SECRETS.keys() & given.keys()
    assert given["STREAMWRIGHT_ALLOW_PYTHON"] == "1"


def test_a_child_gets_credentials_of_s3_only_where_its_checkpoint_may_lie_there() -> None:
    names = {"AWS_REGION": "eu-north-1", "AWS_SECRET_ACCESS_KEY": "canary"}

    assert not names.keys() & make_environment({**SECRETS, **names}).keys()
    assert names.keys() <= make_environment({**SECRETS, **names}, may_use_s3=True).keys()


@pytest.mark.spark
@pytest.mark.slow
def test_code_keeps_its_stores_and_schedules_and_finds_no_secrets(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    records, results = world.topic("records", 2), world.topic("results", 1)
    source = node("records", "stream", topic=records, key_format="string", value_format="string")
    stores: list[dict[str, Any]] = [
        {"name": "counts", "key_format": "string"},
        {"name": "latest", "kind": "timestamped"},
        {"name": "windows", "kind": "window", "key_format": "string", "size_ms": 1, "retention_ms": 2_500},
        {"name": "sessions", "kind": "session", "retention_ms": 2_500},
        {"name": "past", "kind": "versioned", "retention_ms": 10_000},
        {"name": "every", "kind": "window", "duplicates": True, "size_ms": 1, "retention_ms": 10_000},
    ]
    config = {"code": textwrap.dedent(CODE), "stores": stores}
    mine = node("mine", "process", **config, key_type={"kind": "string"})
    drawn = graph(
        [source, mine, node("results", "to", topic=results)], "records.result>mine.stream", "mine.result>results.stream"
    )
    plan = world.plan(drawn, [records], slots=1)
    clean = make_environment({**os.environ, **SECRETS, "STREAMWRIGHT_ALLOW_PYTHON": "1"})
    for name in os.environ.keys() - clean.keys():
        monkeypatch.delenv(name)

    with started(plan, STREAMWRIGHT_ALLOW_PYTHON="1") as child:
        for batch in range(3):
            world.produce(records, [(key, value, 1_000 + batch * 1_000) for key, value in RECORDS])
            child.wait_for_offsets(records, len(RECORDS) * (batch + 1))
        quiet = int(time.time() * 1_000)
        child.wait_for(lambda event: event.get("started_at", 0) > quiet + 2_000)
        assert child.stop() == 0, child.tail()
    again = int(time.time() * 1_000)
    with started(plan.model_copy(update={"generation": 2}), STREAMWRIGHT_ALLOW_PYTHON="1") as child:
        world.produce(records, [("a", "good", 4_000)])
        child.wait_for_offsets(records, len(RECORDS) * 3 + 1)
        child.wait_for(lambda event: event.get("started_at", 0) > again)
        asked = {store["name"]: rows(ask(child, store["name"], key="a")) for store in stores}
        assert child.stop() == 0, child.tail()

    assert asked == {store["name"]: {"a": 4} for store in stores}
    assert world.servers.encode() not in without_secrets(plan)
    found: dict[str, list[Any]] = {}
    for message in world.read(results):
        found.setdefault(message.key().decode(), []).append(json.loads(message.value()))
    assert [seen["count"] for seen in found["a"]] == [1, 2, 3, 4]
    assert [seen["count"] for seen in found["b"]] == [1, 2, 3]
    assert [seen["since"] for seen in found["a"]] == [None, 1_000, 1_000, 1_000]
    assert [len(seen["windows"]) for seen in found["a"]] == [1, 2, 3, 3]
    assert found["a"][-1]["windows"] == [[2_000, 2], [3_000, 3], [4_000, 4]]
    assert found["a"][-1]["sessions"] == [2, 3, 4]
    assert [seen["past"] for seen in found["a"]] == [[1, 1], [1, 2], [1, 3], [1, 4]]
    assert found["a"][-1]["every"] == [1, 2, 3, 4]
    seen = found["a"][-1]["environment"]
    assert not any(name.startswith(("DATABASE", "REDIS", "KAFKA", "SECRET")) for name in seen)
    assert not any(value in " ".join(seen.values()) for value in (*SECRETS.values(), world.servers))
    assert sorted(set(found["tock"])) == [1_000, 2_000, 3_000, 4_000]
    assert {task for task, now in found["tick"] if quiet < now < again} == {0, 1}, "ticks need no records"
    assert {task for task, now in found["tick"] if now > again} == {0, 1}, "nor do they after a restart"
    letters = world.read(plan.dead_letter_topic)
    assert [dict(letter.headers())["__streams.errors.exception"] for letter in letters] == [b"ValueError"] * 3
