"""A session on a Spark cluster: its settings, and checks that the master answers and gives executors."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

from runner import kernel
from runner.plan import KUBERNETES, Executors
from runner.spark.codes import RunCode
from runner.spark.failures import TRIED_AGAIN, RunFailed
from runner.spark.private import GoneExecutor, end_applications, find_executors, find_gone_executors
from runner.spark.session.kubernetes import make_kubernetes_settings
from runner.spark.session.worker_files import PYTHONPATH, make_archives
from runner.spark.variables import JOB

CONNECT_SECONDS = 5.0
MASTER_PORT = 7077
EXECUTOR_SECONDS = 60.0
"""Longest usual time for a standalone master to start an executor."""
POD_SECONDS = 150.0
"""Longest usual time for Kubernetes to start an executor: a node may first pull the image."""
log = logging.getLogger(__name__)


def make_cluster_settings(executors: Executors, slots: int, home: Path, folder: Path, job: str) -> dict[str, str]:
    """Spark's settings for a run with so many slots and its files in `folder`. `job` tells its runs from others.

    Spark sends workers our files from below the home folder.
    """
    count = -(-slots // executors.cores)
    return {
        **(make_kubernetes_settings(executors, count, folder) if executors.are_pods else executors.settings),
        "spark.driver.host": _find_own_address(executors),
        "spark.archives": make_archives(home / "workers", folder),
        "spark.executorEnv.PYTHONPATH": PYTHONPATH,
        f"spark.executorEnv.{JOB}": job,
        f"spark.executorEnv.{kernel.SWITCH}": "off" if kernel.is_off() else "on",
        "spark.cores.max": str(count * executors.cores),
        "spark.executor.cores": str(executors.cores),
        "spark.executor.memory": f"{executors.memory_mb}m",
        # a slot whose executor is busy or gone begins elsewhere at once, where its state is built again
        "spark.locality.wait": "0s",
        # an executor ends after so many heartbeats, one in 10 s: no master or API server frees those of a lost driver
        "spark.executor.heartbeat.maxFailures": "9",
        "spark.log.level": "WARN",
    }


def prepare_secret(executors: Executors, folder: Path) -> None:
    """Gives Spark the secret in a file that only this user can read. Anyone can see Spark's own command line."""
    if not executors.secret:
        return
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / "spark-defaults.conf"
    file.touch(mode=0o600)
    file.write_text(
        f"spark.authenticate true\nspark.authenticate.secret {executors.secret}\nspark.network.crypto.enabled true\n"
    )
    os.environ["SPARK_CONF_DIR"] = str(folder)


def refuse_unreachable(executors: Executors) -> None:
    """Raises RunFailed if no master answers. `spark://host:port,host:port` may name several.

    Spark itself tries for a minute, and then says only that its context was stopped.
    """
    if not any(_try_connection(*address) for address in _list_addresses(executors)):
        raise RunFailed(
            RunCode.SPARK_UNREACHABLE,
            f"The Spark cluster `{executors.name}` does not answer at {executors.master}.",
            f"Start the master, or correct its address on the page Clusters. {TRIED_AGAIN}",
            retriable=True,
        )


def end_earlier_runs(spark: SparkSession, executors: Executors, job: str) -> None:
    """Frees the cores that earlier runs of a job hold. This run has the job's lease, so no other run may write.

    A master takes minutes to notice that the host of a driver is gone.
    """
    for address in () if executors.are_pods else _list_addresses(executors):
        if _try_connection(*address):
            for name in end_applications(spark, address, JOB, job):
                log.warning("Application %s of an earlier run still held cores of the cluster, and was ended.", name)


def wait_for_executor(spark: SparkSession, executors: Executors, seconds: float | None = None) -> None:
    """Waits for the first executor. Raises RunFailed if none comes."""
    if seconds is None:
        seconds = POD_SECONDS if executors.are_pods else EXECUTOR_SECONDS
    deadline = time.monotonic() + seconds
    while not find_executors(spark):
        if time.monotonic() > deadline:
            free = f"{executors.cores} free cores and {executors.memory_mb} MiB of free memory"
            hint = (
                f"Look at its pods with kubectl. Each needs {free} beside that of Python."
                if executors.are_pods
                else f"Start a worker with {free}."
            )
            raise RunFailed(
                RunCode.SPARK_NO_EXECUTOR,
                f"The Spark master {executors.master} started no executor within {seconds:.0f} seconds.",
                f"{hint} {TRIED_AGAIN}",
                retriable=True,
            )
        time.sleep(0.1)


class Watch:
    """Sees which executors come and go, and writes it to the run's log."""

    def __init__(self) -> None:
        self.executors: frozenset[str] = frozenset()
        self.missing: frozenset[str] = frozenset()
        """Lost executors for which Spark has not given a reason yet."""

    def look(self, spark: SparkSession) -> list[GoneExecutor]:
        """Compares with the last look, and returns the executors that are gone."""
        now = find_executors(spark)
        for name in sorted(now - self.executors):
            log.info("Executor %s is running.", name)
        self.missing |= self.executors - now
        self.executors = now
        losses = [each for each in find_gone_executors(spark) if each.name in self.missing] if self.missing else []
        for name, _, reason in losses:
            log.warning(
                "Executor %s was lost: %s. Its tasks run again, and the state of its slots is rebuilt.",
                name,
                reason.rstrip("."),
            )
        self.missing -= {each.name for each in losses}
        return losses


def _list_addresses(executors: Executors) -> Iterator[tuple[str, int]]:
    if executors.are_pods:
        server = executors.master.removeprefix(KUBERNETES)
        parts = urlsplit(server if "://" in server else f"https://{server}")
        yield parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)
        return
    for address in executors.master.removeprefix("spark://").split(","):
        parts = urlsplit(f"//{address}")
        yield parts.hostname or "", parts.port or MASTER_PORT


def _find_own_address(executors: Executors) -> str:
    """The address of this host on the way to the master. Executors connect to it."""
    own_address = next(filter(None, (_try_connection(*address) for address in _list_addresses(executors))), None)
    return own_address or socket.gethostname()


def _try_connection(host: str, port: int) -> str | None:
    """The own address of a connection. None if no one answers."""
    try:
        with socket.create_connection((host, port), CONNECT_SECONDS) as connection:
            own: str = connection.getsockname()[0]
            return own
    except OSError:
        return None
