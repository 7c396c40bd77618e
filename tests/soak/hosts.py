"""Ends hosts of the product, one after the other, while a job counts. Nothing is lost, nothing repeated.

`python -m tests.soak.hosts --faults 6 --keys 1000000` prints how long the job took to come back each time. It runs the
whole product, whose own host is drained, and agents on two hosts. In turn, all programs of one end, it loses its power,
or it is cut off. With `--spark` these hosts carry only the drivers of runs on a Spark cluster. Needs what
`tests/cluster/hosts.py` needs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cluster.agents import Agents, agents
from tests.cluster.conftest import running_cluster
from tests.cluster.hosts import Host
from tests.cluster.product import ClusterProduct
from tests.proof.product import Product
from tests.runner.spark.runs import World
from tests.soak.cluster import Feed, differences

JOB = "hosts"
MANY_KEYS = 1_000_000
BACK_SECONDS = {0: 60.0, MANY_KEYS: 90.0}
"""How long a job may take to come back, by the keys in its state at least."""
ALL_CORES = 4
"""A run that follows one whose host is gone has no others."""
FAULTS: dict[str, Callable[[Host], None]] = {
    "dies": Host.die,
    "loses its power": Host.vanish,
    "is cut off": lambda host: host.cut_off(off=True),
}


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.soak.hosts")
    asked.add_argument("--faults", type=int, default=6)
    asked.add_argument("--keys", type=int, default=0, help="Keys in the job's state before the first fault.")
    asked.add_argument("--spark", action="store_true", help="Have the job run on a Spark cluster.")
    options = asked.parse_args()
    sys.exit(bool(wrong_after(options.faults, options.keys, is_on_spark=options.spark)))


def wrong_after(faults: int, keys: int, *, is_on_spark: bool = False) -> int:
    """How many keys have wrong counts after so many faults of hosts, and how often the job came back too late."""
    folder = Path(tempfile.mkdtemp(prefix="soak-hosts-"))
    print(f"{faults} faults, {keys} keys, files in {folder}", flush=True)
    most = max(seconds for least, seconds in BACK_SECONDS.items() if keys >= least)
    wrong = 0
    with running_cluster(folder) as cluster, ClusterProduct(folder / "home", cluster) as product:
        world = World(cluster.kafka, folder)
        orders, counts = world.topic("orders", 4), world.topic("counts", 4)
        loaded = {f"k{number}": 1 for number in range(keys)}
        world.produce(orders, [(key, "{}", 1_000) for key in loaded])
        parts = json.loads((product.home / "environment").read_text())
        secrets = (product.home / "secret-key").read_text()
        with agents(cluster, folder, secrets, parts, product.is_alive) as on_hosts:
            product.post("/hosts/control/drain")
            job = deployed(product, orders, counts, product.register_spark() if is_on_spark else "")
            await_read(product, job, keys)
            feed = Feed(world, orders)
            await_read(product, job, keys + 1)
            for fault in itertools.islice(itertools.cycle(FAULTS), faults):
                seconds = come_back(product, job, on_hosts, feed, keys, fault)
                print(f"host {fault}: back after {seconds:.1f} s", flush=True)
                wrong += seconds > most
            feed.close()
            await_read(product, job, keys + feed.total)
            product.post(f"/jobs/{job}/stop")
            product.wait_for_status(job, "stopped")
            wrong += differences(world, counts, loaded | feed.written)
    print(f"{keys + feed.total} records, {wrong} keys whose counts are wrong or returns after more than {most:.0f} s")
    return wrong


def come_back(product: ClusterProduct, job: int, on_hosts: Agents, feed: Feed, keys: int, fault: str) -> float:
    """Has a fault befall the host that carries the job; the seconds until all is read that was written by then."""
    host, goal = product.job(job)["host"], keys + feed.total
    began = time.monotonic()
    FAULTS[fault](on_hosts.host(host))
    await_read(product, job, goal)
    seconds = time.monotonic() - began
    if on_hosts.host(host).processes:
        on_hosts.host(host).cut_off(off=False)
        product.wait(lambda: product.is_alive(host), f"host {host} to be back")
    else:
        on_hosts.start(host)
    return seconds


def deployed(product: Product, orders: str, counts: str, spark: str) -> int:
    """A count of the orders of each customer, every update of which is written; on a Spark cluster, if one is named."""
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
    settings = {"cache": False} | ({"slots": ALL_CORES} if spark else {})
    wanted = {"topology": topology["id"], "name": JOB, "spark": spark, "settings": settings}
    return int(product.post("/jobs/deploy", wanted)["id"])


def await_read(product: Product, job: int, goal: int) -> None:
    """Until committed batches have read so many records."""
    product.wait(lambda: read(product, job) >= goal, f"{goal} records read")


def read(product: Product, job: int) -> int:
    runs = product.get(f"/jobs/{job}/runs")
    return sum(sum(offsets) for offsets in runs[0]["offsets"].values()) if runs else 0


if __name__ == "__main__":
    main()
