"""Real runs for tests: a plan on the real broker, the child process that executes it, and what it says."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.topology.graph import Edge, Graph, Node
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import Layout
from runner.kafka import KafkaCluster
from runner.plan import JobSettings, Plan, Seed, TopicFacts
from tests.patience import PATIENCE_SECONDS, wait_until
from tests.settled import settled_ends

ROOT = Path(__file__).resolve().parents[3]
MAX_QUEUED = 50_000
"""Records that wait to be sent; librdkafka takes 100,000."""
Event = dict[str, Any]
Record = tuple[str | None, str | None]


def node(node_id: str, operator: str, **config: Any) -> Node:
    return Node(node_id, operator, config)


def graph(nodes: Iterable[Node], *edges: str) -> Graph:
    """Edges read `orders.result>counted.grouped`."""
    ends = [tuple(end.split(".") for end in edge.split(">")) for edge in edges]
    return Graph(tuple(nodes), tuple(Edge(*start, *end) for start, end in ends))


class World:
    """Topics of one test, and the plans of jobs that read and write them."""

    def __init__(self, servers: str, folder: Path) -> None:
        self.servers = servers
        self.folder = folder
        self.cluster = KafkaCluster(servers)
        self.tag = uuid4().hex[:8]
        self.cluster.create("streamwright-markers", 4, {"cleanup.policy": "compact"})

    def name(self, topic: str) -> str:
        return f"{topic}-{self.tag}"

    def topic(self, topic: str, partitions: int = 2, **config: str) -> str:
        settings = {"retention.ms": "-1"} | {name.replace("_", "."): value for name, value in config.items()}
        return self.cluster.create(self.name(topic), partitions, settings).name

    def delete_records(self, topic: str, before: int) -> None:
        """Removes what lies before an offset of the first partition."""
        admin = AdminClient({"bootstrap.servers": self.servers})
        (future,) = admin.delete_records([TopicPartition(topic, 0, before)]).values()
        future.result(10)

    def produce(self, topic: str, records: Iterable[tuple[Any, ...]]) -> None:
        """Records are (key, value, timestamp[, headers])."""
        producer = Producer({"bootstrap.servers": self.servers, "partitioner": "murmur2_random"})
        for key, value, timestamp, *headers in records:
            while len(producer) >= MAX_QUEUED:
                producer.poll(0.1)
            producer.produce(topic, value, key, timestamp=timestamp, headers=headers[0] if headers else None)
            producer.poll(0)
        assert producer.flush(20) == 0

    def plan(
        self,
        drawn: Graph,
        reads: Iterable[str],
        *,
        epoch: int = 1,
        seed: Seed | None = None,
        slots: int = 2,
        **settings: Any,
    ) -> Plan:
        names = sorted(set(reads))
        wait_until(lambda: sorted(self.cluster.find(names)) == names)  # a broker shows a new topic a little later
        facts = self.cluster.find(names)
        laid = lay_out(drawn)
        chosen = JobSettings(**({"batch_interval_ms": 0, "memory_mb": 512, "cache": False} | settings))
        application = f"app-{self.tag}"
        plan = Plan(
            shared_shuffles=True,
            application_id=application,
            epoch=epoch,
            generation=1,
            graph=drawn.to_json(),
            schemas={},
            tasks=_tasks(laid, {name: topic.partitions for name, topic in facts.items()}),
            slots=slots,
            settings=chosen,
            kafka=self.cluster.settings,
            topics={
                name: TopicFacts(id=topic.id, partitions=topic.partitions, start=[-2] * topic.partitions)
                for name, topic in facts.items()
            },
            marker_topic="streamwright-markers",
            checkpoint=str(self.folder / f"checkpoint-{epoch}"),
            state_dir=str(self.folder / f"state-{epoch}"),
            seed=seed,
        )
        self.cluster.create(plan.dead_letter_topic, 1, {"retention.ms": "-1"})
        return plan

    def read(self, topic: str) -> list[Any]:
        """All committed messages of a topic, partition by partition."""
        ends = self.settled_ends(topic)
        starts = self.cluster.start_offsets([self.cluster.topic(topic)])[topic]
        consumer = Consumer(
            {
                "bootstrap.servers": self.servers,
                "group.id": "test-reader",
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
            }
        )
        places = [TopicPartition(topic, n, s) for n, (s, e) in enumerate(zip(starts, ends, strict=True)) if e > s]
        found: list[Any] = []
        consumer.assign(places)
        open_partitions = {place.partition for place in places}
        deadline = time.monotonic() + PATIENCE_SECONDS
        while open_partitions:
            assert time.monotonic() < deadline, f"{topic} was not read to its end"
            message = consumer.poll(0.5)
            if message is None:
                continue
            if message.error():
                open_partitions.discard(message.partition())
            else:
                found.append(message)
        consumer.close()
        return sorted(found, key=lambda message: (message.partition(), message.offset()))

    def settled_ends(self, topic: str) -> list[int]:
        return settled_ends(self.servers, topic)

    def values(self, topic: str) -> list[Record]:
        """Keys and values as text."""
        return [(_text(message.key()), _text(message.value())) for message in self.read(topic)]


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode()


def _tasks(laid: Layout, partitions: dict[str, int]) -> list[int]:
    most = max(partitions.values())
    return [most for _ in laid.sub_topologies]


class Child:
    """`python -m runner.spark` at work, or another module. Its lease is renewed while `lease` is true."""

    def __init__(self, plan: Plan, *, module: str = "runner.spark", **environment: str) -> None:
        self.events: list[Event] = []
        self.lease = True
        self._prolonging = threading.Lock()
        self._queue: queue.Queue[Event | None] = queue.Queue()
        self.log = Path(plan.state_dir).parent / "log"
        self.popen = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": "0"} | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log.open("ab"),
            start_new_session=True,
        )
        self.say(plan.model_dump(mode="json"))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        threading.Thread(target=self._prolong, daemon=True).start()

    def say(self, message: dict[str, Any]) -> None:
        assert self.popen.stdin is not None
        try:
            self.popen.stdin.write(json.dumps(message).encode() + b"\n")
            self.popen.stdin.flush()
        except (OSError, ValueError):  # it has ended, or a test has closed its input
            pass

    def wait_for(self, fits: Callable[[Event], bool]) -> Event:
        """The first event that fits, from now on; fails with the log when there is none."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self._queue.get(timeout=left)
            except queue.Empty:
                break
            if event is None:
                raise AssertionError(f"The child ended with {self.popen.wait()}: {self.events[-1:]}\n{self.tail()}")
            if fits(event):
                return event
        raise AssertionError(f"Nothing came within {PATIENCE_SECONDS:.0f} s, last {self.events[-1:]}\n{self.tail()}")

    def wait_for_status(self, status: str) -> Event:
        return self.wait_for(lambda event: event.get("status") == status)

    def wait_for_offsets(self, topic: str, total: int) -> Event:
        """Until a committed batch has read so many offsets of a topic."""
        return self.wait_for(lambda event: sum(event.get("sources", {}).get(topic, [])) >= total)

    def end_lease(self) -> None:
        """Ends the lease for good. The run hears orders in turn: it knows once it answers what is asked behind that."""
        with self._prolonging:
            self.lease = False
            self.say({"type": "lease", "seconds": 0})
        self.say({"type": "query", "id": "behind the lease", "store": "none", "query": {}})
        self.wait_for(lambda event: event.get("id") == "behind the lease")

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """What happens meanwhile has happened at once for it."""
        os.killpg(self.popen.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.popen.pid, signal.SIGCONT)

    def stop(self) -> int:
        """Asks it to stop; its exit code, once its last event has been read."""
        self.say({"type": "stop"})
        code = self.popen.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        return code

    def end(self) -> None:
        """Kills what is left."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def died(self) -> int:
        """Waits until it ends by itself; its exit code. What it started ends with it."""
        code = self.popen.wait(PATIENCE_SECONDS)
        self.end()
        self._reader.join(PATIENCE_SECONDS)
        return code

    def tail(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-60:])

    def of_type(self, kind: str) -> Iterator[Event]:
        return (event for event in self.events if event["type"] == kind)

    def _read(self) -> None:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            event = json.loads(line)
            self.events.append(event)
            self._queue.put(event)
        self._queue.put(None)

    def _prolong(self) -> None:
        while self.popen.poll() is None:
            with self._prolonging:
                if self.lease:
                    self.say({"type": "lease", "seconds": 20})
            time.sleep(2)


@contextmanager
def started(plan: Plan, *, module: str = "runner.spark", **environment: str) -> Iterator[Child]:
    child = Child(plan, module=module, **environment)
    try:
        yield child
    finally:
        child.end()


def filtered(reads: str, writes: str) -> Graph:
    """Orders but for those of one city: no stage of state."""
    order = {"kind": "struct", "fields": [{"name": "city", "type": {"kind": "string"}}]}
    return graph(
        [
            node("orders", "stream", topic=reads, key_format="string", value_format="json", value_type=order),
            node("elsewhere", "filter", predicate="city != 'city 0'"),
            node("kept", "to", topic=writes),
        ],
        "orders.result>elsewhere.records",
        "elsewhere.result>kept.stream",
    )


def counting(reads: str, writes: str) -> Graph:
    """Orders by customer, counted: one stage of state."""
    return graph(
        [
            node("orders", "stream", topic=reads, key_format="string", value_format="json"),
            node("grouped", "group_by_key"),
            node("counted", "count", store="orders-by-customer"),
            node("updates", "to_stream"),
            node("counts", "to", topic=writes),
        ],
        "orders.result>grouped.stream",
        "grouped.result>counted.grouped",
        "counted.result>updates.table",
        "updates.result>counts.stream",
    )


def shops(orders: str, names: str, writes: str) -> Graph:
    """Orders with the customer's name from a global table, counted by customer and then by city: two stages."""
    order = {"kind": "struct", "fields": [{"name": "city", "type": {"kind": "string"}}]}
    name = {"kind": "struct", "fields": [{"name": "name", "type": {"kind": "string"}}]}
    return graph(
        [
            node("names", "global_table", topic=names, key_format="string", value_format="json", value_type=name),
            node("orders", "stream", topic=orders, key_format="string", value_format="json", value_type=order),
            node("named", "join", fields=[{"name": "name", "expression": "right.name"}]),
            node("by-city", "select_key", key="city"),
            node("grouped", "group_by_key"),
            node("counted", "count", store="orders-by-city"),
            node("updates", "to_stream"),
            node("counts", "to", topic=writes),
        ],
        "orders.result>named.left",
        "names.result>named.right",
        "named.result>by-city.stream",
        "by-city.result>grouped.stream",
        "grouped.result>counted.grouped",
        "counted.result>updates.table",
        "updates.result>counts.stream",
    )
