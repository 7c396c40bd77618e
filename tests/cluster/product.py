"""The whole product on this machine, beside a Spark cluster on hosts of their own."""

from __future__ import annotations

from pathlib import Path

from tests.cluster.agents import checkpoints
from tests.cluster.conftest import Cluster
from tests.cluster.standalone import SECRET
from tests.proof.product import Product


class ClusterProduct(Product):
    """The product on this machine, with the broker and the checkpoints of a cluster."""

    def __init__(self, home: Path, cluster: Cluster) -> None:
        super().__init__(home)
        self.cluster = cluster

    @property
    def kafka(self) -> str:
        return self.cluster.kafka

    def is_alive(self, name: str) -> bool:
        return any(host["is_alive"] for host in self.get("/hosts")["hosts"] if host["name"] == name)

    def register_spark(self) -> str:
        """The name of the Spark cluster, of which the product knows now."""
        executors = {"executor_cores": 2, "executor_memory_mb": 1_024}  # one on each host
        wanted = {"name": "big", "master": self.cluster.spark.master, "secret": SECRET, **executors}
        return str(self.post("/spark-clusters", wanted | {"is_untested": True})["name"])

    def _environment(self) -> dict[str, str]:
        own = {"KAFKA_BOOTSTRAP_SERVERS": self.cluster.kafka, "STREAMWRIGHT_CHECKPOINTS": checkpoints(self.cluster)}
        return super()._environment() | own | {"STREAMWRIGHT_HOST": "control"}
