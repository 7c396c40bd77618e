"""A cluster for tests: two worker hosts that share no files with this machine, a broker they reach, and HDFS."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient

from runner.plan import Executors, Plan
from tests.cluster.hdfs import Hdfs, hdfs
from tests.cluster.hosts import ROOT, Host, network
from tests.cluster.standalone import SECRET, SPARK, Standalone, standalone
from tests.runner.spark.runs import World
from webapp.local.kafka import Kafka
from webapp.local.parts import JARS, run_part


class OpenKafka(Kafka):
    """The broker of `make run`, which answers at another address of this machine."""

    address = ""

    @property
    def servers(self) -> str:
        return f"{self.address}:{self.port}"

    def is_ready(self) -> bool:
        try:
            admin = AdminClient({"bootstrap.servers": self.servers, "socket.timeout.ms": 2000, "log_level": "0"})
            return admin.list_topics(timeout=2).cluster_id == self.cluster_id()
        except Exception:  # not yet
            return False

    def _write_properties(self) -> Path:
        path = super()._write_properties()
        path.write_text(path.read_text().replace("PLAINTEXT://127.0.0.1:", f"PLAINTEXT://{self.address}:"))
        return path


@dataclass(frozen=True)
class Cluster:
    """All parts of it. `hosts` are those that have this checkout, for agents."""

    spark: Standalone
    kafka: str
    files: Hdfs
    hosts: tuple[Host, ...]

    def on_spark(self, plan: Plan, **changed: Any) -> Plan:
        """A plan whose run goes on the cluster, with its checkpoint on HDFS."""
        executors = Executors(name="tests", master=self.spark.master, memory_mb=512, secret=SECRET)
        checkpoint = f"{self.files.uri}/{plan.application_id}/epoch-{plan.epoch}"
        return plan.model_copy(update={"executors": executors, "checkpoint": checkpoint} | changed)


@contextmanager
def running_cluster(folder: Path, *, data_nodes: int = 1) -> Iterator[Cluster]:
    """Starts all parts, whose files lie in `folder`, and ends them. Raises NoHosts."""
    homes = [folder / name for name in ("kafka", "hdfs", "spark")]
    for home in (*homes, homes[0] / "logs"):
        home.mkdir()
    broker = OpenKafka(homes[0], JARS, is_passing=True)
    with network({"one": SPARK, "two": SPARK, "red": ROOT, "blue": ROOT}) as all_hosts:
        hosts = replace(all_hosts, hosts=all_hosts.hosts[:2])
        broker.address = hosts.address
        with (
            run_part(broker),
            hdfs(homes[1], hosts.address, data_nodes=data_nodes) as files,
            standalone(hosts, homes[2]) as spark,
        ):
            yield Cluster(spark, broker.servers, files, all_hosts.hosts[2:])


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def world(cluster: Cluster, tmp_path: Path) -> World:
    return World(cluster.kafka, tmp_path)
