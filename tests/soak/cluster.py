"""Kills on a Spark cluster: executors, worker hosts, drivers, links and DataNodes. Nothing is lost, nothing repeated.

`python -m tests.soak.cluster --seed 1 --executors 10 --hosts 5` runs one job through all of them, in an order that the
seed decides. Needs what `tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from runner.plan import Plan
from tests.cluster.conftest import Cluster, running_cluster
from tests.runner.spark.runs import Child, World, counting

CUSTOMERS = 500
RECORDS = 100
"""Of a batch that is produced each `PAUSE_SECONDS`."""
PAUSE_SECONDS = 0.1
CUT_SECONDS = 40.0
BETWEEN_SECONDS = 5.0
BACK_SECONDS = 240.0
FAULTS = {"executors": 10, "hosts": 5, "drivers": 5, "links": 5, "data_nodes": 3}
"""How many of each kind, unless told otherwise."""


class Feed:
    """Writes orders until it is closed; knows how many of each customer there are."""

    def __init__(self, world: World, topic: str) -> None:
        self.world = world
        self.topic = topic
        self.written: dict[str, int] = {}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    @property
    def total(self) -> int:
        return sum(self.written.values())

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def _write(self) -> None:
        number = 0
        while not self._end.wait(PAUSE_SECONDS):
            names = [f"c{(number + n) % CUSTOMERS}" for n in range(RECORDS)]
            self.world.produce(self.topic, [(name, json.dumps({"n": number}), 1_000) for name in names])
            for name in names:
                self.written[name] = self.written.get(name, 0) + 1
            number += RECORDS


class Drive:
    """Keeps a run of the plan alive, as an agent does."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.child = Child(plan)
        self._stopping = False
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def read(self, topic: str) -> int:
        """Offsets of a topic that committed batches have read."""
        sources = [event["sources"] for event in self.child.events if "sources" in event]
        return sum(sources[-1].get(topic, [])) if sources else 0

    def close(self) -> int:
        self._stopping = True
        return self.child.stop()

    def _keep(self) -> None:
        generation = self.plan.generation
        while not self._stopping:
            if self.child.popen.poll() is not None and not self._stopping:
                self.child.end()
                generation += 1
                self.child = Child(self.plan.model_copy(update={"generation": generation}))
            time.sleep(0.2)


def main() -> None:
    asked = vars(arguments())
    sys.exit(bool(wrong_after(asked.pop("seed"), asked)))


def wrong_after(seed: int, counts_of_faults: Mapping[str, int]) -> int:
    """How many customers have wrong counts after so many faults of each kind."""
    chance = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="soak-cluster-"))
    with running_cluster(folder, data_nodes=2) as cluster:
        world = World(cluster.kafka, folder)
        orders, counts = world.topic("orders", 4), world.topic("counts", 4)
        plan = cluster.on_spark(world.plan(counting(orders, counts), [orders], batch_interval_ms=100))
        faults = ordered(cluster, chance, counts_of_faults)
        print(f"seed {seed}, {len(faults)} faults, files in {folder}", flush=True)
        drive, feed = Drive(plan), Feed(world, orders)
        await_progress(drive, orders, 1)
        for name, fault in faults:
            began, goal = time.monotonic(), feed.total
            fault(drive)
            await_progress(drive, orders, goal)
            print(f"{name}: back after {time.monotonic() - began:.1f} s", flush=True)
            time.sleep(BETWEEN_SECONDS * chance.random())
        feed.close()
        await_progress(drive, orders, feed.total)
        code = drive.close()
        wrong = differences(world, counts, feed.written)
    print(f"{feed.total} records, {wrong} customers whose counts are wrong, exit code {code}")
    return wrong + code


def ordered(
    cluster: Cluster, chance: random.Random, wanted: Mapping[str, int]
) -> list[tuple[str, Callable[[Drive], None]]]:
    """The faults in the order in which they happen."""
    hosts = cluster.spark.network.hosts

    def executor(_: Drive) -> None:
        if at_work := cluster.spark.executors():
            chance.choice(at_work).kill()

    def host(_: Drive) -> None:
        chosen = chance.choice(hosts)
        chosen.die()
        time.sleep(2)
        cluster.spark.start_worker(chosen)

    def driver(drive: Drive) -> None:
        drive.child.end()

    def link(_: Drive) -> None:
        with cut(cluster, chance):
            time.sleep(CUT_SECONDS)

    def data_node(_: Drive) -> None:
        cluster.files.restart_data_node(chance.randrange(len(cluster.files.data_nodes)))

    kinds = {"executors": executor, "hosts": host, "drivers": driver, "links": link, "data_nodes": data_node}
    faults = [(name, kinds[name]) for name in kinds for _ in range(wanted[name])]
    chance.shuffle(faults)
    return faults


@contextmanager
def cut(cluster: Cluster, chance: random.Random) -> Iterator[None]:
    """The link between a worker host and all others is cut."""
    chosen = chance.choice(cluster.spark.network.hosts)
    chosen.cut_off(off=True)
    try:
        yield
    finally:
        chosen.cut_off(off=False)


def await_progress(drive: Drive, topic: str, goal: int) -> None:
    deadline = time.monotonic() + BACK_SECONDS
    while drive.read(topic) < goal:
        if time.monotonic() > deadline:
            raise SystemExit(f"No progress for {BACK_SECONDS:.0f} s:\n{drive.child.tail()}")
        time.sleep(0.1)


def differences(world: World, counts: str, written: Mapping[str, int]) -> int:
    """How many customers' counts are not 1, 2, 3 … up to what was written."""
    found: dict[str, list[int]] = {}
    for message in world.read(counts):
        found.setdefault(message.key().decode(), []).append(int.from_bytes(message.value(), "big"))
    wrong = [name for name in {*written, *found} if found.get(name) != list(range(1, written.get(name, 0) + 1))]
    for name in wrong[:10]:
        print(f"{name}: wrote {written.get(name)}, counted {found.get(name, [])[-3:]}")
    return len(wrong)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.cluster")
    parser.add_argument("--seed", type=int, default=1)
    for name, count in FAULTS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=count)
    return parser.parse_args()


if __name__ == "__main__":
    main()
