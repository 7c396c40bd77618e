"""One run on a cluster: its slots are spread over hosts, and its tables are asked while it goes on.

Its secrets stand nowhere, and one of its hosts dies.
The tests of this file come to it in their order.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from runner import kernel
from runner.plan import Plan
from runner.spark.checkpoint.batch_log import BatchLog
from runner.spark.program import make_program
from tests.cluster.conftest import Cluster
from tests.cluster.hosts import TEMPORARY, Host
from tests.cluster.standalone import EXECUTOR, SECRET
from tests.runner.spark.runs import Child, World, shops, started
from tests.runner.spark.test_child import updates
from tests.runner.spark.test_queries import ask, ask_until_ready, rows
from tests.runner.spark.test_replay_on_spark import replay

pytestmark = pytest.mark.cluster
PASSWORD = "canary-of-hamilton"
"""The broker asks for none, so it is not used; it travels all the same."""
OURS = {"code", "packages", "shown"}
"""Folders of what we sent along, and of Spark itself."""
CITIES = [f"city-{number}" for number in range(1_500)]
SLOTS = 4
STORE = "orders-by-city"


class Run(NamedTuple):
    """It has counted each city twice, and `ada` once."""

    plan: Plan
    world: World
    orders: str
    child: Child

    def order(self, cities: Iterable[str]) -> None:
        self.world.produce(self.orders, visits(cities))


def visits(cities: Iterable[str]) -> list[tuple[str, str, int]]:
    return [(f"c{number % 50}", json.dumps({"city": city}), number) for number, city in enumerate(cities)]


@pytest.fixture(scope="module")
def run(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    world = World(cluster.kafka, tmp_path_factory.mktemp("one-run"))
    orders, names, counts = world.topic("orders", 2), world.topic("names", 1), world.topic("counts", 1)
    world.produce(names, [(f"c{n}", json.dumps({"name": f"Customer {n}"}), 1) for n in range(50)])
    home = world.plan(shops(orders, names, counts), [orders, names], records_per_batch=500, slots=SLOTS)
    plan = on_spark(cluster, home, kafka=home.kafka | {"sasl.password": PASSWORD})
    world.produce(orders, visits([*CITIES, *CITIES, "ada"]))

    with started(plan) as child:
        child.wait_for_offsets(orders, 3_001)
        yield Run(plan, world, orders, child)


def test_slots_are_spread_over_hosts_evenly(run: Run, cluster: Cluster) -> None:
    newest: dict[str, tuple[float, str]] = {}
    for host in cluster.spark.network.hosts:
        for copy in copies(host):
            slot, at = f"{copy.parent.name}/{copy.name}", max(file.stat().st_mtime for file in copy.iterdir())
            newest[slot] = max(newest.get(slot, (0.0, "")), (at, host.name))

    stages = {slot.partition("/")[0] for slot in newest}
    assert stages
    for stage in stages:
        places = [host for slot, (_, host) in newest.items() if slot.startswith(f"{stage}/")]
        assert [places.count(host.name) for host in cluster.spark.network.hosts] == [SLOTS / 2] * 2, newest


def test_rows_are_read_beside_the_executors(run: Run) -> None:
    ada = ask_until_ready(run.child, STORE, key="ada")
    pages = [ask(run.child, STORE, limit=800)]
    assert "page" in pages[0], pages[0]
    pages.append(ask(run.child, STORE, limit=800, cursor=pages[0]["page"]["next"]))
    last = ask(run.child, STORE, limit=1, descending=True)

    found = rows(pages[0]) | rows(pages[1])
    assert rows(ada) == {"ada": 1}
    assert found == dict.fromkeys(CITIES, 2) | {"ada": 1}
    assert list(rows(last)) == [max(found)]


def test_its_batches_give_the_same_bytes_again_on_the_host_of_the_run(run: Run) -> None:
    manifests = BatchLog(make_program(run.plan).host_directory).read()

    again = replay(run.plan, manifests[2:])

    assert len({checksum for checksum, _ in again}) > 3
    assert again == [(each.facts["checksum"], each.facts["records"]) for each in manifests[2:]]


def test_executors_have_the_kernel_and_are_told_whether_to_use_it(run: Run, cluster: Cluster) -> None:
    for executor in [each for host in cluster.spark.network.hosts for each in host.javas(EXECUTOR)]:
        folder = Path(f"/proc/{executor.pid}/cwd/code/runner/kernel")

        assert f"{kernel.SWITCH}=on".encode() in Path(f"/proc/{executor.pid}/environ").read_bytes()
        assert bool(list(folder.glob("*.so"))) == kernel.is_built()


def test_a_password_stands_in_no_command_environment_or_file(run: Run, cluster: Cluster) -> None:
    driver = psutil.Process(run.child.popen.pid)
    seen = ours = dict(said_of(driver, *driver.children(recursive=True)))
    for host in cluster.spark.network.hosts:
        seen = seen | said_on(host)

    assert {place for place, content in seen.items() if PASSWORD.encode() in content} == set()
    assert PASSWORD not in run.child.tail()
    assert {place for place, content in ours.items() if SECRET.encode() in content} == set()
    assert any(b"CoarseGrainedExecutorBackend" in content for content in seen.values())
    assert any(place.endswith("/stderr") for place in seen)


def test_a_worker_host_that_dies_loses_and_repeats_nothing(run: Run, cluster: Cluster) -> None:
    host = cluster.spark.network.hosts[1]

    run.order(CITIES)
    run.child.wait_for_offsets(run.orders, 3_501)
    host.die()
    lost = run.child.wait_for(lambda event: event["type"] == "executor_lost" and event["took_ms"] is not None)
    run.child.wait_for_offsets(run.orders, 4_501)
    cluster.spark.start_worker(host)
    run.order(CITIES[:50])
    run.child.wait_for_offsets(run.orders, 4_551)

    assert run.child.stop() == 0
    assert (lost["host"], lost["batch"] > 0) == (host.address, True)
    assert lost["took_ms"] > lost["cost_ms"] >= 0
    assert lost["reason"]
    assert re.search(rf"Executor {re.escape(host.address)}:\d+ was lost", run.child.log.read_text())
    assert written(run) == dict.fromkeys(CITIES, 3) | dict.fromkeys(CITIES[:50], 4) | {"ada": 1}


def on_spark(cluster: Cluster, home: Plan, **changed: Any) -> Plan:
    """On an executor of each host that has a core for half of the slots."""
    plan = cluster.on_spark(home, **changed)
    assert plan.executors is not None
    return plan.model_copy(update={"executors": plan.executors.model_copy(update={"cores": SLOTS // 2})})


def copies(host: Host) -> Iterator[Path]:
    """The working copies of slots on its disk, seen through its executors."""
    for executor in host.javas(EXECUTOR):
        disk = Path(f"/proc/{executor.pid}/root{TEMPORARY}")
        yield from disk.glob("spark-*/executor-*/blockmgr-*/streamwright/stage-*/slot-*")


def written(run: Run) -> dict[str, int]:
    """How often each city was counted: each time once, and in turn."""
    found = updates(run.world, run.world.name("counts"))
    assert all(counts == list(range(1, len(counts) + 1)) for counts in found.values())
    return {city: len(counts) for city, counts in found.items()}


def said_on(host: Host) -> dict[str, bytes]:
    """What its processes were started with, and what lies on its disk."""
    processes = [psutil.Process(pid) for pid in host.pids()]
    worker = next(each for each in host.javas("deploy.worker.Worker"))
    disk = Path(f"/proc/{worker.pid}/root{TEMPORARY}")
    return dict(said_of(*processes)) | dict(files(disk))


def said_of(*processes: psutil.Process) -> Iterator[tuple[str, bytes]]:
    for process in processes:
        for name in ("cmdline", "environ"):
            try:
                yield f"{process.pid} {name}", Path(f"/proc/{process.pid}/{name}").read_bytes()
            except OSError:  # it has ended
                continue


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The content of all files below a folder, without what we sent along."""
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each not in OURS]
        for name in names:
            try:
                yield f"{place}/{name}", Path(place, name).read_bytes()
            except OSError:  # gone
                continue
