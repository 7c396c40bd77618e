"""The probe of a Spark cluster, on hosts of their own.

`make test` probes pods (test_session_kubernetes.py), and has a run on these hosts.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner.plan import Executors
from runner.spark.probe.probe import Probe, Seen
from tests.cluster.conftest import Cluster
from tests.cluster.forwarding import forwarded
from tests.cluster.standalone import SECRET

pytestmark = [pytest.mark.cluster, pytest.mark.soak]


def probed(cluster: Cluster, root: str, kafka: dict[str, str], python: str = "") -> Seen:
    executors = Executors(name="tests", master=cluster.spark.master, memory_mb=512, python=python, secret=SECRET)
    wanted = Probe(
        executors=executors,
        slots=4,
        checkpoint_root=root,
        product="tests",
        kafka={name: {"bootstrap.servers": servers} for name, servers in kafka.items()},
    )
    done = subprocess.run(
        [sys.executable, "-m", "runner.spark.probe.probing"],
        input=wanted.model_dump_json(),
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    assert done.stdout, done.stderr
    return Seen.model_validate_json(done.stdout.strip().rpartition("\n")[2])


def test_a_fit_cluster_names_its_hosts(cluster: Cluster) -> None:
    seen = probed(cluster, f"{cluster.files.uri}/jobs", {"local": cluster.kafka})

    assert seen.find_faults() == []
    assert [host.host for host in seen.hosts] == [host.address for host in cluster.spark.network.hosts]


def test_hosts_that_share_no_folder_and_reach_no_broker_are_named(
    cluster: Cluster, tmp_path: Path, kafka_servers: str
) -> None:
    """The cluster `inside` answers at an address that hosts reach, and names one that they do not."""
    address = cluster.spark.network.address
    with forwarded(address, int(kafka_servers.rpartition(":")[2])) as port:
        kafka = {"local": cluster.kafka, "away": "127.0.0.1:9", "inside": f"{address}:{port}"}
        seen = probed(cluster, str(tmp_path), kafka)

    root, away, inside = seen.find_faults()
    hosts = "From hosts " + ", ".join(f"`{host.address}`" for host in cluster.spark.network.hosts)
    assert str(tmp_path) in root
    assert away.startswith(f"{hosts}, Kafka cluster `away` cannot be used: Kafka does not answer at 127.0.0.1:9.")
    assert inside.startswith(
        f"{hosts}, Kafka cluster `inside` cannot be used: The cluster answers, but not its broker. {kafka_servers} "
    )


def test_hosts_without_that_python_are_told_of(cluster: Cluster) -> None:
    seen = probed(cluster, f"{cluster.files.uri}/jobs", {}, python="python3-absent")

    assert seen.problem.startswith("A worker host lacks the Python that the run needs, or has another version.")
