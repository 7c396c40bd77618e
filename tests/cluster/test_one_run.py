"""One run on a cluster: its tables are asked while it goes on, and where its secrets do not stand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.cluster.conftest import Cluster
from tests.cluster.hosts import TEMPORARY, Host
from tests.cluster.standalone import SECRET
from tests.runner.spark.runs import Child, World, counting, started
from tests.runner.spark.test_queries import ask, ask_until_ready, orders, rows

pytestmark = pytest.mark.cluster
PASSWORD = "canary-of-hamilton"
"""The broker asks for none, so it is not used; it travels all the same."""
OURS = {"code", "packages", "shown"}
"""Folders of what we sent along, and of Spark itself."""
NAMES = [f"c{number}" for number in range(1_500)]


@pytest.fixture(scope="module")
def run(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Child]:
    """It has counted each name twice, and `ada` once."""
    world = World(cluster.kafka, tmp_path_factory.mktemp("one-run"))
    topic, counts = world.topic("orders", 4), world.topic("counts", 4)
    plan = cluster.on_spark(world.plan(counting(topic, counts), [topic]))
    plan = plan.model_copy(update={"kafka": plan.kafka | {"sasl.password": PASSWORD}})
    world.produce(topic, orders(*NAMES, *NAMES, "ada"))

    with started(plan) as child:
        child.wait_for_offsets(topic, 3_001)
        yield child
        assert child.stop() == 0


def test_rows_are_read_beside_the_executors(run: Child) -> None:
    ada = ask_until_ready(run, "orders-by-customer", key="ada")
    pages = [ask(run, "orders-by-customer", limit=800)]
    assert "page" in pages[0], pages[0]
    pages.append(ask(run, "orders-by-customer", limit=800, cursor=pages[0]["page"]["next"]))
    last = ask(run, "orders-by-customer", limit=1, descending=True)

    found = rows(pages[0]) | rows(pages[1])
    assert rows(ada) == {"ada": 1}
    assert found == dict.fromkeys(NAMES, 2) | {"ada": 1}
    assert list(rows(last)) == [max(found)]


def test_a_password_stands_in_no_command_environment_or_file(run: Child, cluster: Cluster) -> None:
    driver = psutil.Process(run.popen.pid)
    seen = ours = dict(said_of(driver, *driver.children(recursive=True)))
    for host in cluster.spark.network.hosts:
        seen = seen | said_on(host)

    assert {place for place, content in seen.items() if PASSWORD.encode() in content} == set()
    assert PASSWORD not in run.tail()
    assert {place for place, content in ours.items() if SECRET.encode() in content} == set()
    assert any(b"CoarseGrainedExecutorBackend" in content for content in seen.values())
    assert any(place.endswith("/stderr") for place in seen)


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
