"""A Spark cluster of its own for tests: a standalone master on this machine, and a worker of two cores on each host."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyspark

from tests.cluster.hosts import SHOWN, TEMPORARY, Host, Network
from tests.java import ONE_COMPILER
from tests.patience import PATIENCE_SECONDS
from webapp.local.java import find_java
from webapp.local.ports import choose_port

SPARK = Path(pyspark.__file__).parent
"""What hosts are shown: a Spark of the version that we use."""
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
EXECUTOR = "CoarseGrainedExecutorBackend"
SECRET = "canary-of-kilby"
"""What master, workers and runs know, and strangers do not."""
KNOWS_SECRET = (
    f"-Dspark.authenticate=true -Dspark.authenticate.secret={SECRET} -Dspark.network.crypto.enabled=true {ONE_COMPILER}"
)


@dataclass(frozen=True)
class Standalone:
    """A running cluster with a worker on each host. The master's page is at port `page`."""

    master: str
    page: int
    network: Network
    folder: Path

    def executors(self) -> list[psutil.Process]:
        """The executors at work, those of the first host first."""
        return [each for host in self.network.hosts for each in host.javas(EXECUTOR)]

    def start_worker(self, host: Host) -> None:
        """Starts a host's worker and waits until the master knows it."""
        log = self.folder / f"{host.name}.log"
        log.unlink(missing_ok=True)
        limits = ("--cores", "2", "--memory", "1g", "--work-dir", str(TEMPORARY / "work"), "--webui-port", "0")
        host.start(
            [str(SHOWN / "bin" / "spark-class"), WORKER, "--host", host.address, *limits, self.master],
            log,
            JAVA_HOME=str(find_java().parents[1]),
            SPARK_HOME=str(SHOWN),
            SPARK_LOCAL_IP=host.address,
            SPARK_DAEMON_JAVA_OPTS=KNOWS_SECRET,
        )
        await_there(lambda: "Successfully registered with master" in log.read_text(errors="replace"), log)


@contextmanager
def standalone(network: Network, folder: Path) -> Iterator[Standalone]:
    """Starts a cluster whose logs lie in `folder`, and ends it."""
    port, page = choose_port(folder, "master"), choose_port(folder, "master-page")
    log = folder / "master.log"
    address = ["--host", network.address, "--port", str(port), "--webui-port", str(page)]
    with log.open("wb") as to:
        master = subprocess.Popen(
            [SPARK / "bin" / "spark-class", MASTER, *address],
            env={
                "PATH": os.environ["PATH"],
                "JAVA_HOME": str(find_java().parents[1]),
                "SPARK_HOME": str(SPARK),
                "SPARK_LOCAL_IP": network.address,
                "SPARK_DAEMON_JAVA_OPTS": KNOWS_SECRET,
            },
            cwd=folder,
            stdout=to,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        await_there(lambda: _answers(network.address, port), log)
        cluster = Standalone(f"spark://{network.address}:{port}", page, network, folder)
        for host in network.hosts:
            cluster.start_worker(host)
        yield cluster
    finally:
        for host in network.hosts:
            host.die()
        os.killpg(master.pid, signal.SIGKILL)
        master.wait()


def _answers(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def await_there(is_there: Callable[[], bool], log: Path) -> None:
    """Waits for what a process does that writes a log; fails with the end of the log."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_there():
        assert time.monotonic() < deadline, log.read_text(errors="replace")[-4_000:]
        time.sleep(0.1)
