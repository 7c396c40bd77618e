"""Where passwords of Kafka and the secret of a Spark cluster do not stand while a run uses them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.cluster.conftest import Cluster
from tests.cluster.hosts import TEMPORARY, Host
from tests.cluster.standalone import SECRET
from tests.runner.spark.runs import World, counting, started

pytestmark = pytest.mark.cluster
PASSWORD = "canary-of-hamilton"
"""The broker asks for none, so it is not used; it travels all the same."""
OURS = {"code", "packages", "shown"}
"""Folders of what we sent along, and of Spark itself."""


def test_a_password_stands_in_no_command_environment_or_file(world: World, cluster: Cluster) -> None:
    orders, counts = world.topic("orders"), world.topic("counts")
    plan = cluster.on_spark(world.plan(counting(orders, counts), [orders]))
    plan = plan.model_copy(update={"kafka": plan.kafka | {"sasl.password": PASSWORD}})
    world.produce(orders, [("ada", "{}", 1)])

    with started(plan) as child:
        child.wait_for_offsets(orders, 1)
        driver = psutil.Process(child.popen.pid)
        seen = ours = dict(said_of(driver, *driver.children(recursive=True)))
        for host in cluster.spark.network.hosts:
            seen = seen | said_on(host)
        log = child.tail()

    assert {place for place, content in seen.items() if PASSWORD.encode() in content} == set()
    assert PASSWORD not in log
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
