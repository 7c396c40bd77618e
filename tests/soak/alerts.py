"""Troubles made on purpose on a running product, and when each is told: `python -m tests.soak.alerts --healthy 3600`.

First two jobs run for a healthy time under the rules that every product has, and nothing may be told. Then one trouble
after the other is made. Rules whose limit is minutes or gigabytes get a smaller one meanwhile. Each trouble must be
told within 15 s of its rule, once, and its end once.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from confluent_kafka import Producer

from runner.demo.samples.flights import TABLES
from runner.kafka import KafkaCluster
from runner.kafka.administering import add_partitions
from tests.bench.workloads import INTEGER, draw, reads
from tests.proof.product import Product
from tests.runner.watch.alerts.receivers import Hook

HEALTHY = 3_600
IN_TIME = 15
"""Seconds from the moment a rule is due to the message."""
SETTLES = 90
"""Seconds after which a product that has started, or a job that was hurt, is as before."""
ENDS_WITHIN = 180
TOPIC = "visits"
Act = Callable[[], object]


class Trouble(NamedTuple):
    """What is made and what heals it; the rule that tells of it, its limit meanwhile, and when it is due (s)."""

    kind: str
    make: Act
    heal: Act
    threshold: float
    due: int = 0


class Told(NamedTuple):
    """A message: which alert of which kind it is about, and when it came (s)."""

    kind: str
    event: str
    alert: int
    at: float


class Town:
    """A product with the sample's job, a job that counts visits, and a receiver of messages."""

    def __init__(self, product: Product, hook: Hook) -> None:
        self.product, self.hook = product, hook
        self.kafka = KafkaCluster(product.kafka)
        self.kafka.create(TOPIC, 2)
        product.deploy_sample("flight-delays", slots=1)
        topology = product.post("/topologies", {"name": TOPIC, "graph": VISITS})["id"]
        self.job = int(product.post("/jobs/deploy", {"topology": topology, "settings": {"slots": 1}})["id"])
        self.open = Producer({"bootstrap.servers": product.kafka, "transactional.id": "soak"})
        product.post("/alerts/channels", {"name": "soak", "form": "webhook", "address": hook.url, "is_internal": True})
        self.told: list[Told] = []

    def hear(self) -> list[Told]:
        """All messages so far; each is noted when it is first seen."""
        for _, _, body in self.hook.received[len(self.told) :]:
            said = json.loads(body)
            self.told.append(Told(said["alert"]["kind"], said["event"], said["alert"]["id"], time.monotonic()))
        return self.told

    def troubles(self) -> Iterator[Trouble]:
        yield Trouble("job_memory", nothing, nothing, threshold=1)
        yield Trouble("memory", nothing, nothing, threshold=1)
        yield Trouble("disk", nothing, nothing, threshold=1)
        yield Trouble("latency", nothing, nothing, threshold=0)
        yield Trouble("state_growth", nothing, nothing, threshold=0)
        yield Trouble("dead_letters", lambda: self.send(["no JSON"] * 100), nothing, threshold=10)
        yield Trouble("drops", lambda: self.send(['{"n": 1}'] * 100, key=None), nothing, threshold=10)
        yield Trouble("held_up", self.hold, self.open.abort_transaction, threshold=10, due=10)
        yield Trouble("lag", lambda: self.send(['{"n": 1}'] * 3_000_000), nothing, threshold=2)
        yield Trouble("no_commit", self.signal(signal.SIGSTOP), self.signal(signal.SIGCONT), threshold=20, due=20)
        yield Trouble("restarting", self.signal(signal.SIGKILL), nothing, threshold=0)
        yield Trouble("host_gone", self.signal_agent(signal.SIGSTOP), self.signal_agent(signal.SIGCONT), 0, due=10)
        yield Trouble("topic_changed", self.widen, nothing, threshold=0)
        yield Trouble("topic_gone", lambda: self.kafka.delete(TOPIC), nothing, threshold=0)

    def send(self, values: Iterable[str], key: str | None = "ada") -> None:
        producer = Producer({"bootstrap.servers": self.product.kafka, "linger.ms": 20})
        for value in values:
            producer.produce(TOPIC, value, key)
            while len(producer) > 50_000:
                producer.poll(0.05)
        producer.flush()

    def hold(self) -> None:
        """A transaction that stays open, and records behind it."""
        self.open.init_transactions()
        self.open.begin_transaction()
        self.open.produce(TOPIC, '{"n": 1}', "ada")
        self.open.flush()
        self.send(['{"n": 1}'] * 100)

    def widen(self) -> None:
        """One partition more."""
        add_partitions(self.kafka, TOPIC, 3)

    def signal(self, number: int) -> Act:
        """A signal to the processes of the job's run."""

        def act() -> None:
            run = self.product.job(self.job)["run"]
            (supervisor,) = self.product.processes("webapp", "supervise", "--run", str(run))
            for child in supervisor.children(recursive=True):
                child.send_signal(number)

        return act

    def signal_agent(self, number: int) -> Act:
        def act() -> None:
            for agent in self.product.processes("webapp", "agent"):
                agent.send_signal(number)

        return act


def nothing() -> None:
    """The limit alone makes and heals the trouble."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.alerts")
    parser.add_argument("--healthy", type=int, default=HEALTHY, help="seconds in which nothing may be told")
    return bool(wrong_alerts(parser.parse_args().healthy))


def wrong_alerts(seconds: int = HEALTHY) -> int:
    """How much is told wrong: in so many healthy seconds, and of each trouble."""
    with tempfile.TemporaryDirectory(prefix="alerts-") as folder, receiver() as hook:
        product = Product(Path(folder) / "home")
        product.start()
        feed = product.feed("--loop", "--rate", "100")
        try:
            product.wait(lambda: product.topics() >= {"flights", *TABLES}, "the sample's topics")
            town = Town(product, hook)
            wrong = [*healthy(town, seconds), *filter(None, (tried(town, each) for each in town.troubles()))]
            wrong += ended(town)
        finally:
            feed.terminate()
            feed.wait()
            product.stop()
    print(*wrong or ["Each trouble was told in time and once, and nothing in the healthy time."], sep="\n")
    return len(wrong)


def healthy(town: Town, seconds: int) -> Iterator[str]:
    """What was told in a healthy time."""
    time.sleep(seconds)
    yield from (f"{each.kind} was told in the healthy time." for each in town.hear())
    print(f"healthy for {seconds} s: {len(town.told)} messages", flush=True)


def tried(town: Town, trouble: Trouble) -> str:
    """Makes a trouble and heals it once it is told; what is wrong with that, if anything."""
    rule = f"/alerts/rules/{trouble.kind}"
    town.product.send("PUT", rule, {"is_on": True, "threshold": trouble.threshold, "seconds": 0})
    trouble.make()
    made = time.monotonic()
    fired = awaited(town, trouble.kind, "fired", trouble.due + SETTLES)
    trouble.heal()
    town.product.delete(rule)
    if fired is None:
        return f"{trouble.kind} was not told."
    late = fired.at - made - trouble.due
    print(f"{trouble.kind}: told {late:.1f} s after it was due", flush=True)
    return "" if 0 <= late <= IN_TIME else f"{trouble.kind} was told {late:.1f} s after it was due."


def ended(town: Town) -> Iterator[str]:
    """Of which kinds the end was not told, and which messages came twice. A job that is stopped ends its alerts."""
    town.product.post(f"/jobs/{town.job}/stop")
    for kind in {each.kind for each in town.hear() if each.event == "fired"}:
        if awaited(town, kind, "ended", ENDS_WITHIN) is None:
            yield f"The end of {kind} was not told."
    told = Counter((each.kind, each.alert, each.event) for each in town.hear())
    yield from (f"{kind} was told {count} times: {event}." for (kind, _, event), count in told.items() if count > 1)


def awaited(town: Town, kind: str, event: str, seconds: float) -> Told | None:
    """The first such message."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for each in town.hear():
            if (each.kind, each.event) == (kind, event):
                return each
        time.sleep(0.2)
    return None


@contextmanager
def receiver() -> Iterator[Hook]:
    hook = Hook()
    Thread(target=hook.serve_forever, daemon=True).start()
    yield hook
    hook.shutdown()


VISITS = draw(
    "visits > by-key.stream, by-key > counts.grouped, counts > updates.table, updates > out.stream",
    {
        "visits": reads("stream", TOPIC, {"n": INTEGER}),
        "by-key": ("group_by_key", {}),
        "counts": ("count", {}),
        "updates": ("to_stream", {}),
        "out": ("to", {"topic": "visit-counts"}),
    },
)

if __name__ == "__main__":
    sys.exit(main())
