"""A Spark cluster of its own for tests: a standalone master and workers of one core, all on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pyspark

from tests.patience import PATIENCE_SECONDS
from webapp.local.java import java
from webapp.local.ports import is_open, remembered

SPARK = Path(pyspark.__file__).parent
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"


@dataclass(frozen=True)
class Standalone:
    """A running cluster; `master` is what SPARK_MASTER takes."""

    master: str
    workers: tuple[subprocess.Popen[bytes], ...]

    def executors(self) -> list[psutil.Process]:
        """The executors at work, the one of the first worker first."""
        below = (each for worker in self.workers for each in psutil.Process(worker.pid).children())
        return [each for each in below if each.name() == "java" and each.status() != psutil.STATUS_ZOMBIE]


@contextmanager
def standalone(folder: Path, *, workers: int = 2) -> Iterator[Standalone]:
    """Starts a cluster whose logs and working folders lie in `folder`, and ends it."""
    port = remembered(folder, "master")
    address = f"spark://127.0.0.1:{port}"
    processes = [_started(folder / "master", MASTER, "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")]
    try:
        _await(lambda: is_open(port))
        for number in range(workers):
            own = folder / f"worker-{number}"
            limits = ("--cores", "1", "--memory", "1g", "--work-dir", str(own), "--webui-port", "0")
            processes.append(_started(own, WORKER, "--host", "127.0.0.1", *limits, address))
        registered = "Successfully registered with master"
        _await(lambda: all(registered in _log(folder / f"worker-{number}") for number in range(workers)))
        yield Standalone(address, tuple(processes[1:]))
    finally:
        for process in reversed(processes):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _started(folder: Path, role: str, *arguments: str) -> subprocess.Popen[bytes]:
    folder.mkdir(parents=True)
    environment = {
        "PATH": os.environ["PATH"],
        "JAVA_HOME": str(java().parents[1]),
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [SPARK / "bin" / "spark-class", role, *arguments],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _await(is_there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_there():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _log(folder: Path) -> str:
    return (folder / "log").read_text(errors="replace")
