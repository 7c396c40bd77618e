"""Ends hosts of the product, one after the other, while a job counts. Nothing is lost, nothing repeated.

`python -m tests.soak.hosts --deaths 5 --keys 1000000` prints how long the job took to come back each time. It runs the
whole product, whose own host is drained, and agents on two hosts that are killed in turn. Needs what
`tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.cluster.agents import Agents, agents, checkpoints
from tests.cluster.conftest import Cluster, running_cluster
from tests.proof.product import Product
from tests.runner.spark.runs import World
from tests.soak.cluster import Feed, differences

JOB = "hosts"


class ClusterProduct(Product):
    """The product on this machine, with the broker and the checkpoints of a cluster."""

    def __init__(self, home: Path, cluster: Cluster) -> None:
        super().__init__(home)
        self.cluster = cluster

    def _environment(self) -> dict[str, str]:
        own = {"KAFKA_BOOTSTRAP_SERVERS": self.cluster.kafka, "STREAMWRIGHT_CHECKPOINTS": checkpoints(self.cluster)}
        return super()._environment() | own | {"STREAMWRIGHT_HOST": "control"}

    def is_alive(self, name: str) -> bool:
        return any(host["is_alive"] for host in self.get("/hosts")["hosts"] if host["name"] == name)


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.soak.hosts")
    asked.add_argument("--deaths", type=int, default=5)
    asked.add_argument("--keys", type=int, default=0, help="Keys in the job's state before the first host dies.")
    options = asked.parse_args()
    sys.exit(bool(wrong_after(options.deaths, options.keys)))


def wrong_after(deaths: int, keys: int) -> int:
    """How many keys have wrong counts after so many deaths of hosts."""
    folder = Path(tempfile.mkdtemp(prefix="soak-hosts-"))
    print(f"{deaths} deaths, {keys} keys, files in {folder}", flush=True)
    with running_cluster(folder) as cluster, started(cluster, folder / "home") as product:
        world = World(cluster.kafka, folder)
        orders, counts = world.topic("orders", 4), world.topic("counts", 4)
        loaded = {f"k{number}": 1 for number in range(keys)}
        world.produce(orders, [(key, "{}", 1_000) for key in loaded])
        parts = json.loads((product.home / "environment").read_text())
        with agents(cluster, folder, parts, product.is_alive) as on_hosts:
            product.post("/hosts/control/drain")
            job = deployed(product, orders, counts)
            await_read(product, job, keys)
            feed = Feed(world, orders)
            await_read(product, job, keys + 1)
            for _ in range(deaths):
                print(f"host dies: back after {death(product, job, on_hosts, feed, keys):.1f} s", flush=True)
            feed.close()
            await_read(product, job, keys + feed.total)
            product.post(f"/jobs/{job}/stop")
            product.wait_for_status(job, "stopped")
            wrong = differences(world, counts, loaded | feed.written)
    print(f"{keys + feed.total} records, {wrong} keys whose counts are wrong")
    return wrong


@contextmanager
def started(cluster: Cluster, home: Path) -> Iterator[ClusterProduct]:
    product = ClusterProduct(home, cluster)
    product.start()
    try:
        yield product
    finally:
        product.stop()


def death(product: Product, job: int, on_hosts: Agents, feed: Feed, keys: int) -> float:
    """Ends the host that carries the job; the seconds until all is read that was written by then."""
    host, goal = product.job(job)["host"], keys + feed.total
    began = time.monotonic()
    on_hosts.host(host).die()
    await_read(product, job, goal)
    seconds = time.monotonic() - began
    on_hosts.start(host)
    return seconds


def deployed(product: Product, orders: str, counts: str) -> int:
    """A count of the orders of each customer, every update of which is written."""
    nodes: list[tuple[str, str, dict[str, Any]]] = [
        ("orders", "stream", {"topic": orders, "key_type": {"kind": "string"}}),
        ("grouped", "group_by_key", {}),
        ("counted", "count", {}),
        ("updates", "to_stream", {}),
        ("counts", "to", {"topic": counts}),
    ]
    ports = ("stream", "grouped", "table", "stream")
    names = [name for name, _, _ in nodes]
    graph = {
        "nodes": [
            {"id": name, "operator": operator, "config": config, "position": {"x": 0, "y": 0}}
            for name, operator, config in nodes
        ],
        "edges": [
            {"source": source, "source_port": "result", "target": target, "target_port": port}
            for source, target, port in zip(names, names[1:], ports, strict=False)
        ],
    }
    topology = product.post("/topologies/import", {"streamwright": 1, "name": JOB, "graph": graph, "schemas": {}})
    wanted = {"topology": topology["id"], "name": JOB, "settings": {"cache": False}}
    return int(product.post("/jobs/deploy", wanted)["id"])


def await_read(product: Product, job: int, goal: int) -> None:
    """Until committed batches have read so many records."""
    product.wait(lambda: read(product, job) >= goal, f"{goal} records read")


def read(product: Product, job: int) -> int:
    runs = product.get(f"/jobs/{job}/runs")
    return sum(sum(offsets) for offsets in runs[0]["offsets"].values()) if runs else 0


if __name__ == "__main__":
    main()
